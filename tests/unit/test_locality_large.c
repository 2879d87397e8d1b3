/* Records of units in a job that is too large for any test machine: what one of them costs, and that its tag is the one of the
 * team's tree. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <dash/dart/if/dart_locality.h>

#include "api/dart/dart_api.h"
#include "core/place.h"
#include "core/team_shape.h"
#include "core/topology.h"

#define OK(call) assert_int_equal(call, DART_OK)

enum { UNITS_N = 100000, NODES_N = 1563, PER_NODE = 64, CORES_PER_NUMA = 16 };

/* The linker puts these functions between the library and the C library. */
static size_t allocated;
void *__real_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes) {
  allocated += bytes;
  return __real_malloc(bytes);
}
void *__real_calloc(size_t n, size_t bytes);
void *__wrap_calloc(size_t n, size_t bytes);
void *__wrap_calloc(size_t n, size_t bytes) {
  allocated += n * bytes;
  return __real_calloc(n, bytes);
}
void *__real_realloc(void *memory, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes) {
  allocated += bytes;
  return __real_realloc(memory, bytes);
}

/* All nodes are alike: a core for each unit. The placements are those of the node that was asked for last. */
static struct tsr_machine machine = {.host = "host", .cpus_n = PER_NODE, .cores_n = PER_NODE, .packages_n = 1,
                                     .numa_n = PER_NODE / CORES_PER_NUMA};
static struct tsr_cpu cpus[PER_NODE];
static struct tsr_placement placements[PER_NODE];
static const struct tsr_topology topology = {&machine, cpus, placements, PER_NODE};
static int32_t nodes_asked_n;

tessera_status_t __wrap_tsr_topology_fetch(int32_t nodes_n, const int32_t nodes[]);
tessera_status_t __wrap_tsr_topology_fetch(int32_t nodes_n, const int32_t nodes[]) {
  (void)nodes;
  nodes_asked_n += nodes_n;
  return TESSERA_OK;
}
const struct tsr_topology *__wrap_tsr_topology_of(int32_t node);
const struct tsr_topology *__wrap_tsr_topology_of(int32_t node) {
  int32_t first = tsr_place_first(node).id;
  if (placements[0].unit == first) return &topology;
  for (int16_t i = 0; i < PER_NODE; i++)
    placements[i] = (struct tsr_placement){.unit = first + i, .cpu = (int16_t)(PER_NODE - 1 - i), .cores_n = 1};
  return &topology;
}

static tsr_team world, few;

static void make_team(tsr_team *team, int32_t id, int32_t n, const tsr_unit units[]) {
  team->id = id;
  assert_int_equal(tsr_team_shape(team, n, units), TESSERA_OK);
  tsr_teams[id] = team;
}

static int start(void **state) {
  (void)state;
  int32_t *first_of = malloc(UNITS_N * sizeof *first_of);
  tsr_unit *units = malloc(UNITS_N * sizeof *units);
  if (!first_of || !units) return -1;
  for (int32_t unit = 0; unit < UNITS_N; unit++) {
    first_of[unit] = unit - unit % PER_NODE;
    units[unit] = TSR_UNIT(unit);
  }
  for (int16_t i = 0; i < PER_NODE; i++)
    cpus[i] = (struct tsr_cpu){.os = i, .core = i, .numa = (int16_t)(i / CORES_PER_NUMA), .cache = {-1, -1, -1, -1, -1}};
  struct tsr_place_plan plan = {UNITS_N, UNITS_N / 2, first_of, 0, true};
  tsr_dart_up = true;
  placements[0].unit = -1;
  if (tsr_place_fill(&plan)) return -1;
  make_team(&world, DART_TEAM_ALL, UNITS_N, units);
  free(units);
  free(first_of);
  return 0;
}

static int stop(void **state) {
  (void)state;
  tsr_team_shape_free(&world);
  tsr_team_shape_free(&few);
  tsr_place_forget();
  return 0;
}

static const dart_unit_locality_t *record_of(dart_team_t team, int32_t unit) {
  dart_unit_locality_t *record = NULL;
  OK(dart_unit_locality(team, DART_TEAM_UNIT_ID(unit), &record));
  assert_int_equal(record->unit.id, unit);
  assert_int_equal(record->team, team);
  return record;
}

static void one_record_asks_one_node_and_stays_small(void **state) {
  (void)state;
  const int32_t unit = 77777, core = PER_NODE - 1 - unit % PER_NODE;
  allocated = 0;
  nodes_asked_n = 0;
  const dart_unit_locality_t *record = record_of(DART_TEAM_ALL, unit);
  assert_in_range(allocated, 1, 256 << 10);
  assert_int_equal(nodes_asked_n, 1);
  assert_int_equal(record->hwinfo.core_id, core);
  assert_string_equal(record->domain_tag, ".1215.0.2.14");
  allocated = 0;
  assert_ptr_equal(record_of(DART_TEAM_ALL, unit), record);
  assert_int_equal(allocated, 0);
  OK(dart_team_locality_finalize(DART_TEAM_ALL));
}

/* The tags of some members without the team's tree, and with it. */
static void compare_tags(dart_team_t team, int n, const int32_t members[]) {
  char tags[8][DART_LOCALITY_DOMAIN_TAG_MAX_SIZE];
  for (int i = 0; i < n; i++) strcpy(tags[i], record_of(team, members[i])->domain_tag);
  OK(dart_team_locality_finalize(team));
  dart_domain_locality_t *root = NULL;
  OK(dart_domain_team_locality(team, ".", &root));
  for (int i = 0; i < n; i++) assert_string_equal(record_of(team, members[i])->domain_tag, tags[i]);
  OK(dart_team_locality_finalize(team));
}

static void tags_are_those_of_the_tree(void **state) {
  (void)state;
  compare_tags(DART_TEAM_ALL, 4, (const int32_t[]){0, UNITS_N / 2, 77777, UNITS_N - 1});
  /* In any order, with a part of each node. */
  const tsr_unit units[] = {{99999}, {50000}, {70}, {65}, {3}, {99990}, {64}};
  make_team(&few, 1, 7, units);
  compare_tags(1, 7, (const int32_t[]){0, 1, 2, 3, 4, 5, 6});
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(one_record_asks_one_node_and_stays_small),
    cmocka_unit_test(tags_are_those_of_the_tree),
  };
  return cmocka_run_group_tests_name("locality_large", tests, start, stop);
}
