/* GASNet's atomics: every type, operation and way of completion, on this unit's number and on those of all others,
 * compared with their definition; constant operations, which are inlined, and others; domains and their properties.
 * Group: gasnet_demanding
 */
#include "gasnet_atomic.h"
#include "gasnet_nbrhd.h"

#include <math.h>

enum { SLOT = 64 }; /* of each unit in each segment */

static const gex_Flags_t fences[] = {0, GEX_FLAG_AD_ACQ, GEX_FLAG_AD_REL, GEX_FLAG_AD_ACQ | GEX_FLAG_AD_REL};

/* This unit's number at a peer; no other unit uses it. */
static void *slot_at(int unit) { return segments[unit] + SLOT * self; }

static gex_Flags_t flags_for(int unit, int k) {
  return fences[k % 4] | (unit == self && k % 3 == 0 ? GEX_FLAG_AD_MY_RANK : 0);
}

static gex_EC_t category_of(gex_OP_t op) {
  return op == GEX_OP_SET ? GEX_EC_PUT : op == GEX_OP_GET ? GEX_EC_GET : GEX_EC_RMW;
}

/* Old values, operands and compared values: small numbers of both signs, and the ends of the range. */
static const int64_t samples[] = {0, 1, -1, 2, 5, -7, 100, INT32_MAX, INT32_MIN};

#define TRY(name, type)                                                                                                \
  static void try_##name(gex_AD_t ad, gex_OP_t op, int unit, int k) {                                                  \
    const int n = (int)LENGTH(samples);                                                                                \
    type old = (type)samples[k % n], a = (type)samples[k / n % n], b = (type)samples[(k + k / n) % n];                 \
    type result = (type)77, now = (type)77, *out = fetches(op) ? &result : NULL;                                       \
    const gex_Rank_t rank = (gex_Rank_t)unit;                                                                          \
    gex_RMA_PutBlocking(all, rank, slot_at(unit), &old, sizeof old, 0);                                                \
    if (k % 2) {                                                                                                       \
      gex_Event_Wait(real(gex_AD_OpNB_##name(ad, out, rank, slot_at(unit), op, a, b, flags_for(unit, k)), rank));      \
    } else {                                                                                                           \
      CHECK_EQ(gex_AD_OpNBI_##name(ad, out, rank, slot_at(unit), op, a, b, flags_for(unit, k)), 0);                    \
      gex_NBI_Wait(category_of(op), 0);                                                                                \
    }                                                                                                                  \
    gex_RMA_GetBlocking(all, &now, rank, slot_at(unit), sizeof now, 0);                                                \
    type expected = after_##name(op, old, a, b), was = fetches(op) ? old : (type)77;                                   \
    if (memcmp(&now, &expected, sizeof now) == 0 && memcmp(&result, &was, sizeof was) == 0) return;                    \
    check_failures++;                                                                                                  \
    fprintf(stderr, "unit %d: " #name " operation %#x, peer %d, sample %d: wrong\n", self, (unsigned)op, unit, k);     \
  }                                                                                                                    \
  static void try_all_##name(bool integers) {                                                                          \
    gex_AD_t ad;                                                                                                       \
    gex_AD_Create(&ad, all, GEX_DT_##name, all_ops(integers), GEX_FLAG_AD_FAVOR_REMOTE);                               \
    for (int unit = 0; unit < units_n; unit++)                                                                         \
      for (int k = unit == self ? 0 : self; k < 90; k += unit == self ? 1 : 29) {                                      \
        for (size_t i = 0; i < LENGTH(arithmetic); i++) try_##name(ad, arithmetic[i], unit, k);                        \
        for (size_t i = 0; integers && i < LENGTH(bitwise); i++) try_##name(ad, bitwise[i], unit, k);                  \
      }                                                                                                                \
    barrier();                                                                                                         \
    gex_AD_Destroy(ad);                                                                                                \
  }
FOR_TYPES(TRY)

/* Operations that the compiler knows. */
#define EXPECT(op, operand1, operand2, fetched, then)                                                                      \
  gex_Event_Wait(gex_AD_OpNB_I64(ad, &old, rank, there, op, operand1, operand2, 0));                                       \
  if (op >= GEX_OP_FAND) CHECK_EQ(old, fetched);                                                                           \
  gex_AD_OpNBI_I64(ad, &now, rank, there, GEX_OP_GET, 0, 0, GEX_FLAG_AD_REL);                                              \
  gex_NBI_Wait(GEX_EC_GET, 0);                                                                                             \
  CHECK_EQ(now, then)
static void constants(void) {
  gex_AD_t ad;
  gex_AD_Create(&ad, all, GEX_DT_I64, all_ops(true), 0);
  for (int unit = 0; unit < units_n; unit++) {
    const gex_Rank_t rank = (gex_Rank_t)unit;
    void *there = slot_at(unit);
    int64_t old = 0, now = 0;
    EXPECT(GEX_OP_SET, 100, 0, 0, 100);
    EXPECT(GEX_OP_FADD, 5, 0, 100, 105);
    EXPECT(GEX_OP_ADD, -6, 0, 0, 99);
    EXPECT(GEX_OP_FSUB, 9, 0, 99, 90);
    EXPECT(GEX_OP_SUB, -10, 0, 0, 100);
    EXPECT(GEX_OP_FINC, 0, 0, 100, 101);
    EXPECT(GEX_OP_INC, 0, 0, 0, 102);
    EXPECT(GEX_OP_FDEC, 0, 0, 102, 101);
    EXPECT(GEX_OP_DEC, 0, 0, 0, 100);
    EXPECT(GEX_OP_FMULT, 3, 0, 100, 300);
    EXPECT(GEX_OP_MULT, 2, 0, 0, 600);
    EXPECT(GEX_OP_FMIN, 50, 0, 600, 50);
    EXPECT(GEX_OP_MAX, 0x0ff0, 0, 0, 0x0ff0);
    EXPECT(GEX_OP_FAND, 0xff, 0, 0x0ff0, 0xf0);
    EXPECT(GEX_OP_OR, 0x0f, 0, 0, 0xff);
    EXPECT(GEX_OP_FXOR, 0xf0, 0, 0xff, 0x0f);
    EXPECT(GEX_OP_AND, 0x03, 0, 0, 0x03);
    EXPECT(GEX_OP_FOR, 0x30, 0, 0x03, 0x33);
    EXPECT(GEX_OP_XOR, 0x33, 0, 0, 0);
    EXPECT(GEX_OP_SWAP, 8, 0, 0, 8);
    EXPECT(GEX_OP_FCAS, 9, 10, 8, 8);
    EXPECT(GEX_OP_FCAS, 8, 10, 8, 10);
    EXPECT(GEX_OP_CSWAP, 10, 11, 10, 11);
    EXPECT(GEX_OP_CAS, 11, 12, 0, 12);
    gex_AD_OpNBI_I64(ad, NULL, rank, there, GEX_OP_SET, 55, 0, GEX_FLAG_AD_ACQ);
    gex_NBI_Wait(GEX_EC_PUT, 0);
    EXPECT(GEX_OP_SWAP, 1, 0, 55, 1);
  }
  barrier();
  gex_AD_Destroy(ad);
}

/* Numbers of the own node are changed inline, also if the operation is in a variable, unless calls are checked. */
#define STAYS_INLINE(name, type)                                                                                        \
  static void stays_inline_##name(bool integers) {                                                                     \
    gex_AD_t ad;                                                                                                       \
    type old = 0;                                                                                                      \
    gex_AD_Create(&ad, all, GEX_DT_##name, all_ops(integers), 0);                                                      \
    for (int unit = 0; unit < units_n; unit++) {                                                                       \
      const gex_Rank_t rank = (gex_Rank_t)unit;                                                                        \
      const int near = gexi_near(all, rank, slot_at(unit), sizeof old) != NULL;                                        \
      for (size_t i = 0; i < LENGTH(arithmetic); i++)                                                                  \
        CHECK_EQ(gexi_ad_done_##name(ad, &old, rank, slot_at(unit), arithmetic[i], 1, 2, 0), near);                    \
      for (size_t i = 0; integers && i < LENGTH(bitwise); i++)                                                         \
        CHECK_EQ(gexi_ad_done_##name(ad, &old, rank, slot_at(unit), bitwise[i], 1, 2, 0), near);                       \
      CHECK_EQ(gexi_ad_done_##name(ad, NULL, rank, slot_at(unit), arithmetic[7], 1, 2, 0), 0); /* it fetches */         \
      CHECK_EQ(gexi_ad_done_##name(ad, &old, rank, (char *)slot_at(unit) + 1, arithmetic[0], 1, 2, 0), 0);             \
      CHECK_EQ(gexi_ad_done_##name(ad, &old, rank, slot_at(unit), GEX_OP_ADD | GEX_OP_SUB, 1, 2, 0), 0);               \
    }                                                                                                                  \
    barrier();                                                                                                         \
    gex_AD_Destroy(ad);                                                                                                \
  }
FOR_TYPES(STAYS_INLINE)

/* Local and remote floating-point atomics agree in special cases: a NaN wins, and of two zeros the old one stays. */
static void special_numbers(void) {
  static const gex_OP_t ops[] = {GEX_OP_FMIN, GEX_OP_FMAX, GEX_OP_FCAS, GEX_OP_SWAP};
  const double numbers[] = {0.0, -0.0, 1.5, -7, HUGE_VAL, -HUGE_VAL, __builtin_nan("")};
  gex_AD_t ad;
  gex_AD_Create(&ad, all, GEX_DT_DBL, GEX_OP_FMIN | GEX_OP_FMAX | GEX_OP_FCAS | GEX_OP_SWAP, 0);
  for (int unit = 0; unit < units_n; unit++)
    for (size_t k = 0; k < 49 * LENGTH(ops); k++) {
      const gex_OP_t op = ops[k / 49];
      const double old = numbers[k % 7], a = numbers[k / 7 % 7], b = 3;
      const bool same_bits = memcmp(&old, &a, sizeof a) == 0, takes_a = op == GEX_OP_FMIN ? a < old || a != a : a > old || a != a;
      const double expected = op == GEX_OP_SWAP ? a : op == GEX_OP_FCAS ? (same_bits ? b : old) : takes_a ? a : old;
      double was = 55, now = 66;
      gex_RMA_PutBlocking(all, (gex_Rank_t)unit, slot_at(unit), (void *)&old, sizeof old, 0);
      gex_Event_Wait(gex_AD_OpNB_DBL(ad, &was, (gex_Rank_t)unit, slot_at(unit), op, a, b, 0));
      gex_RMA_GetBlocking(all, &now, (gex_Rank_t)unit, slot_at(unit), sizeof now, 0);
      CHECK(memcmp(&was, &old, sizeof was) == 0 && memcmp(&now, &expected, sizeof now) == 0);
    }
  barrier();
  gex_AD_Destroy(ad);
}

/* Members are numbered in reverse; by rank in the team, or in the job. */
static void other_team(void) {
  gex_TM_t team;
  gex_TM_Split(&team, all, self % 2, -self, NULL, 0, GEX_FLAG_TM_NO_SCRATCH);
  gex_AD_t ad;
  gex_AD_Create(&ad, team, GEX_DT_U32, GEX_OP_FADD | GEX_OP_SET, 0);
  CHECK(gex_AD_QueryTM(ad) == team);
  for (gex_Rank_t rank = 0; rank < gex_TM_QuerySize(team); rank++) {
    gex_Rank_t jobrank = gex_TM_TranslateRankToJobrank(team, rank);
    void *there = slot_at((int)jobrank);
    uint32_t old = 0;
    gex_Event_Wait(gex_AD_OpNB_U32(ad, NULL, rank, there, GEX_OP_SET, 10, 0, 0));
    gex_Event_Wait(gex_AD_OpNB_U32(ad, &old, jobrank, there, GEX_OP_FADD, 1, 0, GEX_FLAG_RANK_IS_JOBRANK));
    CHECK_EQ(old, 10);
    gex_Event_Wait(gex_AD_OpNB_U32(ad, &old, rank, there, GEX_OP_FADD, 1, 0, 0));
    CHECK_EQ(old, 11);
  }
  gex_Event_Wait(gex_Coll_BarrierNB(team, 0));
  gex_AD_Destroy(ad);
  gex_TM_Destroy(team, NULL, 0);
}

static void what_domains_say(void) {
  int data;
  gex_AD_t ads[20];
  for (int i = 0; i < 20; i++) {
    gex_DT_t dt = i % 2 ? GEX_DT_FLT : GEX_DT_U64;
    gex_OP_t ops = GEX_OP_ADD | (i % 3 ? GEX_OP_GET : GEX_OP_FMAX);
    gex_AD_Create(&ads[i], all, dt, ops, GEX_FLAG_AD_FAVOR_MY_NBRHD);
    CHECK(ads[i] != GEX_AD_INVALID && gex_AD_QueryCData(ads[i]) == NULL);
    gex_AD_SetCData(ads[i], i % 2 ? &data : NULL);
    CHECK_EQ(gex_AD_QueryDT(ads[i]), dt);
    CHECK_EQ(gex_AD_QueryOps(ads[i]), ops);
    CHECK_EQ(gex_AD_QueryFlags(ads[i]), GEX_FLAG_AD_FAVOR_MY_NBRHD);
    CHECK(gex_AD_QueryTM(ads[i]) == all);
  }
  for (int i = 0; i < 20; i++) CHECK(gex_AD_QueryCData(ads[i]) == (i % 2 ? &data : NULL));
  for (int i = 0; i < 20; i++) gex_AD_Destroy(ads[i]);
}

int main(int argc, char **argv) {
  start(&argc, &argv, NULL, 0, SLOT);
  try_all_I32(true);
  try_all_U32(true);
  try_all_I64(true);
  try_all_U64(true);
  try_all_FLT(false);
  try_all_DBL(false);
  stays_inline_I32(true);
  stays_inline_U32(true);
  stays_inline_I64(true);
  stays_inline_U64(true);
  stays_inline_FLT(false);
  stays_inline_DBL(false);
  special_numbers();
  constants();
  other_team();
  what_domains_say();
  return finish();
}
