/* GASNet's collectives: every type and operation, operations of the program that commute and that do not, on the team
 * of all and on others, in place and not, small and large; many outstanding at once, completed in any order.
 * Group: gasnet_calls
 */
#include "gasnet_am.h"

#include "coll_moves.h"

enum { MANY = 60, ELEMENTS_MAX = 40000 };

static gex_TM_t team; /* the sizes */
static int rank, size;

static void on(gex_TM_t which) {
  team = which;
  rank = (int)gex_TM_QueryRank(which);
  size = (int)gex_TM_QuerySize(which);
  coll.self = rank;
  coll.size = size;
}

/* ---- Barriers ---- */

static void barriers(void) {
  gex_Event_t events[MANY];
  for (int n = 1; n <= MANY; n = n * 3 + 1) {
    for (int i = 0; i < n; i++) events[i] = gex_Coll_BarrierNB(team, 0);
    for (int i = n - 1; i >= 0; i--) {
      if (i % 16) gex_Event_Wait(events[i]);
      else while (gex_Event_Test(events[i])) gex_NBI_Wait(GEX_EC_ALL, 0);
    }
  }
}

/* No member leaves before the last one has arrived: what it put is visible, and no event completes too soon. */
static void barrier_orders(void) {
  gex_Rank_t first = gex_TM_TranslateRankToJobrank(team, 0);
  for (int64_t round = 1; round < 15; round++) {
    int64_t value = 0;
    if (rank == round % size) { /* late: the calls of the others are still outstanding */
      gex_RMA_GetBlocking(all, &value, first, segments[first], sizeof value, 0);
      gex_RMA_PutBlocking(all, first, segments[first], &round, sizeof round, 0);
    }
    if (round % 2) gex_Coll_BarrierBlocking(team, 0);
    else gex_Event_Wait(gex_Coll_BarrierNB(team, 0));
    gex_RMA_GetBlocking(all, &value, first, segments[first], sizeof value, 0);
    CHECK_EQ(value, round);
    gex_Event_Wait(gex_Coll_BarrierNB(team, 0));
  }
}

/* ---- Broadcasts and reductions ---- */

/* The outstanding calls. */
static gex_Event_t started[8];
static size_t started_n;

static void complete(void) {
  gex_Event_WaitAll(started, started_n, 0);
  started_n = 0;
  coll_check(-1);
}

static void bcast_from(void *send, void *recv, size_t n, int root) {
  started[started_n++] = gex_Coll_BroadcastNB(team, (gex_Rank_t)root, recv, send, n, 0);
}
static void bcast(void *data, size_t n, int root) { bcast_from(rank == root ? data : NULL, data, n, root); }

/* The argument of an operation. */
struct operation {
  gex_DT_t type;
  gex_OP_t op;
  gex_Coll_ReduceFn_t function;
  void *cdata;
};
static void reduce(void *send, void *recv, size_t n, int root, const struct coll_how *how) {
  const struct operation *with = (const struct operation *)how->call;
  started[started_n++] = gex_Coll_ReduceToOneNB(team, (gex_Rank_t)root, recv, send == COLL_IN_PLACE ? recv : send, with->type,
                                                how->elem_bytes, n, with->op, with->function, with->cdata, 0);
}
static void allreduce(void *send, void *recv, size_t n, const struct coll_how *how) {
  const struct operation *with = (const struct operation *)how->call;
  started[started_n++] = gex_Coll_ReduceToAllNB(team, recv, send == COLL_IN_PLACE ? recv : send, with->type, how->elem_bytes, n,
                                                with->op, with->function, with->cdata, 0);
}

static void broadcasts(void) {
  static const size_t lengths[] = {0, 1, 8, 100, 5000, 70000, 1200000};
  for (size_t k = 0; k < LENGTH(lengths); k++) {
    for (int root = (int)k % 2; root < size; root += 2) {
      coll.elem_bytes = 1;
      coll.first = (size_t)root * 14 + k * 2;
      if ((root + (int)k) % 2) coll_bcast(lengths[k], root);
      else coll_bcast_from(lengths[k], root);
      complete();
    }
  }
}

static const gex_OP_t arithmetic[] = {GEX_OP_ADD, GEX_OP_MULT, GEX_OP_MIN, GEX_OP_MAX};
static const gex_OP_t bitwise[] = {GEX_OP_AND, GEX_OP_OR, GEX_OP_XOR};

/* Element i of a member; small, so that products fit in all types and floating point is exact. */
static int element(int member, size_t i, gex_OP_t op) {
  int x = (int)((i * 3 + (size_t)member * 5) % 7) - 3;
  return op == GEX_OP_MULT ? (x < 0 ? -1 : 1 + (x == 3)) : x;
}

#define REDUCE(name, type)                                                                                                \
  static type combine_##name(gex_OP_t op, type a, type b) {                                                               \
    switch (op) {                                                                                                         \
      case GEX_OP_ADD: return a + b;                                                                                      \
      case GEX_OP_MULT: return a * b;                                                                                     \
      case GEX_OP_MIN: return a < b ? a : b;                                                                              \
      case GEX_OP_MAX: return a > b ? a : b;                                                                              \
      default: {                                                                                                          \
        uint64_t x = (uint64_t)(int64_t)a, y = (uint64_t)(int64_t)b;                                                      \
        return (type)(op == GEX_OP_AND ? x & y : op == GEX_OP_OR ? x | y : x ^ y);                                        \
      }                                                                                                                   \
    }                                                                                                                     \
  }                                                                                                                       \
  static void fill_##name(const struct coll_how *how, void *data, int who, size_t from, size_t n) {                       \
    for (size_t i = 0; i < n; i++) ((type *)data)[i] = (type)element(who, from + i, (gex_OP_t)how->op);                   \
  }                                                                                                                       \
  static void join_##name(const struct coll_how *how, void *inout, const void *in, size_t from, size_t n) {               \
    type *to = (type *)inout;                                                                                             \
    (void)from;                                                                                                           \
    for (size_t i = 0; i < n; i++) to[i] = combine_##name((gex_OP_t)how->op, ((const type *)in)[i], to[i]);               \
  }                                                                                                                       \
  static void reductions_##name(bool integers) {                                                                          \
    reductions(sizeof(type), GEX_DT_##name, fill_##name, join_##name, integers);                                          \
  }

static void reductions(size_t elem_bytes, gex_DT_t type,
                       void (*fill_them)(const struct coll_how *how, void *data, int who, size_t from, size_t n),
                       void (*join_them)(const struct coll_how *how, void *inout, const void *in, size_t from, size_t n),
                       bool integers) {
  static const size_t lengths[] = {1, 17, 3000, ELEMENTS_MAX};
  size_t k = 0;
  for (size_t l = 0; l < LENGTH(lengths); l++)
    for (size_t o = 0; o < LENGTH(arithmetic) + (integers ? LENGTH(bitwise) : 0); o++, k++) {
      gex_OP_t op = o < LENGTH(arithmetic) ? arithmetic[o] : bitwise[o - LENGTH(arithmetic)];
      struct operation with = {type, op, NULL, NULL};
      struct coll_how how = {elem_bytes, fill_them, join_them, NULL, &with, 0, (int)op, NULL};
      if ((k + l) % 2) coll_allreduce(&how, lengths[l], k % 3 == 0);
      else coll_reduce(&how, lengths[l], (int)k % size, k % 3 == 0);
      complete();
    }
}
REDUCE(I32, int32_t)
REDUCE(U32, uint32_t)
REDUCE(I64, int64_t)
REDUCE(U64, uint64_t)
REDUCE(FLT, float)
REDUCE(DBL, double)

/* Functions x -> a x + b, composed: the order matters, the grouping does not. */
static void compose(const void *arg1, void *arg2_and_out, size_t count, const void *cdata) {
  const struct coll_affine *f = (const struct coll_affine *)arg1;
  struct coll_affine *g = (struct coll_affine *)arg2_and_out;
  if (cdata != &team) abort();
  for (size_t i = 0; i < count; i++) g[i].b = g[i].a * f[i].b + g[i].b, g[i].a *= f[i].a;
}
static void largest(const void *arg1, void *arg2_and_out, size_t count, const void *cdata) {
  const int64_t *x = (const int64_t *)arg1;
  int64_t *y = (int64_t *)arg2_and_out;
  (void)cdata;
  for (size_t i = 0; i < count; i++) y[i] = x[i] > y[i] ? x[i] : y[i];
}

/* Two at once. */
static void users_operations(size_t n, int root) {
  static const struct operation composed = {GEX_DT_USER, GEX_OP_USER_NC, compose, &team};
  static const struct operation chosen = {GEX_DT_I64, GEX_OP_USER, largest, NULL};
  struct coll_how affine = {sizeof(struct coll_affine), coll_affine_fill, coll_affine_join, NULL, &composed, 0, 0, NULL};
  struct coll_how maximum = {sizeof(int64_t), fill_I64, join_I64, NULL, &chosen, 0, (int)GEX_OP_MAX, NULL};
  if (root < 0) coll_allreduce(&affine, n, false);
  else coll_reduce(&affine, n, root, false);
  coll_allreduce(&maximum, n, true);
  complete();
}

/* ---- Many at once ---- */

static void many(void) {
  enum { LONG = 300 };
  static int64_t sums[MANY], values[MANY];
  static double longs[MANY][LONG], results[MANY][LONG];
  static int words[MANY];
  gex_Event_t events[4 * MANY];
  int n = 0;
  for (int i = 0; i < MANY; i++) {
    values[i] = rank + i;
    words[i] = rank == i % size ? i * 17 : -1;
    for (int j = 0; j < LONG; j++) longs[i][j] = rank + j;
    events[n++] = gex_Coll_ReduceToAllNB(team, &sums[i], &values[i], GEX_DT_I64, sizeof sums[0], 1, GEX_OP_ADD, NULL, NULL, 0);
    events[n++] = gex_Coll_BroadcastNB(team, (gex_Rank_t)(i % size), &words[i], &words[i], sizeof words[0], 0);
    if (i % 3 == 0) events[n++] = gex_Coll_BarrierNB(team, 0);
    events[n++] = gex_Coll_ReduceToOneNB(team, (gex_Rank_t)(i % size), results[i], longs[i], GEX_DT_DBL, sizeof(double), LONG,
                                         GEX_OP_MAX, NULL, NULL, 0);
  }
  for (int at = 0; at < n; at += 7) gex_Event_WaitSome(events, (size_t)n, 0);
  gex_Event_WaitAll(events, (size_t)n, 0);
  for (int i = 0; i < MANY; i++) {
    CHECK_EQ(sums[i], (int64_t)size * (size - 1) / 2 + (int64_t)size * i);
    CHECK_EQ(words[i], i * 17);
    if (rank == i % size) CHECK(results[i][LONG - 1] == size - 1 + LONG - 1);
  }
}

static void try_types(void) {
  reductions_I32(true);
  reductions_U32(true);
  reductions_U64(true);
  reductions_FLT(false);
  reductions_DBL(false);
}

static void try_all(gex_TM_t which) {
  on(which);
  barriers();
  barrier_orders();
  broadcasts();
  reductions_I64(true);
  for (int k = 0; k < 4; k++) users_operations(k == 3 ? 20000 : (size_t)k * 50 + 1, k % (size + 1) - 1);
  many();
}

int main(int argc, char **argv) {
  static struct coll_calls calls;
  calls.bcast = bcast;
  calls.bcast_from = bcast_from;
  calls.reduce = reduce;
  calls.keeps_unused = true;
  calls.allreduce = allreduce;
  coll.calls = &calls;
  start(&argc, &argv, NULL, 0, 64);
  try_all(all);
  try_types();
  gex_TM_t half = GEX_TM_INVALID, backwards = GEX_TM_INVALID;
  gex_TM_Split(&half, all, self % 2, self, NULL, 0, GEX_FLAG_TM_NO_SCRATCH);
  gex_TM_Split(&backwards, all, 0, -self, NULL, 0, GEX_FLAG_TM_NO_SCRATCH);
  try_all(half);
  try_all(backwards);
  /* On overlapping teams at once. */
  gex_Event_t events[3] = {gex_Coll_BarrierNB(all, 0), gex_Coll_BarrierNB(half, 0), gex_Coll_BarrierNB(backwards, 0)};
  gex_Event_WaitAll(events, 3, 0);
  gex_TM_Destroy(backwards, NULL, 0);
  gex_TM_Destroy(half, NULL, 0);
  return finish();
}
