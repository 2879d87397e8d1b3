/* Requests more memory than the node may have: the error names the size and the variable to change, and the program continues. */
#include "../spmd/check.h"

#include <string.h>

#include "core/bootstrap.h"
#include "core/place.h"
#include "core/segment.h"

int main(int argc, char **argv) {
  if (tessera_init(&argc, &argv)) return EXIT_FAILURE;
  tsr_segment *segment = NULL;
  uint64_t off = 0;
  tsr_bootstrap_barrier(tsr_team_world);
  CHECK_EQ(tsr_segment_alloc(tsr_team_world, 48 << 20, &segment), TESSERA_OK);
  tsr_segment *too_much = NULL;
  tessera_status_t status = tsr_segment_alloc(tsr_team_world, 48 << 20, &too_much);
  CHECK(status == TESSERA_ERR_MEMORY || status == TESSERA_ERR_PEER);
  CHECK(too_much == NULL);
  CHECK_EQ(tsr_segment_free(segment), TESSERA_OK);
  CHECK_EQ(tsr_segment_alloc(tsr_team_world, 48 << 20, &segment), TESSERA_OK);
  memset(tsr_place_pointer(tsr_segment_address(segment, TSR_MEMBER(tsr_place.self), 0)), 1, 48 << 20);
  CHECK_EQ(tsr_segment_local_alloc(TSR_API_NATIVE, (size_t)1 << 50, &off), TESSERA_ERR_MEMORY);
  CHECK_EQ(tsr_segment_free(segment), TESSERA_OK);
  tsr_bootstrap_barrier(tsr_team_world);
  CHECK_EQ(tsr_heap_live_bytes(), 0);
  CHECK_EQ(tessera_exit(), TESSERA_OK);
  return check_result();
}
