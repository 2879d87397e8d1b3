#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/copy.h"
#include "base/status.h"
#include "core/runtime.h"
#include "p2p/inbox.h"

/* A buffered message. */
struct copy {
  tsr_outgoing out;
  struct copy *before, *after;
  char data[];
};

/* All copies; those of messages that are never received are freed at the end. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct copy *copies;
static _Atomic size_t held_bytes; /* changed with the lock */

/* NULL: the copies have reached their limit, or no memory. */
static struct copy *make_copy(const void *data, size_t bytes) {
  struct copy *copy = NULL;
  pthread_mutex_lock(&lock);
  if (bytes <= TSR_P2P_BUFFERED_BYTES_MAX - held_bytes) copy = malloc(sizeof *copy + bytes);
  if (copy) {
    held_bytes += bytes;
    copy->before = NULL;
    copy->after = copies;
    if (copies) copies->before = copy;
    copies = copy;
  }
  pthread_mutex_unlock(&lock);
  if (copy && bytes) tsr_copy(copy->data, data, bytes);
  return copy;
}

static void drop_copy(struct copy *copy, size_t bytes) {
  pthread_mutex_lock(&lock);
  if (copy->before) copy->before->after = copy->after;
  else copies = copy->after;
  if (copy->after) copy->after->before = copy->before;
  held_bytes -= bytes;
  pthread_mutex_unlock(&lock);
  free(copy);
}

static void on_sent(tsr_outgoing *out) { drop_copy((struct copy *)((char *)out - offsetof(struct copy, out)), out->bytes); }

/* Small messages are complete at once without a copy. */
tessera_status_t tsr_p2p_send_buffered(tsr_unit to, enum tsr_p2p_context context, int32_t tag, const void *data,
                                       size_t bytes) {
  if (bytes <= TSR_P2P_SMALL_BYTES) return tsr_p2p_send(to, context, tag, data, bytes);
  struct copy *copy = make_copy(data, bytes);
  if (!copy)
    return tsr_fail(TESSERA_ERR_MEMORY, "TSR-0800 no room for the copy of a buffered message of %zu bytes to unit %d with tag "
                    "%d: %zu "
                    "bytes of at most %d wait to be received; use another mode, or wait until some have been", bytes, to.id,
                    tag, held_bytes, (int)TSR_P2P_BUFFERED_BYTES_MAX);
  tessera_status_t status = tsr_p2p_send_start_then(&copy->out, to, context, tag, copy->data, bytes, TSR_P2P_STANDARD, on_sent);
  if (status) drop_copy(copy, bytes);
  return status;
}

void tsr_buffered_stop(void) {
  while (copies) drop_copy(copies, copies->out.bytes);
}
