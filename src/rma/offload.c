#include "rma/offload.h"

#include <string.h>

#include "base/config.h"
#include "base/wait.h"
#include "core/agent.h"
#include "core/overlap.h"
#include "core/progress.h"
#include "core/runtime.h"
#include "node/attach.h"
#include "rma/offload_request.h"
#include "rma/rma.h"

struct tsr_offload tsr_offload = {SIZE_MAX, SIZE_MAX};

/* Requests of this unit in progress. A unit with MOST_N requests in progress starts one transfer after the other and does not
 * compute. It makes further transfers itself, so that the agent does not do all the work. */
enum { MOST_N = 4 };
static _Atomic int under_way_n;

/* Requests handed over so far. One thread begins an op and another may end it. The agent between them may be another process,
 * where the thread sanitizer does not see the order; it sees the order of accesses to this counter. */
static _Atomic unsigned handed_n;

/* False: the unit makes the transfer itself. */
static bool hand_over(bool is_put, tsr_addr remote, const void *buffer, size_t bytes, tsr_op *op) {
  uint32_t local = 0;
  uint64_t off = 0;
  /* A progress thread of this process competes with this thread for the transport. Handing over pays only if the unit computes
   * meanwhile, and a core is free for the progress thread. */
  if (tsr_agent_is_own_thread() && (!tsr_overlap_computes() || tsr_overlap_oversubscribed())) return false;
  if (tsr_addr_is_outside(remote) || atomic_load_explicit(&under_way_n, memory_order_relaxed) >= MOST_N) return false;
  const bool is_private = !tsr_heap_contains(buffer, &local, &off);
  if (is_private && !tsr_agent_reaches_us()) return false; /* the kernel does not permit the copy, or the agent has not tried yet */
  const struct tsr_offload_request request = {
      .off = remote.off,
      .buffer = is_private ? (uint64_t)(uintptr_t)buffer : tsr_heap_distance(local, off),
      .bytes = bytes,
      .op = (uint64_t)(uintptr_t)op,
      .unit = remote.unit.id,
      .origin = tsr_heap.self & ((1u << 30) - 1),
      .is_put = is_put,
      .is_private = is_private};
  tsr_op_begin(op);
  atomic_fetch_add_explicit(&under_way_n, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&handed_n, 1, memory_order_release); /* partner: take_offload_done() */
  tsr_agent_give(TSR_RECORD_OFFLOAD, &request, sizeof request);
  return true;
}

tessera_status_t tsr_offload_put(tsr_addr dest, const void *src, size_t bytes, tsr_op *op) {
  tessera_status_t status = hand_over(true, dest, src, bytes, op) ? TESSERA_OK : tsr_put(dest, src, bytes, op);
  if (tsr_agent_is_own_thread()) tsr_overlap_leave(); /* no other call feeds the unit's overlap heuristic */
  return status;
}

tessera_status_t tsr_offload_get(void *dest, tsr_addr src, size_t bytes, tsr_op *op) {
  tessera_status_t status = hand_over(false, src, dest, bytes, op) ? TESSERA_OK : tsr_get(dest, src, bytes, op);
  if (tsr_agent_is_own_thread()) tsr_overlap_leave();
  return status;
}

void tsr_offload_end(uint64_t op) {
  atomic_fetch_sub_explicit(&under_way_n, 1, memory_order_relaxed);
  tsr_op_end((tsr_op *)(uintptr_t)op);
}

/* At the unit: an agent has completed some requests. */
static void take_offload_done(const struct tsr_ring_record *record) {
  (void)atomic_load_explicit(&handed_n, memory_order_acquire);
  for (uint32_t at = 0; at < record->bytes; at += (uint32_t)sizeof(uint64_t)) {
    uint64_t op;
    memcpy(&op, (const char *)record->payload + at, sizeof op);
    tsr_offload_end(op);
  }
}

static void start_offload(void) {
  bool agents = tsr_agent_exists();
  tsr_offload.remote_bytes = agents && tsr_place.nodes_n > 1 ? tsr_config.offload : SIZE_MAX;
  tsr_offload.local_bytes = agents && tsr_place.agents_n > 0 ? tsr_config.offload : SIZE_MAX;
}

static const struct tsr_agent_work work = {start_offload, tsr_offload_request_any, tsr_offload_request_work};

__attribute__((constructor)) static void register_owner(void) {
  tsr_progress_register(TSR_RECORD_OFFLOAD_DONE, take_offload_done);
  tsr_progress_register(TSR_RECORD_OFFLOAD, tsr_offload_request_take);
  tsr_agent_register(&work);
}
