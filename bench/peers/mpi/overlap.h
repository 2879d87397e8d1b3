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

static void measure_move(const struct perf *p, const struct perf_work *work, const char *variant, struct move *m) {
  const struct window *w = m->window;
  void *remote = p->unit == w->unit ? w->own : NULL, *local = p->unit == 0 ? m->here : NULL;
  const struct perf_transfer transfer = work->choice ? (struct perf_transfer){start_get, complete_get, m, remote, local}
                                                     : (struct perf_transfer){start_put, complete_put, m, local, remote};
  perf_overlap(p, work->name, variant, (size_t)w->bytes, &transfer);
}

/* The buffer at the origin lies in the window (global) or in private memory (plain). */
static void overlap(struct perf *p, const struct perf_work *work, bool shared) {
  for (int i = 0; i < p->bytes_n; i++) {
    struct window w;
    if (p->bytes[i] > INT32_MAX) continue; /* MPI-3 counts are int */
    open_window(shared, p->bytes[i], p->target, &w);
    struct move m = {.window = &w, .here = w.own};
    measure_move(p, work, "global", &m);
    m.here = w.local;
    measure_move(p, work, "plain", &m);
    close_window(&w);
  }
}

static void run_overlap(struct perf *p, const struct perf_work *work) { in_each_mode(p, work, overlap); }

static const struct perf_work overlap_works[] = {
    {"overlap.put", "MPI_Rput, computation, MPI_Wait and MPI_Win_flush", run_overlap, NULL, false},
    {"overlap.get", "MPI_Rget, computation, MPI_Wait", run_overlap, NULL, true},
    {0},
};
