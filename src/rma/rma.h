/* Put and get. The caller has checked team, segment and range. If this process can access the memory, or the kernel can copy
 * it, the data is copied at once, and `op` is not used. Other transfers are started and counted in `op`. Within the node these
 * are transfers of memory outside the heaps that the kernel does not permit: the owner of the memory copies the data when it
 * makes progress. */
#ifndef TSR_RMA_RMA_H
#define TSR_RMA_RMA_H

#include <stddef.h>

#include "base/bits.h"
#include "base/copy.h"
#include "base/poison.h"
#include "core/handlers.h"
#include "core/op.h"
#include "core/place.h"
#include "net/net.h"
#include "rma/offload.h"

/* Returns how many bytes the next request of a transfer between nodes moves. `bytes`: of the transfer; `left`: not yet
 * requested. */
static inline size_t tsr_rma_piece(bool is_put, size_t bytes, size_t left) {
  const size_t in_request = is_put ? tsr_net_limits.eager_bytes : 0; /* the rest follows */
  return tsr_min_size(left, tsr_net_is_short(bytes) ? in_request + tsr_net_limits.at_once_bytes : tsr_net_limits.chunk_bytes);
}

/* The request for one piece of a put or get. Short data of a put is part of the request, and so is the first part
 * of longer data, so that the target receives data while it prepares for the bulk. */
static inline struct tsr_net_request tsr_rma_request(bool is_put, tsr_addr remote, void *local, size_t bytes) {
  struct tsr_net_request request = {.rank = tsr_place_endpoint(remote),
                                    .handler = is_put ? TSR_H_PUT : TSR_H_GET,
                                    .args = {(uint64_t)remote.unit.id, remote.off, bytes}};
  if (!is_put) {
    request.reply = local;
    request.reply_bytes = bytes;
  } else {
    request.payload = local;
    request.payload_bytes = tsr_min_size(bytes, tsr_net_limits.eager_bytes);
    request.bulk_bytes = bytes - request.payload_bytes;
    if (request.bulk_bytes) request.bulk = (char *)local + request.payload_bytes;
  }
  return request;
}

/* A put or get of memory that tsr_place_pointer does not find: one request, or one put or get of the transport, for
 * each piece (tsr_rma_piece; up to chunk_bytes through the transport's window and on the own node). A put only reads the
 * local memory. */
tessera_status_t tsr_transfer_remote(bool is_put, tsr_addr remote, void *local, size_t bytes, tsr_op *op);
static inline tessera_status_t tsr_put_remote(tsr_addr dest, const void *src, size_t bytes, tsr_op *op) {
  return tsr_transfer_remote(true, dest, (void *)src, bytes, op);
}
static inline tessera_status_t tsr_get_remote(void *dest, tsr_addr src, size_t bytes, tsr_op *op) {
  return tsr_transfer_remote(false, src, dest, bytes, op);
}

/* Put: the source may be reused at local completion of `op`; the data is at the target at remote completion. */
static inline tessera_status_t tsr_put(tsr_addr dest, const void *src, size_t bytes, tsr_op *op) {
  void *remote_addr = tsr_place_pointer(dest);
  if (__builtin_expect(!remote_addr, 0)) return tsr_put_remote(dest, src, bytes, op);
  tsr_copy(remote_addr, src, bytes);
  return TESSERA_OK;
}
/* Get: the data has arrived at local completion, which is also remote completion. */
static inline tessera_status_t tsr_get(void *dest, tsr_addr src, size_t bytes, tsr_op *op) {
  const void *remote_addr = tsr_place_pointer(src);
  if (__builtin_expect(!remote_addr, 0)) return tsr_get_remote(dest, src, bytes, op);
  tsr_copy(dest, remote_addr, bytes);
  return TESSERA_OK;
}

/* The same for callers that do not wait at once: a progress agent may make the transfer. */
static inline tessera_status_t tsr_put_nb(tsr_addr dest, const void *src, size_t bytes, tsr_op *op) {
  if (tsr_offload_wants(dest.unit, bytes)) return tsr_offload_put(dest, src, bytes, op);
  return tsr_put(dest, src, bytes, op);
}
static inline tessera_status_t tsr_get_nb(void *dest, tsr_addr src, size_t bytes, tsr_op *op) {
  if (tsr_offload_wants(src.unit, bytes)) return tsr_offload_get(dest, src, bytes, op);
  return tsr_get(dest, src, bytes, op);
}

/* Whether puts and gets of this memory are complete on return: this process can access it, or the kernel copies. */
bool tsr_rma_is_at_once(tsr_addr remote_addr);
/* Adds the resources that a put or get needs to start without waiting; an _nb call needs no more. */
void tsr_rma_need(struct tsr_op_need *need, bool is_put, tsr_addr remote_addr, size_t bytes);

/* Locally and remotely complete on return. */
tessera_status_t tsr_put_wait(tsr_addr dest, const void *src, size_t bytes);
tessera_status_t tsr_get_wait(void *dest, tsr_addr src, size_t bytes);

/* Called after a change of the memory of a unit of this node: wakes the unit if it waits for such a change. */
static inline void tsr_rma_changed(uint32_t local) {
  struct tsr_node_unit *unit = tsr_heap_unit(local);
  tsr_order_release(unit); /* partner: the acquire in tsr_rma_seen() */
  atomic_thread_fence(memory_order_seq_cst); /* partner: the unit's fence after it raises watches_n, before it polls its memory */
  if (__builtin_expect(atomic_load_explicit(&unit->watches_n, memory_order_relaxed), 0)) tsr_bell_ring(&unit->bell);
}

/* Called by a thread that has polled a variable of its unit. The thread sanitizer does not see the order by itself where the
 * variable is a static one: the program and the library use two addresses for it. */
static inline void tsr_rma_seen(void) { tsr_order_acquire(tsr_heap_unit(tsr_heap.self)); }

/* For handlers: the unit that is the request's first argument; and that its memory has changed. */
static inline uint32_t tsr_serve_local(const struct tsr_net_in *in) {
  return (uint32_t)tsr_place_local(TSR_UNIT((int32_t)in->args[0]));
}
static inline void tsr_serve_changed(const struct tsr_net_in *in) { tsr_rma_changed(tsr_serve_local(in)); }

/* For handlers: the memory of a request whose first argument is the target unit. A range that is neither in a heap of this
 * node nor registered by this unit ends the job: the message is foreign or damaged. */
void *tsr_serve_range(const struct tsr_net_in *in, uint64_t off, uint64_t bytes);

#endif
