/* Scattered doubles to the target: one by one, on a batch, and as one iovec. Unit 0 and the target; the other units
 * sleep. */
#include "works.h"

#include <stdlib.h>

#include "core/segment.h"
#include "rma/rma.h"
#include "vis/batch.h"
#include "vis/vector.h"

enum { DOUBLES_N = 1000, APART = 2 };

struct scatter {
  tsr_addr there;
  double values[DOUBLES_N];
  ptrdiff_t offs[DOUBLES_N];
};

static tsr_addr place_of(const struct scatter *s, int i) {
  return (tsr_addr){s->there.unit, s->there.off + (uint64_t)s->offs[i]};
}

static void check(tessera_status_t status) { works_check(status ? DART_ERR_OTHER : DART_OK, "a put of the core"); }

static void single_loop(void *arg, uint64_t n) {
  const struct scatter *s = arg;
  tessera_status_t bad = TESSERA_OK;
  while (n--) {
    for (int i = 0; i < DOUBLES_N; i++)
      bad |= tsr_put(place_of(s, i), &s->values[i], sizeof(double), tsr_op_implicit(s->there.unit));
    tsr_op_flush(s->there.unit);
  }
  check(bad);
}

static void batch_loop(void *arg, uint64_t n) {
  const struct scatter *s = arg;
  tessera_status_t bad = TESSERA_OK;
  tsr_batch batch;
  tsr_batch_open(&batch, s->there.unit);
  while (n--) {
    for (int i = 0; i < DOUBLES_N; i++) bad |= tsr_batch_put(&batch, place_of(s, i), &s->values[i], sizeof(double));
    bad |= tsr_batch_wait(&batch);
    tsr_op_flush(s->there.unit);
  }
  check(bad);
}

static void list_loop(void *arg, uint64_t n) {
  const struct scatter *s = arg;
  tsr_iov theirs = {.offs = s->offs, .each = sizeof(double), .n = DOUBLES_N, .times = 1};
  tsr_iov ours = tsr_iov_contiguous(sizeof s->values);
  tessera_status_t bad = TESSERA_OK;
  while (n--) {
    bad |= tsr_put_iov(s->there, &theirs, s->values, &ours, tsr_op_implicit(s->there.unit));
    tsr_op_flush(s->there.unit);
  }
  check(bad);
}

static void measure(const struct perf *p, const struct perf_work *work, const char *variant, perf_loop loop,
                    struct scatter *s) {
  struct perf_result result;
  struct perf_op op = {loop, s, 1, false};
  perf_measure(p, &op, NULL, &result);
  perf_row_time(p, work->name, variant, sizeof s->values, &result);
}

static void run(struct perf *p, const struct perf_work *work) {
  struct scatter *s = perf_buffer(sizeof *s);
  tsr_segment *segment;
  check(tsr_segment_alloc(tsr_team_world, DOUBLES_N * APART * sizeof(double), &segment));
  s->there = tsr_segment_address(segment, TSR_MEMBER(p->target), 0);
  for (int i = 0; i < DOUBLES_N; i++) s->offs[i] = (ptrdiff_t)((size_t)i * APART * sizeof(double));
  measure(p, work, "single", single_loop, s);
  measure(p, work, "batch", batch_loop, s);
  measure(p, work, "list", list_loop, s);
  check(tsr_segment_free(segment));
  free(s);
}

const struct perf_work batch_works[] = {
    {"batch.put", "1000 scattered doubles and a flush: single puts, puts on a batch, one list", run, NULL, 0},
    {0},
};
