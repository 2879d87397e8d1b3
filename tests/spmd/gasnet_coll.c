/* GASNet's collectives: every type and operation, operations of the program that commute and that do not, on the team of all and
 * on others, in place and not, small and large; many under way at once, completed in any order.
 * Group: gasnet_calls
 */
#include "gasnet_am.h"

#include <stdlib.h>

enum { MANY = 60, ELEMENTS_MAX = 40000 };

static gex_TM_t team; /* what is tried on */
static int rank, size;

static void on(gex_TM_t which) {
  team = which;
  rank = (int)gex_TM_QueryRank(which);
  size = (int)gex_TM_QuerySize(which);
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

/* Nobody leaves before the last has come: the first member's store is there, and no event is complete too soon. */
static void barrier_orders(void) {
  int64_t value = 0;
  gex_Rank_t first = gex_TM_TranslateRankToJobrank(team, 0);
  for (int round = 1; round < 15; round++) {
    if (rank == 0) *(volatile int64_t *)(void *)segments[self] = round;
    gex_Event_t event = GEX_EVENT_INVALID;
    if (rank != round % size || size == 1) event = gex_Coll_BarrierNB(team, 0);
    if (size > 1 && rank == round % size) { /* late: the others' are still under way */
      gex_RMA_GetBlocking(all, &value, first, segments[first], sizeof value, 0);
      event = gex_Coll_BarrierNB(team, 0);
    }
    gex_Event_Wait(event);
    gex_RMA_GetBlocking(all, &value, first, segments[first], sizeof value, 0);
    CHECK_EQ(value, round);
    gex_Coll_BarrierBlocking(team, 0);
  }
}

/* ---- Broadcast ---- */

static void broadcasts(void) {
  static const size_t lengths[] = {0, 1, 8, 100, 5000, 70000, 1200000};
  for (size_t k = 0; k < LENGTH(lengths); k++) {
    for (int root = (int)k % 2; root < size; root += 2) {
      size_t bytes = lengths[k];
      char *src = (char *)malloc(bytes + 1), *dst = (char *)malloc(bytes + 1);
      bool same = (root + (int)k) % 2;
      if (same) dst = (free(src), dst), src = dst;
      unsigned key = (unsigned)(root * 7) + (unsigned)k;
      if (rank == root) fill(src, key, bytes);
      gex_Event_Wait(gex_Coll_BroadcastNB(team, (gex_Rank_t)root, dst, rank == root ? src : NULL, bytes, 0));
      CHECK_EQ(wrong(dst, key, bytes), 0);
      if (!same) free(src);
      free(dst);
    }
  }
}

/* ---- Reductions ---- */

static const gex_OP_t arithmetic[] = {GEX_OP_ADD, GEX_OP_MULT, GEX_OP_MIN, GEX_OP_MAX};
static const gex_OP_t bitwise[] = {GEX_OP_AND, GEX_OP_OR, GEX_OP_XOR};

/* Element i of a member; small, so that products fit everywhere and floating point is exact. */
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
  static void reduce_##name(gex_OP_t op, size_t n, int root, bool in_place) {                                             \
    type *src = (type *)malloc(n * sizeof(type)), *dst = in_place ? src : (type *)malloc(n * sizeof(type));               \
    for (size_t i = 0; i < n; i++) src[i] = (type)element(rank, i, op);                                                   \
    if (root < 0)                                                                                                         \
      gex_Event_Wait(gex_Coll_ReduceToAllNB(team, dst, src, GEX_DT_##name, sizeof(type), n, op, NULL, NULL, 0));          \
    else                                                                                                                  \
      gex_Event_Wait(gex_Coll_ReduceToOneNB(team, (gex_Rank_t)root, rank == root ? dst : NULL, src, GEX_DT_##name,        \
                                            sizeof(type), n, op, NULL, NULL, 0));                                         \
    int wrong_n = 0;                                                                                                      \
    for (size_t i = 0; i < n && (root < 0 || root == rank); i++) {                                                        \
      type expected = (type)element(0, i, op);                                                                            \
      for (int member = 1; member < size; member++)                                                                       \
        expected = combine_##name(op, expected, (type)element(member, i, op));                                            \
      wrong_n += memcmp(&expected, &dst[i], sizeof expected) != 0;                                                        \
    }                                                                                                                     \
    if (wrong_n) fprintf(stderr, "unit %d: " #name " %#x of %zu, root %d\n", self, (unsigned)op, n, root);                \
    CHECK_EQ(wrong_n, 0);                                                                                                 \
    if (!in_place) free(dst);                                                                                             \
    free(src);                                                                                                            \
  }                                                                                                                       \
  static void reductions_##name(bool integers) {                                                                          \
    static const size_t lengths[] = {1, 17, 3000, ELEMENTS_MAX};                                                          \
    int k = 0;                                                                                                            \
    for (size_t l = 0; l < LENGTH(lengths); l++)                                                                          \
      for (size_t o = 0; o < LENGTH(arithmetic) + (integers ? LENGTH(bitwise) : 0); o++, k++) {                           \
        gex_OP_t op = o < LENGTH(arithmetic) ? arithmetic[o] : bitwise[o - LENGTH(arithmetic)];                           \
        reduce_##name(op, lengths[l], ((size_t)k + l) % 2 ? -1 : k % size, k % 3 == 0);                                     \
      }                                                                                                                   \
  }
REDUCE(I32, int32_t)
REDUCE(U32, uint32_t)
REDUCE(I64, int64_t)
REDUCE(U64, uint64_t)
REDUCE(FLT, float)
REDUCE(DBL, double)

/* Functions x -> a x + b, one after the other: the order counts, not how they are grouped. */
struct affine {
  uint32_t a, b;
};
static void compose(const void *arg1, void *arg2_and_out, size_t count, const void *cdata) {
  const struct affine *f = (const struct affine *)arg1;
  struct affine *g = (struct affine *)arg2_and_out;
  if (cdata != &team) abort();
  for (size_t i = 0; i < count; i++) g[i].b = g[i].a * f[i].b + g[i].b, g[i].a *= f[i].a;
}
static struct affine affine_of(int member, size_t i) {
  struct affine f = {(uint32_t)(2 * member + 3), (uint32_t)i * 11 + (uint32_t)member * 101};
  return f;
}
static void largest_first(const void *arg1, void *arg2_and_out, size_t count, const void *cdata) {
  const int64_t *x = (const int64_t *)arg1;
  int64_t *y = (int64_t *)arg2_and_out;
  (void)cdata;
  for (size_t i = 0; i < count; i++) y[i] = x[i] > y[i] ? x[i] : y[i];
}

static void users_operations(size_t n, int root) {
  struct affine *src = (struct affine *)malloc(n * sizeof *src), *dst = (struct affine *)malloc(n * sizeof *dst);
  int64_t *x = (int64_t *)malloc(n * sizeof *x);
  int wrong_n = 0;
  for (size_t i = 0; i < n; i++) src[i] = affine_of(rank, i), x[i] = (int64_t)((i + 1) * (size_t)((rank + (int)i) % size));
  gex_Event_t events[2];
  events[0] = root < 0 ? gex_Coll_ReduceToAllNB(team, dst, src, GEX_DT_USER, sizeof *src, n, GEX_OP_USER_NC, compose, &team, 0)
                       : gex_Coll_ReduceToOneNB(team, (gex_Rank_t)root, dst, src, GEX_DT_USER, sizeof *src, n, GEX_OP_USER_NC,
                                                compose, &team, 0);
  events[1] = gex_Coll_ReduceToAllNB(team, x, x, GEX_DT_I64, sizeof *x, n, GEX_OP_USER, largest_first, NULL, 0);
  gex_Event_WaitAll(events, 2, 0);
  for (size_t i = 0; i < n; i++) {
    struct affine expected = affine_of(0, i), next;
    for (int member = 1; member < size; member++, expected = next)
      next = affine_of(member, i), compose(&expected, &next, 1, &team);
    if (root < 0 || root == rank) wrong_n += dst[i].a != expected.a || dst[i].b != expected.b;
    wrong_n += x[i] != (int64_t)((i + 1) * (size_t)(size - 1));
  }
  CHECK_EQ(wrong_n, 0);
  free(src);
  free(dst);
  free(x);
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
