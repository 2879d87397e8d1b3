#include "am/remote.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/status.h"
#include "base/table.h"
#include "core/handlers.h"
#include "core/place.h"
#include "core/progress.h"
#include "net/net.h"

/* So many messages of each kind may be under way at once; who wants more waits. */
enum { SLOTS_N = 128, PAUSE_FIRST_NS = 4000, PAUSE_LAST_NS = 1000000 };
enum { REQUESTS, REPLIES, CLASSES_N };

/* One message. Once it is with the transport its callbacks own it. */
struct far {
  struct far *next; /* of the free ones, or of those that wait to be sent */
  struct peer *peer;
  struct tsr_am_message message;
  int32_t args[TSR_AM_ARGS_MAX];
  void *copy;                 /* of the data; NULL: none */
  struct tsr_am_block *block; /* that the data lies in; NULL: none */
  tsr_op *local;              /* counts until the data was read for the last time; NULL: nobody waits for that */
  size_t ahead_bytes;         /* of data that goes ahead: how much has started; */
  bool goes_ahead, ordered;   /* whether it does; the message must come after it */
  bool is_taken;
  int parts_n;                /* requests of it that are under way */
  char verdict;               /* what the endpoint answers */
};

/* A target, for requests or for replies. One that had no room is asked again with one message, after a pause that grows. */
struct peer {
  tsr_unit unit;
  int class_;
  struct far *first, **last; /* wait to be sent */
  struct peer *next_active;
  bool is_active;
  int under_way_n, taken_n;  /* with the transport; slots */
  uint64_t pause_ns, due_ns; /* 0: it had room last */
};

/* The lock covers all of this; never held while the transport is called, which calls us under its own. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct far slots[CLASSES_N][SLOTS_N], *unused[CLASSES_N];
static tsr_table peers; /* by CLASSES_N * unit + class */
static struct peer *active, **active_last = &active;
static _Atomic int queued_n, free_n[CLASSES_N] = {SLOTS_N, SLOTS_N}, slots_wanted_n;
static atomic_flag busy = ATOMIC_FLAG_INIT;

static uint32_t number_of(tsr_unit unit, int class_) { return (uint32_t)(CLASSES_N * unit.id + class_); }

/* Called with the lock held. */
static tessera_status_t make_table(void) {
  peers = tsr_table_make(number_of(TSR_UNIT(tsr_place.units_n), 0), sizeof(struct peer));
  if (!peers.blocks) return tsr_fail(TESSERA_ERR_MEMORY, "no private memory for active messages to %d units", tsr_place.units_n);
  for (int i = 0; i < CLASSES_N * SLOTS_N; i++) {
    struct far *far = &slots[i % CLASSES_N][i / CLASSES_N];
    far->next = unused[i % CLASSES_N];
    unused[i % CLASSES_N] = far;
  }
  return TESSERA_OK;
}

/* Called with the lock held. */
static tessera_status_t find_peer(tsr_unit unit, int class_, struct peer **out) {
  tessera_status_t status = peers.blocks ? TESSERA_OK : make_table();
  struct peer *peer = status ? NULL : tsr_table_use(&peers, number_of(unit, class_));
  if (status) return status;
  if (!peer) return tsr_fail(TESSERA_ERR_MEMORY, "no private memory for active messages to unit %d", unit.id);
  if (!peer->last) *peer = (struct peer){.unit = unit, .class_ = class_, .last = &peer->first};
  *out = peer;
  return TESSERA_OK;
}

static tessera_status_t try_take(tsr_unit to, int class_, struct far **out) {
  pthread_mutex_lock(&lock);
  struct peer *peer = NULL;
  tessera_status_t status = find_peer(to, class_, &peer);
  struct far *far = status ? NULL : unused[class_];
  if (far) {
    unused[class_] = far->next;
    *far = (struct far){.peer = peer};
    far->peer->taken_n++;
    atomic_fetch_sub(&free_n[class_], 1);
    *out = far;
  } else if (!status) {
    status = TESSERA_ERR_AGAIN;
  }
  pthread_mutex_unlock(&lock);
  return status;
}

static bool slot_is_free(const void *arg) { return atomic_load((const _Atomic int *)arg) > 0; }

static tessera_status_t take(tsr_unit to, int class_, bool waits, struct far **out) {
  tessera_status_t status;
  while ((status = try_take(to, class_, out)) == TESSERA_ERR_AGAIN && waits) {
    atomic_fetch_add(&slots_wanted_n, 1);
    tsr_wait(slot_is_free, &free_n[class_], (struct tsr_wait_why){TSR_WAIT_AM_TAKEN, to.id, tsr_am_remote_n(to)});
    atomic_fetch_sub(&slots_wanted_n, 1);
  }
  return status;
}

/* Called with the lock held. */
static void give_slot(struct far *far) {
  int class_ = far->peer->class_;
  far->peer->taken_n--;
  far->next = unused[class_];
  unused[class_] = far;
  atomic_fetch_add(&free_n[class_], 1);
}

static void give(struct far *far) {
  pthread_mutex_lock(&lock);
  give_slot(far);
  pthread_mutex_unlock(&lock);
}

/* The last request of it has ended. Called with the lock held. */
static void finish(struct far *far) {
  free(far->copy);
  if (far->block) tsr_am_block_give(far->block);
  if (far->local && !far->goes_ahead) tsr_op_end(far->local);
  give_slot(far);
  if (atomic_load(&slots_wanted_n) || atomic_load(&free_n[far->peer->class_]) == SLOTS_N) tsr_wait_nudge();
}

/* Called with the lock held. */
static void queue(struct far *far, bool first) {
  struct peer *peer = far->peer;
  far->next = first ? peer->first : NULL;
  if (first) {
    if (!peer->first) peer->last = &far->next;
    peer->first = far;
  } else {
    *peer->last = far;
    peer->last = &far->next;
  }
  atomic_fetch_add(&queued_n, 1);
  if (peer->is_active) return;
  peer->is_active = true;
  peer->next_active = NULL;
  *active_last = peer;
  active_last = &peer->next_active;
}

static struct far *unqueue(struct peer *peer) {
  struct far *far = peer->first;
  peer->first = far->next;
  if (!peer->first) peer->last = &peer->first;
  atomic_fetch_sub(&queued_n, 1);
  return far;
}

/* Several that were refused together are one refusal. What went ahead is there already when a message is refused. */
static void refused(struct far *far) {
  struct peer *peer = far->peer;
  far->ordered = false;
  uint64_t longer_ns = peer->pause_ns ? 2 * peer->pause_ns : PAUSE_FIRST_NS;
  if (!peer->pause_ns || !peer->under_way_n) peer->pause_ns = longer_ns < PAUSE_LAST_NS ? longer_ns : PAUSE_LAST_NS;
  peer->due_ns = tsr_clock_ns() + peer->pause_ns;
  queue(far, true);
}

static void on_message(void *arg, enum tsr_net_event event, size_t reply_bytes) {
  struct far *far = arg;
  if (event != TSR_NET_REMOTE) return;
  pthread_mutex_lock(&lock);
  far->peer->under_way_n--;
  far->parts_n--;
  far->is_taken = reply_bytes == 0;
  if (far->is_taken) far->peer->pause_ns = 0;
  if (!far->is_taken) refused(far);
  else if (!far->parts_n) finish(far);
  pthread_mutex_unlock(&lock);
}

static void on_piece(void *arg, enum tsr_net_event event, size_t reply_bytes) {
  (void)reply_bytes;
  struct far *far = arg;
  pthread_mutex_lock(&lock);
  if (event == TSR_NET_LOCAL) {
    if (far->local) tsr_op_end(far->local);
  } else if (--far->parts_n == 0 && far->is_taken) {
    finish(far);
  }
  pthread_mutex_unlock(&lock);
}

static void count_part(struct far *far, int more) {
  pthread_mutex_lock(&lock);
  far->parts_n += more;
  pthread_mutex_unlock(&lock);
}

static int endpoint_of(const struct far *far) { return tsr_place_endpoint((tsr_addr){far->peer->unit, 0}); }

/* False: not now. */
static bool start(struct far *far, const struct tsr_net_request *request) {
  count_part(far, 1);
  if (tsr_net->request(request) != TESSERA_ERR_AGAIN) return true;
  count_part(far, -1);
  return false;
}

static bool start_piece(struct far *far) {
  const struct tsr_am_message *message = &far->message;
  size_t at = far->ahead_bytes, left = message->bytes - at;
  size_t bytes = left < tsr_net_limits.chunk_bytes ? left : tsr_net_limits.chunk_bytes;
  struct tsr_net_request request = {.rank = endpoint_of(far),
                                    .handler = TSR_H_AM_DATA,
                                    .ordered = true,
                                    .args = {(uint64_t)far->peer->unit.id, message->dest_off + at, bytes},
                                    .bulk = (const char *)message->data + at,
                                    .bulk_bytes = bytes,
                                    .done = on_piece,
                                    .done_arg = far};
  if (far->local) tsr_op_begin(far->local);
  if (start(far, &request)) {
    far->ahead_bytes += bytes;
    return true;
  }
  if (far->local) tsr_op_end(far->local);
  return false;
}

/* The payload of the request: the arguments' line, if they have one, and the data. */
static size_t line_bytes(const struct tsr_am_message *message) {
  return message->args_n > TSR_AM_REMOTE_ARGS ? TSR_CACHE_LINE : 0;
}

static void pack(void *dest, const void *arg) {
  const struct far *far = arg;
  const struct tsr_am_message *message = &far->message;
  size_t line = line_bytes(message);
  if (line) memcpy(dest, far->args, sizeof far->args);
  if (message->bytes && !far->goes_ahead) memcpy((char *)dest + line, message->data, message->bytes);
}
_Static_assert(4 * (int)TSR_AM_ARGS_MAX <= (int)TSR_CACHE_LINE, "all arguments fit into the line before the payload");

static bool start_message(struct far *far) {
  const struct tsr_am_message *message = &far->message;
  struct tsr_am_tag tag = {.source = tsr_place.self, .handler = message->handler, .args_n = message->args_n & 31,
                           .kind = message->kind & 3, .family = message->family & 1,
                           .is_reply = far->peer->class_ == REPLIES, .rides = !far->goes_ahead};
  struct tsr_net_request request = {.rank = endpoint_of(far),
                                    .handler = TSR_H_AM,
                                    .ordered = far->ordered,
                                    .args = {(uint64_t)far->peer->unit.id, 0, message->dest_off, message->bytes},
                                    .payload_bytes = line_bytes(message) + (far->goes_ahead ? 0 : message->bytes),
                                    .pack = pack,
                                    .pack_arg = far,
                                    .reply = &far->verdict,
                                    .reply_bytes = sizeof far->verdict,
                                    .done = on_message,
                                    .done_arg = far};
  memcpy(&request.args[1], &tag, sizeof tag);
  if (!line_bytes(message)) memcpy(&request.args[4], far->args, 4 * TSR_AM_REMOTE_ARGS);
  return start(far, &request);
}

/* Once the message itself has started for the first time, the pieces alone count what was read of the data. */
static bool start_all(struct far *far) {
  while (far->goes_ahead && far->ahead_bytes < far->message.bytes) {
    if (!start_piece(far)) return false;
  }
  tsr_op *local = far->ordered ? far->local : NULL;
  if (!start_message(far)) return false;
  if (local) tsr_op_end(local);
  return true;
}

static bool may_send(const struct peer *peer) {
  if (!peer->first) return false;
  return !peer->pause_ns || (!peer->under_way_n && tsr_clock_ns() >= peer->due_ns);
}

/* Sends to one target what it may. Called with the lock held. */
static int advance(struct peer *peer) {
  int done = 0;
  bool ok = true;
  while (ok && may_send(peer)) {
    struct far *far = unqueue(peer);
    peer->under_way_n++;
    pthread_mutex_unlock(&lock);
    ok = start_all(far);
    pthread_mutex_lock(&lock);
    if (ok) {
      done++;
    } else {
      peer->under_way_n--;
      queue(far, true);
    }
  }
  return done;
}

/* Targets leave the list here only. */
static int advance_all(void) {
  int done = 0;
  pthread_mutex_lock(&lock);
  for (struct peer **link = &active; *link;) {
    struct peer *peer = *link;
    done += advance(peer);
    if (peer->first) {
      link = &peer->next_active;
      continue;
    }
    *link = peer->next_active;
    if (!*link) active_last = link;
    peer->is_active = false;
  }
  pthread_mutex_unlock(&lock);
  return done;
}

int tsr_am_far_progress(void) {
  if (!atomic_load_explicit(&queued_n, memory_order_relaxed) || atomic_flag_test_and_set(&busy)) return 0;
  int done = advance_all();
  atomic_flag_clear(&busy);
  return done;
}

/* Whether the data does not go in the request: it does not fit, or is there already. */
static bool goes_ahead(const struct tsr_am_message *message) {
  return message->kind == TSR_AM_LONG &&
         ((message->bytes && !message->data) || message->bytes + TSR_CACHE_LINE > tsr_net_limits.eager_bytes);
}

static tessera_status_t copy_data(struct far *far) {
  far->copy = malloc(far->message.bytes);
  if (!far->copy)
    return tsr_fail(TESSERA_ERR_MEMORY, "no private memory for %zu bytes of an active message to unit %d; wait for local "
                    "completion instead of having them copied, or send less at once", far->message.bytes,
                    far->peer->unit.id);
  memcpy(far->copy, far->message.data, far->message.bytes);
  far->message.data = far->copy;
  return TESSERA_OK;
}

static void fill(struct far *far, const struct tsr_am_message *message) {
  far->message = *message;
  if (message->args_n) memcpy(far->args, message->args, 4u * message->args_n);
  if (message->kind == TSR_AM_SHORT) far->message.bytes = 0;
  far->ordered = far->goes_ahead = goes_ahead(&far->message);
  if (!message->data) far->ahead_bytes = far->message.bytes;
}

tessera_status_t tsr_am_remote_send(tsr_unit to, bool is_request, const struct tsr_am_message *message,
                                 struct tsr_am_block *block, bool waits, tsr_op *local) {
  struct far *far = NULL;
  tsr_op own = {0};
  tessera_status_t status = take(to, is_request ? REQUESTS : REPLIES, waits, &far);
  if (status) return status;
  fill(far, message);
  bool has_data = far->message.bytes && far->message.data && !block;
  bool stays = has_data && far->goes_ahead && waits && !local; /* copying it would take longer than waiting */
  far->block = block;
  if (has_data) far->local = stays ? &own : local;
  if (has_data && !far->local) status = copy_data(far);
  if (status) {
    give(far);
    return status;
  }
  if (far->local) tsr_op_begin(far->local);
  pthread_mutex_lock(&lock);
  queue(far, false);
  pthread_mutex_unlock(&lock);
  tsr_am_far_progress();
  if (stays) tsr_op_wait_remote(&own, to); /* local is counted down before, and `own` lives until all is */
  return TESSERA_OK;
}

int tsr_am_remote_n(tsr_unit to) {
  if (to.id < 0) return CLASSES_N * SLOTS_N - atomic_load(&free_n[REQUESTS]) - atomic_load(&free_n[REPLIES]);
  pthread_mutex_lock(&lock);
  int n = 0;
  for (int class_ = 0; peers.blocks && class_ < CLASSES_N; class_++) {
    const struct peer *peer = tsr_table_find(&peers, number_of(to, class_));
    n += peer ? peer->taken_n : 0;
  }
  pthread_mutex_unlock(&lock);
  return n;
}

static bool all_taken(const void *unused_arg) {
  (void)unused_arg;
  return tsr_am_remote_n(TSR_UNIT(-1)) == 0;
}

void tsr_am_remote_quiesce(void) {
  tsr_wait(all_taken, NULL, (struct tsr_wait_why){TSR_WAIT_AM_TAKEN, -1, tsr_am_remote_n(TSR_UNIT(-1))});
}

void tsr_am_remote_stop(void) {
  tsr_table_free(&peers);
  unused[REQUESTS] = unused[REPLIES] = NULL;
  active = NULL;
  active_last = &active;
}
