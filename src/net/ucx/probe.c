#include "net/ucx/probe.h"

#include <mpi.h>

#include "base/clock.h"
#include "base/wait.h"
#include "net/mpi/mpi.h"
#include "net/ucx/endpoint.h"
#include "net/ucx/rma.h"

enum { GIVE_UP_NS = 2000000000 /* a put by hardware takes microseconds */, SPACING_BYTES = 64, ROUNDS_N = 2 };

/* What is written, and what is read back. */
static struct {
  uint64_t written, read;
  bool is_put, is_read;
} probe;

static void note_event(void *flag, enum tsr_net_event event, size_t bytes) {
  (void)bytes;
  if (event == TSR_NET_REMOTE) *(bool *)flag = true;
}

/* A peer that cannot be reached ends the job: it could not be sent messages either. */
static void make_progress(void) {
  enum { BACKOFF_NS = 20000 };
  if (tsr_ucx_worker.has_lost) tsr_ucx_check_lost(tsr_ucx_rma_awaits);
  const unsigned arrived_n = tsr_ucx.ucp_worker_progress(tsr_ucx_worker.worker);
  const int ended_n = tsr_ucx_rma_poll();
  if (!arrived_n && !ended_n) tsr_wait_sleep_ns(BACKOFF_NS);
}

/* False: the flag was not set until `end_ns`. */
static bool progress_until(const bool *flag, uint64_t end_ns) {
  while (!*flag) {
    make_progress();
    if (!*flag && tsr_clock_ns() > end_ns) return false;
  }
  return true;
}

static bool check_mpi(int code, const char *call) { return !tsr_net_mpi_failed(code, call); }

/* All ranks come, and each makes progress until all have. */
static bool barrier_with_progress(void) {
  MPI_Request barrier;
  int over = 0;
  if (!check_mpi(MPI_Ibarrier(tsr_ucx_worker.comm, &barrier), "MPI_Ibarrier")) return false;
  while (!over) {
    make_progress();
    if (!check_mpi(MPI_Test(&barrier, &over, MPI_STATUS_IGNORE), "MPI_Test")) return false;
  }
  return true;
}

/* A barrier that blocks in MPI, where UCX's worker makes no progress. So between two such barriers only those ranks make progress
 * that have left the first one and not entered the second one. */
static bool barrier_in_mpi(void) { return check_mpi(MPI_Barrier(tsr_ucx_worker.comm), "MPI_Barrier"); }

/* A put, and a get of the same bytes. What is given up ends later, when the peer makes progress again. */
static bool put_and_get(const struct tsr_net_heap *heap, uint64_t value, uint64_t end_ns) {
  struct tsr_net_piece piece = {.unit = heap->peer, .off = (uint64_t)heap->peer_slot * SPACING_BYTES, .local_addr = &probe.written,
                                .bytes = sizeof probe.written, .done = note_event, .done_arg = &probe.is_put};
  probe.written = value;
  probe.read = 0;
  probe.is_put = probe.is_read = false;
  if (tsr_ucx_rma_put(&piece) || !progress_until(&probe.is_put, end_ns)) return false;
  piece.local_addr = &probe.read;
  piece.done_arg = &probe.is_read;
  return !tsr_ucx_rma_get(&piece) && progress_until(&probe.is_read, end_ns) && probe.read == value;
}

/* Connections and keys need the peer, and are made while it makes progress. */
static bool warm_up(const struct tsr_net_heap *heap) {
  bool works = heap->peer < 0 || put_and_get(heap, 1, UINT64_MAX);
  return barrier_with_progress() && works;
}

/* The order of events decides, not a duration: the peers go into the second barrier at once and return from it only after this rank
 * has come there, with its transfers complete or given up. */
static bool try_without_peer(const struct tsr_net_heap *heap, int round) {
  bool works = true;
  if (!barrier_in_mpi()) return false;
  if (heap->peer >= 0 && heap->round == round) works = put_and_get(heap, 2, tsr_clock_ns() + GIVE_UP_NS);
  if (!barrier_in_mpi()) return false;
  while (tsr_ucx_rma_busy() > 0) make_progress();
  return barrier_with_progress() && works;
}

bool tsr_ucx_probe(const struct tsr_net_heap *heap) {
  bool works = warm_up(heap);
  for (int round = 0; round < ROUNDS_N; round++) {
    if (!try_without_peer(heap, round)) works = false;
  }
  return works;
}
