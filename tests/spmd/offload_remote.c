/* The agent, a progress thread of another unit or a progress process, moves long non-blocking transfers to other nodes,
 * and counts them; also from private memory, unless the kernel or TESSERA_ATTACH denies that: then the unit moves the
 * data itself. The unit with the progress thread decides by its overlap heuristic and is not tested here.
 * Units: 4 7
 */
#include "check.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "core/agent.h"
#include "core/bootstrap.h"
#include "core/place.h"
#include "core/segment.h"
#include "rma/rma.h"

enum { WORDS_N = 1 << 14, TIMES_N = 5 };
static const size_t bytes = WORDS_N * sizeof(uint64_t);

static uint64_t requests_n(void) {
  uint64_t n = 0;
  for (int i = 0; i < TSR_NODE_AGENTS_MAX; i++) n += atomic_load(&tsr_heap.memory->agents[i].requests_n);
  return n;
}

static bool private_memory_is_reached(void) {
  _Atomic int32_t *reach = &tsr_heap_unit(tsr_heap.self)->agent_reach;
  while (!tsr_agent_reaches_us() && atomic_load(reach) != TSR_REACH_DENIED) {
    tsr_progress();
    sched_yield();
  }
  return atomic_load(reach) != TSR_REACH_DENIED;
}

static void fill(uint64_t *words, uint64_t seed) {
  for (uint64_t i = 0; i < WORDS_N; i++) words[i] = seed * 7919 + i;
}

static void compare(const uint64_t *words, uint64_t seed) {
  uint64_t good_n = 0;
  for (uint64_t i = 0; i < WORDS_N; i++) good_n += words[i] == seed * 7919 + i;
  CHECK_EQ(good_n, WORDS_N);
}

/* A put and a get, each by as many offload requests. */
static void there_and_back(tsr_addr there, uint64_t *out, uint64_t *in, uint64_t requests_each_n) {
  for (uint64_t i = 0; i < TIMES_N; i++) {
    tsr_op op = {0};
    uint64_t before = requests_n(), seed = (uint64_t)tsr_place.self * 100 + i;
    fill(out, seed);
    CHECK_EQ(tsr_put_nb(there, out, bytes, &op), TESSERA_OK);
    tsr_op_wait_remote(&op, there.unit);
    CHECK_EQ(requests_n() - before, requests_each_n);
    fill(in, 0);
    CHECK_EQ(tsr_get_nb(in, there, bytes, &op), TESSERA_OK);
    tsr_op_wait_remote(&op, there.unit);
    CHECK_EQ(requests_n() - before, 2 * requests_each_n);
    compare(in, seed);
  }
}

static void transfers(tsr_addr there, uint64_t *in_heap, uint64_t *private) {
  bool counts = tsr_agent_exists() && !tsr_agent_is_own_thread();
  if (tsr_agent_is_own_thread()) return;
  there_and_back(there, in_heap, in_heap + WORDS_N, counts);
  bool reached = counts && private_memory_is_reached();
  const char *attach = getenv("TESSERA_ATTACH");
  if (attach && !strcmp(attach, "off")) CHECK(!reached);
  there_and_back(there, private, private + WORDS_N, reached);
}

int main(int argc, char **argv) {
  setenv("TESSERA_OFFLOAD", "64K", 1);
  if (tessera_init(&argc, &argv)) return EXIT_FAILURE;
  if (tessera_nodes() == 1) return tessera_exit() ? EXIT_FAILURE : 77;
  tsr_segment *target, *source;
  CHECK_EQ(tsr_segment_alloc(tsr_team_world, bytes, &target), TESSERA_OK);
  CHECK_EQ(tsr_segment_alloc(tsr_team_world, 2 * bytes, &source), TESSERA_OK);
  uint64_t *private = malloc(2 * bytes);
  int32_t far = tsr_place.node == 0 ? tsr_place.units_n - 1 : 0;
  tsr_addr there = tsr_segment_address(target, TSR_MEMBER(far), 0);
  for (int32_t turn = 0; turn < tsr_place.units_n; turn++) {
    if (turn == tsr_place.self) transfers(there, tsr_place_pointer(tsr_segment_address(source, TSR_MEMBER(turn), 0)), private);
    tsr_bootstrap_barrier(tsr_team_world);
  }
  free(private);
  CHECK_EQ(tsr_segment_free(source), TESSERA_OK);
  CHECK_EQ(tsr_segment_free(target), TESSERA_OK);
  CHECK_EQ(tessera_exit(), TESSERA_OK);
  return check_result();
}
