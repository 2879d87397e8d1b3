/* Strided puts of many small pieces, to compare with peers that put piece by piece or by a vector type. */
#include <stdlib.h>

#include "shapes.h"
#include "works.h"

struct put {
  dart_gptr_t remote;
  void *local;
  size_t nelem;
  dart_datatype_t type;
};

static void typed(void *arg, uint64_t n) {
  const struct put *t = arg;
  dart_ret_t bad = DART_OK;
  for (uint64_t i = 0; i < n; i++) bad |= dart_put_blocking(t->remote, t->local, t->nelem, DART_TYPE_DOUBLE, t->type);
  works_check(bad, "dart_put_blocking");
}

static void measure(struct perf *p, const struct perf_work *work, const char *variant, size_t span_n, struct put *t) {
  size_t bytes = t->nelem * sizeof(double);
  struct perf_op op = {work->loop, t, 1, false};
  struct perf_result result;
  t->remote = works_alloc(p, span_n * sizeof(double), p->target);
  t->local = perf_buffer(bytes);
  perf_measure(p, &op, NULL, &result);
  perf_row_copy(p, work->name, variant, bytes, &result);
  free(t->local);
  works_free(t->remote);
}

static void run_pieces(struct perf *p, const struct perf_work *work) {
  static const size_t usual[] = {4 << 10, 64 << 10, 1 << 20};
  const size_t piece_bytes = PERF_PIECE_N * sizeof(double);
  const size_t *bytes = p->bytes_given ? p->bytes : usual;
  int bytes_n = p->bytes_given ? p->bytes_n : (int)(sizeof usual / sizeof *usual);
  for (int i = 0; i < bytes_n; i++) {
    size_t pieces_n = bytes[i] / piece_bytes;
    struct put t = {.nelem = pieces_n * PERF_PIECE_N};
    if (!pieces_n) continue;
    works_check(dart_type_create_strided(DART_TYPE_DOUBLE, PERF_PIECE_APART, PERF_PIECE_N, &t.type),
                "dart_type_create_strided");
    measure(p, work, "64B/25%", pieces_n * PERF_PIECE_APART, &t);
    works_check(dart_type_destroy(&t.type), "dart_type_destroy");
  }
}

static void scattered(void *arg, uint64_t n) {
  const struct put *t = arg;
  const double *from = t->local;
  dart_ret_t bad = DART_OK;
  size_t offset[PERF_SCATTER_N];
  perf_scatter(offset);
  for (uint64_t i = 0; i < n; i++) {
    for (size_t k = 0; k < PERF_SCATTER_N; k++) {
      dart_gptr_t to = t->remote;
      dart_gptr_incaddr(&to, (int64_t)(offset[k] * sizeof *from));
      bad |= dart_put(to, from + k, 1, DART_TYPE_DOUBLE, DART_TYPE_DOUBLE);
    }
    bad |= dart_flush(t->remote);
  }
  works_check(bad, "dart_put or dart_flush");
}

static void run_scatter(struct perf *p, const struct perf_work *work) {
  size_t offset[PERF_SCATTER_N], lengths[PERF_SCATTER_N];
  struct put t = {.nelem = PERF_SCATTER_N};
  perf_scatter(offset);
  for (size_t i = 0; i < PERF_SCATTER_N; i++) lengths[i] = 1;
  works_check(dart_type_create_indexed(DART_TYPE_DOUBLE, PERF_SCATTER_N, lengths, offset, &t.type),
              "dart_type_create_indexed");
  measure(p, work, "1000", PERF_SCATTER_N * PERF_SCATTER_APART, &t);
  works_check(dart_type_destroy(&t.type), "dart_type_destroy");
}

const struct perf_work pieces_works[] = {
    {"pieces.each", "dart_put_blocking of 64-byte pieces, strided; peers: one by one, then a flush",
     run_pieces, typed, 0},
    {"pieces.vector", "the same; peers: one put of a vector type", run_pieces, typed, 0},
    {"scatter.each", "1000 times dart_put of a double, then dart_flush; peers: the same", run_scatter, scattered, 0},
    {"scatter.typed", "dart_put_blocking of 1000 doubles, indexed; peers: one by one, then a flush",
     run_scatter, typed, 0},
    {0},
};
