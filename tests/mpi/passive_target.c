/* How long an 8-byte put and its flush take while the target computes for half a second without calling MPI. */
#include <mpi.h>
#include <stdio.h>

static void compute(double seconds) {
  for (double start = MPI_Wtime(); MPI_Wtime() - start < seconds;) { /* no communication in there */
  }
}

int main(int argc, char **argv) {
  int rank;
  long memory = 0, value = 7;
  MPI_Win window;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window) != MPI_SUCCESS) {
    if (rank == 0) printf("MPI_Win_create fails\n");
    MPI_Finalize();
    return 0;
  }
  MPI_Win_lock_all(0, window);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) compute(0.5);
  double start = MPI_Wtime();
  if (rank == 0) {
    MPI_Put(&value, 1, MPI_LONG, 1, 0, 1, MPI_LONG, window);
    MPI_Win_flush(1, window);
    double ms = 1e3 * (MPI_Wtime() - start);
    printf("a put to a target that computes for 500 ms takes %s (%.1f ms)\n", ms > 250 ? "until it is done" : "no longer", ms);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}
