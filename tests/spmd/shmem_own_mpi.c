/* OpenSHMEM in a program that also calls MPI_Init and MPI_Finalize: first after shmem_init, which then has started MPI. OpenSHMEM
 * starts twice. */
#include "shmem_check.h"

#include <mpi.h>

static void use_both(void) {
  long *sum = shmem_calloc(1, sizeof *sum), value = me + 1;
  int rank = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  CHECK_EQ(rank, me);
  MPI_Allreduce(&value, sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  CHECK_EQ(*sum, pes * (pes + 1) / 2);
  shmem_barrier_all();
  shmem_long_p(sum, me, next);
  shmem_barrier_all();
  CHECK_EQ(*sum, previous);
  shmem_free(sum);
}

int main(int argc, char **argv) {
  const char *progress = getenv("TESSERA_PROGRESS");
  int level = -1, provided = -1, is_there = 0;
  if (progress && strncmp(progress, "process", 7) == 0) return check_skip(); /* MPI_COMM_WORLD also holds agents */
  start();
  MPI_Initialized(&is_there);
  CHECK(is_there);
  MPI_Query_thread(&level);
  CHECK_EQ(MPI_Init_thread(&argc, &argv, MPI_THREAD_SINGLE, &provided), MPI_SUCCESS);
  CHECK_EQ(provided, level);
  use_both();
  shmem_finalize();
  start();
  use_both();
  shmem_finalize();
  MPI_Finalized(&is_there);
  CHECK(!is_there);
  MPI_Finalize();
  MPI_Finalized(&is_there);
  CHECK(is_there);
  return check_result();
}
