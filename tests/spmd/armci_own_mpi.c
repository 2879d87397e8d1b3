/* ARMCI in a program that started MPI itself, by a plain MPI_Init, and uses it meanwhile; ARMCI starts several times,
 * in all ways. */
#include "armci_check.h"

#include <mpi.h>

#include "core/runtime.h"

static void use_both(void) {
  struct shared memory = share(sizeof(int));
  int rank, left = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  OK(ARMCI_PutValueInt(self, memory.of[right_of(self)], right_of(self)));
  ARMCI_Barrier(); /* with TESSERA_PROGRESS=none a process that waits in MPI serves no requests */
  MPI_Sendrecv(&rank, 1, MPI_INT, right_of(self), 3, &left, 1, MPI_INT, left_of(self), 3, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  CHECK_EQ(left, left_of(self));
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK_EQ(ARMCI_GetValueInt(memory.of[self], self), left);
  free_shared(&memory);
}

static void check_comms(void) {
  MPI_Comm copy, backwards;
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &backwards);
  CHECK_EQ(ARMCI_Init_mpi_comm(copy), 1);
  use_both();
  OK(ARMCI_Finalize());
  CHECK_EQ(ARMCI_Init_mpi_comm(backwards), 1);
  CHECK_EQ(tessera_unit(), size - 1 - rank);
  OK(ARMCI_Finalize());
  CHECK_EQ(ARMCI_Init_thread(99), FAIL);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&backwards);
}

int main(int argc, char **argv) {
  const char *progress = getenv("TESSERA_PROGRESS");
  if (progress && strncmp(progress, "process", 7) == 0) return check_skip(); /* MPI_COMM_WORLD also holds agents */
  MPI_Init(&argc, &argv);
  OK(ARMCI_Init());
  CHECK(!tsr_threads); /* MPI_Init: one thread */
  learn_units();
  use_both();
  OK(ARMCI_Finalize());
  check_comms();
  OK(ARMCI_Init_thread_comm(MPI_THREAD_SINGLE, MPI_COMM_WORLD));
  use_both();
  OK(ARMCI_Finalize());
  int finalized = 1;
  MPI_Finalized(&finalized);
  CHECK(!finalized);
  MPI_Finalize();
  return check_result();
}
