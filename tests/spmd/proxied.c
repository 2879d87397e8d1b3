/* Proxied requests within a node hold only as much heap memory as they and their replies need.
 * Units: 2 4 */
#include "check.h"

#include <sched.h>

#include "core/bootstrap.h"
#include "core/place.h"
#include "core/segment.h"
#include "rma/atomic.h"

enum { REQUESTS_N = 60, EACH_BYTES = 512 /* the most, with its reply and its administration */ };

static uint64_t counter; /* registered: only its owner changes it, when it makes progress */

static void ask(tsr_addr there, _Atomic uint32_t *asked) {
  const uint64_t one = 1;
  uint64_t old[REQUESTS_N];
  tsr_op op = {0};
  int64_t before = tsr_heap_live_bytes();
  for (int i = 0; i < REQUESTS_N; i++) { /* every third one does not fetch the old value */
    old[i] = UINT64_MAX;
    CHECK_EQ(tsr_fetch(there, TSR_U64, TSR_SUM, &one, i % 3 ? &old[i] : NULL, &op), TESSERA_OK);
  }
  int64_t held = tsr_heap_live_bytes() - before;
  CHECK(held > 0 && held <= REQUESTS_N * EACH_BYTES);
  atomic_store(asked, 1);
  tsr_op_wait_remote(&op, there.unit);
  for (int i = 0; i < REQUESTS_N; i++) CHECK_EQ(old[i], i % 3 ? (uint64_t)i : UINT64_MAX);
  CHECK_EQ(tsr_heap_live_bytes(), before);
}

int main(int argc, char **argv) {
  if (tessera_init(&argc, &argv)) return EXIT_FAILURE;
  tsr_segment *flag, *registered;
  CHECK_EQ(tsr_segment_alloc(tsr_team_world, sizeof(uint32_t), &flag), TESSERA_OK);
  CHECK_EQ(tsr_segment_register(tsr_team_world, &counter, sizeof counter, &registered), TESSERA_OK);
  int32_t self = tsr_place.self;
  bool near = self < 2 && tsr_place_is_local(TSR_UNIT(1 - self));
  _Atomic uint32_t *asked = near ? tsr_place_pointer(tsr_segment_address(flag, TSR_MEMBER(1), 0)) : NULL;
  if (near && self == 1) atomic_store(asked, 0);
  tsr_bootstrap_barrier(tsr_team_world);
  if (near && self == 0) ask(tsr_segment_address(registered, TSR_MEMBER(1), 0), asked);
  while (near && self == 1 && !atomic_load(asked)) sched_yield(); /* without progress */
  tsr_bootstrap_barrier(tsr_team_world);
  CHECK_EQ(counter, near && self == 1 ? REQUESTS_N : 0);
  CHECK_EQ(tsr_segment_deregister(registered), TESSERA_OK);
  CHECK_EQ(tsr_segment_free(flag), TESSERA_OK);
  CHECK_EQ(tessera_exit(), TESSERA_OK);
  return check_result();
}
