/* vis.*: one double in four at the target, contiguous at unit 0, moved by the functions of src/vis. The limit is the
 * best hand-written loop. Unit 0 and the target; the other units sleep. */
#include "works.h"

#include <stdlib.h>
#include <string.h>

#include "apart.h"
#include "core/place.h"
#include "core/segment.h"
#include "limits.h"
#include "shapes.h"
#include "vis/strided.h"
#include "vis/vector.h"

enum { ELEM = sizeof(double), APART_BYTES = PERF_APART * ELEM };

struct transfer {
  tsr_addr there;
  void *here;
  tsr_layout theirs, ours;
  tsr_iov their_iov, our_iov;
};

static void check(tessera_status_t status) { works_check(status ? DART_ERR_OTHER : DART_OK, "a transfer of the core"); }

static void put_strided(void *arg, uint64_t n) {
  const struct transfer *t = arg;
  tessera_status_t bad = TESSERA_OK;
  while (n--) {
    bad |= tsr_put_layout(t->there, &t->theirs, t->here, &t->ours, tsr_op_implicit(t->there.unit));
    tsr_op_flush(t->there.unit);
  }
  check(bad);
}

static void get_strided(void *arg, uint64_t n) {
  const struct transfer *t = arg;
  tessera_status_t bad = TESSERA_OK;
  while (n--) {
    bad |= tsr_get_layout(t->here, &t->ours, t->there, &t->theirs, tsr_op_implicit(t->there.unit));
    tsr_op_flush(t->there.unit);
  }
  check(bad);
}

static void put_indexed(void *arg, uint64_t n) {
  const struct transfer *t = arg;
  tessera_status_t bad = TESSERA_OK;
  while (n--) {
    bad |= tsr_put_iov(t->there, &t->their_iov, t->here, &t->our_iov, tsr_op_implicit(t->there.unit));
    tsr_op_flush(t->there.unit);
  }
  check(bad);
}

static void get_indexed(void *arg, uint64_t n) {
  const struct transfer *t = arg;
  tessera_status_t bad = TESSERA_OK;
  while (n--) {
    bad |= tsr_get_iov(t->here, &t->our_iov, t->there, &t->their_iov, tsr_op_implicit(t->there.unit));
    tsr_op_flush(t->there.unit);
  }
  check(bad);
}

/* ---- memory ---- */

static tsr_segment *open_transfer(const struct perf *p, struct transfer *t, size_t n) {
  tsr_segment *segment;
  check(tsr_segment_alloc(tsr_team_world, n * APART_BYTES, &segment));
  perf_touch(tsr_place_pointer(tsr_segment_address(segment, TSR_MEMBER(p->unit), 0)), n * APART_BYTES);
  p->barrier();
  t->there = tsr_segment_address(segment, TSR_MEMBER(p->target), 0);
  t->here = perf_buffer(n * ELEM);
  return segment;
}

static void close_transfer(struct transfer *t, tsr_segment *segment) {
  free(t->here);
  check(tsr_segment_free(segment));
}

static const size_t usual[] = {8 << 10, 16 << 10, 32 << 10, 64 << 10, 128 << 10, 512 << 10, 2 << 20};

/* Calls `measure` for each size, in doubles. */
static void for_sizes(struct perf *p, const struct perf_work *work,
                      void (*measure)(struct perf *p, const struct perf_work *work, size_t n)) {
  const size_t *bytes = p->bytes_given ? p->bytes : usual;
  const int bytes_n = p->bytes_given ? p->bytes_n : (int)(sizeof usual / sizeof *usual);
  for (int i = 0; i < bytes_n; i++)
    if (bytes[i] >= ELEM) measure(p, work, bytes[i] / ELEM);
}

/* ---- strided ---- */

/* The same n doubles in `dims` dimensions: counts of 2 while n is even, the rest in one dimension, counts of 1 in the
 * others. */
static tsr_layout describe(size_t n, int dims) {
  tsr_layout layout = {.elem_bytes = ELEM, .dims = dims};
  ptrdiff_t stride = APART_BYTES;
  for (int d = 0; d < dims; d++) {
    layout.count[d] = d == dims - 1 ? n : n % 2 ? 1 : 2;
    layout.stride[d] = stride;
    stride *= (ptrdiff_t)layout.count[d];
    n /= layout.count[d];
  }
  return layout;
}

static void measure_strided(struct perf *p, const struct perf_work *work, size_t n) {
  static const struct { const char *name; int dims; } variants[] = {{"1-d", 1}, {"8-d", 8}, {"32-d", 32}};
  const struct apart hand = {.n = n, .stride = PERF_APART};
  struct transfer t = {.ours = tsr_layout_contiguous(n * ELEM)};
  struct perf_op op = {work->loop, &t, 1, false};
  tsr_segment *segment = open_transfer(p, &t, n);
  for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
    struct perf_result result;
    t.theirs = describe(n, variants[v].dims);
    perf_measure(p, &op, limits_apart(p, (enum limits_copy)work->choice, &hand), &result);
    perf_row_copy(p, work->name, variants[v].name, n * ELEM, &result);
  }
  close_transfer(&t, segment);
}

/* ---- indexed ---- */

/* One place in four, or contiguous. */
static void fill_offsets(size_t *offset, size_t n, bool dense) {
  uint32_t state = 1;
  for (size_t i = 0; i < n; i++) {
    state = state * UINT32_C(1664525) + UINT32_C(1013904223);
    offset[i] = dense ? i : i * PERF_APART + state % (1u << 31) / ((1u << 31) / PERF_APART);
  }
}

static void measure_list(struct perf *p, const struct perf_work *work, size_t n, bool dense) {
  size_t *offset = perf_buffer(n * sizeof *offset);
  ptrdiff_t *offs = perf_buffer(n * sizeof *offs);
  fill_offsets(offset, n, dense);
  for (size_t i = 0; i < n; i++) offs[i] = (ptrdiff_t)(offset[i] * ELEM);
  const enum limits_copy way = (enum limits_copy)work->choice;
  const struct apart hand = {.n = n, .offset = offset};
  struct transfer t = {.their_iov = {.offs = offs, .each = ELEM, .n = n, .times = 1},
                       .our_iov = tsr_iov_contiguous(n * ELEM)};
  struct perf_op op = {work->loop, &t, 1, false};
  struct perf_result result;
  tsr_segment *segment = open_transfer(p, &t, n);
  const bool copies = dense && n * ELEM <= usual[sizeof usual / sizeof *usual - 1];
  perf_measure(p, &op, dense ? copies ? limits_copy(p, way, n * ELEM) : NULL : limits_apart(p, way, &hand), &result);
  perf_row_copy(p, work->name, dense ? "dense" : "25%", n * ELEM, &result);
  close_transfer(&t, segment);
  free(offset);
  free(offs);
}

static void measure_indexed(struct perf *p, const struct perf_work *work, size_t n) {
  measure_list(p, work, n, false);
  measure_list(p, work, n, true);
}

static void run_strided(struct perf *p, const struct perf_work *work) { for_sizes(p, work, measure_strided); }
static void run_indexed(struct perf *p, const struct perf_work *work) { for_sizes(p, work, measure_indexed); }

const struct perf_work vis_works[] = {
    {"vis.strided.put", "doubles to every fourth place, described in 1, 8 or 32 dimensions; limit: the best loop",
     run_strided,
     put_strided, LIMITS_PUT},
    {"vis.strided.get", "the same, as a get", run_strided, get_strided, LIMITS_GET},
    {"vis.indexed.put", "doubles to one place of every four, as a list; dense: contiguous, limit: a bare copy",
     run_indexed,
     put_indexed, LIMITS_PUT},
    {"vis.indexed.get", "the same, as a get", run_indexed, get_indexed, LIMITS_GET},
    {0},
};
