#include "vis/message.h"

#include <string.h>

#include "base/bits.h"
#include "base/scale.h"
#include "core/place.h"
#include "core/runtime.h"
#include "rma/rma.h"

static void scale_data(struct tsr_factor factor, void *data, size_t bytes) {
  if (factor.scale) tsr_scale(factor.type, data, factor.scale, bytes / tsr_type_bytes(factor.type));
}

/* ---- layouts ---- */

/* One message is packed while the one before it is on its way, so longer messages are slower. */
enum { PACKED_AT_ONCE = 64 << 10 };

size_t tsr_message_room(size_t total) {
  const size_t limit = tsr_min_size(tsr_net_limits.payload_bytes, tsr_max_size(PACKED_AT_ONCE, tsr_net_limits.eager_bytes));
  const size_t at_once = tsr_min_size(tsr_net_limits.at_once_bytes, limit);
  return at_once >= tsr_net_limits.payload_bytes / 2 || tsr_net_is_short(total) ? at_once : tsr_net_limits.payload_bytes;
}

size_t tsr_piece_length(const tsr_layout *remote, size_t total) {
  const size_t room = (tsr_message_room(total) - tsr_layout_wire_bytes(remote)) / TSR_CACHE_LINE * TSR_CACHE_LINE;
  size_t pieces_n = (total + room - 1) / room;
  return pieces_n > 1 ? tsr_round_up((total + pieces_n - 1) / pieces_n, TSR_CACHE_LINE) : total;
}

struct tsr_net_request tsr_piece_request(tsr_addr target, enum tsr_handler handler, const struct tsr_piece *piece) {
  return (struct tsr_net_request){.rank = tsr_place_endpoint(target),
                                  .handler = (uint8_t)handler,
                                  .args = {(uint64_t)target.unit.id, target.off, piece->from, piece->bytes},
                                  .payload_bytes = tsr_layout_wire_bytes(piece->remote),
                                  .pack_arg = piece};
}

static void pack_piece(void *dest, const void *arg) {
  const struct tsr_piece *piece = arg;
  char *data = (char *)dest + tsr_layout_encode(piece->remote, dest);
  tsr_layout_pack(data, piece->src, piece->local, piece->from, piece->bytes);
  scale_data(piece->factor, data, piece->bytes);
}

tessera_status_t tsr_pieces_send(enum tsr_handler handler, tsr_addr dest, const tsr_layout *theirs, const void *src,
                                 const tsr_layout *ours, struct tsr_factor factor, tsr_op *op) {
  size_t total = tsr_layout_bytes(theirs), length = tsr_piece_length(theirs, total);
  tessera_status_t status = TESSERA_OK;
  for (size_t from = 0; from < total && !status; from += length) {
    struct tsr_piece piece = {theirs, ours, src, from, tsr_min_size(length, total - from), factor};
    struct tsr_net_request request = tsr_piece_request(dest, handler, &piece);
    request.args[4] = tsr_arith_encode(factor.type, factor.arith);
    request.pack = pack_piece;
    request.payload_bytes += piece.bytes;
    status = tsr_op_request(op, &request, NULL, NULL);
  }
  return status;
}

size_t tsr_piece_read(const struct tsr_net_in *in, tsr_layout *layout, char **remote_addr) {
  ptrdiff_t low, high;
  size_t read = tsr_layout_decode(layout, in->payload, in->payload_bytes);
  size_t total = read ? tsr_layout_bytes(layout) : 0;
  if (!read || in->args[2] > total || in->args[3] > total - in->args[2])
    tsr_abort(1, "TSR-0704 a strided request of rank %d carries no valid layout; " TSR_REMEDY_ONE_BUILD, in->rank);
  tsr_layout_extent(layout, &low, &high);
  *remote_addr = (char *)tsr_serve_range(in, in->args[1] + (uint64_t)low, (uint64_t)(high - low)) - low;
  return read;
}

const char *tsr_piece_read_data(const struct tsr_net_in *in, tsr_layout *layout, char **remote_addr) {
  size_t layout_bytes = tsr_piece_read(in, layout, remote_addr);
  if (in->args[3] != in->payload_bytes - layout_bytes)
    tsr_abort(1, "TSR-0705 a strided request of rank %d carries %zu bytes of data, but announces %llu; " TSR_REMEDY_ONE_BUILD,
              in->rank, in->payload_bytes - layout_bytes, (unsigned long long)in->args[3]);
  return (const char *)in->payload + layout_bytes;
}

/* ---- iovecs ---- */

/* Messages are short, so that one is unpacked while the next is packed. A message of many short entries stays within the eager
 * limit, because sending its payload out of line costs more than it saves there. */
enum { MESSAGE_ENTRIES_MAX = 800, MANY_ENTRIES = 256 };

struct tsr_list_part tsr_list_take(tsr_addr target, tsr_iov_cursor *remote, bool with_data, size_t room, size_t grain) {
  struct tsr_list_part part = {.remote = *remote, .target_off = target.off};
  while (remote->left_bytes && part.iov_n < MESSAGE_ENTRIES_MAX && !(part.iov_n && remote->left_bytes >= room)) {
    size_t list_bytes = (part.iov_n + 1) * TSR_LIST_ENTRY_BYTES, used = part.bytes + (with_data ? list_bytes : 0);
    if (used + grain > room || list_bytes > tsr_net_limits.payload_bytes) break;
    const size_t eager = tsr_net_limits.eager_bytes;
    if (with_data && part.iov_n >= MANY_ENTRIES && used <= eager && used + remote->left_bytes > eager) break;
    size_t now = tsr_min_size(remote->left_bytes, (room - used) / grain * grain);
    part.iov_n++;
    part.bytes += now;
    tsr_iov_pass(remote, now);
  }
  return part;
}

char *tsr_list_write(char *wire, const struct tsr_list_part *part) {
  char *bytes_at = wire + part->iov_n * sizeof(tsr_entry_off);
  tsr_iov_cursor cursor = part->remote;
  for (size_t left = part->bytes; left > 0; bytes_at += sizeof(tsr_entry_bytes), wire += sizeof(tsr_entry_off)) {
    size_t now = tsr_min_size(left, cursor.left_bytes);
    memcpy(wire, &(tsr_entry_off){part->target_off + (uint64_t)cursor.off}, sizeof(tsr_entry_off));
    memcpy(bytes_at, &(tsr_entry_bytes){(tsr_entry_bytes)now}, sizeof(tsr_entry_bytes));
    tsr_iov_pass(&cursor, now);
    left -= now;
  }
  return bytes_at;
}

struct list_packing {
  struct tsr_list_part part;
  const void *src;
  tsr_iov_cursor *local; /* packing advances the cursor */
  struct tsr_factor factor;
};

static void pack_list(void *dest, const void *arg) {
  const struct list_packing *packing = arg;
  char *data = tsr_list_write(dest, &packing->part);
  tsr_iov_pack(data, packing->src, packing->local, packing->part.bytes);
  scale_data(packing->factor, data, packing->part.bytes);
}

tessera_status_t tsr_list_send(enum tsr_handler handler, tsr_addr dest, tsr_iov_cursor *remote, const void *src,
                               tsr_iov_cursor *local, struct tsr_factor factor, tsr_op *op) {
  struct list_packing packing = {.src = src, .local = local, .factor = factor};
  packing.part = tsr_list_take(dest, remote, true, tsr_message_room(SIZE_MAX), tsr_type_bytes(factor.type));
  struct tsr_net_request request = tsr_list_request(handler, dest, packing.part.iov_n, packing.part.bytes);
  request.args[4] = tsr_arith_encode(factor.type, factor.arith);
  request.pack = pack_list;
  request.pack_arg = &packing;
  request.payload_bytes += packing.part.bytes;
  return tsr_op_request(op, &request, NULL, NULL);
}

static uint64_t off_at(const struct tsr_list *list, size_t i) {
  tsr_entry_off off;
  memcpy(&off, list->offs + i * sizeof off, sizeof off);
  return off;
}
size_t tsr_list_bytes(const struct tsr_list *list, size_t i) {
  tsr_entry_bytes bytes;
  memcpy(&bytes, list->lengths + i * sizeof bytes, sizeof bytes);
  return bytes;
}
const char *tsr_list_data(const struct tsr_list *list) { return list->lengths + list->iov_n * sizeof(tsr_entry_bytes); }
char *tsr_list_run(const struct tsr_list *list, size_t i) { return list->base + (off_at(list, i) - list->low); }

/* False: the payload is no list, or the list does not have the bytes that the request announces. */
static bool read_list(const struct tsr_net_in *in, struct tsr_list *list, uint64_t *high) {
  uint64_t total = 0;
  *list = (struct tsr_list){.offs = in->payload, .iov_n = in->args[1], .low = UINT64_MAX};
  *high = 0;
  if (!list->iov_n || list->iov_n > in->payload_bytes / TSR_LIST_ENTRY_BYTES) return false;
  list->lengths = list->offs + list->iov_n * sizeof(tsr_entry_off);
  for (size_t i = 0; i < list->iov_n; i++) {
    uint64_t off = off_at(list, i), end;
    if (__builtin_add_overflow(off, tsr_list_bytes(list, i), &end)) return false;
    if (off < list->low) list->low = off;
    if (end > *high) *high = end;
    total += tsr_list_bytes(list, i);
  }
  return total == in->args[2];
}

struct tsr_list tsr_list_read(const struct tsr_net_in *in, size_t data_bytes) {
  struct tsr_list list;
  uint64_t high;
  if (!read_list(in, &list, &high) || in->payload_bytes - list.iov_n * TSR_LIST_ENTRY_BYTES < data_bytes)
    tsr_abort(1, "TSR-0706 a request of rank %d carries no valid list of entries; " TSR_REMEDY_ONE_BUILD, in->rank);
  list.base = tsr_serve_range(in, list.low, high - list.low);
  return list;
}
