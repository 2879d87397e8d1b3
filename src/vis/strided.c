#include "vis/strided.h"

#include "base/bits.h"
#include "base/slab.h"
#include "base/status.h"
#include "core/place.h"
#include "core/runtime.h"
#include "node/attach.h"
#include "rma/rma.h"
#include "vis/message.h"

/* ---- private memory of another process of the node: the kernel copies ---- */

struct attach_side {
  struct tsr_attach_side side;
  char *base;
  tsr_layout_cursor cursor;
};

static bool next_element(struct tsr_attach_side *side) {
  struct attach_side *elements = (struct attach_side *)side;
  tsr_layout_cursor *cursor = &elements->cursor;
  if (!tsr_layout_pass(cursor, cursor->left_bytes)) return false;
  side->entry = (struct iovec){elements->base + cursor->off, cursor->left_bytes};
  return true;
}

static void start_side(struct attach_side *elements, void *base, const tsr_layout *layout) {
  tsr_layout_begin(&elements->cursor, layout);
  elements->base = base;
  elements->side = tsr_attach_one(base, elements->cursor.left_bytes);
  if (elements->cursor.layout.dims > 0) elements->side.next = next_element;
}

/* TESSERA_ERR_UNSUPPORTED: the unit is on another node, or the kernel denies the copy; the caller then sends requests. */
static tessera_status_t copy_attached(enum tsr_attach_way way, void *ours, const tsr_layout *our_layout, tsr_addr theirs,
                                      const tsr_layout *their_layout) {
  const int32_t local = tsr_place_local(theirs.unit);
  if (local < 0 || !tsr_attach_works((uint32_t)local)) return TESSERA_ERR_UNSUPPORTED;
  struct attach_side our_side, their_side;
  start_side(&our_side, ours, our_layout);
  start_side(&their_side, tsr_addr_outside_pointer(theirs), their_layout);
  return tsr_attach_copy((uint32_t)local, way, &our_side.side, &their_side.side);
}

/* ---- another node ---- */

static void pack_get(void *dest, const void *arg) { tsr_layout_encode(((const struct tsr_piece *)arg)->remote, dest); }

/* A bounce buffer for a reply that is unpacked into a layout. */
struct bounce {
  void *dest;
  tsr_layout layout;
  size_t from, bytes;
  char *data;
};
static tsr_slab bounces = TSR_SLAB(sizeof(struct bounce));

static void drop_bounce(struct bounce *bounce) {
  tsr_bounce_give(bounce->data, bounce->bytes);
  tsr_slab_give(&bounces, bounce);
}

static void unpack_bounce(void *arg) {
  struct bounce *bounce = arg;
  tsr_layout_unpack(bounce->dest, &bounce->layout, bounce->from, bounce->bytes, bounce->data);
  drop_bounce(bounce);
}

/* A contiguous destination receives the reply without a bounce buffer. */
static tessera_status_t get_piece(void *dest, const tsr_layout *dest_layout, tsr_addr src, const struct tsr_piece *piece,
                                  tsr_op *op) {
  struct tsr_net_request request = tsr_piece_request(src, TSR_H_GET_LAYOUT, piece);
  request.pack = pack_get;
  request.reply_bytes = piece->bytes;
  if (dest_layout->dims == 0) {
    request.reply = (char *)dest + piece->from;
    return tsr_op_request(op, &request, NULL, NULL);
  }
  struct bounce *bounce = tsr_slab_take(&bounces);
  char *data = bounce ? tsr_bounce_take(src.unit, piece->bytes) : NULL;
  if (!data) {
    if (bounce) tsr_slab_give(&bounces, bounce);
    return tsr_fail(TESSERA_ERR_MEMORY, "TSR-0707 no private memory for %zu bytes of a strided get; " TSR_REMEDY_MEMORY,
                    piece->bytes);
  }
  *bounce = (struct bounce){dest, *dest_layout, piece->from, piece->bytes, data};
  request.reply = data;
  tessera_status_t status = tsr_op_request(op, &request, unpack_bounce, bounce);
  if (status) drop_bounce(bounce);
  return status;
}

static tessera_status_t get_pieces(void *dest, const tsr_layout *dest_layout, tsr_addr src, const tsr_layout *src_layout,
                                   tsr_op *op) {
  size_t total = tsr_layout_bytes(src_layout), length = tsr_piece_length(src_layout, total);
  tessera_status_t status = TESSERA_OK;
  for (size_t from = 0; from < total && !status; from += length) {
    struct tsr_piece piece = {.remote = src_layout, .from = from, .bytes = tsr_min_size(length, total - from)};
    status = get_piece(dest, dest_layout, src, &piece, op);
  }
  return status;
}

/* Simplifies both; true if no layout needs to be sent. */
static int both_contiguous(tsr_layout *a, tsr_layout *b) {
  int first = tsr_layout_simplify(a), second = tsr_layout_simplify(b);
  return first && second;
}

tessera_status_t tsr_put_layout(tsr_addr dest, const tsr_layout *dest_layout, const void *src,
                                const tsr_layout *src_layout, tsr_op *op) {
  void *remote_addr = tsr_place_pointer(dest);
  if (remote_addr) {
    tsr_layout_copy(remote_addr, dest_layout, src, src_layout);
    return TESSERA_OK;
  }
  tsr_layout theirs = *dest_layout, ours = *src_layout;
  if (both_contiguous(&theirs, &ours)) return tsr_put_remote(dest, src, tsr_layout_bytes(&ours), op);
  tessera_status_t status = copy_attached(TSR_ATTACH_PUT, (void *)src, &ours, dest, &theirs);
  if (status != TESSERA_ERR_UNSUPPORTED) return status;
  return tsr_pieces_send(TSR_H_PUT_LAYOUT, dest, &theirs, src, &ours, (struct tsr_factor){0}, op);
}

tessera_status_t tsr_get_layout(void *dest, const tsr_layout *dest_layout, tsr_addr src, const tsr_layout *src_layout,
                                tsr_op *op) {
  const void *remote_addr = tsr_place_pointer(src);
  if (remote_addr) {
    tsr_layout_copy(dest, dest_layout, remote_addr, src_layout);
    return TESSERA_OK;
  }
  tsr_layout theirs = *src_layout, ours = *dest_layout;
  if (both_contiguous(&theirs, &ours)) return tsr_get_remote(dest, src, tsr_layout_bytes(&ours), op);
  tessera_status_t status = copy_attached(TSR_ATTACH_GET, dest, &ours, src, &theirs);
  return status == TESSERA_ERR_UNSUPPORTED ? get_pieces(dest, &ours, src, &theirs, op) : status;
}

void tsr_layout_need(struct tsr_op_need *need, bool puts, tsr_addr remote_addr, const tsr_layout *their_layout,
                     const tsr_layout *our_layout) {
  if (tsr_rma_is_at_once(remote_addr)) return;
  tsr_layout theirs = *their_layout, ours = *our_layout;
  size_t total = tsr_layout_bytes(&theirs);
  if (both_contiguous(&theirs, &ours)) {
    tsr_rma_need(need, puts, remote_addr, total);
    return;
  }
  size_t length = tsr_piece_length(&theirs, total), wire_bytes = tsr_layout_wire_bytes(&theirs);
  for (size_t from = 0; from < total; from += length) {
    size_t bytes = tsr_min_size(length, total - from);
    tsr_op_need_request(need, tsr_place_endpoint(remote_addr), wire_bytes + (puts ? bytes : 0), puts ? 0 : bytes);
  }
}

static void serve_put_layout(const struct tsr_net_in *in, struct tsr_net_out *out) {
  (void)out;
  tsr_layout layout;
  char *remote_addr;
  const void *data = tsr_piece_read_data(in, &layout, &remote_addr);
  tsr_layout_unpack(remote_addr, &layout, in->args[2], in->args[3], data);
  tsr_serve_changed(in);
}

static void serve_get_layout(const struct tsr_net_in *in, struct tsr_net_out *out) {
  tsr_layout layout;
  char *remote_addr;
  tsr_piece_read(in, &layout, &remote_addr);
  if (in->args[3] > out->scratch_bytes)
    tsr_abort(1, "TSR-0708 a strided request of rank %d asks for %llu bytes, which are more than one reply can hold; "
              TSR_REMEDY_ONE_BUILD, in->rank, (unsigned long long)in->args[3]);
  tsr_layout_pack(out->scratch, remote_addr, &layout, in->args[2], in->args[3]);
  out->reply = out->scratch;
  out->reply_bytes = in->args[3];
}

__attribute__((constructor)) static void register_handlers(void) {
  tsr_net_register(TSR_H_PUT_LAYOUT, serve_put_layout);
  tsr_net_register(TSR_H_GET_LAYOUT, serve_get_layout);
}
