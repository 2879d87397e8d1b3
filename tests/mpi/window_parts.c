/* Whether a put to a window of MPI_Win_allocate arrives at its start, where the parts have `argv[1]` bytes (1208). */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES_MAX = 4096 };

int main(int argc, char **argv) {
  char data[BYTES_MAX], *own;
  int bytes = argc > 1 ? atoi(argv[1]) : 1208, rank, ranks_n, wrong = 0, wrong_n;
  MPI_Win window;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks_n);
  if (bytes < 1 || bytes > BYTES_MAX) MPI_Abort(MPI_COMM_WORLD, 1);
  memset(data, 1, sizeof data);
  MPI_Win_allocate(bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &own, &window);
  memset(own, 0, (size_t)bytes);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock_all(0, window);
  for (int to = 0; rank == 0 && to < ranks_n; to++) MPI_Put(data, bytes, MPI_BYTE, to, 0, bytes, MPI_BYTE, window);
  MPI_Win_flush_all(window);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_sync(window);
  for (int i = 0; i < bytes; i++) wrong |= own[i] != 1;
  MPI_Allreduce(&wrong, &wrong_n, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0)
    printf("parts of %d bytes: a put %s\n", bytes, wrong_n ? "arrives somewhere else" : "arrives where it should");
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}
