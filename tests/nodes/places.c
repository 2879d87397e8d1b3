/* places FIRST...: checks that the first unit of each unit's node is the one in the arguments, one per unit, and that
 * all units reach all. */
#include "../spmd/check.h"

#include "coll/coll.h"
#include "core/place.h"
#include "core/segment.h"
#include "rma/rma.h"

static int32_t first_of(char **argv, int32_t unit) { return (int32_t)strtol(argv[1 + unit], NULL, 10); }

static void check_places(char **argv) {
  int32_t here = first_of(argv, tsr_place.self), nodes_n = 0, local = 0;
  for (int32_t unit = 0; unit < tsr_place.units_n; unit++) {
    int32_t first = first_of(argv, unit);
    nodes_n += first == unit;
    CHECK_EQ(tsr_place_local(TSR_UNIT(unit)), first == here ? local : -1);
    CHECK_EQ(tsr_place_node(TSR_UNIT(unit)) == tsr_place.node, first == here);
    if (first == here) CHECK_EQ(tsr_place_unit((uint32_t)local++).id, unit);
  }
  CHECK_EQ(tsr_heap.units_n, local);
  CHECK_EQ(tessera_nodes(), nodes_n);
}

static void check_reach(void) {
  int32_t n = tsr_place.units_n, self = tsr_place.self;
  tsr_segment *segment = NULL;
  CHECK_EQ(tsr_segment_alloc(tsr_team_world, (size_t)n * 4, &segment), TESSERA_OK);
  for (int32_t unit = 0; unit < n; unit++) {
    int32_t word = self * 1000 + unit;
    CHECK_EQ(tsr_put_wait(tsr_segment_address(segment, TSR_MEMBER(unit), (uint64_t)self * 4), &word, 4), TESSERA_OK);
  }
  CHECK_EQ(tsr_barrier(tsr_team_world), TESSERA_OK);
  const int32_t *mine = tsr_place_pointer(tsr_segment_address(segment, TSR_MEMBER(self), 0));
  for (int32_t unit = 0; unit < n; unit++) CHECK_EQ(mine[unit], unit * 1000 + self);
  CHECK_EQ(tsr_segment_free(segment), TESSERA_OK);
}

int main(int argc, char **argv) {
  if (tessera_init(&argc, &argv)) return EXIT_FAILURE;
  CHECK_EQ(argc - 1, tsr_place.units_n);
  if (argc - 1 == tsr_place.units_n) {
    check_places(argv);
    check_reach();
  }
  CHECK_EQ(tessera_exit(), TESSERA_OK);
  return check_result();
}
