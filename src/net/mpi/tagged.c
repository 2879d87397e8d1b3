#include "net/mpi/tagged.h"

#include <assert.h>

#include "net/mpi/pending.h"

static struct tsr_mpi_pending message_of(int rank, int tag, size_t bytes, tsr_net_done_fn done, void *arg) {
  assert(rank >= 0 && rank < tsr_mpi.ranks_n);
  assert(tag >= 0 && tag <= TSR_NET_TAG_MAX);
  assert(bytes <= tsr_net_limits.chunk_bytes);
  return (struct tsr_mpi_pending){
      .done = done, .arg = arg, .what = "a tagged message", .bytes = bytes, .rank = rank, .tag = tag};
}

/* Even a message that is sent at once is told of by the next poll only: a callback that starts the next message would
 * otherwise nest one call deeper each time. */
void tsr_mpi_send(int rank, int tag, const void *data, size_t bytes, bool synchronous, tsr_net_done_fn done, void *arg) {
  struct tsr_mpi_pending message = message_of(rank, tag, bytes, done, arg);
  message.synchronous = synchronous;
  tsr_mpi_pending_send(tsr_mpi.tagged, data, message);
}

void tsr_mpi_receive(int rank, int tag, void *data, size_t bytes, tsr_net_done_fn done, void *arg) {
  struct tsr_mpi_pending message = message_of(rank, tag, bytes, done, arg);
  message.exact = true;
  tsr_mpi_pending_receive(tsr_mpi.tagged, data, message);
}
