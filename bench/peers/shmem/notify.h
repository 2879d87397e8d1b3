/* A put that notifies its target: a put, a fence, and an atomic increment of a counter, for which the target waits. */
static long notice_count; /* symmetric, as all static objects are */

struct notice {
  char *remote;
  void *local;
  size_t bytes;
  long come_n;
  int unit, target;
};

static void notify_to_and_fro(void *arg, uint64_t n) {
  struct notice *t = arg;
  int other = t->unit == 0 ? t->target : 0;
  if (t->target == 0 || (t->unit != 0 && t->unit != t->target)) return;
  for (uint64_t i = 0; i < n; i++) {
    if ((i % 2 == 0) == (t->unit == 0)) {
      shmem_putmem(t->remote, t->local, t->bytes, other);
      shmem_fence();
      shmem_long_atomic_inc(&notice_count, other);
    } else {
      shmem_long_wait_until(&notice_count, SHMEM_CMP_GE, ++t->come_n);
    }
  }
}

static void run_notify(struct perf *p, const struct perf_work *work) {
  for (int i = 0; i < p->bytes_n; i++) {
    struct notice t = {.bytes = p->bytes[i], .unit = p->unit, .target = p->target};
    struct perf_op op = {notify_to_and_fro, &t, p->target + 1, p->target > 0};
    struct perf_result result;
    if (p->target == 0) continue;
    t.remote = perf_symmetric(t.bytes);
    t.local = perf_buffer(t.bytes);
    notice_count = 0;
    shmem_barrier_all();
    perf_measure(p, &op, NULL, &result);
    perf_row_copy(p, work->name, "plain", t.bytes, &result);
    shmem_free(t.remote);
    free(t.local);
  }
}
