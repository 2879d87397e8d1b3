/* Whether an 8-byte put and its flush, begun and ended while the last rank, their target, computes without calling MPI, are seen.
 * Once is enough: on a busy machine the origin may get no core meanwhile, or begin before the target does. The ranks may be on
 * several hosts of one machine, whose clock is one. */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>

enum { ATTEMPTS = 5 };

static double now(void) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
}

static void compute(double from, double seconds) {
  while (now() - from < seconds) { /* no communication in there */
  }
}

/* Rank 0 learns whether the target computed from before its put until after it. */
static bool attempt(MPI_Win window, int rank, int target) {
  long value = 7;
  double computed[2] = {0}, put[2] = {0};
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == target) {
    computed[0] = now();
    compute(computed[0], 0.4);
    computed[1] = now();
    MPI_Send(computed, 2, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
  } else if (rank == 0) {
    compute(now(), 0.1); /* most often the target has begun by then */
    put[0] = now();
    MPI_Put(&value, 1, MPI_LONG, target, 0, 1, MPI_LONG, window);
    MPI_Win_flush(target, window);
    put[1] = now();
    MPI_Recv(computed, 2, MPI_DOUBLE, target, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  return computed[0] < put[0] && put[1] < computed[1];
}

int main(int argc, char **argv) {
  int rank, ranks_n, first = 0;
  long memory = 0;
  MPI_Win window;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks_n);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window) != MPI_SUCCESS) {
    if (rank == 0) printf("MPI_Win_create fails\n");
    MPI_Finalize();
    return 0;
  }
  MPI_Win_lock_all(0, window);
  for (int i = 0; i < ATTEMPTS && !first; i++) {
    first = attempt(window, rank, ranks_n - 1);
    MPI_Bcast(&first, 1, MPI_INT, 0, MPI_COMM_WORLD);
  }
  if (rank == 0) printf("a put to a target that computes ends %s\n", first ? "meanwhile" : "when the target calls MPI");
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}
