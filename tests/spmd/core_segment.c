/* Segments of the core: equal and different sizes, symmetric offsets and tables, numbers, failures that all members
 * learn of.
 * Group: core_calls
 */
#include "check.h"

#include <string.h>

#include "core/bootstrap.h"
#include "core/place.h"
#include "core/segment.h"
#include "core/team.h"

/* Each unit writes its neighbour's part up to its length, and each finds the data. */
static void write_and_read(tsr_segment *segment) {
  tsr_team *team = segment->team;
  int32_t next = (team->self + 1) % team->size, before = (team->self - 1 + team->size) % team->size;
  void *there = tsr_place_pointer(tsr_segment_address(segment, TSR_MEMBER(next), 0));
  if (there) memset(there, team->self + 1, tsr_segment_bytes(segment, TSR_MEMBER(next)));
  tsr_bootstrap_barrier(team);
  tsr_unit writer = tsr_team_unit(team, TSR_MEMBER(before));
  const unsigned char *mine = tsr_place_pointer(tsr_segment_address(segment, TSR_MEMBER(team->self), 0));
  size_t bytes = tsr_segment_bytes(segment, TSR_MEMBER(team->self)), wrong = 0;
  for (size_t i = 0; tsr_place_is_local(writer) && i < bytes; i++) wrong += mine[i] != before + 1;
  CHECK_EQ(wrong, 0);
  tsr_bootstrap_barrier(team);
}

static void sizes(size_t mine, int equal) {
  tsr_segment *segment = NULL;
  CHECK_EQ(tsr_segment_alloc(tsr_team_world, mine, &segment), TESSERA_OK);
  if (!segment) return;
  CHECK_EQ(tsr_segment_bytes(segment, TSR_MEMBER(tsr_place.self)), mine);
  if (equal) CHECK(!segment->table);
  write_and_read(segment);
  CHECK_EQ(tsr_segment_free(segment), TESSERA_OK);
}

/* Local allocations differ; collective ones stay symmetric. */
static void stays_symmetric(void) {
  uint64_t local[16];
  int n = tsr_place.self % 5 + 3;
  for (int i = 0; i < n; i++)
    CHECK_EQ(tsr_segment_local_alloc(TSR_API_NATIVE, 100 * (size_t)(i + tsr_place.self + 1), &local[i]), TESSERA_OK);
  tsr_segment *segment[8];
  for (int i = 0; i < 8; i++) {
    CHECK_EQ(tsr_segment_alloc(tsr_team_world, 1000u << i, &segment[i]), TESSERA_OK);
    CHECK(!segment[i]->table);
  }
  CHECK_EQ(tsr_segment_local_free(TSR_API_NATIVE, tsr_segment_off(segment[0], TSR_MEMBER(tsr_place.self))),
           TESSERA_ERR_NOT_FOUND);
  for (int i = 0; i < n; i++) CHECK_EQ(tsr_segment_local_free(TSR_API_NATIVE, local[i]), TESSERA_OK);
  for (int i = 0; i < 8; i++) CHECK_EQ(tsr_segment_free(segment[i]), TESSERA_OK);
}

/* A sub-team allocates, so that its members' next offsets differ from the others': all take the largest one. */
static void meets_after_a_sub_team(void) {
  if (tsr_place.units_n < 2) return;
  tsr_unit list[1] = {TSR_UNIT(0)};
  tsr_team *one = NULL;
  CHECK_EQ(tsr_team_create(tsr_team_world, 1, list, &one), TESSERA_OK);
  tsr_segment *small = NULL, *big = NULL;
  if (one) CHECK_EQ(tsr_segment_alloc(one, 4096, &small), TESSERA_OK);
  CHECK_EQ(tsr_segment_alloc(tsr_team_world, 4096, &big), TESSERA_OK);
  CHECK(big && !big->table);
  write_and_read(big);
  CHECK_EQ(tsr_segment_free(big), TESSERA_OK);
  if (small) CHECK_EQ(tsr_segment_free(small), TESSERA_OK);
  if (one) CHECK_EQ(tsr_team_destroy(one), TESSERA_OK);
}

/* Unit 0 already uses the block that all would take, so that only a table is left. */
static void falls_back_to_a_table(void) {
  if (tsr_place.units_n < 2) return;
  uint64_t slice = tsr_heap_slice_bytes();
  uint64_t blocker = 0;
  tsr_segment *segment = NULL;
  int last = tsr_place.self == tsr_place.units_n - 1;
  if (last) CHECK_EQ(tsr_heap_alloc_at(0, 4096), TESSERA_OK);
  if (tsr_place.self == 0) {
    blocker = 4096;
    CHECK_EQ(tsr_heap_alloc_at(blocker, 4096), TESSERA_OK);
  }
  CHECK_EQ(tsr_segment_alloc(tsr_team_world, 4096, &segment), TESSERA_OK);
  CHECK(segment && segment->table && segment->table->offs && slice > blocker);
  if (segment) write_and_read(segment);
  if (segment) CHECK_EQ(tsr_segment_free(segment), TESSERA_OK);
  if (last) CHECK_EQ(tsr_heap_free(0, TSR_HEAP_SEGMENT), TESSERA_OK);
  if (blocker) CHECK_EQ(tsr_heap_free(blocker, TSR_HEAP_SEGMENT), TESSERA_OK);
}

/* One member asks for more than there is: all get an error, and the next allocation works. */
static void one_fails_all_fail(void) {
  tsr_segment *segment = (tsr_segment *)&segment;
  int last = tsr_place.self == tsr_place.units_n - 1;
  tessera_status_t status = tsr_segment_alloc(tsr_team_world, last ? (size_t)1 << 60 : 64, &segment);
  CHECK_EQ(status, last ? TESSERA_ERR_MEMORY : TESSERA_ERR_PEER);
  CHECK(segment == (tsr_segment *)&segment);
  sizes(64, 1);
}

static int32_t alloc_and_free(void) {
  tsr_segment *segment = NULL;
  CHECK_EQ(tsr_segment_alloc(tsr_team_world, 64, &segment), TESSERA_OK);
  int32_t id = segment->id;
  CHECK(tsr_segment_find(tsr_team_world, id) == segment);
  CHECK_EQ(tsr_segment_free(segment), TESSERA_OK);
  CHECK(tsr_segment_find(tsr_team_world, id) == NULL);
  return id;
}

/* The number that was freed first is reused first, before any new one. */
static void numbers(void) {
  enum { LIVE = 1000, CYCLES = 500, HOLES = 4 };
  static const int holes[HOLES] = {700, 20, LIVE - 1, 21};
  static tsr_segment *live[LIVE];
  tsr_segment *extra = NULL;
  int32_t ids[HOLES];
  for (int i = 0; i < LIVE; i++) CHECK_EQ(tsr_segment_alloc(tsr_team_world, 64, &live[i]), TESSERA_OK);
  int32_t beyond = alloc_and_free();
  for (int i = 0; i < CYCLES; i++) CHECK_EQ(alloc_and_free(), beyond);
  for (int i = 0; i < HOLES; i++) {
    ids[i] = live[holes[i]]->id;
    CHECK_EQ(tsr_segment_free(live[holes[i]]), TESSERA_OK);
  }
  CHECK_EQ(tsr_segment_alloc(tsr_team_world, 64, &extra), TESSERA_OK);
  CHECK_EQ(extra->id, beyond);
  for (int i = 0; i < HOLES; i++) {
    CHECK_EQ(tsr_segment_alloc(tsr_team_world, 64, &live[holes[i]]), TESSERA_OK);
    CHECK_EQ(live[holes[i]]->id, ids[i]);
  }
  CHECK_EQ(alloc_and_free(), beyond + 1);
  CHECK_EQ(tsr_segment_free(extra), TESSERA_OK);
  for (int i = 0; i < LIVE; i++) CHECK_EQ(tsr_segment_free(live[i]), TESSERA_OK);
}

int main(int argc, char **argv) {
  if (tessera_init(&argc, &argv)) return EXIT_FAILURE;
  sizes(8, 1);
  sizes(0, 1);
  sizes(1 << 20, 1);
  sizes((size_t)tsr_place.self * 1000, tsr_place.units_n == 1);
  sizes(tsr_place.self == 0 ? 0 : 12345, tsr_place.units_n == 1);
  stays_symmetric();
  meets_after_a_sub_team();
  falls_back_to_a_table();
  one_fails_all_fail();
  numbers();
  CHECK_EQ(tsr_heap_free(64, TSR_HEAP_SEGMENT), TESSERA_ERR_NOT_FOUND);
  CHECK_EQ(tessera_exit(), TESSERA_OK);
  return check_result();
}
