/* Overlap of MPI's one-sided get, with a request. */
#include <mpi.h>

#include "../../peers/mpi/end.h"
#include "overlap.h"

static MPI_Win window;
static MPI_Request request;
static int rank, ranks;

static void open_memory(size_t bytes, void **mine) {
  MPI_Win_allocate((MPI_Aint)bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, mine, &window);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
}

static void close_memory(void) {
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
}

/* Also orders stores to the own memory before the gets of other ranks. */
static void barrier(void) {
  MPI_Win_sync(window);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_sync(window);
}

static void agree(int *wrong) { MPI_Allreduce(MPI_IN_PLACE, wrong, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD); }

static void start(void *to, size_t bytes) {
  MPI_Rget(to, (int)bytes, MPI_BYTE, ranks - 1, 0, (int)bytes, MPI_BYTE, window, &request);
}

static void complete(void) { MPI_Wait(&request, MPI_STATUS_IGNORE); }

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const overlap_version mpi = {rank, ranks, open_memory, close_memory, barrier, agree, start, complete};
  const int code = overlap(argc, argv, &mpi);
  end_mpi();
  return code;
}
