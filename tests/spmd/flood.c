/* All units send everything to one at once: puts inside requests and out of line, gets, atomics, accumulates; more than
 * there are buffers, and pieces that take many messages. Then all send to all. Their effects are counted.
 *
 * Units: 4 7
 */
#include "check.h"

#include <string.h>

#include "base/config.h"
#include "core/bootstrap.h"
#include "core/op.h"
#include "core/place.h"
#include "core/runtime.h"
#include "core/segment.h"
#include "rma/rma.h"
#include "rma/atomic.h"

enum { ROUNDS_N = 60, SMALL = 200, LARGE = 300000, COUNTERS_N = 16 };

/* A unit's global memory: counters for all, and a place for each origin's puts. */
struct part {
  uint64_t counters[COUNTERS_N];
  double sum;
  unsigned char small[7][ROUNDS_N][SMALL];
  unsigned char large[7][LARGE];
  unsigned char constant[LARGE]; /* for gets: it does not change */
};

static tsr_segment *segment;
static int32_t self, units_n;

#define ADDRESS(unit, field) tsr_segment_address(segment, TSR_MEMBER(unit), offsetof(struct part, field))

static struct part *own(void) { return tsr_place_pointer(tsr_segment_address(segment, TSR_MEMBER(self), 0)); }

static struct buffers {
  unsigned char large[LARGE], got_large[LARGE], small[ROUNDS_N][SMALL], got_small[ROUNDS_N][SMALL];
  uint64_t before[ROUNDS_N];
} *here; /* one for each target */

static void flood(int32_t target) {
  struct buffers *b = &here[target];
  tsr_op *op = tsr_op_implicit(TSR_UNIT(target));
  static const uint64_t one = 1, many[COUNTERS_N] = {0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  static const double half = 0.5;
  memset(b->large, self + 1, LARGE);
  memset(b->got_large, 0, LARGE);
  for (int i = 0; i < ROUNDS_N; i++) {
    memset(b->small[i], self + i, SMALL);
    CHECK_EQ(tsr_put(ADDRESS(target, small[self][i]), b->small[i], SMALL, op), TESSERA_OK);
    CHECK_EQ(tsr_fetch(ADDRESS(target, counters[0]), TSR_U64, TSR_SUM, &one, &b->before[i], op), TESSERA_OK);
    CHECK_EQ(tsr_get(b->got_small[i], ADDRESS(target, constant), SMALL, op), TESSERA_OK);
    CHECK_EQ(tsr_accumulate(ADDRESS(target, counters), TSR_U64, TSR_SUM, many, COUNTERS_N, op), TESSERA_OK);
    CHECK_EQ(tsr_accumulate(ADDRESS(target, sum), TSR_F64, TSR_SUM, &half, 1, op), TESSERA_OK);
    if (i % 10 == 0) CHECK_EQ(tsr_put(ADDRESS(target, large[self]), b->large, LARGE, op), TESSERA_OK);
    if (i % 10 == 5) CHECK_EQ(tsr_get(b->got_large, ADDRESS(target, constant), LARGE, op), TESSERA_OK);
  }
}

static size_t wrong(const unsigned char *data, size_t bytes, int value) {
  size_t n = 0;
  for (size_t i = 0; i < bytes; i++) n += data[i] != (unsigned char)value;
  return n;
}

/* Checks the results of gets, and that every fetch returned another count than the one before. */
static void look_at_answers(int32_t target) {
  const struct buffers *b = &here[target];
  CHECK_EQ(wrong(b->got_large, LARGE, 100 + target), 0);
  CHECK_EQ(wrong(b->got_small[0], sizeof b->got_small, 100 + target), 0);
  for (int i = 0; i < ROUNDS_N; i++) {
    for (int k = 0; k < i; k++) CHECK(b->before[i] != b->before[k]);
  }
}

static void look_at_arrivals(int32_t origins_n) {
  const struct part *part = own();
  for (int32_t origin = 0; origin < origins_n; origin++) {
    CHECK_EQ(wrong(part->large[origin], LARGE, origin + 1), 0);
    for (int i = 0; i < ROUNDS_N; i++) CHECK_EQ(wrong(part->small[origin][i], SMALL, origin + i), 0);
  }
  for (int i = 0; i < COUNTERS_N; i++) CHECK_EQ(part->counters[i], origins_n * ROUNDS_N);
  CHECK_EQ(part->sum * 2, origins_n * ROUNDS_N);
}

static void reset(void) {
  memset(own(), 0, sizeof(struct part));
  memset(own()->constant, 100 + self, LARGE);
  tsr_bootstrap_barrier(tsr_team_world);
}

int main(int argc, char **argv) {
  setenv("TESSERA_WIRE_BUFFER_SIZE", "64K", 1);
  setenv("TESSERA_WIRE_BUFFERS", "16", 1);
  const char *progress = getenv("TESSERA_PROGRESS");
  bool has_agents = progress && strncmp(progress, "process", 7) == 0;
  if (!has_agents) setenv("TESSERA_VIRTUAL_NODES", "64", 0); /* a node for each unit, unless set otherwise */
  CHECK_EQ(tessera_init(&argc, &argv), TESSERA_OK);
  self = tsr_place.self;
  units_n = tsr_place.units_n;
  here = calloc((size_t)units_n, sizeof *here);
  CHECK_EQ(tsr_segment_alloc(tsr_team_world, sizeof(struct part), &segment), TESSERA_OK);
  reset();
  flood(units_n / 2);
  tsr_op_flush_all();
  look_at_answers(units_n / 2);
  tsr_bootstrap_barrier(tsr_team_world);
  if (self == units_n / 2) look_at_arrivals(units_n);
  tsr_bootstrap_barrier(tsr_team_world);
  reset();
  for (int32_t i = 0; i < units_n; i++) flood((self + i) % units_n);
  tsr_op_flush_all();
  for (int32_t i = 0; i < units_n; i++) look_at_answers(i);
  tsr_bootstrap_barrier(tsr_team_world);
  look_at_arrivals(units_n);
  tsr_bootstrap_barrier(tsr_team_world);
  CHECK_EQ(tsr_segment_free(segment), TESSERA_OK);
  free(here);
  CHECK_EQ(tessera_exit(), TESSERA_OK);
  return check_result();
}
