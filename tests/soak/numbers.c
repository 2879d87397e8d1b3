/* Numbers of teams and segments over a long life: more creations than there are numbers, many alive at once. */
#include "../spmd/check.h"

#include <stdio.h>
#include <unistd.h>

#include "core/bootstrap.h"
#include "core/place.h"
#include "core/segment.h"
#include "core/team.h"

enum { TEAMS = 40000, TEAMS_ALIVE = 1000, SEGMENTS_ALIVE = 10000, SEGMENT_CYCLES = 100000 };

static long resident_bytes(void) {
  long pages = 0, total;
  FILE *file = fopen("/proc/self/statm", "r");
  CHECK(file && fscanf(file, "%ld %ld", &total, &pages) == 2);
  if (file) fclose(file);
  return pages * sysconf(_SC_PAGESIZE);
}

static tsr_team *make_team(int32_t units_n) {
  static tsr_unit list[64];
  for (int32_t i = 0; i < units_n; i++) list[i] = TSR_UNIT(i);
  tsr_team *team = NULL;
  CHECK_EQ(tsr_team_create(tsr_team_world, units_n, list, &team), TESSERA_OK);
  return team;
}

/* The number of living teams stays the same while old ones are replaced: every number is used more than once. */
static void teams(void) {
  static tsr_team *alive[TEAMS_ALIVE];
  for (int i = 0; i < TEAMS; i++) {
    tsr_team **slot = &alive[i % TEAMS_ALIVE];
    if (*slot) CHECK_EQ(tsr_team_destroy(*slot), TESSERA_OK);
    *slot = make_team(i % 3 ? tsr_place.units_n : 1);
    if (*slot && i % 1000 == 0) tsr_bootstrap_barrier(*slot);
  }
  for (int i = 0; i < TEAMS_ALIVE; i++) {
    if (alive[i]) CHECK_EQ(tsr_team_destroy(alive[i]), TESSERA_OK);
  }
}

static void segments(void) {
  static tsr_segment *alive[SEGMENTS_ALIVE];
  for (int i = 0; i < SEGMENTS_ALIVE; i++) CHECK_EQ(tsr_segment_alloc(tsr_team_world, 128, &alive[i]), TESSERA_OK);
  for (int i = 0; i < SEGMENT_CYCLES; i++) {
    tsr_segment *segment = NULL;
    CHECK_EQ(tsr_segment_alloc(tsr_team_world, (size_t)64 << i % 12, &segment), TESSERA_OK);
    if (segment) CHECK(!segment->table);
    if (segment) CHECK_EQ(tsr_segment_free(segment), TESSERA_OK);
  }
  for (int i = 0; i < SEGMENTS_ALIVE; i++) CHECK_EQ(tsr_segment_free(alive[i]), TESSERA_OK);
}

/* As many teams at once as there are numbers: checks their memory in the node's heaps and in this unit. */
static void all_teams(void) {
  enum { UNITS_N = 4 };
  static tsr_team *alive[TSR_TEAM_IDS];
  const int64_t limit_bytes = INT64_C(2) << 30;
  int32_t units_n = tsr_place.units_n < UNITS_N ? tsr_place.units_n : UNITS_N, n = 0;
  long own_bytes = resident_bytes();
  while (n < TSR_TEAM_IDS - 1 && (alive[n] = make_team(units_n))) n++;
  tsr_bootstrap_barrier(tsr_team_world);
  if (tsr_place.self < units_n) {
    CHECK_EQ(n, TSR_TEAM_IDS - 1);
    own_bytes = resident_bytes() - own_bytes;
    CHECK(tsr_heap.memory->reserved_bytes <= limit_bytes);
    CHECK(tsr_heap.memory->reserved_bytes + UNITS_N * own_bytes <= limit_bytes);
    if (tsr_place.self == 0)
      printf("%d teams: %lld bytes of the heaps, %ld of one unit\n", n, (long long)tsr_heap.memory->reserved_bytes, own_bytes);
  }
  tsr_bootstrap_barrier(tsr_team_world);
  while (n > 0) CHECK_EQ(tsr_team_destroy(alive[--n]), TESSERA_OK);
}

int main(int argc, char **argv) {
  if (tessera_init(&argc, &argv)) return EXIT_FAILURE;
  if (tsr_place.units_n <= 4) all_teams();
  teams();
  segments();
  tsr_bootstrap_barrier(tsr_team_world); /* all have freed their last segment */
  CHECK_EQ(tsr_heap_live_bytes(), 0);
  tsr_bootstrap_barrier(tsr_team_world);
  CHECK_EQ(tessera_exit(), TESSERA_OK);
  return check_result();
}
