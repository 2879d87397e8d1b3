#include "vis/accumulate.h"

#include "core/handlers.h"
#include "core/place.h"
#include "core/runtime.h"
#include "net/net.h"
#include "rma/atomic.h"
#include "rma/rma.h"
#include "vis/adder.h"
#include "vis/message.h"

void tsr_acc_local(void *dest, const void *src, size_t bytes, tsr_type type, const void *scale) {
  tsr_adder adder = tsr_adder_open(type, TSR_SUM, scale);
  tsr_adder_run(&adder, dest, src, bytes);
  tsr_adder_close(&adder);
}

tessera_status_t tsr_acc_layout(tsr_addr dest, const tsr_layout *dest_layout, const void *src, const tsr_layout *src_layout,
                                tsr_type type, tsr_arith arith, const void *scale, tsr_op *op) {
  void *remote_addr = tsr_place_pointer(dest);
  if (remote_addr) {
    tsr_adder adder = tsr_adder_open(type, arith, scale);
    tsr_adder_layout(&adder, remote_addr, dest_layout, src, src_layout);
    tsr_adder_close(&adder);
    return TESSERA_OK;
  }
  tsr_layout theirs = *dest_layout, ours = *src_layout;
  int their_dense = tsr_layout_simplify(&theirs), our_dense = tsr_layout_simplify(&ours);
  if (their_dense && our_dense && !scale)
    return tsr_accumulate(dest, type, arith, src, ours.elem_bytes / tsr_type_bytes(type), op);
  return tsr_pieces_send(TSR_H_ACC_LAYOUT, dest, &theirs, src, &ours, (struct tsr_factor){type, arith, scale}, op);
}

tessera_status_t tsr_acc_iov(tsr_addr dest, const tsr_iov *dest_iov, const void *src, const tsr_iov *src_iov,
                              tsr_type type, tsr_arith arith, const void *scale, tsr_op *op) {
  void *remote_addr = tsr_place_pointer(dest);
  if (remote_addr) {
    tsr_adder adder = tsr_adder_open(type, arith, scale);
    tsr_adder_iov(&adder, remote_addr, dest_iov, src, src_iov);
    tsr_adder_close(&adder);
    return TESSERA_OK;
  }
  tsr_iov_cursor remote = tsr_iov_begin(dest_iov), local = tsr_iov_begin(src_iov);
  tessera_status_t status = TESSERA_OK;
  while (remote.left_bytes && !status)
    status = tsr_list_send(TSR_H_ACC_IOV, dest, &remote, src, &local, (struct tsr_factor){type, arith, scale}, op);
  return status;
}

/* ---- at the target ---- */

static tsr_adder open_adder(const struct tsr_net_in *in) {
  tsr_type type;
  tsr_arith arith;
  const bool exists = tsr_arith_decode(in->args[4], &type, &arith);
  if (!exists || !(arith == TSR_SUM || (arith == TSR_BXOR && tsr_type_is_integer(type))))
    tsr_abort(1, "TSR-0700 an accumulate of rank %d names operation %u on type %u, which does not exist; " TSR_REMEDY_ONE_BUILD,
              in->rank, (unsigned)arith, (unsigned)type);
  return tsr_adder_open(type, arith, NULL);
}

static void check_whole(const struct tsr_net_in *in, const tsr_adder *adder, uint64_t bytes) {
  if (bytes % adder->elem_bytes)
    tsr_abort(1, "TSR-0701 an accumulate of rank %d has %llu bytes, which are not a multiple of the element size, %zu; "
              TSR_REMEDY_ONE_BUILD, in->rank, (unsigned long long)bytes, adder->elem_bytes);
}

static void serve_acc_layout(const struct tsr_net_in *in, struct tsr_net_out *out) {
  (void)out;
  tsr_layout layout;
  char *remote_addr;
  struct tsr_range range;
  const char *data = tsr_piece_read_data(in, &layout, &remote_addr);
  tsr_adder adder = open_adder(in);
  check_whole(in, &adder, layout.elem_bytes);
  check_whole(in, &adder, in->args[2]);
  check_whole(in, &adder, in->args[3]);
  tsr_range_start(&range, &layout, in->args[2], in->args[3]);
  for (; tsr_range_next(&range); data += range.piece_bytes) {
    tsr_layout packed = tsr_layout_contiguous(range.piece_bytes);
    tsr_adder_layout(&adder, remote_addr + range.piece_off, &range.piece, data, &packed);
  }
  tsr_adder_close(&adder);
  tsr_serve_changed(in);
}

static void serve_acc_iov(const struct tsr_net_in *in, struct tsr_net_out *out) {
  (void)out;
  struct tsr_list list = tsr_list_read(in, in->args[2]);
  tsr_adder adder = open_adder(in);
  for (size_t i = 0; i < list.iov_n; i++) check_whole(in, &adder, tsr_list_bytes(&list, i));
  const char *data = tsr_list_data(&list);
  for (size_t i = 0; i < list.iov_n; i++) {
    tsr_adder_run(&adder, tsr_list_run(&list, i), data, tsr_list_bytes(&list, i));
    data += tsr_list_bytes(&list, i);
  }
  tsr_adder_close(&adder);
  tsr_serve_changed(in);
}

__attribute__((constructor)) static void register_handlers(void) {
  tsr_net_register(TSR_H_ACC_LAYOUT, serve_acc_layout);
  tsr_net_register(TSR_H_ACC_IOV, serve_acc_iov);
}
