/* Many units, and threads of each, change the same numbers at once, within and between nodes: no change is lost. */
#include "gasnet_atomic.h"

enum { TIMES = 200 };

/* At the beginning of each segment. */
struct shared {
  int64_t added, counted, swapped;
  uint32_t bits, added_32;
  uint64_t largest;
  double sum, swapped_sum, product, furthest;
  float small_sum, half_sum;
  uint64_t power;
  int32_t least;
};

static gex_AD_t i64, u32, u64, dbl, flt, i32;

static struct shared *shared_at(int unit) { return (struct shared *)(void *)segments[unit]; }

static void create(void) {
  gex_AD_Create(&i64, all, GEX_DT_I64, all_ops(true), 0);
  gex_AD_Create(&u32, all, GEX_DT_U32, GEX_OP_XOR | GEX_OP_FXOR | GEX_OP_SUB | GEX_OP_GET, 0);
  gex_AD_Create(&u64, all, GEX_DT_U64, GEX_OP_MAX | GEX_OP_MULT, 0);
  gex_AD_Create(&i32, all, GEX_DT_I32, GEX_OP_FMIN, 0);
  gex_AD_Create(&dbl, all, GEX_DT_DBL,
                GEX_OP_ADD | GEX_OP_FADD | GEX_OP_GET | GEX_OP_FCAS | GEX_OP_SWAP | GEX_OP_MULT | GEX_OP_FMAX, 0);
  gex_AD_Create(&flt, all, GEX_DT_FLT, GEX_OP_FINC | GEX_OP_SUB, 0);
}

static void destroy(void) {
  barrier();
  gex_AD_Destroy(i64);
  gex_AD_Destroy(u32);
  gex_AD_Destroy(u64);
  gex_AD_Destroy(dbl);
  gex_AD_Destroy(flt);
  gex_AD_Destroy(i32);
}

static void increment_by_swaps(int unit) {
  int64_t *there = &shared_at(unit)->swapped, seen = 0, old = 0;
  const gex_Rank_t rank = (gex_Rank_t)unit;
  gex_Event_Wait(gex_AD_OpNB_I64(i64, &old, rank, there, GEX_OP_GET, 0, 0, 0));
  do {
    seen = old;
    gex_Event_Wait(gex_AD_OpNB_I64(i64, &old, rank, there, GEX_OP_FCAS, seen, seen + 1, 0));
  } while (old != seen);
}

static void add_by_swaps(int unit) {
  double *there = &shared_at(unit)->swapped_sum, seen = 0, old = 0;
  const gex_Rank_t rank = (gex_Rank_t)unit;
  gex_Event_Wait(gex_AD_OpNB_DBL(dbl, &old, rank, there, GEX_OP_GET, 0, 0, 0));
  do {
    seen = old;
    gex_Event_Wait(gex_AD_OpNB_DBL(dbl, &old, rank, there, GEX_OP_FCAS, seen, seen + 0.5, 0));
  } while (old != seen);
}

/* Operations that take a loop of compare-and-swap, on this node and between nodes, on the same numbers; operations in
 * variables. */
static void change_by_loops(int who, int round, int unit) {
  static const gex_OP_t mult = GEX_OP_MULT, most = GEX_OP_FMAX, sub = GEX_OP_SUB, least = GEX_OP_FMIN;
  struct shared *there = shared_at(unit);
  const gex_Rank_t rank = (gex_Rank_t)unit;
  const volatile gex_OP_t *ops[] = {&mult, &most, &sub, &least};
  double was;
  int32_t old;
  gex_AD_OpNBI_DBL(dbl, NULL, rank, &there->product, *ops[0], 2, 0, 0);
  gex_AD_OpNBI_DBL(dbl, &was, rank, &there->furthest, *ops[1], who * TIMES + round, 0, 0);
  gex_AD_OpNBI_FLT(flt, NULL, rank, &there->half_sum, *ops[2], -0.5f, 0, 0);
  gex_AD_OpNBI_U64(u64, NULL, rank, &there->power, *ops[0], 3, 0, 0);
  gex_AD_OpNBI_I32(i32, &old, rank, &there->least, *ops[3], -(who * TIMES + round), 0, 0);
  gex_NBI_Wait(GEX_EC_RMW, 0);
  gex_Event_Wait(gex_AD_OpNB_DBL(dbl, NULL, rank, &there->product, *ops[0], 0.5, 0, 0));
}

/* `who` differs for each thread of each unit. A fetch from a counter never returns a value twice. */
static void change(int who, int round, int unit) {
  struct shared *there = shared_at(unit);
  const gex_Rank_t rank = (gex_Rank_t)unit;
  int64_t old = -1, next = -1;
  float was;
  gex_AD_OpNBI_I64(i64, NULL, rank, &there->added, round % 2 ? GEX_OP_ADD : GEX_OP_SUB, round % 2 ? 5 : -5, 0, 0);
  gex_Event_Wait(gex_AD_OpNB_I64(i64, &old, rank, &there->counted, GEX_OP_FADD, 1, 0, 0));
  gex_Event_Wait(gex_AD_OpNB_I64(i64, &next, rank, &there->counted, GEX_OP_FINC, 0, 0, 0));
  CHECK(next > old && old >= 0);
  for (int i = 0; i < 2; i++) gex_AD_OpNBI_U32(u32, NULL, rank, &there->bits, GEX_OP_XOR, 1u << who % 32, 0, 0);
  gex_AD_OpNBI_U32(u32, NULL, rank, &there->added_32, GEX_OP_SUB, 3, 0, 0);
  gex_AD_OpNBI_U64(u64, NULL, rank, &there->largest, GEX_OP_MAX, (uint64_t)(who * TIMES + round), 0, 0);
  gex_AD_OpNBI_DBL(dbl, NULL, rank, &there->sum, GEX_OP_ADD, 0.25, 0, 0);
  gex_AD_OpNBI_FLT(flt, &was, rank, &there->small_sum, GEX_OP_FINC, 0, 0, 0);
  if (round % 4 == 0) increment_by_swaps(unit);
  if (round % 4 == 0) add_by_swaps(unit);
  gex_NBI_Wait(GEX_EC_RMW, 0);
  change_by_loops(who, round, unit);
}

static void change_all(int who) {
  for (int round = 0; round < TIMES; round++) change(who, round, round % 3 ? 0 : (self + round) % units_n);
}

/* The number of times that threads have reached a unit. */
static int visits(int unit, int each, int step) {
  int n = 0;
  for (int from = 0; from < units_n; from++)
    for (int round = 0; round < TIMES; round += step) n += (round % 3 ? 0 : (from + round) % units_n) == unit;
  return n * each;
}

static void check_all(int threads_n) {
  const struct shared *mine = shared_at(self);
  int n = visits(self, threads_n, 1), swaps_n = visits(self, threads_n, 4);
  CHECK_EQ(mine->added, 5 * n);
  CHECK_EQ(mine->counted, 2 * n);
  CHECK_EQ(mine->swapped, swaps_n);
  CHECK_EQ(mine->added_32, (uint32_t)(-3 * n));
  CHECK(mine->sum == 0.25 * n);
  CHECK(mine->swapped_sum == 0.5 * swaps_n);
  CHECK(mine->small_sum == (float)n);
  CHECK_EQ(mine->bits, 0);
  uint64_t power = 1;
  for (int i = 0; i < n; i++) power *= 3;
  CHECK(mine->product == 1);
  CHECK(mine->half_sum == 0.5f * (float)n);
  CHECK_EQ(mine->power, power);
  CHECK(mine->furthest == -mine->least && mine->furthest >= (self ? 0 : (units_n * threads_n - 1) * TIMES));
}

static void begin(int *argc, char ***argv) {
  start(argc, argv, NULL, 0, sizeof(struct shared));
  memset(shared_at(self), 0, sizeof(struct shared));
  shared_at(self)->product = shared_at(self)->power = 1;
  create();
  barrier();
}

static int end(int threads_n) {
  gex_NBI_Wait(GEX_EC_ALL, 0);
  barrier();
  check_all(threads_n);
  destroy();
  return finish();
}
