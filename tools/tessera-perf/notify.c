/* Notified puts from unit 0 to the target and back, in turns; one operation is one way, from the put to the
 * notification at the target. */
#include "works.h"

#include <dash/dart/if/dart_ext_notify.h>

#include <stdlib.h>

#include "limits.h"

struct trip {
  dart_gptr_t there, counter_there, counter_here;
  void *out;
  size_t bytes;
  uint64_t come_n; /* notifications so far */
  int unit, target;
};

static void one_way(struct trip *t, bool puts, dart_ret_t *bad) {
  if (puts)
    *bad |= dart_put_notify(t->there, t->out, t->bytes, DART_TYPE_BYTE, DART_TYPE_BYTE, t->counter_there, 1);
  else
    *bad |= dart_notify_wait(t->counter_here, ++t->come_n);
}

static void to_and_fro(void *arg, uint64_t n) {
  struct trip *t = arg;
  dart_ret_t bad = DART_OK;
  for (uint64_t i = 0; i < n; i++) {
    if (t->target == 0) one_way(t, true, &bad), one_way(t, false, &bad);
    else if (t->unit == 0 || t->unit == t->target) one_way(t, (i % 2 == 0) == (t->unit == 0), &bad);
  }
  bad |= dart_flush(t->there);
  works_check(bad, "dart_put_notify or dart_notify_wait");
}

static dart_gptr_t behind(dart_gptr_t memory, int unit, size_t bytes) {
  dart_gptr_t at = works_at(memory, unit);
  works_check(dart_gptr_incaddr(&at, (int64_t)bytes), "dart_gptr_incaddr");
  return at;
}

/* The data, and behind it the counter in a cache line of its own. */
static void run(struct perf *p, const struct perf_work *work) {
  enum { LINE = 64 };
  for (int i = 0; i < p->bytes_n; i++) {
    size_t bytes = p->bytes[i], counter = (bytes + LINE - 1) / LINE * LINE;
    int other = p->unit == 0 ? p->target : 0;
    dart_gptr_t memory = works_alloc(p, counter + LINE, 0);
    struct trip t = {.there = works_at(memory, other),
                     .counter_there = behind(memory, other, counter),
                     .counter_here = behind(memory, p->unit, counter),
                     .out = perf_buffer(bytes),
                     .bytes = bytes,
                     .unit = p->unit,
                     .target = p->target};
    struct perf_op op = {work->loop, &t, p->target + 1, p->target > 0};
    struct perf_result result;
    works_check(dart_notify_reset(t.counter_here, NULL), "dart_notify_reset");
    works_check(dart_barrier(DART_TEAM_ALL), "dart_barrier");
    const struct perf_op *limit = bytes <= 8 ? limits_counter(p) : NULL;
    perf_measure(p, &op, limit, &result);
    perf_row_copy(p, work->name, "plain", bytes, &result);
    free(t.out);
    works_free(memory);
  }
}

const struct perf_work notify_works[] = {
    {"notify.put", "dart_put_notify and dart_notify_wait, one way", run, to_and_fro, 0},
    {0},
};
