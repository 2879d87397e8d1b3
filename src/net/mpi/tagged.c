#include "net/mpi/tagged.h"

#include <assert.h>

#include "net/mpi/pending.h"

static void check_arguments(int rank, int tag, size_t bytes) {
  assert(rank >= 0 && rank < tsr_mpi.ranks_n);
  assert(tag >= 0 && tag <= TSR_NET_TAG_MAX);
  assert(bytes <= tsr_net_limits.chunk_bytes);
}

/* Even a message that is sent at once is told of by the next poll only: a callback that starts the next message would
 * otherwise nest one call deeper each time. */
void tsr_mpi_send(int rank, int tag, const void *data, size_t bytes, tsr_net_done_fn done, void *arg) {
  check_arguments(rank, tag, bytes);
  tsr_mpi_pending_send(tsr_mpi.tagged, data,
                       (struct tsr_mpi_pending){done, arg, "a tagged message", bytes, rank, tag, false});
}

void tsr_mpi_receive(int rank, int tag, void *data, size_t bytes, tsr_net_done_fn done, void *arg) {
  check_arguments(rank, tag, bytes);
  tsr_mpi_pending_receive(tsr_mpi.tagged, data,
                          (struct tsr_mpi_pending){done, arg, "a tagged message", bytes, rank, tag, true});
}
