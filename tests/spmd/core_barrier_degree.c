/* Barriers with another degree of the arrival tree than the default one: no member leaves before all have arrived, and
 * the sync area has the lines of this tree.
 * Units: 7 */
#include "check.h"

#include <stdlib.h>

#include "core/bootstrap.h"
#include "core/place.h"
#include "core/segment.h"
#include "core/sync.h"

enum { ROUNDS_N = 300, LINE_BYTES = 64, BASE_N = 5 };

static int32_t lines_of(int32_t members_n, int32_t degree) {
  int32_t n = members_n, total = 0;
  while (n > 1) {
    n = (n + degree - 1) / degree;
    total += n;
  }
  return total;
}

/* The bytes that n members need more than BASE_N: eight cells, two names and the place of a bounce buffer each,
 * whatever the degree; and groups of words, eight in a line, in the trees of three sequences. */
static void area_has_lines(int32_t n, int32_t degree) {
  size_t member_bytes = 8 * LINE_BYTES + 3 * sizeof(int64_t), group_lines = degree <= 8 ? 1 : (size_t)degree / 8;
  size_t lines_bytes = 3 * (size_t)(lines_of(n, degree) - lines_of(BASE_N, degree)) * group_lines * LINE_BYTES;
  CHECK_EQ(tsr_sync_area_bytes(n) - tsr_sync_area_bytes(BASE_N), (size_t)(n - BASE_N) * member_bytes + lines_bytes);
}

/* Each unit counts its rounds where all can read the count. */
static void rounds(tsr_segment *counts) {
  _Atomic uint64_t *mine = tsr_place_pointer(tsr_segment_address(counts, TSR_MEMBER(tsr_place.self), 0));
  for (uint64_t round = 1; round <= ROUNDS_N; round++) {
    atomic_store_explicit(mine, round, memory_order_relaxed);
    tsr_bootstrap_barrier(tsr_team_world);
    for (int32_t i = 0; i < tsr_place.units_n; i++) {
      const _Atomic uint64_t *theirs = tsr_place_pointer(tsr_segment_address(counts, TSR_MEMBER(i), 0));
      uint64_t seen = theirs ? atomic_load_explicit(theirs, memory_order_relaxed) : round;
      CHECK(seen == round || seen == round + 1);
    }
  }
}

int main(int argc, char **argv) {
  setenv("TESSERA_BARRIER_DEGREE", "2", 0);
  int32_t degree = atoi(getenv("TESSERA_BARRIER_DEGREE"));
  if (tessera_init(&argc, &argv)) return EXIT_FAILURE;
  for (int32_t n = BASE_N; n <= 32; n++) area_has_lines(n, degree);
  tsr_segment *counts;
  CHECK_EQ(tsr_segment_alloc(tsr_team_world, sizeof(uint64_t), &counts), TESSERA_OK);
  *(uint64_t *)tsr_place_pointer(tsr_segment_address(counts, TSR_MEMBER(tsr_place.self), 0)) = 0;
  tsr_bootstrap_barrier(tsr_team_world);
  rounds(counts);
  tsr_bootstrap_barrier(tsr_team_world);
  CHECK_EQ(tsr_segment_free(counts), TESSERA_OK);
  CHECK_EQ(tessera_exit(), TESSERA_OK);
  return check_result();
}
