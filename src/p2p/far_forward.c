#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/runtime.h"
#include "p2p/far.h"
#include "p2p/inbox.h"

/* Notes that found no room, oldest first; nothing overtakes them. */
struct letter {
  struct letter *next;
  uint32_t local;
  struct tsr_note note;
  char data[];
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct letter *first, **last = &first;

static size_t data_bytes(const struct tsr_note *note) { return note->form == TSR_NOTE_SMALL ? note->bytes : 0; }

static void drop_first(void) {
  struct letter *letter = first;
  first = letter->next;
  if (!first) last = &first;
  free(letter);
}

static enum tsr_work_result step(struct tsr_work *work) {
  (void)work;
  bool moved = false;
  pthread_mutex_lock(&lock);
  while (first && tsr_inbox_try_push(first->local, &first->note, first->data)) {
    drop_first();
    moved = true;
  }
  bool empty = !first;
  pthread_mutex_unlock(&lock);
  if (empty) return TSR_WORK_OVER;
  return moved ? TSR_WORK_MORE : TSR_WORK_RETRY;
}

static struct tsr_work work = {.step = step};

static void keep(uint32_t local, const struct tsr_note *note, const void *data) {
  struct letter *letter = malloc(sizeof *letter + data_bytes(note));
  if (!letter)
    tsr_abort(1, "no private memory for a message of %zu bytes from unit %d to another unit of this node, which takes "
              "none in; let its senders wait for an answer now and then", data_bytes(note), note->source);
  *letter = (struct letter){.local = local, .note = *note};
  if (data_bytes(note)) memcpy(letter->data, data, data_bytes(note));
  *last = letter;
  last = &letter->next;
}

void tsr_far_forward(uint32_t local, const struct tsr_note *note, const void *data) {
  pthread_mutex_lock(&lock);
  bool was_empty = !first;
  if (!was_empty || !tsr_inbox_try_push(local, note, data)) keep(local, note, data);
  bool starts = was_empty && first;
  pthread_mutex_unlock(&lock);
  if (starts) tsr_work_add(&work);
}

void tsr_far_forward_drop(void) {
  while (first) drop_first();
}
