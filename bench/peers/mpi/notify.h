/* A put that notifies its target. MPI has no such call, so the origin completes the put and then sends an empty message. */
#include "window.h"

struct notice {
  struct window w;
  int unit, target;
};

static void notify_one_way(const struct notice *t, bool puts) {
  int other = t->unit == 0 ? t->target : 0;
  if (!puts) {
    MPI_Recv(NULL, 0, MPI_BYTE, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return;
  }
  MPI_Put(t->w.local, (int)t->w.bytes, MPI_BYTE, other, 0, (int)t->w.bytes, MPI_BYTE, t->w.win);
  MPI_Win_flush(other, t->w.win);
  MPI_Send(NULL, 0, MPI_BYTE, other, 2, MPI_COMM_WORLD);
}

static void notify_to_and_fro(void *arg, uint64_t n) {
  const struct notice *t = arg;
  if (t->target == 0 || (t->unit != 0 && t->unit != t->target)) return;
  for (uint64_t i = 0; i < n; i++) notify_one_way(t, (i % 2 == 0) == (t->unit == 0));
}

static void notify_each(struct perf *p, const struct perf_work *work, bool shared) {
  for (int i = 0; i < p->bytes_n; i++) {
    struct notice t = {.unit = p->unit, .target = p->target};
    struct perf_op op = {work->loop, &t, p->target + 1, p->target > 0};
    struct perf_result result;
    if (p->bytes[i] > INT32_MAX || p->target == 0) continue; /* MPI-3 counts are int; no unit notifies itself */
    open_window(shared, p->bytes[i], p->target, &t.w);
    perf_measure(p, &op, NULL, &result);
    perf_row_copy(p, work->name, "plain", p->bytes[i], &result);
    close_window(&t.w);
  }
}

static void run_notify(struct perf *p, const struct perf_work *work) { in_each_mode(p, work, notify_each); }
