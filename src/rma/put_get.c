#include "rma/rma.h"

#include "base/config.h"
#include "core/proxied.h"
#include "core/handlers.h"
#include "core/registered.h"
#include "core/runtime.h"
#include "net/net.h"
#include "node/attach.h"
#include "rma/serve.h"

/* Memory outside the heap of a unit of this node: the kernel copies at once. TESSERA_ERR_UNSUPPORTED: it takes requests. */
static tessera_status_t copy_attached(tsr_addr remote_addr, enum tsr_attach_way way, void *local_addr, size_t bytes) {
  struct tsr_attach_side ours = tsr_attach_one(local_addr, bytes);
  struct tsr_attach_side theirs = tsr_attach_one(tsr_addr_outside_pointer(remote_addr), bytes);
  return tsr_attach_copy((uint32_t)tsr_place_local(remote_addr.unit), way, &ours, &theirs);
}

/* One request, or put of MPI's own, for each piece of limits.chunk_bytes. Short pieces travel inside the request, and so does the
 * first part of a longer one, so that the target receives data while it makes ready for the bulk. */
tessera_status_t tsr_put_remote(tsr_addr dest, const void *src, size_t bytes, tsr_op *op) {
  tessera_status_t status = tsr_place_is_local(dest.unit) ? copy_attached(dest, TSR_ATTACH_PUT, (void *)src, bytes)
                                                          : TESSERA_ERR_UNSUPPORTED;
  if (status != TESSERA_ERR_UNSUPPORTED) return status;
  const int rank = tsr_place_endpoint(dest);
  const bool by_window = tsr_net->has_window && !tsr_addr_is_outside(dest);
  status = TESSERA_OK;
  for (size_t at = 0, piece; at < bytes && !status; at += piece) {
    const char *from = (const char *)src + at;
    piece = bytes - at < tsr_net_limits.chunk_bytes ? bytes - at : tsr_net_limits.chunk_bytes;
    if (by_window) {
      status = tsr_op_put(op, &(struct tsr_net_piece){.unit = dest.unit.id, .off = dest.off + at, .local_addr = (void *)from,
                                                      .bytes = piece});
      continue;
    }
    const size_t inside = piece <= tsr_net_limits.eager_bytes ? piece : tsr_net_limits.eager_bytes;
    struct tsr_net_request request = {.rank = rank,
                                      .handler = TSR_H_PUT,
                                      .args = {(uint64_t)dest.unit.id, dest.off + at, piece},
                                      .payload = from,
                                      .payload_bytes = inside,
                                      .bulk = inside < piece ? from + inside : NULL,
                                      .bulk_bytes = piece - inside};
    status = tsr_op_request(op, &request, NULL, NULL);
  }
  return status;
}

tessera_status_t tsr_get_remote(void *dest, tsr_addr src, size_t bytes, tsr_op *op) {
  tessera_status_t status = tsr_place_is_local(src.unit) ? copy_attached(src, TSR_ATTACH_GET, dest, bytes)
                                                         : TESSERA_ERR_UNSUPPORTED;
  if (status != TESSERA_ERR_UNSUPPORTED) return status;
  const int rank = tsr_place_endpoint(src);
  const bool by_window = tsr_net->has_window && !tsr_addr_is_outside(src);
  status = TESSERA_OK;
  for (size_t at = 0, piece; at < bytes && !status; at += piece) {
    char *to = (char *)dest + at;
    piece = bytes - at < tsr_net_limits.chunk_bytes ? bytes - at : tsr_net_limits.chunk_bytes;
    if (by_window) {
      status = tsr_op_get(op, &(struct tsr_net_piece){.unit = src.unit.id, .off = src.off + at, .local_addr = to,
                                                      .bytes = piece});
      continue;
    }
    struct tsr_net_request request = {.rank = rank,
                                      .handler = TSR_H_GET,
                                      .args = {(uint64_t)src.unit.id, src.off + at, piece},
                                      .reply = to,
                                      .reply_bytes = piece};
    status = tsr_op_request(op, &request, NULL, NULL);
  }
  return status;
}

bool tsr_rma_is_at_once(tsr_addr remote_addr) {
  int32_t local = tsr_place_local(remote_addr.unit);
  return tsr_place_pointer(remote_addr) || (local >= 0 && tsr_attach_works((uint32_t)local));
}

void tsr_rma_need(struct tsr_op_need *need, tsr_addr remote_addr, size_t bytes) {
  const bool by_window = tsr_net->has_window && !tsr_addr_is_outside(remote_addr);
  if (tsr_rma_is_at_once(remote_addr)) return;
  for (size_t at = 0, piece; at < bytes; at += piece) {
    piece = bytes - at < tsr_net_limits.chunk_bytes ? bytes - at : tsr_net_limits.chunk_bytes;
    if (by_window) need->pieces_n++;
    else tsr_op_need_request(need, tsr_place_endpoint(remote_addr), 0, piece);
  }
}

tessera_status_t tsr_put_wait(tsr_addr dest, const void *src, size_t bytes) {
  tsr_op op = {0};
  tessera_status_t status = tsr_put(dest, src, bytes, &op);
  atomic_thread_fence(memory_order_release); /* the data is there before what this thread stores next */
  tsr_op_wait_remote(&op, dest.unit);
  return status;
}

tessera_status_t tsr_get_wait(void *dest, tsr_addr src, size_t bytes) {
  tsr_op op = {0};
  tessera_status_t status = tsr_get(dest, src, bytes, &op);
  tsr_op_wait_remote(&op, src.unit);
  return status;
}

/* Only its unit reaches memory outside the heaps, and only while it is registered. */
static void *outside_range(tsr_addr address, uint64_t bytes) {
  void *remote_addr = tsr_place_pointer(address);
  return remote_addr && tsr_registered_holds(remote_addr, bytes) ? remote_addr : NULL;
}

static void *heap_range(tsr_addr address, uint64_t bytes) {
  uint64_t slice = tsr_heap_slice_bytes();
  return address.off <= slice && bytes <= slice - address.off ? tsr_place_pointer(address) : NULL;
}

void *tsr_serve_range(const struct tsr_net_in *in, uint64_t off, uint64_t bytes) {
  bool in_world = in->args[0] < (uint64_t)tsr_place.units_n;
  tsr_addr address = {TSR_UNIT(in_world ? (int32_t)in->args[0] : 0), off};
  void *remote_addr = NULL;
  if (in_world) remote_addr = tsr_addr_is_outside(address) ? outside_range(address, bytes) : heap_range(address, bytes);
  if (!remote_addr && in_world && tsr_addr_is_outside(address))
    tsr_abort(1, "TSR-0610 a transfer of rank %d names %llu bytes at %p of unit %llu, which are not registered: the unit has "
              "ended their "
              "registration (as dart_team_memderegister), or they lie beyond it; let a unit end its part when nobody needs it any "
              "more, as after a barrier", in->rank, (unsigned long long)bytes, tsr_addr_outside_pointer(address),
              (unsigned long long)in->args[0]);
  if (!remote_addr)
    tsr_abort(1, "TSR-0611 a request of rank %d names %llu bytes at %llu of unit %llu, which are in no heap of this node",
              in->rank,
              (unsigned long long)bytes, (unsigned long long)off, (unsigned long long)in->args[0]);
  return remote_addr;
}

static void serve_put(const struct tsr_net_in *in, struct tsr_net_out *out) {
  if (in->payload_bytes + in->bulk_bytes != in->args[2])
    tsr_abort(1, "TSR-0612 a put of rank %d announces other than the %llu bytes that it brings", in->rank,
              (unsigned long long)(in->payload_bytes + in->bulk_bytes));
  void *remote_addr = tsr_serve_range(in, in->args[1], in->args[2]);
  if (in->payload_bytes) memcpy(remote_addr, in->payload, in->payload_bytes);
  if (in->bulk_bytes) out->bulk = (char *)remote_addr + in->payload_bytes;
}

static void serve_get(const struct tsr_net_in *in, struct tsr_net_out *out) {
  out->reply = tsr_serve_range(in, in->args[1], in->args[2]);
  out->reply_bytes = in->args[2];
}

__attribute__((constructor)) static void register_handlers(void) {
  tsr_net_register(TSR_H_PUT, serve_put);
  tsr_net_register(TSR_H_GET, serve_get);
}
