#include "p2p/inbox.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/copy.h"
#include "base/log.h"
#include "core/layers.h"
#include "core/place.h"
#include "core/post.h"
#include "core/progress.h"
#include "core/runtime.h"
#include "p2p/remote.h"
#include "p2p/local.h"

_Atomic uint32_t tsr_p2p_moving_n[TSR_P2P_INTERFACES_N + 1];

/* A message that arrived before its receive. */
struct message {
  tsr_match_entry entry;
  struct tsr_envelope envelope;
  char data[];
};

/* The lock covers matching only. A thread that holds it neither communicates nor waits, and copies only data that arrived with
 * an envelope. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static tsr_match table;
static struct { size_t n, bytes; } kept;

enum { KEPT_WORTH_A_WARNING = 64 << 20 /* bytes */ };

static bool lock_table(void) {
  bool guarded = !tsr_alone();
  if (guarded) pthread_mutex_lock(&lock);
  return guarded;
}
static void unlock_table(bool guarded) {
  if (guarded) pthread_mutex_unlock(&lock);
}

static struct message *message_of(tsr_match_entry *entry) {
  return (struct message *)((char *)entry - offsetof(struct message, entry));
}
static tsr_incoming *incoming_of(tsr_match_entry *entry) {
  return (tsr_incoming *)((char *)entry - offsetof(tsr_incoming, entry));
}

static size_t data_bytes(const struct tsr_envelope *envelope) {
  if (envelope->form == TSR_ENVELOPE_SMALL) return envelope->bytes;
  return envelope->form == TSR_ENVELOPE_REMOTE ? tsr_p2p_remote_first_bytes(envelope->bytes) : 0;
}

static void keep_message(const struct tsr_match_key *key, const struct tsr_envelope *envelope, const void *data) {
  size_t bytes = sizeof(struct message) + data_bytes(envelope);
  struct message *message = malloc(bytes);
  if (!message)
    tsr_abort(1, "TSR-0801 no private memory for a message of %zu bytes from unit %d with tag %d, in addition to %zu messages "
              "that wait for receives; receive them sooner, or limit how many are sent before a reply",
              data_bytes(envelope), envelope->source, envelope->tag, kept.n);
  message->entry.key = *key;
  message->envelope = *envelope;
  if (data_bytes(envelope)) tsr_copy(message->data, data, data_bytes(envelope));
  tsr_match_keep(&table, &message->entry);
  kept.n++;
  kept.bytes += bytes;
  if (kept.bytes > KEPT_WORTH_A_WARNING)
    TSR_ONCE(tsr_warn("TSR-0802 %zu messages (%zu bytes of memory) wait on this unit for receives that have not started, the last "
                      "from unit %d with tag %d; receive them sooner, or limit how many are sent before a reply",
                      kept.n, kept.bytes, envelope->source, envelope->tag));
}

static void forget_message(struct message *message) {
  kept.n--;
  kept.bytes -= sizeof *message + data_bytes(&message->envelope);
}

/* Starts to receive a message into the receive that matches it. */
static void accept_message(tsr_incoming *in, const struct tsr_envelope *envelope, const void *data) {
  in->source = TSR_UNIT(envelope->source);
  in->tag = envelope->tag;
  in->bytes = envelope->bytes;
  in->mark = envelope->mark;
  in->wanted = envelope->bytes < in->room ? envelope->bytes : in->room;
  in->moved = 0;
  if (envelope->form != TSR_ENVELOPE_SMALL) tsr_p2p_move_begins(envelope->context);
  switch ((enum tsr_envelope_form)envelope->form) {
    case TSR_ENVELOPE_LOCAL: tsr_p2p_local_accept(in, envelope); break;
    case TSR_ENVELOPE_SELF: tsr_p2p_local_accept_self(in, envelope); break;
    case TSR_ENVELOPE_REMOTE: tsr_p2p_remote_accept(in, envelope, data); break;
    default:
      if (in->wanted) tsr_copy(in->buffer, data, in->wanted);
      tsr_incoming_finish(in);
  }
}

void tsr_inbox_take(const struct tsr_envelope *envelope, const void *data) {
  struct tsr_match_key key = {envelope->source, envelope->tag, envelope->context};
  bool guarded = lock_table();
  tsr_match_entry *receive = tsr_match_message(&table, &key);
  if (!receive) keep_message(&key, envelope, data);
  unlock_table(guarded);
  if (receive) accept_message(incoming_of(receive), envelope, data);
  else if (!tsr_alone()) tsr_wait_nudge(); /* a thread may wait in a probe */
}

void tsr_p2p_receive_start_then(tsr_incoming *in, tsr_unit from, enum tsr_p2p_context context, int32_t tag, void *buffer,
                                size_t room, void (*after)(tsr_incoming *in)) {
  atomic_init(&in->done, false);
  in->after = after;
  in->entry.key = (struct tsr_match_key){from.id, tag, (uint16_t)context};
  in->buffer = buffer;
  in->room = room;
  bool guarded = lock_table();
  tsr_match_entry *entry = tsr_match_receive(&table, &in->entry);
  if (entry) forget_message(message_of(entry));
  unlock_table(guarded);
  if (!entry) return;
  accept_message(in, &message_of(entry)->envelope, message_of(entry)->data);
  free(message_of(entry));
}

void tsr_p2p_receive_start(tsr_incoming *in, tsr_unit from, enum tsr_p2p_context context, int32_t tag, void *buffer,
                           size_t room) {
  tsr_p2p_receive_start_then(in, from, context, tag, buffer, room, NULL);
}

static bool is_received(const void *arg) {
  return atomic_load_explicit(&((const tsr_incoming *)arg)->done, memory_order_acquire);
}

void tsr_p2p_receive_wait(tsr_incoming *in) {
  const struct tsr_match_key *key = &in->entry.key;
  tsr_wait(is_received, in, tsr_p2p_receive_why(TSR_UNIT(key->source), key->tag));
}

void tsr_p2p_receive(tsr_incoming *in, tsr_unit from, enum tsr_p2p_context context, int32_t tag, void *buffer,
                     size_t room) {
  tsr_p2p_receive_start(in, from, context, tag, buffer, room);
  tsr_p2p_receive_wait(in);
}

struct search {
  struct tsr_match_key key;
  struct tsr_p2p_found *found;
};

static bool is_found(const void *arg) {
  const struct search *search = arg;
  bool guarded = lock_table();
  tsr_match_entry *entry = tsr_match_probe(&table, &search->key);
  if (entry) {
    const struct tsr_envelope *envelope = &message_of(entry)->envelope;
    *search->found = (struct tsr_p2p_found){TSR_UNIT(envelope->source), envelope->tag, envelope->bytes};
  }
  unlock_table(guarded);
  return entry != NULL;
}

bool tsr_p2p_probe(tsr_unit from, enum tsr_p2p_context context, int32_t tag, struct tsr_p2p_found *found) {
  struct search search = {{from.id, tag, (uint16_t)context}, found};
  tsr_progress();
  return is_found(&search);
}

void tsr_p2p_probe_wait(tsr_unit from, enum tsr_p2p_context context, int32_t tag, struct tsr_p2p_found *found) {
  struct search search = {{from.id, tag, (uint16_t)context}, found};
  tsr_wait(is_found, &search, tsr_p2p_receive_why(from, tag));
}

/* The payload of a record is an envelope, or the head of an envelope followed by the data. If the two together exceed the
 * slot's cache line, the payload is the data, and the envelope is in `aside`, so that the data is aligned and copies are
 * fast. */
enum { LINE_BYTES = TSR_RING_INLINE_BYTES, IN_LINE_MAX = LINE_BYTES - TSR_ENVELOPE_HEAD_BYTES };
static uint32_t record_bytes(const struct tsr_envelope *envelope) {
  if (envelope->form != TSR_ENVELOPE_SMALL) return sizeof *envelope;
  if (envelope->bytes <= IN_LINE_MAX) return (uint32_t)(TSR_ENVELOPE_HEAD_BYTES + envelope->bytes);
  return envelope->bytes > LINE_BYTES ? (uint32_t)envelope->bytes : LINE_BYTES + 1;
}

static void send_record(const struct tsr_post *post, const struct tsr_envelope *envelope, const void *data) {
  const struct tsr_ring_record *record = &post->record;
  if (record->bytes > LINE_BYTES) {
    tsr_copy(record->payload, data, envelope->bytes);
    memcpy(record->aside, envelope, sizeof *envelope);
  } else if (envelope->form == TSR_ENVELOPE_SMALL) {
    memcpy(record->payload, envelope, TSR_ENVELOPE_HEAD_BYTES);
    if (envelope->bytes) tsr_copy((char *)record->payload + TSR_ENVELOPE_HEAD_BYTES, data, envelope->bytes);
  } else {
    memcpy(record->payload, envelope, sizeof *envelope);
  }
  tsr_post_send(post);
}

void tsr_inbox_push(uint32_t local, const struct tsr_envelope *envelope, const void *data) {
  struct tsr_post post;
  tsr_post_open(&post, local, TSR_RECORD_MESSAGE, record_bytes(envelope));
  send_record(&post, envelope, data);
}

bool tsr_inbox_try_push(uint32_t local, const struct tsr_envelope *envelope, const void *data) {
  struct tsr_post post;
  if (tsr_post_try(&post, tsr_post_box_of(local), TSR_RECORD_MESSAGE, record_bytes(envelope))) return false;
  send_record(&post, envelope, data);
  return true;
}

static void take_record(const struct tsr_ring_record *record) {
  struct tsr_envelope envelope;
  const char *data = record->payload;
  if (record->bytes > LINE_BYTES) {
    memcpy(&envelope, record->aside, sizeof envelope);
  } else {
    memcpy(&envelope, data, TSR_ENVELOPE_HEAD_BYTES);
    if (envelope.form == TSR_ENVELOPE_SMALL) envelope.bytes = record->bytes - TSR_ENVELOPE_HEAD_BYTES;
    else memcpy(&envelope, data, sizeof envelope);
    data += TSR_ENVELOPE_HEAD_BYTES;
  }
  tsr_inbox_take(&envelope, data);
}

/* Messages of the program that were never received, for one warning. */
static struct {
  size_t n;
  struct tsr_match_key first;
} lost;

static void lose_message(tsr_match_entry *entry) {
  tsr_info("a message from unit %d with tag %d was never received", entry->key.source, entry->key.tag);
  if (entry->key.context < TSR_P2P_COLL && lost.n++ == 0) lost.first = entry->key;
  free(message_of(entry));
}

static void warn_of_lost(void) {
  if (lost.n)
    tsr_warn("TSR-0803 this unit exits without having received %zu messages, the first from unit %d with tag %d; receive every "
             "message that is sent (TESSERA_LOG=info lists these)", lost.n, lost.first.source, lost.first.tag);
  lost.n = 0;
}

static void free_incoming(tsr_incoming *in) { free(in); }

/* Ends the send of a long message, as if a receive without room had matched it. */
static void take_nothing_of(tsr_match_entry *entry) {
  if (message_of(entry)->envelope.form != TSR_ENVELOPE_SMALL) {
    tsr_incoming *in = calloc(1, sizeof *in);
    if (!in)
      tsr_abort(EXIT_FAILURE,
                "TSR-0809 no private memory to end the send of unit %d, whose message (tag %d) was never received; receive "
                "all that are sent, or free memory",
                entry->key.source, entry->key.tag);
    in->after = free_incoming;
    in->entry.key = entry->key;
    accept_message(in, &message_of(entry)->envelope, NULL);
  }
  lose_message(entry);
}

static bool nothing_moves(const void *moving_n) { return atomic_load((const _Atomic uint32_t *)moving_n) == 0; }

/* Locks the table, because another thread may be matching. The caller owns the result. */
static tsr_match_entry *take_message(const struct tsr_match_key *key) {
  bool guarded = lock_table();
  tsr_match_entry *message = tsr_match_take(&table, key);
  if (message) forget_message(message_of(message));
  unlock_table(guarded);
  return message;
}

void tsr_p2p_quiesce(enum tsr_p2p_context context) {
  const struct tsr_match_key any = {TSR_ANY_SOURCE, TSR_ANY_TAG, (uint16_t)context};
  while (tsr_progress()) continue;
  for (;;) {
    bool guarded = lock_table();
    tsr_match_entry *receive = tsr_match_any_receive(&table, (uint16_t)context);
    unlock_table(guarded);
    if (!receive) break;
    tsr_incoming *in = incoming_of(receive);
    in->source = TSR_UNIT(-1);
    in->tag = -1;
    in->bytes = 0;
    tsr_incoming_finish(in);
  }
  for (tsr_match_entry *message; (message = take_message(&any));) take_nothing_of(message);
  _Atomic uint32_t *moving_n = tsr_p2p_moving((uint16_t)context);
  tsr_wait(nothing_moves, moving_n, (struct tsr_wait_why){TSR_WAIT_MESSAGES, (int32_t)atomic_load(moving_n), 0});
}

/* Progress first: messages that were sent before the barrier may still be in this unit's ring. */
void tsr_p2p_drop(enum tsr_p2p_context context) {
  const struct tsr_match_key any = {TSR_ANY_SOURCE, TSR_ANY_TAG, (uint16_t)context};
  while (tsr_progress()) continue;
  for (tsr_match_entry *message; (message = take_message(&any));) lose_message(message);
  warn_of_lost();
}

static void stop_p2p(void) {
  while (tsr_progress()) continue;
  tsr_work_drop();
  tsr_p2p_local_stop();
  tsr_p2p_remote_stop();
  tsr_buffered_stop();
  for (tsr_match_entry *entry; (entry = tsr_match_oldest(&table));) {
    forget_message(message_of(entry));
    lose_message(entry);
  }
  warn_of_lost();
  memset(&table, 0, sizeof table);
}

__attribute__((constructor)) static void register_inbox(void) {
  static const struct tsr_layer layer = {.name = "p2p", .stop = stop_p2p, .progress = tsr_work_progress};
  tsr_progress_register(TSR_RECORD_MESSAGE, take_record);
  tsr_layers_register(&layer);
}
