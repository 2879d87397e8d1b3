/* The window that the works of mpi_rma.c share. */
#ifndef BENCH_MPI_WINDOW_H
#define BENCH_MPI_WINDOW_H

#include <mpi.h>

#include "../peer.h"

static bool one_node;

/* A window; unit 0 works on the part of one unit. */
struct window {
  MPI_Win win;
  char *own;
  void *local;
  int bytes, unit;
};

/* A multiple of a cache line: MPICH 4.0 confuses parts of a node whose length is no multiple of 16. */
static void allocate(bool shared, size_t bytes, struct window *w) {
  MPI_Aint size = (MPI_Aint)((bytes + 63) / 64 * 64);
  shared ? MPI_Win_allocate_shared(size, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &w->own, &w->win)
         : MPI_Win_allocate(size, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &w->own, &w->win);
}

static void open_window(bool shared, size_t bytes, int unit, struct window *w) {
  allocate(shared, bytes, w);
  w->bytes = (int)bytes;
  w->unit = unit;
  w->local = perf_buffer(bytes);
  memset(w->own, 0, bytes);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, w->win);
  MPI_Barrier(MPI_COMM_WORLD);
}

/* Checks that an operation copies between unit 0's `local` and the window. */
static void check_window(const struct perf *p, const char *work, const struct perf_op *op, const struct window *w, void *local,
                         bool gets) {
  void *remote = p->unit == w->unit ? w->own : NULL, *own = p->unit == 0 ? local : NULL;
  perf_check_copy(p, work, op, gets ? remote : own, gets ? own : remote, (size_t)w->bytes);
}

static void close_window(struct window *w) {
  MPI_Win_unlock_all(w->win);
  MPI_Win_free(&w->win);
  free(w->local);
}

/* Calls a function once for each mode. */
static void in_each_mode(struct perf *p, const struct perf_work *work,
                         void (*run)(struct perf *, const struct perf_work *, bool shared)) {
  p->mode = "allocate";
  run(p, work, false);
  p->mode = "shared";
  if (one_node) run(p, work, true);
  p->mode = NULL;
}

#endif
