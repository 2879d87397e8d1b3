/* More units than any test machine has cores: start, agree, allocate, communicate with all units, end.
 * Units: 16 32 64
 */
#include "check.h"

#include "coll/coll.h"
#include "core/place.h"
#include "core/segment.h"
#include "rma/rma.h"

int main(int argc, char **argv) {
  if (tessera_init(&argc, &argv)) return EXIT_FAILURE;
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
  tsr_reducer how = tsr_reducer_make(TSR_I32, TSR_SUM);
  int32_t sum = 0;
  CHECK_EQ(tsr_allreduce(tsr_team_world, &self, &sum, 1, &how), TESSERA_OK);
  CHECK_EQ(sum, n * (n - 1) / 2);
  CHECK_EQ(tsr_segment_free(segment), TESSERA_OK);
  CHECK_EQ(tessera_exit(), TESSERA_OK);
  return check_result();
}
