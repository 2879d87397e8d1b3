/* Operations on a target that computes. Unless the MPI has a progress thread, they are served when the target calls MPI
 * again. */
#include "../../../tools/tessera-perf/busy.c"
#include "window.h"

struct call {
  struct window data, over;
};

static void busy_put(void *arg) {
  const struct window *w = &((struct call *)arg)->data;
  MPI_Put(w->local, w->bytes, MPI_BYTE, w->unit, 0, w->bytes, MPI_BYTE, w->win);
  MPI_Win_flush(w->unit, w->win);
}

static void busy_get(void *arg) {
  const struct window *w = &((struct call *)arg)->data;
  MPI_Get(w->local, w->bytes, MPI_BYTE, w->unit, 0, w->bytes, MPI_BYTE, w->win);
  MPI_Win_flush(w->unit, w->win);
}

static void busy_fetch_add(void *arg) {
  const struct window *w = &((struct call *)arg)->data;
  const int64_t one = 1;
  MPI_Fetch_and_op(&one, w->local, MPI_INT64_T, w->unit, 0, MPI_SUM, w->win);
  MPI_Win_flush(w->unit, w->win);
}

static void busy_end(void *arg) {
  const struct window *w = &((struct call *)arg)->over;
  const uint64_t yes = 1;
  MPI_Put(&yes, 1, MPI_UINT64_T, w->unit, 0, 1, MPI_UINT64_T, w->win);
  MPI_Win_flush(w->unit, w->win);
}

enum { BUSY_PUT, BUSY_GET, BUSY_FETCH_ADD };
static void (*const busy_calls[])(void *arg) = {busy_put, busy_get, busy_fetch_add};

static void busy_target(struct perf *p, const struct perf_work *work, bool shared) {
  static const size_t sizes[] = {8, 1 << 20};
  int sizes_n = work->choice == BUSY_FETCH_ADD ? 1 : 2;
  for (int i = 0; i < sizes_n; i++) {
    struct call c;
    open_window(shared, sizes[i], p->target, &c.data);
    open_window(shared, sizeof(uint64_t), p->target, &c.over);
    struct perf_busy busy = {busy_calls[work->choice], busy_end, &c, (uint64_t *)(void *)c.over.own};
    perf_busy(p, work->name, sizes[i], &busy);
    close_window(&c.over);
    close_window(&c.data);
  }
}

static void run_busy(struct perf *p, const struct perf_work *work) { in_each_mode(p, work, busy_target); }

static const struct perf_work busy_works[] = {
    {"busy-target.put", "MPI_Put and MPI_Win_flush to a unit that computes; limit: to one that waits", run_busy, NULL,
     BUSY_PUT},
    {"busy-target.get", "MPI_Get and MPI_Win_flush from one", run_busy, NULL, BUSY_GET},
    {"busy-target.fetch_add", "MPI_Fetch_and_op and MPI_Win_flush on one", run_busy, NULL, BUSY_FETCH_ADD},
    {0},
};
