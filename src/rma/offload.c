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

/* Requests of this unit that have not ended. A unit that has given several and goes on does not compute, but starts one
 * transfer after the other: then it does the next ones itself, rather than have the agent do all the work. */
enum { MOST_N = 4 };
static _Atomic int under_way_n;

/* How many have been handed over. One thread begins an op and another may end it; what lies between is ordered by an agent
 * that may be another process, where the thread sanitizer does not see it. It sees this. */
static _Atomic unsigned handed_n;

/* The buffer as the agent knows it. Private memory takes the kernel's help, unless the agent is a thread of ours. */
static bool locate_buffer(const void *buffer, struct tsr_offload_request *order) {
  uint32_t local = 0;
  uint64_t off = 0;
  order->origin = tsr_heap.self;
  order->is_private = !tsr_heap_contains(buffer, &local, &off);
  order->buffer = order->is_private ? (uint64_t)(uintptr_t)buffer : tsr_heap_distance(local, off);
  return !order->is_private || tsr_agent_reaches_us();
}

static bool hand_over(struct tsr_offload_request *order, tsr_addr remote, const void *buffer, size_t bytes,
                      tsr_op *op) {
  if (atomic_load_explicit(&under_way_n, memory_order_relaxed) >= MOST_N) return false;
  if (tsr_addr_is_outside(remote) || !locate_buffer(buffer, order)) return false;
  order->unit = remote.unit.id;
  order->off = remote.off;
  order->bytes = bytes;
  order->op = (uint64_t)(uintptr_t)op;
  tsr_op_begin(op);
  atomic_fetch_add_explicit(&under_way_n, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&handed_n, 1, memory_order_release); /* partner: take_offload_done() */
  tsr_agent_give(TSR_RECORD_OFFLOAD, order, sizeof *order);
  return true;
}

/* A progress thread in our process would be at the transport together with us. When we do not compute meanwhile, but
 * wait for the transfer or start the next one, that only takes a core, perhaps the target's; when we do, it may take
 * ours. */
static bool stays_local(void) {
  return tsr_agent_is_own_thread() && (!tsr_overlap_computes() || tsr_overlap_oversubscribed());
}

/* Nobody else asks for the overlap heuristic of the unit. */
static void leave_overlap(void) {
  if (tsr_agent_is_own_thread()) tsr_overlap_leave();
}

tessera_status_t tsr_offload_put(tsr_addr dest, const void *src, size_t bytes, tsr_op *op) {
  bool handed = !stays_local() && hand_over(&(struct tsr_offload_request){.is_put = true}, dest, src, bytes, op);
  tessera_status_t status = handed ? TESSERA_OK : tsr_put(dest, src, bytes, op);
  leave_overlap();
  return status;
}

tessera_status_t tsr_offload_get(void *dest, tsr_addr src, size_t bytes, tsr_op *op) {
  bool handed = !stays_local() && hand_over(&(struct tsr_offload_request){.is_put = false}, src, dest, bytes, op);
  tessera_status_t status = handed ? TESSERA_OK : tsr_get(dest, src, bytes, op);
  leave_overlap();
  return status;
}

void tsr_offload_end(uint64_t op) {
  atomic_fetch_sub_explicit(&under_way_n, 1, memory_order_relaxed);
  tsr_op_end((tsr_op *)(uintptr_t)op);
}

/* The unit: an agent has done what some requests were for. */
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
