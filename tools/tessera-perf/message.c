/* Messages from unit 0 to the target and back, in turns; one operation is one way. */
#include "works.h"

#include <stdlib.h>

#include "limits.h"

struct trip {
  void *out, *in;
  size_t bytes;
  int unit, target;
};

static void one_way(const struct trip *t, bool leaves, dart_ret_t *bad) {
  bool sends = leaves == (t->unit == 0);
  dart_global_unit_t other = {t->unit == 0 ? t->target : 0};
  if (sends) *bad |= dart_send(t->out, t->bytes, DART_TYPE_BYTE, 0, other);
  else *bad |= dart_recv(t->in, t->bytes, DART_TYPE_BYTE, 0, other);
}

static void to_and_fro(void *arg, uint64_t n) {
  const struct trip *t = arg;
  const dart_global_unit_t self = {t->unit};
  dart_ret_t bad = DART_OK;
  for (uint64_t i = 0; i < n; i++) {
    if (t->target == 0)
      bad |= dart_sendrecv(t->out, t->bytes, DART_TYPE_BYTE, 0, self, t->in, t->bytes, DART_TYPE_BYTE, 0, self);
    else if (t->unit == 0 || t->unit == t->target)
      one_way(t, i % 2 == 0, &bad);
  }
  works_check(bad, "dart_send, dart_recv or dart_sendrecv");
}

static const struct perf_op *limit_of(const struct perf *p, size_t bytes) {
  if (bytes <= 8) return limits_message(p);
  return bytes >= PERF_BANDWIDTH_FROM && p->target > 0 ? limits_copy(p, LIMITS_GET, bytes) : NULL;
}

/* Buffers in private memory and in global memory. */
static void run(struct perf *p, const struct perf_work *work) {
  for (int i = 0; i < p->bytes_n; i++) {
    struct trip t = {.bytes = p->bytes[i], .unit = p->unit, .target = p->target};
    struct perf_op op = {work->loop, &t, p->target + 1, p->target > 0};
    struct perf_result result;
    dart_gptr_t global = works_alloc(p, 2 * t.bytes, p->unit);
    void *private = perf_buffer(2 * t.bytes);
    t.out = private;
    t.in = (char *)private + t.bytes;
    perf_measure(p, &op, limit_of(p, t.bytes), &result);
    perf_row_copy(p, work->name, "plain", t.bytes, &result);
    works_check(dart_gptr_getaddr(global, &t.out), "dart_gptr_getaddr");
    t.in = (char *)t.out + t.bytes;
    perf_measure(p, &op, limit_of(p, t.bytes), &result);
    perf_row_copy(p, work->name, "global", t.bytes, &result);
    free(private);
    works_free(global);
  }
}

const struct perf_work message_works[] = {
    {"p2p.send", "dart_send and dart_recv, one way: private memory (plain), global memory", run, to_and_fro, 0},
    {0},
};
