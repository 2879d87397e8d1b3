/* Every rank says that it is there, and is killed once the file exists that the argument names. Does the launcher end when
 * the link between two of its hosts was cut before that? */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int rank = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("all are there\n");
  fflush(stdout);
  while (argc > 1 && access(argv[1], F_OK) != 0) usleep(10000);
  raise(SIGKILL);
}
