/* What the MPI programs of the study share: start, windows, and the end of a wrong run. */
#ifndef BENCH_STUDIES_GASNET_PEER_H
#define BENCH_STUDIES_GASNET_PEER_H

#include <stdint.h>

#include <mpi.h>

#include "../rows.h"
#include "../options.h"

static struct {
  int me, n, last; /* last: the target of rank 0 in tests of two ranks */
} job;

static inline void require(bool right, const char *what) {
  if (right) return;
  fprintf(stderr, "rank %d: wrong: %s\n", job.me, what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static inline void barrier(void) { MPI_Barrier(MPI_COMM_WORLD); }

static inline void *memory_of(size_t bytes) {
  void *p = calloc(1, bytes ? bytes : 1);
  require(p != NULL, "no memory is left");
  return p;
}

static inline void leave_with(int status) {
  MPI_Finalize();
  exit(status);
}

/* Starts the job and reads the options; wrong options end it. */
static inline void start(const char *program, int argc, char **argv, int options_n, const struct option options[]) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &job.me);
  MPI_Comm_size(MPI_COMM_WORLD, &job.n);
  job.last = job.n - 1;
  if (!option_read(program, argc, argv, job.me == 0, options_n, options)) leave_with(WRONG_OPTIONS);
}

static inline void need_ranks(const char *program, int least) {
  if (job.n >= least) return;
  if (job.me == 0) fprintf(stderr, "%s: needs at least %d ranks\n", program, least);
  leave_with(WRONG_OPTIONS);
}

enum { PAGE = 4096 };

/* Collective. */
static inline long of_first(long value) {
  MPI_Bcast(&value, 1, MPI_LONG, 0, MPI_COMM_WORLD);
  return value;
}

struct window {
  MPI_Win win;
  char *mine; /* this rank's part, filled with zeros */
};

/* A window with these bytes in each rank, open for the life of the job, as a GASNet segment is. The hints promise what
 * the programs keep, so that MPI may choose its fastest way. It has at least a page: with 8 bytes in each rank, MPICH 4.0.2
 * sends operations within a node to the wrong rank. Collective. */
static inline struct window open_window(size_t bytes) {
  struct window w;
  MPI_Info hints;
  if (bytes < PAGE) bytes = PAGE;
  MPI_Info_create(&hints);
  MPI_Info_set(hints, "same_size", "true");
  MPI_Info_set(hints, "same_disp_unit", "true");
  MPI_Info_set(hints, "accumulate_ordering", "none");
  MPI_Info_set(hints, "accumulate_ops", "same_op_no_op");
  MPI_Win_allocate((MPI_Aint)bytes, 1, hints, MPI_COMM_WORLD, &w.mine, &w.win);
  MPI_Info_free(&hints);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, w.win);
  memset(w.mine, 0, bytes);
  MPI_Win_sync(w.win);
  barrier();
  return w;
}

static inline void close_window(struct window *w) {
  MPI_Win_unlock_all(w->win);
  MPI_Win_free(&w->win);
}

#endif
