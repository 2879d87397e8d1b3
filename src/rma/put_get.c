#include "rma/rma.h"

#include "base/bits.h"
#include "base/copy.h"
#include "core/registered.h"
#include "core/runtime.h"
#include "node/attach.h"

/* A put or get through the transport's window, and a request to the owner of memory on the own node, move up to chunk_bytes. */
static size_t piece_bytes(bool is_put, bool by_window, tsr_addr remote, size_t bytes, size_t left) {
  if (by_window || tsr_place_is_local(remote.unit)) return tsr_min_size(left, tsr_net_limits.chunk_bytes);
  return tsr_rma_piece(is_put, bytes, left);
}

tessera_status_t tsr_transfer_remote(bool is_put, tsr_addr remote, void *local, size_t bytes, tsr_op *op) {
  tessera_status_t status = TESSERA_OK;
  if (tsr_place_is_local(remote.unit)) { /* memory outside the heap: the kernel copies at once, if it is permitted */
    struct tsr_attach_side ours = tsr_attach_one(local, bytes);
    struct tsr_attach_side theirs = tsr_attach_one(tsr_addr_outside_pointer(remote), bytes);
    status = tsr_attach_copy((uint32_t)tsr_place_local(remote.unit), is_put ? TSR_ATTACH_PUT : TSR_ATTACH_GET, &ours, &theirs);
    if (status != TESSERA_ERR_UNSUPPORTED) return status;
    status = TESSERA_OK;
  }
  const bool by_window = tsr_net->has_window && !tsr_addr_is_outside(remote);
  for (size_t at = 0, piece; at < bytes && !status; at += piece) {
    char *local_addr = (char *)local + at;
    piece = piece_bytes(is_put, by_window, remote, bytes, bytes - at);
    if (by_window) {
      struct tsr_net_piece part = {.unit = remote.unit.id, .off = remote.off + at, .local_addr = local_addr, .bytes = piece};
      status = is_put ? tsr_op_put(op, &part) : tsr_op_get(op, &part);
    } else {
      struct tsr_net_request request = tsr_rma_request(is_put, (tsr_addr){remote.unit, remote.off + at}, local_addr, piece);
      status = tsr_op_request(op, &request, NULL, NULL);
    }
  }
  return status;
}

bool tsr_rma_is_at_once(tsr_addr remote_addr) {
  int32_t local = tsr_place_local(remote_addr.unit);
  return tsr_place_pointer(remote_addr) || (local >= 0 && tsr_attach_works((uint32_t)local));
}

void tsr_rma_need(struct tsr_op_need *need, bool is_put, tsr_addr remote_addr, size_t bytes) {
  const bool by_window = tsr_net->has_window && !tsr_addr_is_outside(remote_addr);
  if (tsr_rma_is_at_once(remote_addr)) return;
  for (size_t at = 0, piece; at < bytes; at += piece) {
    piece = piece_bytes(is_put, by_window, remote_addr, bytes, bytes - at);
    if (by_window) need->pieces_n++;
    else tsr_op_need_request(need, tsr_place_endpoint(remote_addr), 0, piece);
  }
}

tessera_status_t tsr_put_wait(tsr_addr dest, const void *src, size_t bytes) {
  tsr_op op = {0};
  tessera_status_t status = tsr_put(dest, src, bytes, &op);
  atomic_thread_fence(memory_order_release); /* the data is stored before what this thread stores next */
  tsr_op_wait_remote(&op, dest.unit);
  return status;
}

tessera_status_t tsr_get_wait(void *dest, tsr_addr src, size_t bytes) {
  tsr_op op = {0};
  tessera_status_t status = tsr_get(dest, src, bytes, &op);
  tsr_op_wait_remote(&op, src.unit);
  return status;
}

/* Only the owner accesses memory outside the heaps, and only while the memory is registered. */
void *tsr_serve_range(const struct tsr_net_in *in, uint64_t off, uint64_t bytes) {
  const bool in_world = in->args[0] < (uint64_t)tsr_place.units_n;
  const tsr_addr address = {TSR_UNIT(in_world ? (int32_t)in->args[0] : 0), off};
  const bool outside = in_world && tsr_addr_is_outside(address);
  const uint64_t slice = tsr_heap_slice_bytes();
  void *remote_addr = NULL;
  if (outside || (in_world && off <= slice && bytes <= slice - off)) remote_addr = tsr_place_pointer(address);
  if (outside && remote_addr && !tsr_registered_holds(remote_addr, bytes)) remote_addr = NULL;
  if (!remote_addr && outside)
    tsr_abort(1, "TSR-0610 a transfer of rank %d accesses %llu bytes at %p of unit %llu, which are not registered: their "
              "registration has ended (as by dart_team_memderegister), or they extend beyond it; end a registration only when no "
              "unit needs it any more, such as after a barrier", in->rank, (unsigned long long)bytes,
              tsr_addr_outside_pointer(address), (unsigned long long)in->args[0]);
  if (!remote_addr)
    tsr_abort(1,
              "TSR-0611 a request of rank %d names %llu bytes at %llu of unit %llu, which are in no heap of this "
              "node; " TSR_REMEDY_ONE_BUILD,
              in->rank, (unsigned long long)bytes, (unsigned long long)off, (unsigned long long)in->args[0]);
  return remote_addr;
}

/* A program may poll a word that a put changes. It sees the whole word or none of it and, with the word, all that this thread
 * stored before. */
static void store_payload(void *dest, const struct tsr_net_in *in) {
  uint64_t word;
  uint32_t half;
  if (in->payload_bytes == sizeof word && (uintptr_t)dest % sizeof word == 0) {
    memcpy(&word, in->payload, sizeof word);
    __atomic_store_n((uint64_t *)dest, word, __ATOMIC_RELEASE);
  } else if (in->payload_bytes == sizeof half && (uintptr_t)dest % sizeof half == 0) {
    memcpy(&half, in->payload, sizeof half);
    __atomic_store_n((uint32_t *)dest, half, __ATOMIC_RELEASE);
  } else {
    tsr_copy(dest, in->payload, in->payload_bytes);
  }
}

static void serve_put(const struct tsr_net_in *in, struct tsr_net_out *out) {
  if (in->payload_bytes + in->bulk_bytes != in->args[2])
    tsr_abort(1, "TSR-0612 a put of rank %d carries %llu bytes, but announces %llu; " TSR_REMEDY_ONE_BUILD, in->rank,
              (unsigned long long)(in->payload_bytes + in->bulk_bytes), (unsigned long long)in->args[2]);
  void *remote_addr = tsr_serve_range(in, in->args[1], in->args[2]);
  if (in->payload_bytes) store_payload(remote_addr, in);
  if (!in->bulk_bytes) {
    tsr_serve_changed(in);
    return;
  }
  out->bulk = (char *)remote_addr + in->payload_bytes;
  out->on_bulk = tsr_rma_changed;
  out->on_bulk_arg = tsr_serve_local(in);
}

static void serve_get(const struct tsr_net_in *in, struct tsr_net_out *out) {
  out->reply = tsr_serve_range(in, in->args[1], in->args[2]);
  out->reply_bytes = in->args[2];
}

__attribute__((constructor)) static void register_handlers(void) {
  tsr_net_register(TSR_H_PUT, serve_put);
  tsr_net_register(TSR_H_GET, serve_get);
}
