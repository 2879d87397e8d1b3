#include "vis/strided.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/status.h"
#include "core/handlers.h"
#include "core/place.h"
#include "core/runtime.h"
#include "net/net.h"
#include "rma/rma.h"
#include "rma/serve.h"
#include "vis/attach.h"
#include "vis/wire.h"

/* Between nodes a layout travels as pieces of its byte stream; each request carries the remote layout and says which piece. */
struct piece {
  const tsr_layout *remote, *local;
  const void *src;
  size_t from, bytes;
};

/* Pieces of one length, as few as have room with a layout: so one is packed while those before it are under way. */
static size_t piece_length(const tsr_layout *remote, size_t total) {
  size_t room = (tsr_net_limits.payload_bytes - tsr_layout_wire_bytes(remote)) / TSR_CACHE_LINE * TSR_CACHE_LINE;
  size_t pieces_n = (total + room - 1) / room;
  return pieces_n > 1 ? tsr_round_up((total + pieces_n - 1) / pieces_n, TSR_CACHE_LINE) : total;
}

static void pack_put(void *dest, const void *arg) {
  const struct piece *piece = arg;
  size_t layout_bytes = tsr_layout_encode(piece->remote, dest);
  tsr_layout_pack((char *)dest + layout_bytes, piece->src, piece->local, piece->from, piece->bytes);
}

static void pack_get(void *dest, const void *arg) { tsr_layout_encode(((const struct piece *)arg)->remote, dest); }

static struct tsr_net_request request_to(tsr_addr target, enum tsr_handler handler, const struct piece *piece) {
  return (struct tsr_net_request){.rank = tsr_place_endpoint(target),
                                  .handler = (uint8_t)handler,
                                  .args = {(uint64_t)target.unit.id, target.off, piece->from, piece->bytes},
                                  .payload_bytes = tsr_layout_wire_bytes(piece->remote),
                                  .pack_arg = piece};
}

static tessera_status_t put_pieces(tsr_addr dest, const tsr_layout *dest_layout, const void *src,
                                   const tsr_layout *src_layout, tsr_op *op) {
  size_t total = tsr_layout_bytes(dest_layout), length = piece_length(dest_layout, total);
  tessera_status_t status = TESSERA_OK;
  for (size_t from = 0; from < total && !status; from += length) {
    struct piece piece = {dest_layout, src_layout, src, from, total - from < length ? total - from : length};
    struct tsr_net_request request = request_to(dest, TSR_H_PUT_LAYOUT, &piece);
    request.pack = pack_put;
    request.payload_bytes += piece.bytes;
    status = tsr_op_request(op, &request, NULL, NULL);
  }
  return status;
}

/* A reply on its way: unpacked into the local layout when it is here. */
struct landing {
  void *dest;
  tsr_layout layout;
  size_t from, bytes;
  char *data;
};

/* NULL: no memory, which is logged. */
static struct landing *new_landing(tsr_unit source, void *dest, const tsr_layout *layout, const struct piece *piece) {
  struct landing *landing = malloc(sizeof *landing);
  char *data = landing ? tsr_landing_take(source, piece->bytes) : NULL;
  if (!data) {
    tsr_fail(TESSERA_ERR_MEMORY, "no private memory for %zu bytes of a strided get", piece->bytes);
    free(landing);
    return NULL;
  }
  *landing = (struct landing){dest, *layout, piece->from, piece->bytes, data};
  return landing;
}

static void drop_landing(struct landing *landing) {
  tsr_landing_give(landing->data, landing->bytes);
  free(landing);
}

static void unpack_landing(void *arg) {
  struct landing *landing = arg;
  tsr_layout_unpack(landing->dest, &landing->layout, landing->from, landing->bytes, landing->data);
  drop_landing(landing);
}

/* Straight into its place where that is contiguous. */
static tessera_status_t get_piece(void *dest, const tsr_layout *dest_layout, tsr_addr src, const struct piece *piece,
                                  tsr_op *op) {
  struct tsr_net_request request = request_to(src, TSR_H_GET_LAYOUT, piece);
  request.pack = pack_get;
  request.reply_bytes = piece->bytes;
  if (dest_layout->dims == 0) {
    request.reply = (char *)dest + piece->from;
    return tsr_op_request(op, &request, NULL, NULL);
  }
  struct landing *landing = new_landing(src.unit, dest, dest_layout, piece);
  if (!landing) return TESSERA_ERR_MEMORY;
  request.reply = landing->data;
  tessera_status_t status = tsr_op_request(op, &request, unpack_landing, landing);
  if (status) drop_landing(landing);
  return status;
}

static tessera_status_t get_pieces(void *dest, const tsr_layout *dest_layout, tsr_addr src, const tsr_layout *src_layout,
                                   tsr_op *op) {
  size_t total = tsr_layout_bytes(src_layout), length = piece_length(src_layout, total);
  tessera_status_t status = TESSERA_OK;
  for (size_t from = 0; from < total && !status; from += length) {
    struct piece piece = {.remote = src_layout, .from = from, .bytes = total - from < length ? total - from : length};
    status = get_piece(dest, dest_layout, src, &piece, op);
  }
  return status;
}

/* Contiguous on both sides: no layout needs to travel. */
static int both_contiguous(tsr_layout *a, tsr_layout *b) {
  int first = tsr_layout_simplify(a), second = tsr_layout_simplify(b);
  return first && second;
}

tessera_status_t tsr_put_layout(tsr_addr dest, const tsr_layout *dest_layout, const void *src,
                                const tsr_layout *src_layout, tsr_op *op) {
  void *there = tsr_place_pointer(dest);
  if (there) {
    tsr_layout_copy(there, dest_layout, src, src_layout);
    return TESSERA_OK;
  }
  tsr_layout theirs = *dest_layout, ours = *src_layout;
  if (both_contiguous(&theirs, &ours)) return tsr_put_remote(dest, src, tsr_layout_bytes(&ours), op);
  tessera_status_t status = tsr_attach_layout(TSR_ATTACH_PUT, (void *)src, &ours, dest, &theirs);
  return status == TESSERA_ERR_UNSUPPORTED ? put_pieces(dest, &theirs, src, &ours, op) : status;
}

tessera_status_t tsr_get_layout(void *dest, const tsr_layout *dest_layout, tsr_addr src, const tsr_layout *src_layout,
                                tsr_op *op) {
  const void *there = tsr_place_pointer(src);
  if (there) {
    tsr_layout_copy(dest, dest_layout, there, src_layout);
    return TESSERA_OK;
  }
  tsr_layout theirs = *src_layout, ours = *dest_layout;
  if (both_contiguous(&theirs, &ours)) return tsr_get_remote(dest, src, tsr_layout_bytes(&ours), op);
  tessera_status_t status = tsr_attach_layout(TSR_ATTACH_GET, dest, &ours, src, &theirs);
  return status == TESSERA_ERR_UNSUPPORTED ? get_pieces(dest, &ours, src, &theirs, op) : status;
}

/* The layout of a request, and the target's memory, after both have been checked. Returns the layout's length. */
static size_t read_layout(const struct tsr_net_in *in, tsr_layout *layout, char **there) {
  ptrdiff_t low, high;
  size_t read = tsr_layout_decode(layout, in->payload, in->payload_bytes);
  size_t total = read ? tsr_layout_bytes(layout) : 0;
  if (!read || in->args[2] > total || in->args[3] > total - in->args[2])
    tsr_abort(1, "a strided request of rank %d carries no valid layout", in->rank);
  tsr_layout_extent(layout, &low, &high);
  *there = (char *)tsr_serve_range(in, in->args[1] + (uint64_t)low, (uint64_t)(high - low)) - low;
  return read;
}

static void serve_put_layout(const struct tsr_net_in *in, struct tsr_net_out *out) {
  (void)out;
  tsr_layout layout;
  char *there;
  size_t layout_bytes = read_layout(in, &layout, &there);
  if (in->args[3] != in->payload_bytes - layout_bytes)
    tsr_abort(1, "a strided put of rank %d announces other than the %zu bytes that it brings", in->rank,
              in->payload_bytes - layout_bytes);
  tsr_layout_unpack(there, &layout, in->args[2], in->args[3], (const char *)in->payload + layout_bytes);
}

static void serve_get_layout(const struct tsr_net_in *in, struct tsr_net_out *out) {
  tsr_layout layout;
  char *there;
  read_layout(in, &layout, &there);
  if (in->args[3] > out->scratch_bytes)
    tsr_abort(1, "a strided request of rank %d asks for more bytes than one reply has", in->rank);
  tsr_layout_pack(out->scratch, there, &layout, in->args[2], in->args[3]);
  out->reply = out->scratch;
  out->reply_bytes = in->args[3];
}

__attribute__((constructor)) static void register_handlers(void) {
  tsr_net_register(TSR_H_PUT_LAYOUT, serve_put_layout);
  tsr_net_register(TSR_H_GET_LAYOUT, serve_get_layout);
}
