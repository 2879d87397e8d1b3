/* ARMCI-MPI on the works of tessera-perf. The interface is the same, so this program includes the same files. */
#include "peer.h"

#include <mpi.h>

#include "../../tools/tessera-perf/armci_sync.c"
#include "../../tools/tessera-perf/armci_transfer.c"
#include "mpi/end.h"
#include "no_limits.h"

/* ---- the program ---- */

static const struct perf_work *const groups[] = {armci_transfer_works, armci_sync_works, NULL};

static void barrier(void) { MPI_Barrier(MPI_COMM_WORLD); }
static void share(uint64_t *value) { MPI_Bcast(value, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD); }

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  if (ARMCI_Init_args(&argc, &argv) != 0) return 1;
  struct perf p = {.program = "armci_mpi", .unit = armci_msg_me(), .units = armci_msg_nproc(), .barrier = barrier,
                   .share = share};
  int code = perf_parse(&p, groups, argc, argv);
  if (code < 0) {
    perf_run(&p, groups);
    code = 0;
  }
  ARMCI_Finalize();
  end_mpi();
  return code;
}
