/* Accumulates of doubles with a scale into the target's memory, each followed by a flush. Unit 0 and the target; the
 * other units sleep. */
#include "works.h"

#include <stdlib.h>
#include <string.h>

#include "core/place.h"
#include "core/segment.h"
#include "limits.h"
#include "vis/accumulate.h"

struct acc {
  tsr_addr there;
  double *values;
  size_t bytes;
};

static void check(tessera_status_t status) { works_check(status ? DART_ERR_OTHER : DART_OK, "an accumulate of the core"); }

static void contiguous_loop(void *arg, uint64_t n) {
  const struct acc *a = arg;
  const tsr_layout line = tsr_layout_contiguous(a->bytes);
  const double scale = 0.5;
  tessera_status_t bad = TESSERA_OK;
  while (n--) {
    bad |= tsr_acc_layout(a->there, &line, a->values, &line, TSR_F64, TSR_SUM, &scale, tsr_op_implicit(a->there.unit));
    tsr_op_flush(a->there.unit);
  }
  check(bad);
}

/* Skips sizes that are no multiple of a double. */
static void run(struct perf *p, const struct perf_work *work) {
  for (int i = 0; i < p->bytes_n; i++) {
    struct acc a = {.bytes = p->bytes[i]};
    struct perf_result result;
    tsr_segment *segment;
    if (a.bytes % sizeof(double)) continue;
    check(tsr_segment_alloc(tsr_team_world, a.bytes, &segment));
    a.there = tsr_segment_address(segment, TSR_MEMBER(p->target), 0);
    void *own = tsr_place_pointer(tsr_segment_address(segment, TSR_MEMBER(p->unit), 0));
    memset(own, 0, a.bytes);
    a.values = perf_buffer(a.bytes);
    for (size_t k = 0; k < a.bytes / sizeof(double); k++) a.values[k] = 1;
    p->barrier();
    struct perf_op op = {contiguous_loop, &a, 1, false};
    perf_measure(p, &op, limits_accumulate(p, a.bytes), &result);
    perf_row_copy(p, work->name, "plain", a.bytes, &result);
    free(a.values);
    check(tsr_segment_free(segment));
  }
}

const struct perf_work acc_works[] = {
    {"acc.double", "scaled doubles added to the target's, with a flush", run, NULL, 0},
    {0},
};
