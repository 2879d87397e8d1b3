/* GASNet-EX in a program that started MPI itself, by a plain MPI_Init, and uses it meanwhile; GASNet starts twice. */
#include "gasnet_check.h"

#include <mpi.h>

static void use_both(void) {
  int rank, left = -1;
  start(NULL, NULL);
  attach(4096);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  CHECK_EQ(rank, self);
  gex_RMA_PutBlockingVal(tm, right_of(self), base(right_of(self)), self + 7, 4, 0);
  barrier(); /* with TESSERA_PROGRESS=none a unit that waits in MPI serves no requests */
  MPI_Sendrecv(&rank, 1, MPI_INT, (int)right_of(self), 3, &left, 1, MPI_INT, (int)left_of(self), 3, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK_EQ(gex_RMA_GetBlockingVal(tm, self, base(self), 4, 0), left + 7);
  OK(tessera_gex_finalize(client));
}

int main(int argc, char **argv) {
  const char *progress = getenv("TESSERA_PROGRESS");
  if (progress && strncmp(progress, "process", 7) == 0) return check_skip(); /* MPI_COMM_WORLD also holds agents */
  MPI_Init(&argc, &argv);
  use_both();
  use_both();
  int finalized = 1;
  MPI_Finalized(&finalized);
  CHECK(!finalized);
  MPI_Finalize();
  return check_result();
}
