/* Whether gets are complete when MPI_Win_flush_all, and when MPI_Win_flush of each rank, has returned. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { WORDS_N = 8192, AT_ONCE = 1024, TRIES_N = 100 };

static int rank, ranks_n;
static MPI_Win window;

static uint64_t word_of(int owner, int i) { return (uint64_t)owner * WORDS_N + (uint64_t)i; }

/* Gets some words of one rank; returns how many are not there after the flush. */
static int get_some(int owner, int first, int flushes_all) {
  uint64_t got[AT_ONCE];
  int missing_n = 0;
  memset(got, 0xff, sizeof got);
  for (int i = 0; i < AT_ONCE; i++) MPI_Get(&got[i], 1, MPI_UINT64_T, owner, first + i, 1, MPI_UINT64_T, window);
  if (flushes_all) MPI_Win_flush_all(window);
  else MPI_Win_flush(owner, window);
  for (int i = 0; i < AT_ONCE; i++) missing_n += got[i] != word_of(owner, first + i);
  MPI_Win_flush(owner, window); /* before the memory is gone */
  return missing_n;
}

/* On a busy machine a try may find all gets complete by chance. */
static void try_flush(int flushes_all, int tries_n) {
  int all_n = 0;
  for (int i = 0; i < tries_n && !all_n; i++) {
    int missing_n = 0;
    for (int owner = 0; owner < ranks_n; owner++)
      for (int first = 0; first < WORDS_N; first += AT_ONCE) missing_n += get_some(owner, first, flushes_all);
    MPI_Allreduce(&missing_n, &all_n, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  }
  if (rank == 0)
    printf("after %s gets are %scomplete\n", flushes_all ? "MPI_Win_flush_all" : "MPI_Win_flush", all_n ? "not all " : "");
}

int main(int argc, char **argv) {
  uint64_t *own;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks_n);
  MPI_Win_allocate(WORDS_N * sizeof *own, sizeof *own, MPI_INFO_NULL, MPI_COMM_WORLD, &own, &window);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
  for (int i = 0; i < WORDS_N; i++) own[i] = word_of(rank, i);
  MPI_Win_sync(window);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_sync(window);
  try_flush(1, TRIES_N);
  try_flush(0, 1);
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}
