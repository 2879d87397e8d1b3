/* flood, MPI version: MPI_Put on a window that is always open. flood.late waits by MPI_Win_flush, flood.early by the
 * request of MPI_Rput, flood.now by MPI_Win_flush_local: the last two mean that the source may be written again. A flush
 * is for all puts to the target, so the program calls it once for all its sources.
 *
 * Options: as flood_gasnet. */
#include "peer.h"
#include "flood.h"

static struct window window;
static char *sources;
static uint64_t put_n; /* since the start */

static char *next_source(long i, long bytes) {
  char *source = sources + i % sources_n * bytes;
  write_source(source, bytes, ++put_n);
  return source;
}

static void window_flushed(long bytes, int (*flush)(int rank, MPI_Win win)) {
  for (long i = 0; i < FLOOD_WINDOW; i++) {
    if (i > 0 && i % sources_n == 0) flush(job.last, window.win);
    const char *source = next_source(i, bytes);
    MPI_Put(source, (int)bytes, MPI_BYTE, job.last, (MPI_Aint)(i * bytes), (int)bytes, MPI_BYTE, window.win);
  }
  MPI_Win_flush(job.last, window.win);
}

static void window_early(long bytes) {
  MPI_Request free_again[FLOOD_WINDOW];
  for (long i = 0; i < FLOOD_WINDOW; i++) {
    if (i >= sources_n) MPI_Wait(&free_again[i - sources_n], MPI_STATUS_IGNORE);
    const char *source = next_source(i, bytes);
    MPI_Rput(source, (int)bytes, MPI_BYTE, job.last, (MPI_Aint)(i * bytes), (int)bytes, MPI_BYTE, window.win, &free_again[i]);
  }
  for (long i = FLOOD_WINDOW - sources_n; i < FLOOD_WINDOW; i++) MPI_Wait(&free_again[i], MPI_STATUS_IGNORE);
  MPI_Win_flush(job.last, window.win);
}

static void put_window(enum flood_way way, long bytes) {
  if (way == EARLY) window_early(bytes);
  else window_flushed(bytes, way == LATE ? MPI_Win_flush : MPI_Win_flush_local);
}

/* Seconds of rank 0. The target then checks what has arrived; MPI_Win_sync makes it visible. */
static double sample(enum flood_way way, long bytes, long windows_n) {
  const double since = study_now();
  for (long k = 0; job.me == 0 && k < windows_n; k++) put_window(way, bytes);
  const double seconds = study_now() - since;
  put_n = (uint64_t)of_first((long)put_n);
  MPI_Win_sync(window.win);
  require(job.me != job.last || slots_are(window.mine, bytes, put_n), "the data of a put");
  MPI_Win_sync(window.win);
  barrier();
  return seconds;
}

#include "flood_measure.h"

int main(int argc, char **argv) {
  start("flood_mpi", argc, argv, FLOOD_OPTIONS_N, flood_options);
  sources = memory_of((size_t)(sources_n * to_bytes));
  window = open_window((size_t)(FLOOD_WINDOW * to_bytes));
  for (long bytes = from_bytes / 8 * 8; bytes <= to_bytes; bytes *= FLOOD_FACTOR)
    for (enum flood_way way = LATE; way < FLOOD_WAYS_N; way++) measure(way, bytes);
  close_window(&window);
  free(sources);
  leave_with(0);
}
