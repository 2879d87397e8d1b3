/* Every rank talks to every other, then calls MPI_Finalize. With several ranks on each of several hosts some jobs never
 * end. */
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, ranks_n;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks_n);
  for (int i = 1; i < ranks_n; i++) {
    int got, to = (rank + i) % ranks_n, from = (rank - i + ranks_n) % ranks_n;
    MPI_Sendrecv(&rank, 1, MPI_INT, to, 0, &got, 1, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
