/* ARMCI's transfers, each to remote completion. Unit 0 and the target; the other units sleep. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "armci_works.h"
#include "limits.h"

enum { PIECES_N = 64, DOUBLES_N = 1000, APART = 2 /* doubles from one to the next at the target */ };

void armci_check(int result, const char *call) {
  char message[128];
  if (result == 0) return;
  snprintf(message, sizeof message, "perf: %s returned %d", call, result);
  ARMCI_Error(message, 1);
}

void armci_open(const struct perf *p, size_t bytes, int unit, struct armci_place *place) {
  void **of = calloc((size_t)p->units, sizeof *of);
  if (!of) ARMCI_Error("perf: no memory", 1);
  armci_check(ARMCI_Malloc(of, (armci_size_t)((bytes + 63) / 64 * 64)), "ARMCI_Malloc");
  *place = (struct armci_place){of, unit, of[unit], perf_buffer(bytes), bytes};
  ARMCI_Access_begin(of[p->unit]);
  memset(of[p->unit], 0, bytes);
  ARMCI_Access_end(of[p->unit]);
  ARMCI_Barrier();
}

void armci_close(const struct perf *p, struct armci_place *place) {
  ARMCI_Barrier();
  armci_check(ARMCI_Free(place->of[p->unit]), "ARMCI_Free");
  free(place->of);
  free(place->here);
}

/* ---- one piece ---- */

static void put(void *arg, uint64_t n) {
  const struct armci_place *t = arg;
  int bad = 0;
  while (n--) {
    bad |= ARMCI_Put(t->here, t->there, (int)t->bytes, t->unit);
    ARMCI_Fence(t->unit);
  }
  armci_check(bad, "ARMCI_Put");
}

static void get(void *arg, uint64_t n) {
  const struct armci_place *t = arg;
  int bad = 0;
  while (n--) bad |= ARMCI_Get(t->there, t->here, (int)t->bytes, t->unit);
  armci_check(bad, "ARMCI_Get");
}

static void accumulate(void *arg, uint64_t n) {
  const struct armci_place *t = arg;
  double scale = 0.5;
  int bad = 0;
  while (n--) {
    bad |= ARMCI_Acc(ARMCI_ACC_DBL, &scale, t->here, t->there, (int)t->bytes, t->unit);
    ARMCI_Fence(t->unit);
  }
  armci_check(bad, "ARMCI_Acc");
}

static const struct perf_op *limit_of(const struct perf *p, perf_loop loop, size_t bytes) {
  return loop == put ? limits_copy(p, LIMITS_PUT, bytes)
         : loop == get ? limits_copy(p, LIMITS_GET, bytes) : limits_accumulate(p, bytes);
}

/* Skips sizes that do not fit into an int and, for accumulates, sizes that are no multiple of a double. */
static void run_contiguous(struct perf *p, const struct perf_work *work) {
  for (int i = 0; i < p->bytes_n; i++) {
    struct armci_place t;
    struct perf_result result;
    struct perf_op op = {work->loop, &t, 1, false};
    if (p->bytes[i] > INT_MAX || (work->loop == accumulate && p->bytes[i] % sizeof(double))) continue;
    armci_open(p, p->bytes[i], p->target, &t);
    for (size_t k = 0; k < t.bytes / sizeof(double); k++) ((double *)t.here)[k] = 1;
    perf_measure(p, &op, limit_of(p, work->loop, t.bytes), &result);
    void *remote = p->unit == t.unit ? t.of[t.unit] : NULL, *local = p->unit == 0 ? t.here : NULL;
    if (work->loop != accumulate)
      perf_check_copy(p, work->name, &op, work->loop == get ? remote : local, work->loop == get ? local : remote, t.bytes);
    perf_row_copy(p, work->name, "plain", t.bytes, &result);
    armci_close(p, &t);
  }
}

/* ---- many pieces ---- */

static void strided(void *arg, uint64_t n) {
  const struct armci_place *t = arg;
  int count[] = {sizeof(double), (int)(t->bytes / (APART * sizeof(double)))};
  int here_stride[] = {sizeof(double)}, there_stride[] = {APART * sizeof(double)};
  int bad = 0;
  while (n--) {
    bad |= ARMCI_PutS(t->here, here_stride, t->there, there_stride, count, 1, t->unit);
    ARMCI_Fence(t->unit);
  }
  armci_check(bad, "ARMCI_PutS");
}

/* One descriptor; its arrays are made once. */
struct listed {
  struct armci_place at;
  armci_giov_t pieces;
};

static void vector(void *arg, uint64_t n) {
  struct listed *t = arg;
  int bad = 0;
  while (n--) {
    bad |= ARMCI_PutV(&t->pieces, 1, t->at.unit);
    ARMCI_Fence(t->at.unit);
  }
  armci_check(bad, "ARMCI_PutV");
}

static void run_pieces(struct perf *p, const struct perf_work *work) {
  static const int numbers[] = {1, 8, PIECES_N, 256};
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
    const int pieces_n = numbers[k];
    const struct limits_blocks blocks = {(size_t)pieces_n, 1, NULL};
    struct listed t;
    struct perf_result result;
    struct perf_op op = {work->loop, &t, 1, false};
    char variant[32];
    armci_open(p, (size_t)pieces_n * APART * sizeof(double), p->target, &t.at);
    void **src = perf_buffer((size_t)pieces_n * sizeof *src), **dst = perf_buffer((size_t)pieces_n * sizeof *dst);
    for (int i = 0; i < pieces_n; i++) src[i] = (double *)t.at.here + i, dst[i] = (double *)t.at.there + APART * i;
    t.pieces = (armci_giov_t){.src_ptr_array = src, .dst_ptr_array = dst, .bytes = sizeof(double), .ptr_array_len = pieces_n};
    perf_measure(p, &op, limits_blocks(p, LIMITS_PUT, &blocks), &result);
    snprintf(variant, sizeof variant, "%dx8B", pieces_n);
    perf_row_time(p, work->name, variant, (size_t)pieces_n * sizeof(double), &result);
    armci_close(p, &t.at);
    free(src);
    free(dst);
  }
}

struct scattered {
  struct armci_place at;
  void *here[DOUBLES_N], *there[DOUBLES_N];
};

static void one_by_one(void *arg, uint64_t n) {
  const struct scattered *s = arg;
  int bad = 0;
  while (n--) {
    for (int i = 0; i < DOUBLES_N; i++) bad |= ARMCI_Put(s->here[i], s->there[i], sizeof(double), s->at.unit);
    ARMCI_Fence(s->at.unit);
  }
  armci_check(bad, "ARMCI_Put");
}

static void on_handle(void *arg, uint64_t n) {
  const struct scattered *s = arg;
  armci_hdl_t handle;
  int bad = 0;
  ARMCI_INIT_HANDLE(&handle);
  ARMCI_SET_AGGREGATE_HANDLE(&handle);
  while (n--) {
    for (int i = 0; i < DOUBLES_N; i++)
      bad |= ARMCI_NbPut(s->here[i], s->there[i], sizeof(double), s->at.unit, &handle);
    bad |= ARMCI_Wait(&handle);
    ARMCI_Fence(s->at.unit);
  }
  ARMCI_UNSET_AGGREGATE_HANDLE(&handle);
  armci_check(bad, "ARMCI_NbPut or ARMCI_Wait");
}

static void as_vector(void *arg, uint64_t n) {
  struct scattered *s = arg;
  armci_giov_t pieces = {.src_ptr_array = s->here, .dst_ptr_array = s->there, .bytes = sizeof(double),
                         .ptr_array_len = DOUBLES_N};
  int bad = 0;
  while (n--) {
    bad |= ARMCI_PutV(&pieces, 1, s->at.unit);
    ARMCI_Fence(s->at.unit);
  }
  armci_check(bad, "ARMCI_PutV");
}

static void on_no_handle(void *arg, uint64_t n) {
  const struct scattered *s = arg;
  int bad = 0;
  while (n--) {
    for (int i = 0; i < DOUBLES_N; i++) bad |= ARMCI_NbPut(s->here[i], s->there[i], sizeof(double), s->at.unit, NULL);
    bad |= ARMCI_WaitAll();
    ARMCI_Fence(s->at.unit);
  }
  armci_check(bad, "ARMCI_NbPut or ARMCI_WaitAll");
}

/* The limit of a way is another way: the vector for the aggregate handle, and the aggregate handle for single puts and
 * for puts without a handle. The vector has no limit.
 */
static void run_aggregate(struct perf *p, const struct perf_work *work) {
  static const struct { const char *name; perf_loop loop, limit; } ways[] = {
      {"vector", as_vector, NULL}, {"aggregate", on_handle, as_vector}, {"single", one_by_one, on_handle},
      {"implicit", on_no_handle, on_handle}};
  struct scattered s;
  struct perf_result result;
  armci_open(p, DOUBLES_N * APART * sizeof(double), p->target, &s.at);
  for (int i = 0; i < DOUBLES_N; i++) {
    s.here[i] = (double *)s.at.here + i;
    s.there[i] = (double *)s.at.there + i * APART;
  }
  for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
    struct perf_op op = {ways[w].loop, &s, 1, false}, limit = {ways[w].limit, &s, 1, false};
    perf_measure(p, &op, limit.loop && p->limits ? &limit : NULL, &result);
    perf_row_time(p, work->name, ways[w].name, DOUBLES_N * sizeof(double), &result);
  }
  armci_close(p, &s.at);
}

const struct perf_work armci_transfer_works[] = {
    {"armci.put", "ARMCI_Put and ARMCI_Fence", run_contiguous, put, 0},
    {"armci.get", "ARMCI_Get", run_contiguous, get, 0},
    {"armci.acc", "ARMCI_Acc of doubles, and ARMCI_Fence", run_contiguous, accumulate, 0},
    {"armci.strided", "ARMCI_PutS of 1 to 256 doubles to every second double, and ARMCI_Fence", run_pieces, strided, 0},
    {"armci.vector", "ARMCI_PutV of the same, and ARMCI_Fence", run_pieces, vector, 0},
    {"armci.aggregate", "1000 doubles, none adjacent: as one vector, on an aggregate handle (limit: the vector), by "
     "single puts, without a handle (limit: the aggregate)",
     run_aggregate, NULL, 0},
    {0},
};
