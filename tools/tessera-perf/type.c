/* type.put and type.get: elements with gaps on one side, contiguous on the other. The limit is a loop that a program
 * would write. */
#include "works.h"

#include <stdio.h>
#include <stdlib.h>

#include "limits.h"

enum { BLOCKLENS_N = 3 };
static const size_t blocklens[BLOCKLENS_N] = {1, 2, 8};

struct transfer {
  dart_gptr_t remote;
  void *local;
  size_t nelem;
  dart_datatype_t type;
};

static void put(void *arg, uint64_t n) {
  const struct transfer *t = arg;
  dart_ret_t bad = DART_OK;
  for (uint64_t i = 0; i < n; i++) bad |= dart_put_blocking(t->remote, t->local, t->nelem, DART_TYPE_DOUBLE, t->type);
  works_check(bad, "dart_put_blocking");
}

static void get(void *arg, uint64_t n) {
  const struct transfer *t = arg;
  dart_ret_t bad = DART_OK;
  for (uint64_t i = 0; i < n; i++) bad |= dart_get_blocking(t->local, t->remote, t->nelem, t->type, DART_TYPE_DOUBLE);
  works_check(bad, "dart_get_blocking");
}

/* The offset of each block: at one of two places, the same in every call. */
static void scatter_blocks(size_t offset[], size_t blocks_n, size_t blocklen) {
  uint32_t state = 1;
  for (size_t i = 0; i < blocks_n; i++) {
    state = state * 1664525u + 1013904223u;
    offset[i] = 2 * i * blocklen + (state >> 31);
  }
}

static dart_datatype_t make_type(const struct limits_blocks *blocks) {
  dart_datatype_t type = DART_TYPE_UNDEFINED;
  if (!blocks->offset) {
    works_check(dart_type_create_strided(DART_TYPE_DOUBLE, 2 * blocks->blocklen, blocks->blocklen, &type),
                "dart_type_create_strided");
    return type;
  }
  size_t *lengths = perf_buffer(blocks->blocks_n * sizeof *lengths);
  for (size_t i = 0; i < blocks->blocks_n; i++) lengths[i] = blocks->blocklen;
  works_check(dart_type_create_indexed(DART_TYPE_DOUBLE, blocks->blocks_n, lengths, blocks->offset, &type),
              "dart_type_create_indexed");
  free(lengths);
  return type;
}

static void measure(struct perf *p, const struct perf_work *work, const char *variant,
                    const struct limits_blocks *blocks) {
  size_t nelem = blocks->blocks_n * blocks->blocklen, bytes = nelem * sizeof(double);
  struct transfer t = {works_alloc(p, 2 * bytes, p->target), perf_buffer(bytes), nelem, make_type(blocks)};
  struct perf_result result;
  struct perf_op op = {work->loop, &t, 1, false};
  perf_measure(p, &op, limits_blocks(p, (enum limits_copy)work->choice, blocks), &result);
  perf_row_copy(p, work->name, variant, bytes, &result);
  works_check(dart_type_destroy(&t.type), "dart_type_destroy");
  free(t.local);
  works_free(t.remote);
}

/* Half of the bytes are moved: blocks and gaps have equal lengths. */
static void run_size(struct perf *p, const struct perf_work *work, size_t span_bytes, size_t blocklen) {
  char variant[32];
  size_t blocks_n = span_bytes / (2 * blocklen * sizeof(double));
  if (blocks_n < 2) return;
  size_t *offset = perf_buffer(blocks_n * sizeof *offset);
  scatter_blocks(offset, blocks_n, blocklen);
  snprintf(variant, sizeof variant, "strided/%zu", blocklen);
  measure(p, work, variant, &(struct limits_blocks){blocks_n, blocklen, NULL});
  snprintf(variant, sizeof variant, "indexed/%zu", blocklen);
  measure(p, work, variant, &(struct limits_blocks){blocks_n, blocklen, offset});
  free(offset);
}

static void run(struct perf *p, const struct perf_work *work) {
  for (int i = 0; i < p->bytes_n; i++)
    for (int k = 0; k < BLOCKLENS_N; k++)
      if (p->bytes_given || p->bytes[i] >= PERF_BANDWIDTH_FROM) run_size(p, work, p->bytes[i], blocklens[k]);
}

const struct perf_work type_works[] = {
    {"type.put", "dart_put_blocking of doubles into blocks of 1, 2 or 8: strided, indexed", run, put, LIMITS_PUT},
    {"type.get", "dart_get_blocking of doubles out of blocks of 1, 2 or 8: strided, indexed", run, get, LIMITS_GET},
    {0},
};
