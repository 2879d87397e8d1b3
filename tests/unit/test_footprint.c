/* The formula for the memory of a unit, compared with the size of the tables, for a job that is too large for any test
 * machine. */
#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/config.h"
#include "core/footprint.h"
#include "core/op.h"
#include "core/place.h"
#include "core/sync.h"
#include "core/team_shape.h"
#include "node/heap.h"
#include "node/memory.h"

enum { UNITS_N = 100000, NODES_N = 1563, PER_NODE = 64 };

/* With sanitizers, mallinfo2 does not count the allocations. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { MALLOC_TELLS = 0 };
#else
enum { MALLOC_TELLS = 1 };
#endif

static size_t in_use(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

static bool is_near(size_t actual, size_t expected) {
  size_t slack = 256 + expected / 64; /* what malloc itself adds */
  return actual <= expected + slack && actual + slack >= expected;
}

static void a_large_job_stays_small(void **state) {
  (void)state;
  struct tsr_footprint_row rows[TSR_FOOTPRINT_ROWS_N];
  tsr_config_load(false);
  for (int wire = TSR_NET_MPI; wire <= TSR_NET_UCX; wire++) {
    tsr_config.net = wire;
    tsr_footprint(UNITS_N, NODES_N, true, rows);
    assert_true(tsr_footprint_bytes(rows, false) + tsr_footprint_bytes(rows, true) < 2 << 20);
  }
}

static void tables_are_as_large_as_said(void **state) {
  (void)state;
  if (!MALLOC_TELLS) skip();
  int32_t *first_of = malloc(UNITS_N * sizeof *first_of);
  assert_non_null(first_of);
  for (int32_t unit = 0; unit < UNITS_N; unit++) first_of[unit] = unit - unit % PER_NODE;
  struct tsr_place_plan plan = {UNITS_N, UNITS_N / 2, first_of, 0, true};
  size_t before = in_use();
  assert_int_equal(tsr_place_fill(&plan), TESSERA_OK);
  assert_int_equal(tsr_place.nodes_n, NODES_N);
  size_t of_place = in_use() - before;
  assert_true(is_near(of_place, tsr_place_bytes(UNITS_N, NODES_N, true)));
  assert_int_equal(tsr_op_start(), TESSERA_OK);
  assert_true(is_near(in_use() - before - of_place, tsr_op_bytes(UNITS_N)));
  for (int i = 0; i < 1000; i++) tsr_op_implicit(TSR_UNIT(0)); /* the endpoint of one node */
  assert_true(in_use() - before - of_place <= tsr_op_bytes(UNITS_N) + tsr_op_peer_bytes() + 4096);
  tsr_op_flush_all();
  tsr_op_stop();
  tsr_place_forget();
  assert_true(in_use() <= before + 4096);
  free(first_of);
}

static void the_team_is_as_large_as_said(void **state) {
  (void)state;
  if (!MALLOC_TELLS) skip();
  int32_t *first_of = malloc(UNITS_N * sizeof *first_of);
  tsr_unit *units = malloc(UNITS_N * sizeof *units);
  assert_non_null(first_of);
  assert_non_null(units);
  for (int32_t unit = 0; unit < UNITS_N; unit++) first_of[unit] = unit - unit % PER_NODE, units[unit] = TSR_UNIT(unit);
  struct tsr_place_plan plan = {UNITS_N, UNITS_N / 2, first_of, 0, true};
  assert_int_equal(tsr_place_fill(&plan), TESSERA_OK);
  tsr_team team = {0};
  size_t before = in_use();
  assert_int_equal(tsr_team_shape(&team, UNITS_N, units), TESSERA_OK);
  assert_int_equal(team.nodes_n, NODES_N);
  assert_true(is_near(in_use() - before, tsr_team_shape_bytes(PER_NODE, NODES_N)));
  tsr_team_shape_free(&team);
  tsr_place_forget();
  free(units);
  free(first_of);
}

/* Each unit is on another node than its neighbours: then the tables are indexed by unit. */
static void units_in_turns(void **state) {
  (void)state;
  if (!MALLOC_TELLS) skip();
  int32_t *first_of = malloc(UNITS_N * sizeof *first_of);
  assert_non_null(first_of);
  for (int32_t unit = 0; unit < UNITS_N; unit++) first_of[unit] = unit % NODES_N;
  struct tsr_place_plan plan = {UNITS_N, UNITS_N / 2, first_of, 0, true};
  size_t before = in_use();
  assert_int_equal(tsr_place_fill(&plan), TESSERA_OK);
  assert_true(is_near(in_use() - before, tsr_place_bytes(UNITS_N, NODES_N, false)));
  assert_true(tsr_place_bytes(UNITS_N, NODES_N, false) < 1 << 20);
  tsr_place_forget();
  free(first_of);
}

/* The sync area of the world and the bounce buffers of all local members: core/team, attach_world. */
static void the_common_area_has_room_for_the_world(void **state) {
  (void)state;
  static struct tsr_node_memory memory;
  struct tsr_node_memory *before = tsr_heap.memory;
  tsr_heap.memory = &memory;
  for (memory.barrier_shift = 1; memory.barrier_shift <= 6; memory.barrier_shift++) {
    for (int32_t n = 1; n <= TSR_NODE_UNITS_MAX; n++) {
      size_t area = (tsr_sync_area_bytes(n) + TSR_CACHE_LINE - 1) / TSR_CACHE_LINE * TSR_CACHE_LINE;
      assert_true(area + (size_t)n * TSR_SYNC_BOUNCE_BYTES <= (size_t)n * TSR_COMMON_BYTES_PER_UNIT);
    }
  }
  tsr_heap.memory = before;
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_large_job_stays_small),
    cmocka_unit_test(tables_are_as_large_as_said),
    cmocka_unit_test(the_team_is_as_large_as_said),
    cmocka_unit_test(units_in_turns),
    cmocka_unit_test(the_common_area_has_room_for_the_world),
  };
  return cmocka_run_group_tests_name("footprint", tests, NULL, NULL);
}
