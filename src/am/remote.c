#include "am/remote.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/copy.h"
#include "base/freelist.h"
#include "base/status.h"
#include "base/table.h"
#include "core/handlers.h"
#include "core/place.h"
#include "core/progress.h"
#include "core/retry.h"
#include "net/net.h"

/* At most SLOTS_N requests and SLOTS_N replies are in progress at once. A target gets one more slot while it has fewer than
 * twice as many slots as are free. So a target that makes no progress leaves slots for messages to others. A target without
 * room is asked again after a pause, which grows from PAUSE_FIRST_NS to PAUSE_LAST_NS. */
enum { SLOTS_N = 128, PAUSE_FIRST_NS = 4000, PAUSE_LAST_NS = 1000000 };
enum { REQUESTS, REPLIES, CLASSES_N };

/* Copies of data that the sender may reuse on return. */
static tsr_freelist copies = TSR_FREELIST(1 << 20);

/* One message. While the transport has it, the callbacks own it. */
struct outgoing {
  struct outgoing *next; /* in the list of free slots, or in the queue of its target */
  struct peer *peer;
  struct tsr_am_message message;
  int32_t args[TSR_AM_ARGS_MAX];
  void *copy;                 /* of the data; NULL: none */
  struct tsr_am_block *block; /* the pool block that holds the data; NULL: none */
  tsr_op *local;              /* counts the message until the data may be reused; NULL: not counted */
  size_t ahead_bytes;         /* bytes of data for which a request ahead of the message has started */
  bool goes_ahead, ordered;   /* the data is sent ahead, or in place; the message must be ordered behind the data */
  bool is_taken;              /* the endpoint has taken the message */
  int parts_n;                /* requests of the message that are in progress */
  char verdict;               /* the endpoint's reply */
};

/* A target, for requests or for replies. If it had no room, one message is sent again after a pause, which grows. */
struct peer {
  tsr_unit unit;
  int class_;
  struct outgoing *first, **last; /* the queue */
  struct peer *next_active;
  bool is_active;            /* in the list of targets that have a queue */
  int under_way_n;           /* messages that the transport has */
  _Atomic int taken_n;       /* slots in use */
  uint64_t pause_ns, due_ns; /* pause_ns 0: the target had room for the last message */
};

/* The lock covers everything below. It is never held while the transport is called, because the transport runs the
 * callbacks under its own lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct outgoing slots[CLASSES_N][SLOTS_N], *unused[CLASSES_N];
static tsr_table peers; /* by CLASSES_N * unit + class */
static struct peer *active, **active_last = &active;
static _Atomic int queued_n, free_n[CLASSES_N] = {SLOTS_N, SLOTS_N};
static atomic_flag busy = ATOMIC_FLAG_INIT;

/* Called with the lock held. */
static tessera_status_t make_table(void) {
  peers = tsr_table_make((uint32_t)(CLASSES_N * tsr_place.units_n), sizeof(struct peer));
  if (!peers.blocks)
    return tsr_fail(TESSERA_ERR_MEMORY, "TSR-0501 no private memory for active messages to %d units; " TSR_REMEDY_MEMORY,
                    tsr_place.units_n);
  for (int i = 0; i < CLASSES_N * SLOTS_N; i++) {
    struct outgoing *outgoing = &slots[i % CLASSES_N][i / CLASSES_N];
    outgoing->next = unused[i % CLASSES_N];
    unused[i % CLASSES_N] = outgoing;
  }
  return TESSERA_OK;
}

struct slot_request {
  tsr_unit to;
  int class_;
  const struct peer *peer; /* the target */
  struct outgoing *slot;   /* NULL: none was free */
};

static bool has_slot(const struct peer *peer) {
  const int left_n = atomic_load(&free_n[peer->class_]);
  return left_n > 0 && atomic_load(&peer->taken_n) < 2 * left_n;
}

static tessera_status_t take_slot(void *arg) {
  struct slot_request *wanted = arg;
  pthread_mutex_lock(&lock);
  tessera_status_t status = peers.blocks ? TESSERA_OK : make_table();
  struct peer *peer = status ? NULL : tsr_table_use(&peers, (uint32_t)(CLASSES_N * wanted->to.id + wanted->class_));
  if (!status && !peer)
    status =
        tsr_fail(TESSERA_ERR_MEMORY, "TSR-0502 no private memory for active messages to unit %d; " TSR_REMEDY_MEMORY,
                 wanted->to.id);
  if (peer && !peer->last) *peer = (struct peer){.unit = wanted->to, .class_ = wanted->class_, .last = &peer->first};
  struct outgoing *outgoing = peer && has_slot(peer) ? unused[wanted->class_] : NULL;
  wanted->peer = peer;
  if (outgoing) {
    unused[wanted->class_] = outgoing->next;
    *outgoing = (struct outgoing){.peer = peer};
    peer->taken_n++;
    atomic_fetch_sub(&free_n[wanted->class_], 1);
    wanted->slot = outgoing;
  } else if (!status) {
    status = TESSERA_ERR_AGAIN;
  }
  pthread_mutex_unlock(&lock);
  return status;
}

static bool slot_is_free(const void *wanted) { return has_slot(((const struct slot_request *)wanted)->peer); }

/* Called with the lock held. */
static void give_slot(struct outgoing *outgoing) {
  int class_ = outgoing->peer->class_;
  outgoing->peer->taken_n--;
  outgoing->next = unused[class_];
  unused[class_] = outgoing;
  const int now_n = atomic_fetch_add(&free_n[class_], 1) + 1;
  if (tsr_retry_waits() || now_n == SLOTS_N) tsr_wait_nudge();
}

/* The last request of a message has ended. Called with the lock held. */
static void finish_message(struct outgoing *outgoing) {
  if (outgoing->copy) tsr_freelist_give(&copies, outgoing->copy, outgoing->message.bytes);
  if (outgoing->block) tsr_am_block_give(outgoing->block);
  if (outgoing->local && !outgoing->goes_ahead) tsr_op_end(outgoing->local);
  give_slot(outgoing);
}

/* Called with the lock held. */
static void queue_message(struct outgoing *outgoing, bool first) {
  struct peer *peer = outgoing->peer;
  outgoing->next = first ? peer->first : NULL;
  if (first) {
    if (!peer->first) peer->last = &outgoing->next;
    peer->first = outgoing;
  } else {
    *peer->last = outgoing;
    peer->last = &outgoing->next;
  }
  atomic_fetch_add(&queued_n, 1);
  if (peer->is_active) return;
  peer->is_active = true;
  peer->next_active = NULL;
  *active_last = peer;
  active_last = &peer->next_active;
}

/* The endpoint has taken the message, or had no room for it; then the message is sent again. If several messages find no
 * room together, only the first and the last of them lengthen the pause. Data that was sent ahead has arrived before the
 * message, so the message needs no order when it is sent again. */
static void on_message(void *arg, enum tsr_net_event event, size_t reply_bytes) {
  (void)event;
  struct outgoing *outgoing = arg;
  struct peer *peer = outgoing->peer;
  pthread_mutex_lock(&lock);
  peer->under_way_n--;
  outgoing->parts_n--;
  outgoing->is_taken = reply_bytes == 0;
  if (outgoing->is_taken) {
    peer->pause_ns = 0;
    if (!outgoing->parts_n) finish_message(outgoing);
  } else {
    uint64_t longer_ns = peer->pause_ns ? 2 * peer->pause_ns : PAUSE_FIRST_NS;
    if (!peer->pause_ns || !peer->under_way_n) peer->pause_ns = longer_ns < PAUSE_LAST_NS ? longer_ns : PAUSE_LAST_NS;
    peer->due_ns = tsr_clock_ns() + peer->pause_ns;
    outgoing->ordered = false;
    queue_message(outgoing, true);
  }
  pthread_mutex_unlock(&lock);
}

static void on_piece(void *arg, enum tsr_net_event event, size_t reply_bytes) {
  (void)reply_bytes;
  struct outgoing *outgoing = arg;
  pthread_mutex_lock(&lock);
  if (event == TSR_NET_LOCAL) {
    if (outgoing->local) tsr_op_end(outgoing->local);
  } else if (--outgoing->parts_n == 0 && outgoing->is_taken) {
    finish_message(outgoing);
  }
  pthread_mutex_unlock(&lock);
}

/* False: no buffer is free now. */
static bool start_request(struct outgoing *outgoing, struct tsr_net_request *request, tsr_net_done_fn done) {
  request->rank = tsr_place_endpoint((tsr_addr){outgoing->peer->unit, 0});
  request->done = done;
  request->done_arg = outgoing;
  pthread_mutex_lock(&lock);
  outgoing->parts_n++;
  pthread_mutex_unlock(&lock);
  if (tsr_net->request(request) != TESSERA_ERR_AGAIN) return true;
  pthread_mutex_lock(&lock);
  outgoing->parts_n--;
  pthread_mutex_unlock(&lock);
  return false;
}

static bool start_piece(struct outgoing *outgoing) {
  const struct tsr_am_message *message = &outgoing->message;
  size_t at = outgoing->ahead_bytes, left = message->bytes - at;
  size_t bytes = left < tsr_net_limits.chunk_bytes ? left : tsr_net_limits.chunk_bytes;
  struct tsr_net_request request = {.handler = TSR_H_AM_DATA,
                                    .ordered = true,
                                    .args = {(uint64_t)outgoing->peer->unit.id, message->dest_off + at, bytes},
                                    .bulk = (const char *)message->data + at,
                                    .bulk_bytes = bytes};
  if (outgoing->local) tsr_op_begin(outgoing->local);
  bool started = start_request(outgoing, &request, on_piece);
  if (started) outgoing->ahead_bytes += bytes;
  else if (outgoing->local) tsr_op_end(outgoing->local);
  return started;
}

static void pack_message(void *dest, const void *arg) {
  const struct outgoing *outgoing = arg;
  const struct tsr_am_message *message = &outgoing->message;
  const size_t args_bytes = tsr_am_remote_args_bytes(message->args_n);
  if (args_bytes) memcpy(dest, outgoing->args, sizeof outgoing->args);
  if (message->bytes && !outgoing->goes_ahead) tsr_copy((char *)dest + args_bytes, message->data, message->bytes);
}

/* Whether the acknowledgement of a message may be late: usually an answer of the target carries it then. It may not where a thread
 * may wait for what it gives back (the data, a pool block, one of the last slots), nor where no thread polls for a target that
 * computes. */
static bool may_be_late(const struct outgoing *outgoing) {
  return !outgoing->local && !outgoing->block && atomic_load(&free_n[outgoing->peer->class_]) > SLOTS_N / 2 &&
         tsr_place.shared_endpoints;
}

/* Sends the data that goes ahead, then the message. Once the message has started for the first time, only the pieces of the data
 * are counted in `local`. False: no buffer is free now. */
static bool start_message(struct outgoing *outgoing) {
  const struct tsr_am_message *message = &outgoing->message;
  while (outgoing->goes_ahead && outgoing->ahead_bytes < message->bytes)
    if (!start_piece(outgoing)) return false;
  const size_t args_bytes = tsr_am_remote_args_bytes(message->args_n);
  struct tsr_am_tag tag = {.source = tsr_place.self, .handler = message->handler, .args_n = message->args_n & 31,
                           .kind = message->kind & 3, .family = message->family & 1,
                           .is_reply = outgoing->peer->class_ == REPLIES, .is_inline = !outgoing->goes_ahead};
  struct tsr_net_request request = {.handler = TSR_H_AM,
                                    .ordered = outgoing->ordered,
                                    .delayed = may_be_late(outgoing),
                                    .args = {(uint64_t)outgoing->peer->unit.id, 0, message->dest_off, message->bytes},
                                    .payload_bytes = args_bytes + (outgoing->goes_ahead ? 0 : message->bytes),
                                    .pack = pack_message,
                                    .pack_arg = outgoing,
                                    .reply = &outgoing->verdict,
                                    .reply_bytes = sizeof outgoing->verdict};
  memcpy(&request.args[1], &tag, sizeof tag);
  if (!args_bytes) memcpy(&request.args[4], outgoing->args, 4 * TSR_AM_REMOTE_ARGS);
  tsr_op *local = outgoing->ordered ? outgoing->local : NULL; /* read before the callback may free the slot */
  if (!start_request(outgoing, &request, on_message)) return false;
  if (local) tsr_op_end(local);
  return true;
}

/* Starts the messages to one target that may be sent now; returns their number. Called with the lock held. */
static int advance_peer(struct peer *peer) {
  for (int done = 0;; done++) {
    struct outgoing *outgoing = peer->first;
    bool pauses = peer->pause_ns && (peer->under_way_n || tsr_clock_ns() < peer->due_ns);
    if (!outgoing || pauses) return done;
    peer->first = outgoing->next;
    if (!peer->first) peer->last = &peer->first;
    atomic_fetch_sub(&queued_n, 1);
    peer->under_way_n++;
    pthread_mutex_unlock(&lock);
    bool started = start_message(outgoing);
    pthread_mutex_lock(&lock);
    if (started) continue;
    peer->under_way_n--;
    queue_message(outgoing, true);
    return done;
  }
}

/* One thread at a time. Only this function removes targets from the list of active targets. */
int tsr_am_remote_progress(void) {
  if (!atomic_load_explicit(&queued_n, memory_order_relaxed) || atomic_flag_test_and_set(&busy)) return 0;
  int done = 0;
  pthread_mutex_lock(&lock);
  for (struct peer **link = &active; *link;) {
    struct peer *peer = *link;
    done += advance_peer(peer);
    if (peer->first) {
      link = &peer->next_active;
      continue;
    }
    *link = peer->next_active;
    if (!*link) active_last = link;
    peer->is_active = false;
  }
  pthread_mutex_unlock(&lock);
  atomic_flag_clear(&busy);
  return done;
}

bool tsr_am_remote_needs_clock(void) { return atomic_load(&queued_n) > 0; }

static tessera_status_t copy_data(struct outgoing *outgoing) {
  outgoing->copy = tsr_freelist_take(&copies, outgoing->message.bytes);
  if (!outgoing->copy)
    return tsr_fail(TESSERA_ERR_MEMORY, "TSR-0503 no private memory for a copy of %zu bytes of an active message to unit %d; pass "
                    "a request or an event for local completion, so that the data is not copied, or send fewer bytes at a time",
                    outgoing->message.bytes, outgoing->peer->unit.id);
  tsr_copy(outgoing->copy, outgoing->message.data, outgoing->message.bytes);
  outgoing->message.data = outgoing->copy;
  return TESSERA_OK;
}

tessera_status_t tsr_am_remote_send(tsr_unit to, bool is_request, const struct tsr_am_message *message,
                                 struct tsr_am_block *block, bool waits, tsr_op *local) {
  struct slot_request wanted = {to, is_request ? REQUESTS : REPLIES, NULL, NULL};
  tsr_op own = {0};
  tessera_status_t status = take_slot(&wanted);
  if (status == TESSERA_ERR_AGAIN && waits)
    status = tsr_retry(&(struct tsr_retry){take_slot, slot_is_free, &wanted, {TSR_WAIT_AM_TAKEN, to.id, tsr_am_remote_n(to)}});
  if (status) return status;
  struct outgoing *outgoing = wanted.slot;
  size_t bytes = message->kind == TSR_AM_SHORT ? 0 : message->bytes;
  outgoing->message = *message;
  outgoing->message.bytes = bytes;
  if (message->args_n) memcpy(outgoing->args, message->args, 4u * message->args_n);
  /* The data of a long message that does not fit into the request is sent ahead, or is in its place already. */
  outgoing->ordered = outgoing->goes_ahead =
      message->kind == TSR_AM_LONG && ((bytes && !message->data) || bytes + TSR_CACHE_LINE > tsr_net_limits.eager_bytes);
  if (!message->data) outgoing->ahead_bytes = bytes;
  bool has_data = bytes && message->data && !block;
  bool stays = has_data && outgoing->goes_ahead && waits && !local; /* copying it would take longer than waiting */
  outgoing->block = block;
  if (has_data) outgoing->local = stays ? &own : local;
  if (has_data && !outgoing->local) status = copy_data(outgoing);
  if (outgoing->local) tsr_op_begin(outgoing->local);
  pthread_mutex_lock(&lock);
  if (status) give_slot(outgoing);
  else queue_message(outgoing, false);
  pthread_mutex_unlock(&lock);
  if (status) return status;
  tsr_am_remote_progress();
  if (stays) tsr_op_wait_remote(&own, to); /* also waits for the remote part, because `own` lives on this stack */
  return TESSERA_OK;
}

int tsr_am_remote_n(tsr_unit to) {
  if (to.id < 0) return CLASSES_N * SLOTS_N - atomic_load(&free_n[REQUESTS]) - atomic_load(&free_n[REPLIES]);
  pthread_mutex_lock(&lock);
  int n = 0;
  for (int class_ = 0; peers.blocks && class_ < CLASSES_N; class_++) {
    const struct peer *peer = tsr_table_find(&peers, (uint32_t)(CLASSES_N * to.id + class_));
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
  tsr_freelist_drop(&copies);
  unused[REQUESTS] = unused[REPLIES] = NULL;
  active = NULL;
  active_last = &active;
}

__attribute__((constructor)) static void register_handlers(void) {
  tsr_net_register(TSR_H_AM, tsr_am_serve_message);
  tsr_net_register(TSR_H_AM_DATA, tsr_am_serve_data);
}
