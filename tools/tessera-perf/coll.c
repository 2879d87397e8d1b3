#include "coll.h"

#include <stdlib.h>

#define JOB_BYTES_MAX ((size_t)1 << 30)

static size_t shares_n(const struct perf *p, const struct perf_work *work, enum perf_coll_shape which) {
  return work->choice & (int)which ? (size_t)p->units : 1;
}

static bool has_room(const struct perf *p, const struct perf_work *work, size_t bytes) {
  size_t shares = shares_n(p, work, PERF_COLL_SENDS_ALL) + shares_n(p, work, PERF_COLL_RECEIVES_ALL);
  return bytes <= JOB_BYTES_MAX / shares / (size_t)p->units;
}

static void measure(const struct perf *p, const struct perf_work *work, const struct perf_coll_memory *memory,
                    size_t bytes, perf_coll_limit limit) {
  struct perf_coll coll = {.bytes = bytes, .unit = p->unit, .units = p->units};
  struct perf_op op = {work->loop, &coll, p->units, p->units > 1};
  struct perf_result result;
  coll.send = memory->take(p, bytes * shares_n(p, work, PERF_COLL_SENDS_ALL));
  coll.recv = memory->take(p, bytes * shares_n(p, work, PERF_COLL_RECEIVES_ALL));
  perf_measure(p, &op, limit ? limit(p, bytes) : NULL, &result);
  perf_row_copy(p, work->name, memory->variant, bytes, &result);
  memory->give(p, coll.recv);
  memory->give(p, coll.send);
}

void perf_coll_run(const struct perf *p, const struct perf_work *work, const struct perf_coll_memory *memory,
                   size_t elem_bytes, perf_coll_limit limit) {
  for (int i = 0; i < p->bytes_n; i++)
    if (p->bytes[i] % elem_bytes == 0 && has_room(p, work, p->bytes[i])) measure(p, work, memory, p->bytes[i], limit);
}

static void *take_private(const struct perf *p, size_t bytes) {
  (void)p;
  return perf_buffer(bytes);
}

static void give_private(const struct perf *p, void *memory) {
  (void)p;
  free(memory);
}

const struct perf_coll_memory perf_coll_plain = {"plain", take_private, give_private};
