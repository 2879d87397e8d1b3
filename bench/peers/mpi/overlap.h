/* The share of a transfer's time in which its origin can compute. */
#include "../../../tools/tessera-perf/overlap.c"
#include "window.h"

struct move {
  struct window *window;
  void *here;
  MPI_Request request;
};

static void start_put(void *arg) {
  struct move *m = arg;
  const struct window *w = m->window;
  MPI_Rput(m->here, w->bytes, MPI_BYTE, w->unit, 0, w->bytes, MPI_BYTE, w->win, &m->request);
}

static void start_get(void *arg) {
  struct move *m = arg;
  const struct window *w = m->window;
  MPI_Rget(m->here, w->bytes, MPI_BYTE, w->unit, 0, w->bytes, MPI_BYTE, w->win, &m->request);
}

static void complete_put(void *arg) {
  struct move *m = arg;
  MPI_Wait(&m->request, MPI_STATUS_IGNORE);
  MPI_Win_flush(m->window->unit, m->window->win);
}

static void complete_get(void *arg) { MPI_Wait(&((struct move *)arg)->request, MPI_STATUS_IGNORE); }

/* The buffer at the origin lies in the window (global) or in private memory (plain). */
static void overlap(struct perf *p, const struct perf_work *work, bool shared) {
  bool gets = work->choice;
  for (int i = 0; i < p->bytes_n; i++) {
    struct window w;
    if (p->bytes[i] > INT32_MAX) continue; /* MPI-3 counts are int */
    open_window(shared, p->bytes[i], p->target, &w);
    struct move m = {.window = &w, .here = w.own};
    struct perf_transfer transfer = {gets ? start_get : start_put, gets ? complete_get : complete_put, &m};
    perf_overlap(p, work->name, "global", p->bytes[i], &transfer);
    m.here = w.local;
    perf_overlap(p, work->name, "plain", p->bytes[i], &transfer);
    close_window(&w);
  }
}

static void run_overlap(struct perf *p, const struct perf_work *work) { in_each_mode(p, work, overlap); }

static const struct perf_work overlap_works[] = {
    {"overlap.put", "MPI_Rput, computation, MPI_Wait and MPI_Win_flush", run_overlap, NULL, false},
    {"overlap.get", "MPI_Rget, computation, MPI_Wait", run_overlap, NULL, true},
    {0},
};
