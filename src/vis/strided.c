#include "vis/strided.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "core/handlers.h"
#include "core/place.h"
#include "core/runtime.h"
#include "net/net.h"
#include "rma/rma.h"
#include "rma/serve.h"
#include "vis/attach.h"

/* Between nodes a layout travels as pieces of its byte stream; each request carries the remote layout and says which piece. */
struct piece {
  const tsr_layout *remote, *local;
  const void *src;
  size_t from, bytes;
};

enum { LAYOUT_ROOM = (TSR_LAYOUT_WIRE_BYTES + 15) / 16 * 16 }; /* keeps what follows it aligned */

static size_t room_for_data(void) { return tsr_net_limits.eager_bytes - LAYOUT_ROOM; }

static void pack_put(void *dest, const void *arg) {
  const struct piece *piece = arg;
  tsr_layout_encode(piece->remote, dest);
  tsr_layout_pack((char *)dest + LAYOUT_ROOM, piece->src, piece->local, piece->from, piece->bytes);
}

static void pack_get(void *dest, const void *arg) { tsr_layout_encode(((const struct piece *)arg)->remote, dest); }

static struct tsr_net_request request_to(tsr_addr target, enum tsr_handler handler, const struct piece *piece) {
  return (struct tsr_net_request){.rank = tsr_place_endpoint(target),
                                  .handler = (uint8_t)handler,
                                  .args = {(uint64_t)target.unit.id, target.off, piece->from, piece->bytes},
                                  .pack_arg = piece};
}

static tessera_status_t put_pieces(tsr_addr dest, const tsr_layout *dest_layout, const void *src,
                                   const tsr_layout *src_layout, tsr_op *op) {
  size_t total = tsr_layout_bytes(dest_layout), room = room_for_data();
  tessera_status_t status = TESSERA_OK;
  for (size_t from = 0; from < total && !status; from += room) {
    struct piece piece = {dest_layout, src_layout, src, from, total - from < room ? total - from : room};
    struct tsr_net_request request = request_to(dest, TSR_H_PUT_LAYOUT, &piece);
    request.pack = pack_put;
    request.payload_bytes = LAYOUT_ROOM + piece.bytes;
    status = tsr_op_request(op, &request, NULL, NULL);
  }
  return status;
}

/* A reply on its way: unpacked into the local layout when it is here. */
struct landing {
  void *dest;
  tsr_layout layout;
  size_t from, bytes;
  char data[];
};

static void unpack_landing(void *arg) {
  struct landing *landing = arg;
  tsr_layout_unpack(landing->dest, &landing->layout, landing->from, landing->bytes, landing->data);
  free(landing);
}

static tessera_status_t get_pieces(void *dest, const tsr_layout *dest_layout, tsr_addr src, const tsr_layout *src_layout,
                                   tsr_op *op) {
  size_t total = tsr_layout_bytes(src_layout), room = room_for_data();
  tessera_status_t status = TESSERA_OK;
  for (size_t from = 0; from < total && !status; from += room) {
    struct piece piece = {.remote = src_layout, .from = from, .bytes = total - from < room ? total - from : room};
    struct landing *landing = malloc(sizeof *landing + piece.bytes);
    if (!landing) return tsr_fail(TESSERA_ERR_MEMORY, "no private memory for %zu bytes of a strided get", piece.bytes);
    landing->dest = dest;
    landing->layout = *dest_layout;
    landing->from = from;
    landing->bytes = piece.bytes;
    struct tsr_net_request request = request_to(src, TSR_H_GET_LAYOUT, &piece);
    request.pack = pack_get;
    request.payload_bytes = LAYOUT_ROOM;
    request.reply = landing->data;
    request.reply_bytes = piece.bytes;
    status = tsr_op_request(op, &request, unpack_landing, landing);
    if (status) free(landing);
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

/* The target's memory of a request, after its layout has been read and checked against the heap. */
static char *target_of(const struct tsr_net_in *in, tsr_layout *layout) {
  ptrdiff_t low, high;
  size_t read = in->payload_bytes >= LAYOUT_ROOM ? tsr_layout_decode(layout, in->payload, LAYOUT_ROOM) : 0;
  size_t total = read ? tsr_layout_bytes(layout) : 0;
  if (!read || in->args[2] > total || in->args[3] > total - in->args[2])
    tsr_abort(1, "a strided request of rank %d carries no valid layout", in->rank);
  tsr_layout_extent(layout, &low, &high);
  return (char *)tsr_serve_range(in, in->args[1] + (uint64_t)low, (uint64_t)(high - low)) - low;
}

static void serve_put_layout(const struct tsr_net_in *in, struct tsr_net_out *out) {
  (void)out;
  tsr_layout layout;
  char *there = target_of(in, &layout);
  tsr_layout_unpack(there, &layout, in->args[2], in->args[3], (const char *)in->payload + LAYOUT_ROOM);
}

static void serve_get_layout(const struct tsr_net_in *in, struct tsr_net_out *out) {
  tsr_layout layout;
  const char *there = target_of(in, &layout);
  if (in->args[3] > in->reply_bytes || in->args[3] > tsr_net_limits.eager_bytes)
    tsr_abort(1, "a strided request of rank %d asks for more bytes than one reply has", in->rank);
  tsr_layout_pack(out->scratch, there, &layout, in->args[2], in->args[3]);
  out->reply = out->scratch;
  out->reply_bytes = in->args[3];
}

__attribute__((constructor)) static void register_handlers(void) {
  tsr_net_register(TSR_H_PUT_LAYOUT, serve_put_layout);
  tsr_net_register(TSR_H_GET_LAYOUT, serve_get_layout);
}
