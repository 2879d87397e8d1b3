/* GASNet's atomics, VIS transfers and barrier. */
#include "gasnet_works.h"

#include <gasnet_ratomic.h>
#include <gasnet_vis.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "limits.h"

void gasnet_open(const struct perf *p, size_t bytes, int unit, struct gasnet_place *place) {
  gex_EP_t ep;
  gex_Segment_t segment;
  void *base = NULL;
  size_t whole = (bytes + GASNET_PAGESIZE - 1) / GASNET_PAGESIZE * GASNET_PAGESIZE;
  int bad = gex_Client_Init(&place->client, &ep, &place->all, "PERF", NULL, NULL, 0);
  if (!bad) bad = gex_Segment_Attach(&segment, place->all, whole);
  if (bad) {
    fprintf(stderr, "perf: GASNet does not start; see the line above\n");
    exit(1);
  }
  memset(gex_Segment_QueryAddr(segment), 0, whole);
  place->rank = (gex_Rank_t)unit;
  gex_Event_Wait(gex_EP_QueryBoundSegmentNB(place->all, place->rank, &base, NULL, NULL, 0));
  place->there = base;
  p->barrier();
}

void gasnet_close(struct gasnet_place *place) { tessera_gex_finalize(place->client); }

/* ---- atomics ---- */

struct counter {
  gex_AD_t ad;
  gex_Rank_t rank;
  void *there;
};

static void fetch_add(void *arg, uint64_t n) {
  const struct counter *c = arg;
  int64_t old;
  while (n--) gex_Event_Wait(gex_AD_OpNB_I64(c->ad, &old, c->rank, c->there, GEX_OP_FADD, 1, 0, 0));
}

/* The compiler does not know the operation, as in most libraries over GASNet-EX. */
static const volatile gex_OP_t fetch_add_op = GEX_OP_FADD;

static void fetch_add_variable(void *arg, uint64_t n) {
  const struct counter *c = arg;
  const gex_OP_t op = fetch_add_op;
  int64_t old;
  while (n--) gex_Event_Wait(gex_AD_OpNB_I64(c->ad, &old, c->rank, c->there, op, 1, 0, 0));
}

static void fetch_add_double_variable(void *arg, uint64_t n) {
  const struct counter *c = arg;
  const gex_OP_t op = fetch_add_op;
  double old;
  while (n--) gex_Event_Wait(gex_AD_OpNB_DBL(c->ad, &old, c->rank, c->there, op, 1, 0, 0));
}

static void fetch_add_double(void *arg, uint64_t n) {
  const struct counter *c = arg;
  double old;
  while (n--) gex_Event_Wait(gex_AD_OpNB_DBL(c->ad, &old, c->rank, c->there, GEX_OP_FADD, 1, 0, 0));
}

static void measure_atomic(const struct perf *p, const struct perf_work *work, const char *variant, int unit, int takers_n,
                           const struct perf_op *limit) {
  struct gasnet_place place;
  struct perf_result result;
  gasnet_open(p, sizeof(int64_t), unit, &place);
  struct counter c = {NULL, place.rank, place.there};
  struct perf_op op = {work->loop, &c, takers_n, takers_n > 1};
  gex_AD_Create(&c.ad, place.all, (gex_DT_t)work->choice, GEX_OP_FADD, 0);
  perf_measure(p, &op, limit, &result);
  perf_row_time(p, work->name, variant, sizeof(int64_t), &result);
  if (takers_n > 1) perf_row_rate(p, work->name, variant, sizeof(int64_t), takers_n, &result);
  gex_AD_Destroy(c.ad);
  gasnet_close(&place);
}

static void run_atomic(struct perf *p, const struct perf_work *work) {
  measure_atomic(p, work, "own", 0, 1, limits_fetch_add_own(p));
  measure_atomic(p, work, "other", p->target, 1, limits_fetch_add_own(p));
  measure_atomic(p, work, "hot", p->target, p->units, limits_fetch_add_hot(p));
}

/* ---- pieces: blocks of doubles that are half of the target's memory, and contiguous at the origin ---- */

struct pieces {
  struct gasnet_place place;
  size_t blocks_n, block_bytes;
  char *here;
  void **list;
  gex_Memvec_t *vector;
};

static void put_strided(void *arg, uint64_t n) {
  const struct pieces *t = arg;
  const ptrdiff_t theirs[1] = {(ptrdiff_t)(2 * t->block_bytes)}, ours[1] = {(ptrdiff_t)t->block_bytes};
  while (n--)
    gex_VIS_StridedPutBlocking(t->place.all, t->place.rank, t->place.there, theirs, t->here, ours, t->block_bytes,
                               &t->blocks_n, 1, 0);
}

static void get_strided(void *arg, uint64_t n) {
  const struct pieces *t = arg;
  const ptrdiff_t theirs[1] = {(ptrdiff_t)(2 * t->block_bytes)}, ours[1] = {(ptrdiff_t)t->block_bytes};
  while (n--)
    gex_VIS_StridedGetBlocking(t->place.all, t->here, ours, t->place.rank, t->place.there, theirs, t->block_bytes,
                               &t->blocks_n, 1, 0);
}

/* Covers all of the target's memory. */
static void put_dense(void *arg, uint64_t n) {
  const struct pieces *t = arg;
  const ptrdiff_t strides[1] = {(ptrdiff_t)t->block_bytes};
  while (n--)
    gex_VIS_StridedPutBlocking(t->place.all, t->place.rank, t->place.there, strides, t->here, strides, t->block_bytes,
                               &t->blocks_n, 1, 0);
}

static void put_indexed(void *arg, uint64_t n) {
  const struct pieces *t = arg;
  void *whole[1] = {t->here};
  while (n--)
    gex_VIS_IndexedPutBlocking(t->place.all, t->place.rank, t->blocks_n, t->list, t->block_bytes, 1, whole,
                               t->blocks_n * t->block_bytes, 0);
}

static void get_indexed(void *arg, uint64_t n) {
  const struct pieces *t = arg;
  void *whole[1] = {t->here};
  while (n--)
    gex_VIS_IndexedGetBlocking(t->place.all, 1, whole, t->blocks_n * t->block_bytes, t->place.rank, t->blocks_n, t->list,
                               t->block_bytes, 0);
}

static void put_vector(void *arg, uint64_t n) {
  const struct pieces *t = arg;
  const gex_Memvec_t whole[1] = {{t->here, t->blocks_n * t->block_bytes}};
  while (n--) gex_VIS_VectorPutBlocking(t->place.all, t->place.rank, t->blocks_n, t->vector, 1, whole, 0);
}

static void get_vector(void *arg, uint64_t n) {
  const struct pieces *t = arg;
  const gex_Memvec_t whole[1] = {{t->here, t->blocks_n * t->block_bytes}};
  while (n--) gex_VIS_VectorGetBlocking(t->place.all, 1, whole, t->place.rank, t->blocks_n, t->vector, 0);
}

/* The offset of each block in doubles: one of two places, the same in every call; dense: one block behind the other. */
static size_t *offsets_of(size_t blocks_n, size_t blocklen, bool dense) {
  size_t *offset = perf_buffer(blocks_n * sizeof *offset);
  uint32_t state = 1;
  for (size_t i = 0; i < blocks_n; i++) {
    state = state * 1664525u + 1013904223u;
    offset[i] = dense ? i * blocklen : 2 * i * blocklen + (state >> 31);
  }
  return offset;
}

/* The limit is a compiled loop for several pieces, and a bare copy for contiguous data. */
enum kind { STRIDED = 0, LISTED = 2, DENSE = 4 }; /* and the direction: the choice of a work */

static const struct perf_op *limit_of(const struct perf *p, int choice, const struct limits_blocks *blocks) {
  const enum limits_copy way = choice & LIMITS_GET ? LIMITS_GET : LIMITS_PUT;
  if (choice & DENSE || blocks->blocks_n == 1) return limits_copy(p, way, blocks->blocks_n * blocks->blocklen * sizeof(double));
  return limits_blocks(p, way, blocks);
}

static void measure_pieces(const struct perf *p, const struct perf_work *work, size_t span_bytes, size_t blocklen) {
  struct pieces t = {.block_bytes = blocklen * sizeof(double), .blocks_n = span_bytes / (2 * blocklen * sizeof(double))};
  size_t bytes = t.blocks_n * t.block_bytes, *offset = offsets_of(t.blocks_n, blocklen, work->choice & DENSE);
  struct limits_blocks blocks = {t.blocks_n, blocklen, work->choice & LISTED ? offset : NULL};
  struct perf_op op = {work->loop, &t, 1, false};
  struct perf_result result;
  char variant[32];
  gasnet_open(p, 2 * bytes, p->target, &t.place);
  t.here = perf_buffer(bytes);
  t.list = perf_buffer(t.blocks_n * sizeof *t.list);
  t.vector = perf_buffer(t.blocks_n * sizeof *t.vector);
  for (size_t i = 0; i < t.blocks_n; i++) {
    t.list[i] = t.vector[i].gex_addr = t.place.there + offset[i] * sizeof(double);
    t.vector[i].gex_len = t.block_bytes;
  }
  perf_measure(p, &op, limit_of(p, work->choice, &blocks), &result);
  snprintf(variant, sizeof variant, "%zux%zuB", t.blocks_n, t.block_bytes);
  perf_row_copy(p, work->name, variant, bytes, &result);
  gasnet_close(&t.place);
  free(t.vector);
  free(t.list);
  free(t.here);
  free(offset);
}

static void run_pieces(struct perf *p, const struct perf_work *work) {
  static const size_t blocklens[] = {1, 8}, usual[] = {128, 512, 4 << 10, 64 << 10, 1 << 20};
  const size_t *bytes = p->bytes_given ? p->bytes : usual;
  const int bytes_n = p->bytes_given ? p->bytes_n : (int)(sizeof usual / sizeof *usual);
  for (int i = 0; i < bytes_n; i++)
    for (int k = 0; k < 2; k++)
      if (bytes[i] >= 2 * blocklens[k] * sizeof(double)) measure_pieces(p, work, bytes[i], blocklens[k]);
}

/* ---- barrier ---- */

static void barrier(void *arg, uint64_t n) {
  const struct gasnet_place *place = arg;
  while (n--) gex_Event_Wait(gex_Coll_BarrierNB(place->all, 0));
}

static void run_barrier(struct perf *p, const struct perf_work *work) {
  struct gasnet_place place;
  struct perf_result result;
  gasnet_open(p, sizeof(int64_t), 0, &place);
  struct perf_op op = {work->loop, &place, p->units, false};
  perf_measure(p, &op, limits_barrier(p), &result);
  perf_row_time(p, work->name, "plain", 0, &result);
  gasnet_close(&place);
}

const struct perf_work gasnet_vis_works[] = {
    {"gasnet.fetch_add", "gex_AD_OpNB_I64, fetch-and-add: own word, the target's, one that all units use",
     run_atomic, fetch_add,
     (int)GEX_DT_I64},
    {"gasnet.fetch_add_double", "the same of a double, gex_AD_OpNB_DBL", run_atomic, fetch_add_double, (int)GEX_DT_DBL},
    {"gasnet.fetch_add.variable", "gex_AD_OpNB_I64, the operation in a variable", run_atomic, fetch_add_variable,
     (int)GEX_DT_I64},
    {"gasnet.fetch_add_double.variable", "the same of a double",
     run_atomic, fetch_add_double_variable, (int)GEX_DT_DBL},
    {"gasnet.vis.strided",
     "gex_VIS_StridedPutBlocking into every second block of 8 or 64 bytes; sizes: the target's memory",
     run_pieces, put_strided, STRIDED | LIMITS_PUT},
    {"gasnet.vis.strided.get", "the same, as a get", run_pieces, get_strided, STRIDED | LIMITS_GET},
    {"gasnet.vis.dense", "gex_VIS_StridedPutBlocking of blocks that are contiguous on both sides; limit: a bare copy",
     run_pieces,
     put_dense, DENSE | LIMITS_PUT},
    {"gasnet.vis.dense.indexed", "the same with gex_VIS_IndexedPutBlocking", run_pieces, put_indexed, DENSE | LISTED | LIMITS_PUT},
    {"gasnet.vis.dense.vector", "the same with gex_VIS_VectorPutBlocking", run_pieces, put_vector, DENSE | LISTED | LIMITS_PUT},
    {"gasnet.vis.indexed", "gex_VIS_IndexedPutBlocking of one contiguous segment into blocks of 8 or 64 bytes",
     run_pieces, put_indexed,
     LISTED | LIMITS_PUT},
    {"gasnet.vis.indexed.get", "the same, as a get", run_pieces, get_indexed, LISTED | LIMITS_GET},
    {"gasnet.vis.vector", "gex_VIS_VectorPutBlocking of one contiguous segment into blocks of 8 or 64 bytes",
     run_pieces, put_vector,
     LISTED | LIMITS_PUT},
    {"gasnet.vis.vector.get", "the same, as a get", run_pieces, get_vector, LISTED | LIMITS_GET},
    {"gasnet.barrier_nb", "gex_Coll_BarrierNB and gex_Event_Wait of all units", run_barrier, barrier, 0},
    {0},
};
