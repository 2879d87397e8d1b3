/* Transfers of every kind to a unit that computes and makes no calls until the data has arrived: an agent or a unit of
 * its node serves it. If neither exists (TESSERA_PROGRESS=none and several nodes), the target makes progress itself.
 * Group: dart_demanding
 */
#include "dart_check.h"

#include <stdatomic.h>

#include <tessera.h>

enum { LONG_N = 1 << 15, STRIDE = 4, BLOCKS_N = 64, ROUNDS_N = 20, SLOT_N = LONG_N + 4 * BLOCKS_N * STRIDE };

/* A unit's part of the segment, with a slot for each of the other units. */
enum { FINISHED /* the number of units that are done */, COUNTER, SUM, SLOTS };

static long slot_of(dart_unit_t unit) { return SLOTS + (long)unit * SLOT_N; }

static bool must_call_in(void) {
  const char *progress = getenv("TESSERA_PROGRESS");
  return progress && strcmp(progress, "none") == 0;
}

/* Computes until the data of the others has arrived. */
static void compute(const long *part, dart_gptr_t base) {
  const _Atomic long *finished = (const _Atomic long *)&part[FINISHED];
  while (atomic_load_explicit(finished, memory_order_acquire) < units_n - 1) {
    if (must_call_in()) OK(dart_flush_all(base));
  }
}

static void add(dart_gptr_t target, long value) {
  long old = -1;
  OK(dart_fetch_and_op(target, &value, &old, DART_TYPE_LONG, DART_OP_SUM));
  OK(dart_flush(target));
  CHECK(old >= 0);
}

static void transfer_contiguous(dart_gptr_t slot, size_t n, long seed) {
  static long out[LONG_N], in[LONG_N];
  for (size_t i = 0; i < n; i++) out[i] = seed + (long)i;
  memset(in, 0, n * sizeof *in);
  OK(dart_put_blocking(slot, out, n, DART_TYPE_LONG, DART_TYPE_LONG));
  OK(dart_get_blocking(in, slot, n, DART_TYPE_LONG, DART_TYPE_LONG));
  CHECK(memcmp(in, out, n * sizeof *in) == 0);
}

static void transfer_strided(dart_gptr_t slot, long seed) {
  long out[BLOCKS_N], in[BLOCKS_N] = {0};
  dart_datatype_t every_fourth;
  OK(dart_type_create_strided(DART_TYPE_LONG, STRIDE, 1, &every_fourth));
  for (int i = 0; i < BLOCKS_N; i++) out[i] = seed - i;
  OK(dart_put_blocking(slot, out, BLOCKS_N, DART_TYPE_LONG, every_fourth));
  OK(dart_get_blocking(in, slot, BLOCKS_N, every_fourth, DART_TYPE_LONG));
  CHECK(memcmp(in, out, sizeof in) == 0);
  OK(dart_type_destroy(&every_fourth));
}

static void transfer(dart_gptr_t base, dart_unit_t target) {
  dart_gptr_t slot = at(base, target, slot_of(self) * (int64_t)sizeof(long));
  long one = 1;
  for (int round = 0; round < ROUNDS_N; round++) {
    long seed = self * 1000 + round;
    transfer_contiguous(slot, 1, seed);
    transfer_contiguous(slot, 100, seed);
    transfer_strided(slot, seed);
    add(at(base, target, COUNTER * sizeof(long)), 1);
    OK(dart_accumulate(at(base, target, SUM * sizeof(long)), &one, 1, DART_TYPE_LONG, DART_OP_SUM));
  }
  transfer_contiguous(slot, LONG_N, self);
  OK(dart_flush_all(base));
  add(at(base, target, FINISHED * sizeof(long)), 1);
}

static int busy_target(int argc, char **argv) {
  start(&argc, &argv);
  dart_gptr_t base = team_alloc(DART_TEAM_ALL, SLOTS + (size_t)units_n * SLOT_N, DART_TYPE_LONG);
  long *part = own_part(base, self);
  for (dart_unit_t target = 0; target < units_n; target++) {
    memset(part, 0, SLOTS * sizeof *part);
    barrier();
    if (self == target) compute(part, base);
    else transfer(base, target);
    if (self == target) CHECK_EQ(part[COUNTER], ROUNDS_N * (units_n - 1L));
    if (self == target) CHECK_EQ(part[SUM], ROUNDS_N * (units_n - 1L));
    barrier();
  }
  OK(dart_team_memfree(base));
  return finish();
}

#ifndef WITH_OWN_MPI
int main(int argc, char **argv) { return busy_target(argc, argv); }
#endif
