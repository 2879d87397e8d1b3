/* Which thread level a plain MPI_Init gives. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int level = -1, rank = -1;
  MPI_Init(&argc, &argv);
  MPI_Query_thread(&level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) printf("a plain MPI_Init gives %s\n", level == MPI_THREAD_MULTIPLE ? "MPI_THREAD_MULTIPLE" : "less");
  MPI_Finalize();
  return 0;
}
