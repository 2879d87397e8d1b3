/* A progress process moves long non-blocking transfers within its node while the unit makes no calls. The test stops it
 * first, to show that no other process moves them. It merges requests that arrive while it is stopped, if it can. A
 * strided put of ARMCI that is one run is offloaded, too.
 * Units: 4 7
 * Hosts: at most 2, as each host has a progress process besides its units */
#include "check.h"
#include "process_state.h"

#include <sched.h>
#include <signal.h>
#include <string.h>

#include <armci.h>

#include "core/agent.h"
#include "core/bootstrap.h"
#include "core/heap_base.h"
#include "core/place.h"
#include "core/segment.h"
#include "rma/rma.h"

enum { WORDS_N = 3 << 17, SEED_PUT = 1000, SEED_GET = 2000, SEED_BATCH = 3000, SEED_ARMCI = 4000, UNITS_MAX = 7 };
static const size_t bytes = WORDS_N * sizeof(uint64_t);

static pid_t agent; /* of this node; it follows the units */
static _Atomic uint64_t *there; /* the other unit's part, at its address in this unit */
static tsr_addr there_addr;

static void await_agent(void) {
  _Atomic int32_t *pid = &tsr_heap_unit(tsr_place_local_units())->pid;
  while (!atomic_load(pid)) sched_yield(); /* until the monitor has seen it */
  agent = atomic_load(pid);
}

static void stop_agent(void) {
  CHECK_EQ(kill(agent, SIGSTOP), 0);
  while (process_state(agent) != 'T') sched_yield();
}

static void fill(_Atomic uint64_t *words, uint64_t seed) {
  for (uint64_t i = 0; i < WORDS_N; i++) atomic_store_explicit(&words[i], seed + i, memory_order_relaxed);
}

static uint64_t count_words(const _Atomic uint64_t *words, uint64_t seed) {
  uint64_t n = 0;
  for (uint64_t i = 0; i < WORDS_N; i++) n += atomic_load_explicit(&words[i], memory_order_acquire) == seed + i;
  return n;
}

/* The agent is stopped, and has a transfer into `words` to do. */
static void expect_agent_moves(const _Atomic uint64_t *words, uint64_t seed, const tsr_op *op) {
  CHECK_EQ(count_words(words, seed), 0);
  CHECK(!tsr_op_remote_done(op));
  CHECK_EQ(kill(agent, SIGCONT), 0);
  while (count_words(words, seed) < WORDS_N) continue; /* makes no calls of the library */
}

static void put(_Atomic uint64_t *buffer) {
  tsr_op op = {0};
  fill(buffer, SEED_PUT);
  fill(there, 0);
  stop_agent();
  CHECK_EQ(tsr_put_nb(there_addr, (const void *)buffer, bytes, &op), TESSERA_OK);
  expect_agent_moves(there, SEED_PUT, &op);
  tsr_op_wait_remote(&op, there_addr.unit);
}

static void get(_Atomic uint64_t *buffer) {
  tsr_op op = {0};
  fill(there, SEED_GET);
  fill(buffer, 0);
  stop_agent();
  CHECK_EQ(tsr_get_nb((void *)buffer, there_addr, bytes, &op), TESSERA_OK);
  expect_agent_moves(buffer, SEED_GET, &op);
  tsr_op_wait_remote(&op, there_addr.unit);
}

/* Four offload requests while the agent is stopped: three that can only be merged in order, each where the one before
 * ends, and one behind a gap. */
static void batch(_Atomic uint64_t *buffer, tsr_addr dest, const _Atomic uint64_t *at_dest) {
  enum { PIECE_N = 1 << 13, PIECES_N = 4 };
  const size_t piece = PIECE_N * sizeof(uint64_t), offs[PIECES_N] = {0, piece, 2 * piece, 4 * piece};
  struct tsr_node_agent *post = &tsr_heap.memory->agents[0];
  uint64_t requests_n = atomic_load(&post->requests_n), transfers_n = atomic_load(&post->transfers_n);
  tsr_op ops[PIECES_N] = {0};
  fill(buffer, SEED_BATCH + (uint64_t)dest.unit.id);
  stop_agent();
  for (int i = 0; i < PIECES_N; i++) {
    tsr_addr to = {dest.unit, dest.off + offs[i]};
    CHECK_EQ(tsr_put_nb(to, (const char *)buffer + offs[i], piece, &ops[i]), TESSERA_OK);
  }
  for (int i = 0; i < PIECES_N; i++) CHECK(!tsr_op_remote_done(&ops[i]));
  CHECK_EQ(kill(agent, SIGCONT), 0);
  for (int i = 0; i < PIECES_N; i++) tsr_op_wait_remote(&ops[i], dest.unit);
  CHECK_EQ(atomic_load(&post->requests_n) - requests_n, PIECES_N);
  CHECK_EQ(atomic_load(&post->transfers_n) - transfers_n, 2);
  if (at_dest) CHECK_EQ(count_words(at_dest, SEED_BATCH + (uint64_t)dest.unit.id), PIECES_N * PIECE_N);
}

/* To memory that no unit of this node can access: a get fetches the data back. */
static void batch_far(_Atomic uint64_t *buffer, tsr_addr dest) {
  fill(buffer, 0);
  CHECK_EQ(tsr_put_wait(dest, (const void *)buffer, bytes), TESSERA_OK);
  batch(buffer, dest, NULL);
  CHECK_EQ(tsr_get_wait((void *)buffer, dest, bytes), TESSERA_OK);
  CHECK_EQ(count_words(buffer, SEED_BATCH + (uint64_t)dest.unit.id), 4 << 13);
}

/* False: the kernel does not allow it here, or it is switched off. */
static bool private_memory_is_reached(void) {
  _Atomic int32_t *reach = &tsr_heap_unit(tsr_heap.self)->agent_reach;
  while (!tsr_agent_reaches_us() && atomic_load(reach) != TSR_REACH_DENIED) sched_yield();
  return atomic_load(reach) != TSR_REACH_DENIED;
}

static void batches(_Atomic uint64_t *buffer, tsr_addr elsewhere) {
  fill(there, 0);
  batch(buffer, there_addr, there);
  if (!tsr_place_is_local(elsewhere.unit)) batch_far(buffer, elsewhere);
}

static void transfers(_Atomic uint64_t *in_heap, _Atomic uint64_t *private, tsr_addr elsewhere) {
  put(in_heap);
  get(in_heap);
  batches(in_heap, elsewhere);
  if (private_memory_is_reached()) {
    put(private);
    get(private);
    batches(private, elsewhere);
  } else if (tsr_place.self == 0) {
    printf("not from private memory: an agent may not read it here\n");
  }
}

/* A strided put of ARMCI that is one run: the caller copies it, unless it is offloaded. */
static void armci_one_run(_Atomic uint64_t *buffer, void *dest, int proc) {
  int count[] = {(int)bytes};
  armci_hdl_t handle;
  uint64_t off = (uint64_t)(uintptr_t)dest - tsr_heap_base_look_up(TSR_UNIT(proc)); /* `dest` is the owner's pointer */
  _Atomic uint64_t *words = tsr_place_pointer((tsr_addr){TSR_UNIT(proc), off});
  fill(buffer, SEED_ARMCI);
  fill(words, 0);
  stop_agent();
  ARMCI_INIT_HANDLE(&handle);
  CHECK_EQ(ARMCI_NbPutS((void *)buffer, NULL, dest, NULL, count, 0, proc, &handle), 0);
  CHECK_EQ(count_words(words, SEED_ARMCI), 0);
  CHECK_EQ(kill(agent, SIGCONT), 0);
  while (count_words(words, SEED_ARMCI) < WORDS_N) continue; /* makes no calls of the library */
  CHECK_EQ(ARMCI_Wait(&handle), 0);
}

/* Every unit in turn puts from its own part into the part of the next unit of its node. */
static void armci_puts(void) {
  void *parts[UNITS_MAX], *sources[UNITS_MAX];
  CHECK_EQ(ARMCI_Init(), 0);
  CHECK_EQ(ARMCI_Malloc(parts, (armci_size_t)bytes), 0);
  CHECK_EQ(ARMCI_Malloc(sources, (armci_size_t)bytes), 0);
  int next = tsr_place_unit((tsr_heap.self + 1) % tsr_place_local_units()).id;
  for (int32_t turn = 0; turn < tsr_place.units_n; turn++) {
    if (turn == tsr_place.self) armci_one_run(sources[turn], parts[next], next);
    ARMCI_Barrier();
  }
  CHECK_EQ(ARMCI_Free(sources[tsr_place.self]), 0);
  CHECK_EQ(ARMCI_Free(parts[tsr_place.self]), 0);
  CHECK_EQ(ARMCI_Finalize(), 0);
}

int main(int argc, char **argv) {
  setenv("TESSERA_PROGRESS", "process:1", 1);
  setenv("TESSERA_OFFLOAD", "64K", 1);
  if (tessera_init(&argc, &argv)) return EXIT_FAILURE;
  tsr_segment *target, *source;
  CHECK_EQ(tsr_segment_alloc(tsr_team_world, bytes, &target), TESSERA_OK);
  CHECK_EQ(tsr_segment_alloc(tsr_team_world, bytes, &source), TESSERA_OK);
  _Atomic uint64_t *private = malloc(bytes);
  uint32_t next = (tsr_heap.self + 1) % tsr_place_local_units(); /* alone on its node: itself */
  there_addr = tsr_segment_address(target, TSR_MEMBER(tsr_place_unit(next).id), 0);
  there = tsr_place_pointer(there_addr);
  await_agent();
  for (int32_t turn = 0; turn < tsr_place.units_n; turn++) {
    tsr_addr elsewhere = tsr_segment_address(target, TSR_MEMBER(tsr_place.units_n - 1 - turn), 0);
    if (turn == tsr_place.self)
      transfers(tsr_place_pointer(tsr_segment_address(source, TSR_MEMBER(turn), 0)), private, elsewhere);
    tsr_bootstrap_barrier(tsr_team_world);
  }
  armci_puts();
  free((void *)private);
  CHECK_EQ(tsr_segment_free(source), TESSERA_OK);
  CHECK_EQ(tsr_segment_free(target), TESSERA_OK);
  CHECK_EQ(tessera_exit(), TESSERA_OK);
  return check_result();
}
