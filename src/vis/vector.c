#include "vis/vector.h"

#include "base/bits.h"
#include "base/status.h"
#include "core/handlers.h"
#include "core/place.h"
#include "core/runtime.h"
#include "net/net.h"
#include "node/attach.h"
#include "rma/rma.h"
#include "vis/kernels.h"
#include "vis/listed.h"
#include "vis/message.h"
#include "vis/strided.h"

/* ---- private memory of another process of the node: the kernel copies ---- */

struct attach_side {
  struct tsr_attach_side side;
  char *base;
  tsr_iov_cursor cursor;
};

static bool take_entry(struct attach_side *list) {
  list->side.entry = (struct iovec){list->base + list->cursor.off, list->cursor.left_bytes};
  return list->cursor.left_bytes > 0;
}

static bool next_entry(struct tsr_attach_side *side) {
  struct attach_side *list = (struct attach_side *)side;
  tsr_iov_next(&list->cursor);
  return take_entry(list);
}

static void start_side(struct attach_side *list, void *base, const tsr_iov *iov) {
  list->base = base;
  list->cursor = tsr_iov_begin(iov);
  list->side.next = next_entry;
  take_entry(list);
}

/* TESSERA_ERR_UNSUPPORTED: the unit is on another node, or the kernel denies the copy; the caller then sends requests. */
static tessera_status_t copy_attached(enum tsr_attach_way way, void *ours, const tsr_iov *our_iov, tsr_addr theirs,
                                      const tsr_iov *their_iov) {
  const int32_t local = tsr_place_local(theirs.unit);
  if (local < 0 || !tsr_attach_works((uint32_t)local)) return TESSERA_ERR_UNSUPPORTED;
  struct attach_side our_side, their_side;
  start_side(&our_side, ours, our_iov);
  start_side(&their_side, tsr_addr_outside_pointer(theirs), their_iov);
  return tsr_attach_copy((uint32_t)local, way, &our_side.side, &their_side.side);
}

/* ---- another node: blocks at a constant distance ---- */

/* Between nodes each entry of a list takes 16 bytes of a message. Short entries of equal length that lie at a constant distance on
 * both sides travel as a layout instead, which takes 48 bytes for all of them. */
enum { LAYOUT_LEAST_N = 8 /* entries */ };

struct shape {
  tsr_layout layout;
  ptrdiff_t first; /* offset of the first entry */
};

static bool have_length(const tsr_iov *iov, size_t bytes) {
  if (!iov->bytes) return iov->each == bytes;
  for (size_t i = 0; i < iov->n; i++)
    if (iov->bytes[i] != bytes) return false;
  return true;
}

/* Describes an iovec as `n` entries of `bytes` each, which may lie next to each other. */
static bool find_shape(const tsr_iov *iov, size_t n, size_t bytes, struct shape *shape) {
  ptrdiff_t step = (ptrdiff_t)bytes;
  const bool is_whole = iov->n == 1 && tsr_iov_bytes_of(iov, 0) == n * bytes;
  shape->first = tsr_iov_off_of(iov, 0);
  if (!is_whole && (iov->n != n || !have_length(iov, bytes) || !tsr_list_steps(&(tsr_places){iov->offs, 1, 0}, n, bytes, &step)))
    return false;
  shape->layout = tsr_layout_strided(bytes, n, step);
  if (iov->times == 1) return true;
  shape->layout.dims = 2;
  shape->layout.count[1] = iov->times;
  shape->layout.stride[1] = iov->step;
  return true;
}

struct shapes {
  struct shape theirs, ours;
};

static bool find_shapes(const tsr_iov *theirs, const tsr_iov *ours, struct shapes *shapes) {
  const size_t n = theirs->n, bytes = n < LAYOUT_LEAST_N ? 0 : tsr_iov_bytes_of(theirs, 0);
  return bytes && bytes < tsr_net_limits.eager_bytes && theirs->times == ours->times &&
         find_shape(theirs, n, bytes, &shapes->theirs) && find_shape(ours, n, bytes, &shapes->ours);
}

static tsr_addr first_of(tsr_addr base, const struct shape *shape) {
  return (tsr_addr){base.unit, base.off + (uint64_t)shape->first};
}

/* ---- another node: lists ---- */

/* The two iovecs are read side by side. Long pieces that are contiguous on both sides are sent by themselves, without packing. The
 * rest goes in messages that carry entries of the target and, in a put, their data. */
enum { REPLY_PLACES_MAX = 4096 };

struct walk {
  tsr_addr target;
  void *local_base; /* a put only reads it */
  tsr_iov_cursor remote, local;
  tsr_op *op;
};

/* Returns how many bytes are sent by themselves next; 0: too few are contiguous. */
static size_t direct_bytes(const struct walk *walk) {
  size_t bytes = tsr_min_size(walk->remote.left_bytes, walk->local.left_bytes);
  return bytes >= tsr_net_limits.eager_bytes ? bytes : 0;
}
static void pass_direct(struct walk *walk, size_t bytes) {
  tsr_iov_pass(&walk->remote, bytes);
  tsr_iov_pass(&walk->local, bytes);
}
static tsr_addr remote_place(const struct walk *walk) {
  return (tsr_addr){walk->target.unit, walk->target.off + (uint64_t)walk->remote.off};
}

static size_t count_iov(tsr_iov_cursor cursor, size_t bytes) {
  size_t n = 0;
  for (size_t now; bytes > 0; bytes -= now, n++) tsr_iov_pass(&cursor, now = tsr_min_size(bytes, cursor.left_bytes));
  return n;
}

/* Takes the entries of the next reply. REPLY_PLACES_MAX bounds the list of its local places. */
static struct tsr_list_part take_reply(struct walk *walk) {
  tsr_iov_cursor remote = walk->remote, local = walk->local;
  struct tsr_list_part part = tsr_list_take(walk->target, &walk->remote, false, tsr_message_room(SIZE_MAX), 1);
  size_t bytes = 0;
  for (int n = 0; n < REPLY_PLACES_MAX && bytes < part.bytes; n++) {
    bytes += local.left_bytes;
    tsr_iov_pass(&local, local.left_bytes);
  }
  if (bytes >= part.bytes) return part;
  walk->remote = remote;
  return tsr_list_take(walk->target, &walk->remote, false, bytes, 1);
}

/* Takes a bounce buffer for a reply of `bytes`, and advances past its local entries. NULL: no memory. */
static struct tsr_bounce *prepare_bounce(struct walk *walk, size_t bytes) {
  size_t iov_n = count_iov(walk->local, bytes);
  struct tsr_bounce *bounce = tsr_bounce_new(walk->target.unit, iov_n, bytes);
  for (size_t i = 0; bounce && i < iov_n; i++) {
    size_t now = tsr_min_size(bytes, walk->local.left_bytes);
    bounce->place[i] = (struct tsr_bounce_place){(char *)walk->local_base + walk->local.off, now};
    tsr_iov_pass(&walk->local, now);
    bytes -= now;
  }
  return bounce;
}

static void pack_get(void *dest, const void *arg) { tsr_list_write(dest, arg); }

static tessera_status_t get_message(struct walk *walk) {
  struct tsr_list_part part = take_reply(walk);
  struct tsr_net_request request = tsr_list_request(TSR_H_GET_IOV, walk->target, part.iov_n, part.bytes);
  request.pack = pack_get;
  request.pack_arg = &part;
  request.reply_bytes = part.bytes;
  if (walk->local.left_bytes >= part.bytes) { /* one entry receives the reply without a bounce buffer */
    request.reply = (char *)walk->local_base + walk->local.off;
    tsr_iov_pass(&walk->local, part.bytes);
    return tsr_op_request(walk->op, &request, NULL, NULL);
  }
  struct tsr_bounce *bounce = prepare_bounce(walk, part.bytes);
  if (!bounce)
    return tsr_fail(TESSERA_ERR_MEMORY, "TSR-0709 no private memory for %zu bytes of an indexed get; " TSR_REMEDY_MEMORY,
                    part.bytes);
  request.reply = bounce->data;
  tessera_status_t status = tsr_op_request(walk->op, &request, tsr_bounce_unpack, bounce);
  if (status) tsr_bounce_drop(bounce);
  return status;
}

static tessera_status_t start_walk(struct walk *walk, bool is_put) {
  tessera_status_t status = TESSERA_OK;
  while (walk->remote.left_bytes && !status) {
    char *local = (char *)walk->local_base + walk->local.off;
    size_t bytes = direct_bytes(walk);
    if (bytes) {
      status = is_put ? tsr_put_remote(remote_place(walk), local, bytes, walk->op)
                      : tsr_get_remote(local, remote_place(walk), bytes, walk->op);
      pass_direct(walk, bytes);
    } else if (is_put) {
      status = tsr_list_send(TSR_H_PUT_IOV, walk->target, &walk->remote, walk->local_base, &walk->local,
                             (struct tsr_factor){0}, walk->op);
    } else {
      status = get_message(walk);
    }
  }
  return status;
}

static struct walk walk_of(tsr_addr target, const tsr_iov *remote, void *local_base, const tsr_iov *local,
                           tsr_op *op) {
  return (struct walk){target, local_base, tsr_iov_begin(remote), tsr_iov_begin(local), op};
}

tessera_status_t tsr_put_iov(tsr_addr dest, const tsr_iov *dest_iov, const void *src, const tsr_iov *src_iov,
                              tsr_op *op) {
  void *remote_addr = tsr_place_pointer(dest);
  if (remote_addr) {
    tsr_iov_copy(remote_addr, dest_iov, src, src_iov);
    return TESSERA_OK;
  }
  tessera_status_t status = copy_attached(TSR_ATTACH_PUT, (void *)src, src_iov, dest, dest_iov);
  if (status != TESSERA_ERR_UNSUPPORTED) return status;
  struct shapes shapes;
  if (find_shapes(dest_iov, src_iov, &shapes))
    return tsr_put_layout(first_of(dest, &shapes.theirs), &shapes.theirs.layout, (const char *)src + shapes.ours.first,
                          &shapes.ours.layout, op);
  struct walk walk = walk_of(dest, dest_iov, (void *)src, src_iov, op);
  return start_walk(&walk, true);
}

tessera_status_t tsr_get_iov(void *dest, const tsr_iov *dest_iov, tsr_addr src, const tsr_iov *src_iov,
                              tsr_op *op) {
  const void *remote_addr = tsr_place_pointer(src);
  if (remote_addr) {
    tsr_iov_copy(dest, dest_iov, remote_addr, src_iov);
    return TESSERA_OK;
  }
  tessera_status_t status = copy_attached(TSR_ATTACH_GET, dest, dest_iov, src, src_iov);
  if (status != TESSERA_ERR_UNSUPPORTED) return status;
  struct shapes shapes;
  if (find_shapes(src_iov, dest_iov, &shapes))
    return tsr_get_layout((char *)dest + shapes.ours.first, &shapes.ours.layout, first_of(src, &shapes.theirs),
                          &shapes.theirs.layout, op);
  struct walk walk = walk_of(src, src_iov, dest, dest_iov, op);
  return start_walk(&walk, false);
}

/* Walks as the transfer does, message by message. */
static void need_walk(struct tsr_op_need *need, struct walk walk, bool is_put) {
  while (walk.remote.left_bytes) {
    size_t bytes = direct_bytes(&walk);
    if (bytes) {
      tsr_rma_need(need, is_put, remote_place(&walk), bytes);
      pass_direct(&walk, bytes);
      continue;
    }
    struct tsr_list_part part =
        is_put ? tsr_list_take(walk.target, &walk.remote, true, tsr_message_room(SIZE_MAX), 1) : take_reply(&walk);
    size_t list_bytes = part.iov_n * TSR_LIST_ENTRY_BYTES;
    tsr_op_need_request(need, tsr_place_endpoint(walk.target), list_bytes + (is_put ? part.bytes : 0),
                        is_put ? 0 : part.bytes);
    for (size_t left = part.bytes, now; left > 0; left -= now)
      tsr_iov_pass(&walk.local, now = tsr_min_size(left, walk.local.left_bytes));
  }
}

static void need_iov(struct tsr_op_need *need, tsr_addr target, const tsr_iov *theirs, const tsr_iov *ours, bool is_put) {
  struct shapes shapes;
  if (tsr_rma_is_at_once(target)) return;
  if (find_shapes(theirs, ours, &shapes))
    tsr_layout_need(need, is_put, first_of(target, &shapes.theirs), &shapes.theirs.layout, &shapes.ours.layout);
  else
    need_walk(need, walk_of(target, theirs, NULL, ours, NULL), is_put);
}

void tsr_put_iov_need(struct tsr_op_need *need, tsr_addr dest, const tsr_iov *dest_iov, const tsr_iov *src_iov) {
  need_iov(need, dest, dest_iov, src_iov, true);
}

void tsr_get_iov_need(struct tsr_op_need *need, const tsr_iov *dest_iov, tsr_addr src, const tsr_iov *src_iov) {
  need_iov(need, src, src_iov, dest_iov, false);
}

static void serve_put_iov(const struct tsr_net_in *in, struct tsr_net_out *out) {
  (void)out;
  struct tsr_list list = tsr_list_read(in, in->args[2]);
  const char *data = tsr_list_data(&list);
  for (size_t i = 0; i < list.iov_n; i++) {
    tsr_copy_run(tsr_list_run(&list, i), data, tsr_list_bytes(&list, i));
    data += tsr_list_bytes(&list, i);
  }
  tsr_serve_changed(in);
}

static void serve_get_iov(const struct tsr_net_in *in, struct tsr_net_out *out) {
  struct tsr_list list = tsr_list_read(in, 0);
  if (in->args[2] > out->scratch_bytes)
    tsr_abort(1, "TSR-0710 a request of rank %d asks for %llu bytes, which are more than one reply can hold; "
              TSR_REMEDY_ONE_BUILD, in->rank, (unsigned long long)in->args[2]);
  char *to = out->scratch;
  for (size_t i = 0; i < list.iov_n; i++) {
    tsr_copy_run(to, tsr_list_run(&list, i), tsr_list_bytes(&list, i));
    to += tsr_list_bytes(&list, i);
  }
  out->reply = out->scratch;
  out->reply_bytes = in->args[2];
}

__attribute__((constructor)) static void register_handlers(void) {
  tsr_net_register(TSR_H_PUT_IOV, serve_put_iov);
  tsr_net_register(TSR_H_GET_IOV, serve_get_iov);
}
