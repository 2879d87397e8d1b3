#include "p2p/inbox.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "core/place.h"
#include "core/post.h"
#include "core/runtime.h"
#include "p2p/far.h"
#include "p2p/near.h"

/* A message that came before its receive. */
struct message {
  tsr_match_entry entry;
  struct tsr_note note;
  char data[];
};

/* The lock covers matching only: no copy, no traffic, no wait happens under it. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static tsr_match table;
static struct { size_t n, bytes; } kept;

enum { KEPT_WORTH_A_WARNING = 64 << 20 /* bytes */ };

static struct message *message_of(tsr_match_entry *entry) {
  return (struct message *)((char *)entry - offsetof(struct message, entry));
}
static tsr_incoming *incoming_of(tsr_match_entry *entry) {
  return (tsr_incoming *)((char *)entry - offsetof(tsr_incoming, entry));
}

static size_t data_bytes(const struct tsr_note *note) { return note->form == TSR_NOTE_SMALL ? note->bytes : 0; }

static void warn_of_many(const struct tsr_note *note) {
  TSR_ONCE(tsr_warn("%zu messages (%zu bytes of memory) wait here for receives that have not started, the last from "
                    "unit %d with tag %d; receive them, or let their senders wait for an answer now and then",
                    kept.n, kept.bytes, note->source, note->tag));
}

static void keep(const struct tsr_match_key *key, const struct tsr_note *note, const void *data) {
  size_t bytes = sizeof(struct message) + data_bytes(note);
  struct message *message = malloc(bytes);
  if (!message)
    tsr_abort(1, "no private memory for a message of %zu bytes from unit %d with tag %d, beside %zu messages that wait "
              "for receives; receive them, or let their senders wait for an answer now and then",
              data_bytes(note), note->source, note->tag, kept.n);
  message->entry.key = *key;
  message->note = *note;
  if (data_bytes(note)) memcpy(message->data, data, data_bytes(note));
  tsr_match_keep(&table, &message->entry);
  kept.n++;
  kept.bytes += bytes;
  if (kept.bytes > KEPT_WORTH_A_WARNING) warn_of_many(note);
}

static void forget(struct message *message) {
  kept.n--;
  kept.bytes -= sizeof *message + data_bytes(&message->note);
}

static void deliver(const struct tsr_note *note, const void *data) {
  struct tsr_match_key key = {note->source, note->tag, note->context};
  pthread_mutex_lock(&lock);
  tsr_match_entry *receive = tsr_match_message(&table, &key);
  if (!receive) keep(&key, note, data);
  pthread_mutex_unlock(&lock);
  if (receive) tsr_incoming_accept(incoming_of(receive), note, data);
}

void tsr_inbox_take(const struct tsr_note *note, const void *data) {
  if (note->form == TSR_NOTE_CLEAR) tsr_far_clear(note);
  else deliver(note, data);
}

void tsr_p2p_receive_start(tsr_incoming *in, tsr_unit from, enum tsr_p2p_context context, int32_t tag, void *buffer,
                           size_t room) {
  atomic_init(&in->done, false);
  in->entry.key = (struct tsr_match_key){from.id, tag, (uint16_t)context};
  in->buffer = buffer;
  in->room = room;
  pthread_mutex_lock(&lock);
  tsr_match_entry *entry = tsr_match_receive(&table, &in->entry);
  if (entry) forget(message_of(entry));
  pthread_mutex_unlock(&lock);
  if (!entry) return;
  tsr_incoming_accept(in, &message_of(entry)->note, message_of(entry)->data);
  free(message_of(entry));
}

bool tsr_p2p_probe(tsr_unit from, enum tsr_p2p_context context, int32_t tag, struct tsr_p2p_found *found) {
  struct tsr_match_key key = {from.id, tag, (uint16_t)context};
  tsr_progress();
  pthread_mutex_lock(&lock);
  tsr_match_entry *entry = tsr_match_probe(&table, &key);
  if (entry) {
    const struct tsr_note *note = &message_of(entry)->note;
    *found = (struct tsr_p2p_found){TSR_UNIT(note->source), note->tag, note->bytes};
  }
  pthread_mutex_unlock(&lock);
  return entry != NULL;
}

/* A record is a note, or the head of one with the data behind it. */
static uint32_t head_bytes(const struct tsr_note *note) {
  return note->form == TSR_NOTE_SMALL ? (uint32_t)TSR_NOTE_HEAD_BYTES : (uint32_t)sizeof *note;
}
static uint32_t record_bytes(const struct tsr_note *note) { return head_bytes(note) + (uint32_t)data_bytes(note); }

static void send_record(const struct tsr_post *post, const struct tsr_note *note, const void *data) {
  memcpy(post->record.payload, note, head_bytes(note));
  if (data_bytes(note)) memcpy((char *)post->record.payload + head_bytes(note), data, data_bytes(note));
  tsr_post_send(post);
}

void tsr_inbox_push(uint32_t local, const struct tsr_note *note, const void *data) {
  struct tsr_post post;
  tsr_post_open(&post, local, TSR_RECORD_MESSAGE, record_bytes(note));
  send_record(&post, note, data);
}

bool tsr_inbox_try_push(uint32_t local, const struct tsr_note *note, const void *data) {
  struct tsr_post post;
  if (tsr_post_try(&post, tsr_post_box_of(local), TSR_RECORD_MESSAGE, record_bytes(note))) return false;
  send_record(&post, note, data);
  return true;
}

static void take_record(const struct tsr_ring_record *record) {
  struct tsr_note note;
  memcpy(&note, record->payload, TSR_NOTE_HEAD_BYTES);
  if (note.form == TSR_NOTE_SMALL) note.bytes = record->bytes - TSR_NOTE_HEAD_BYTES;
  else memcpy(&note, record->payload, sizeof note);
  tsr_inbox_take(&note, (const char *)record->payload + TSR_NOTE_HEAD_BYTES);
}

static void lose(tsr_match_entry *entry) {
  tsr_info("a message from unit %d with tag %d was never received", entry->key.source, entry->key.tag);
  forget(message_of(entry));
  free(message_of(entry));
}

/* What all have sent before they met is in our ring or was taken. */
void tsr_p2p_drop(enum tsr_p2p_context context) {
  tsr_match_entry any = {.key = {TSR_ANY_SOURCE, TSR_ANY_TAG, (uint16_t)context}};
  while (tsr_progress()) continue;
  pthread_mutex_lock(&lock);
  while (tsr_match_probe(&table, &any.key)) lose(tsr_match_receive(&table, &any));
  pthread_mutex_unlock(&lock);
}

static void stop(void) {
  while (tsr_progress()) continue;
  tsr_work_drop();
  tsr_near_stop();
  tsr_far_stop();
  for (tsr_match_entry *entry; (entry = tsr_match_oldest(&table));) lose(entry);
  memset(&table, 0, sizeof table);
}

__attribute__((constructor)) static void register_inbox(void) {
  tsr_progress_register(TSR_RECORD_MESSAGE, take_record);
  tsr_runtime_at_stop(stop);
}
