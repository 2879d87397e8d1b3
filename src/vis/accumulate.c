#include "vis/accumulate.h"

#include "base/scale.h"
#include "core/handlers.h"
#include "core/place.h"
#include "core/runtime.h"
#include "net/net.h"
#include "rma/atomic.h"
#include "vis/adder.h"
#include "vis/message.h"
#include "vis/pack.h"

/* Between nodes the origin multiplies, in the message that it has packed: target and wire know of no scale, the work is
 * done by whoever wants it instead of the one whom all ask, and as products are rounded before they are added the sums are
 * the same as on the own node. */
struct factor {
  tsr_type type;
  const void *scale;
};

static void multiply(const struct factor *factor, void *data, size_t bytes) {
  if (factor->scale) tsr_scale(factor->type, data, factor->scale, bytes / tsr_type_bytes(factor->type));
}

void tsr_acc_local(void *dest, const void *src, size_t bytes, tsr_type type, const void *scale) {
  tsr_adder adder = tsr_adder_open(type, scale);
  tsr_adder_run(&adder, dest, src, bytes);
  tsr_adder_close(&adder);
}

/* ---- layouts ---- */

struct packing_layout {
  struct tsr_piece piece;
  struct factor factor;
};

static void pack_layout(void *dest, const void *arg) {
  const struct packing_layout *packing = arg;
  multiply(&packing->factor, tsr_piece_pack(dest, &packing->piece), packing->piece.bytes);
}

static tessera_status_t send_pieces(tsr_addr dest, const tsr_layout *theirs, const void *src, const tsr_layout *ours,
                                    struct factor factor, tsr_op *op) {
  size_t total = tsr_layout_bytes(theirs), length = tsr_piece_length(theirs, total);
  tessera_status_t status = TESSERA_OK;
  for (size_t from = 0; from < total && !status; from += length) {
    size_t bytes = total - from < length ? total - from : length;
    struct packing_layout packing = {{theirs, ours, src, from, bytes}, factor};
    struct tsr_net_request request = tsr_piece_request(dest, TSR_H_ACC_LAYOUT, &packing.piece);
    request.args[4] = factor.type;
    request.pack = pack_layout;
    request.pack_arg = &packing;
    request.payload_bytes += bytes;
    status = tsr_op_request(op, &request, NULL, NULL);
  }
  return status;
}

tessera_status_t tsr_acc_layout(tsr_addr dest, const tsr_layout *dest_layout, const void *src, const tsr_layout *src_layout,
                                tsr_type type, const void *scale, tsr_op *op) {
  void *remote_addr = tsr_place_pointer(dest);
  if (remote_addr) {
    tsr_adder adder = tsr_adder_open(type, scale);
    tsr_adder_layout(&adder, remote_addr, dest_layout, src, src_layout);
    tsr_adder_close(&adder);
    return TESSERA_OK;
  }
  tsr_layout theirs = *dest_layout, ours = *src_layout;
  int their_line = tsr_layout_simplify(&theirs), our_line = tsr_layout_simplify(&ours);
  if (their_line && our_line && !scale)
    return tsr_accumulate(dest, type, TSR_SUM, src, ours.elem_bytes / tsr_type_bytes(type), op);
  return send_pieces(dest, &theirs, src, &ours, (struct factor){type, scale}, op);
}

/* ---- lists of runs ---- */

struct packing_iov {
  struct tsr_list_part part;
  uint64_t target_off;
  const void *src;
  tsr_iov_cursor *local; /* packing passes what it has packed */
  struct factor factor;
};

static void pack_iov(void *dest, const void *arg) {
  const struct packing_iov *packing = arg;
  char *data = tsr_list_write(dest, &packing->part, packing->target_off);
  tsr_iov_pack(data, packing->src, packing->local, packing->part.bytes);
  multiply(&packing->factor, data, packing->part.bytes);
}

static tessera_status_t send_iov(tsr_addr dest, const tsr_iov *theirs, const void *src, const tsr_iov *ours,
                                  struct factor factor, tsr_op *op) {
  tsr_iov_cursor remote = tsr_iov_begin(theirs), local = tsr_iov_begin(ours);
  tessera_status_t status = TESSERA_OK;
  while (remote.left_bytes && !status) {
    struct tsr_list_part part = tsr_list_take(&remote, true, tsr_net_limits.payload_bytes, tsr_type_bytes(factor.type));
    struct packing_iov packing = {part, dest.off, src, &local, factor};
    struct tsr_net_request request = tsr_wire_request(TSR_H_ACC_IOV, dest, part.iov_n, part.bytes);
    request.args[4] = factor.type;
    request.pack = pack_iov;
    request.pack_arg = &packing;
    request.payload_bytes += part.bytes;
    status = tsr_op_request(op, &request, NULL, NULL);
  }
  return status;
}

tessera_status_t tsr_acc_iov(tsr_addr dest, const tsr_iov *dest_iov, const void *src, const tsr_iov *src_iov,
                              tsr_type type, const void *scale, tsr_op *op) {
  void *remote_addr = tsr_place_pointer(dest);
  if (!remote_addr) return send_iov(dest, dest_iov, src, src_iov, (struct factor){type, scale}, op);
  tsr_adder adder = tsr_adder_open(type, scale);
  tsr_adder_iov(&adder, remote_addr, dest_iov, src, src_iov);
  tsr_adder_close(&adder);
  return TESSERA_OK;
}

/* ---- at the target ---- */

static tsr_adder open_for(const struct tsr_net_in *in) {
  if (in->args[4] >= TSR_TYPES_N)
    tsr_abort(1, "an accumulate of rank %d names type %llu, which does not exist", in->rank, (unsigned long long)in->args[4]);
  return tsr_adder_open((tsr_type)in->args[4], NULL);
}

static void check_whole(const struct tsr_net_in *in, const tsr_adder *adder, uint64_t bytes) {
  if (bytes % adder->elem_bytes)
    tsr_abort(1, "an accumulate of rank %d is to change %llu bytes, which are not elements of %zu", in->rank,
              (unsigned long long)bytes, adder->elem_bytes);
}

static void serve_acc_layout(const struct tsr_net_in *in, struct tsr_net_out *out) {
  (void)out;
  tsr_layout layout;
  char *remote_addr;
  struct tsr_range range;
  const char *data = tsr_piece_read_data(in, &layout, &remote_addr);
  tsr_adder adder = open_for(in);
  check_whole(in, &adder, layout.elem_bytes);
  check_whole(in, &adder, in->args[2]);
  check_whole(in, &adder, in->args[3]);
  tsr_range_start(&range, &layout, in->args[2], in->args[3]);
  for (; tsr_range_next(&range); data += range.piece_bytes) {
    tsr_layout line = tsr_layout_contiguous(range.piece_bytes);
    tsr_adder_layout(&adder, remote_addr + range.piece_off, &range.piece, data, &line);
  }
  tsr_adder_close(&adder);
}

static void serve_acc_iov(const struct tsr_net_in *in, struct tsr_net_out *out) {
  (void)out;
  struct tsr_list list = tsr_list_read(in, in->args[2]);
  tsr_adder adder = open_for(in);
  for (size_t i = 0; i < list.iov_n; i++) check_whole(in, &adder, tsr_list_bytes(&list, i));
  const char *data = tsr_list_data(&list);
  for (size_t i = 0; i < list.iov_n; i++) {
    tsr_adder_run(&adder, tsr_list_run(&list, i), data, tsr_list_bytes(&list, i));
    data += tsr_list_bytes(&list, i);
  }
  tsr_adder_close(&adder);
}

__attribute__((constructor)) static void register_handlers(void) {
  tsr_net_register(TSR_H_ACC_LAYOUT, serve_acc_layout);
  tsr_net_register(TSR_H_ACC_IOV, serve_acc_iov);
}
