/* Puts of many small pieces: one by one, and by a type. */
#include "../../../tools/tessera-perf/shapes.h"
#include "window.h"

struct pieces {
  struct window *window;
  const size_t *offset; /* in doubles; of each piece */
  size_t pieces_n, length; /* in doubles */
  MPI_Datatype type;
};

static void put_each(void *arg, uint64_t n) {
  const struct pieces *t = arg;
  const struct window *w = t->window;
  const double *from = w->local;
  const int length = (int)t->length;
  for (uint64_t i = 0; i < n; i++) {
    for (size_t k = 0; k < t->pieces_n; k++) {
      MPI_Aint at = (MPI_Aint)(t->offset[k] * sizeof(double));
      MPI_Put(from + k * t->length, length, MPI_DOUBLE, w->unit, at, length, MPI_DOUBLE, w->win);
    }
    MPI_Win_flush(w->unit, w->win);
  }
}

static void put_typed(void *arg, uint64_t n) {
  const struct pieces *t = arg;
  const struct window *w = t->window;
  for (uint64_t i = 0; i < n; i++) {
    MPI_Put(w->local, (int)(t->pieces_n * t->length), MPI_DOUBLE, w->unit, 0, 1, t->type, w->win);
    MPI_Win_flush(w->unit, w->win);
  }
}

static void measure_pieces(struct perf *p, const struct perf_work *work, bool shared, const char *variant,
                           size_t span_n, struct pieces *t) {
  size_t bytes = t->pieces_n * t->length * sizeof(double);
  struct window w;
  struct perf_op op = {work->loop, t, 1, false};
  struct perf_result result;
  open_window(shared, span_n * sizeof(double), p->target, &w);
  t->window = &w;
  perf_measure(p, &op, NULL, &result);
  perf_row_copy(p, work->name, variant, bytes, &result);
  close_window(&w);
}

static void pieces_of(struct perf *p, const struct perf_work *work, bool shared, size_t pieces_n) {
  size_t *offset = perf_buffer(pieces_n * sizeof *offset);
  struct pieces t = {.offset = offset, .pieces_n = pieces_n, .length = PERF_PIECE_N};
  for (size_t i = 0; i < pieces_n; i++) offset[i] = i * PERF_PIECE_APART;
  MPI_Type_vector((int)pieces_n, PERF_PIECE_N, PERF_PIECE_APART, MPI_DOUBLE, &t.type);
  MPI_Type_commit(&t.type);
  measure_pieces(p, work, shared, "64B/25%", pieces_n * PERF_PIECE_APART, &t);
  MPI_Type_free(&t.type);
  free(offset);
}

static void pieces(struct perf *p, const struct perf_work *work, bool shared) {
  static const size_t usual[] = {4 << 10, 64 << 10, 1 << 20};
  const size_t *bytes = p->bytes_given ? p->bytes : usual;
  int bytes_n = p->bytes_given ? p->bytes_n : (int)(sizeof usual / sizeof *usual);
  for (int i = 0; i < bytes_n; i++) {
    size_t pieces_n = bytes[i] / (PERF_PIECE_N * sizeof(double));
    if (pieces_n && bytes[i] <= INT32_MAX / 4) pieces_of(p, work, shared, pieces_n);
  }
}

static void scatter(struct perf *p, const struct perf_work *work, bool shared) {
  size_t offset[PERF_SCATTER_N];
  struct pieces t = {.offset = offset, .pieces_n = PERF_SCATTER_N, .length = 1};
  perf_scatter(offset);
  measure_pieces(p, work, shared, "1000", PERF_SCATTER_N * PERF_SCATTER_APART, &t);
}

static void run_pieces(struct perf *p, const struct perf_work *work) { in_each_mode(p, work, pieces); }
static void run_scatter(struct perf *p, const struct perf_work *work) { in_each_mode(p, work, scatter); }

static const struct perf_work pieces_works[] = {
    {"pieces.each", "MPI_Put of each 64-byte piece, then MPI_Win_flush", run_pieces, put_each, 0},
    {"pieces.vector", "MPI_Put of one MPI_Type_vector of them and MPI_Win_flush", run_pieces, put_typed, 0},
    {"scatter.each", "1000 times MPI_Put of a double, then MPI_Win_flush", run_scatter, put_each, 0},
    {"scatter.typed", "the same", run_scatter, put_each, 0},
    {0},
};
