#include "vis/vector.h"

#include "base/status.h"
#include "core/handlers.h"
#include "core/place.h"
#include "core/runtime.h"
#include "net/net.h"
#include "rma/rma.h"
#include "vis/attach.h"
#include "vis/kernels.h"
#include "vis/message.h"

/* Between nodes the two lists are walked side by side. What is long on both sides goes by itself, memory to memory; the
 * rest is packed: one message carries a list of runs of the target and, in a put, their data. */
enum { PLACES_MAX = 4096 }; /* of one reply here */

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

struct walk {
  tsr_addr target;
  void *local_base; /* not written by a put */
  tsr_iov_cursor remote, local;
  tsr_op *op;
};

/* What one message covers. */
struct message {
  struct tsr_list_part part;
  tsr_iov_cursor *local; /* packing passes what it has packed */
  const void *src;
};

static struct message plan(struct walk *walk, bool is_put, size_t room) {
  return (struct message){tsr_list_take(&walk->remote, is_put, room, 1), &walk->local, walk->local_base};
}

struct packing {
  const struct message *message;
  uint64_t target_off;
};

static void pack_put(void *dest, const void *arg) {
  const struct packing *packing = arg;
  const struct message *message = packing->message;
  char *data = tsr_list_write(dest, &message->part, packing->target_off);
  tsr_iov_pack(data, message->src, message->local, message->part.bytes);
}

static void pack_get(void *dest, const void *arg) {
  const struct packing *packing = arg;
  tsr_list_write(dest, &packing->message->part, packing->target_off);
}

/* The length of what goes by itself; 0: it is too short for that. */
static size_t direct(const struct walk *walk) {
  size_t bytes = smaller(walk->remote.left_bytes, walk->local.left_bytes);
  return bytes >= tsr_net_limits.eager_bytes ? bytes : 0;
}
static void pass_direct(struct walk *walk, size_t bytes) {
  tsr_iov_pass(&walk->remote, bytes);
  tsr_iov_pass(&walk->local, bytes);
}
static void pass_local(struct walk *walk, size_t bytes) {
  for (size_t now; bytes > 0; bytes -= now) tsr_iov_pass(&walk->local, now = smaller(bytes, walk->local.left_bytes));
}
static tsr_addr remote_place(const struct walk *walk) {
  return (tsr_addr){walk->target.unit, walk->target.off + (uint64_t)walk->remote.off};
}

static tessera_status_t put_message(struct walk *walk) {
  struct message message = plan(walk, true, tsr_net_limits.payload_bytes);
  struct packing packing = {&message, walk->target.off};
  struct tsr_net_request request =
      tsr_wire_request(TSR_H_PUT_IOV, walk->target, message.part.iov_n, message.part.bytes);
  request.pack = pack_put;
  request.pack_arg = &packing;
  request.payload_bytes += message.part.bytes;
  return tsr_op_request(walk->op, &request, NULL, NULL);
}

static tessera_status_t put_walk(struct walk *walk) {
  tessera_status_t status = TESSERA_OK;
  while (walk->remote.left_bytes && !status) {
    size_t bytes = direct(walk);
    if (!bytes) {
      status = put_message(walk);
      continue;
    }
    status = tsr_put_remote(remote_place(walk), (const char *)walk->local_base + walk->local.off, bytes, walk->op);
    pass_direct(walk, bytes);
  }
  return status;
}

static size_t count_iov(tsr_iov_cursor cursor, size_t bytes) {
  size_t n = 0;
  for (size_t now; bytes > 0; bytes -= now, n++) tsr_iov_pass(&cursor, now = smaller(bytes, cursor.left_bytes));
  return n;
}

/* The bytes of so many local runs, at most a reply's: the list of their places is bounded, too. */
static size_t reach_of(tsr_iov_cursor cursor) {
  size_t bytes = 0, most = tsr_net_limits.payload_bytes;
  for (int n = 0; n < PLACES_MAX && cursor.left_bytes && bytes < most; n++) {
    bytes += cursor.left_bytes;
    tsr_iov_pass(&cursor, cursor.left_bytes);
  }
  return smaller(bytes, most);
}

/* Passes the local runs of a reply of `bytes`. NULL: no memory. */
static struct tsr_bounce *prepare_bounce(struct walk *walk, size_t bytes) {
  size_t iov_n = count_iov(walk->local, bytes);
  struct tsr_bounce *bounce = tsr_bounce_new(walk->target.unit, iov_n, bytes);
  for (size_t i = 0; bounce && i < iov_n; i++) {
    size_t now = smaller(bytes, walk->local.left_bytes);
    bounce->place[i] = (struct tsr_bounce_place){(char *)walk->local_base + walk->local.off, now};
    tsr_iov_pass(&walk->local, now);
    bytes -= now;
  }
  return bounce;
}

static tessera_status_t get_message(struct walk *walk) {
  struct message message = plan(walk, false, reach_of(walk->local));
  struct packing packing = {&message, walk->target.off};
  struct tsr_net_request request =
      tsr_wire_request(TSR_H_GET_IOV, walk->target, message.part.iov_n, message.part.bytes);
  request.pack = pack_get;
  request.pack_arg = &packing;
  request.reply_bytes = message.part.bytes;
  if (walk->local.left_bytes >= message.part.bytes) { /* one run: the reply goes where it belongs */
    request.reply = (char *)walk->local_base + walk->local.off;
    tsr_iov_pass(&walk->local, message.part.bytes);
    return tsr_op_request(walk->op, &request, NULL, NULL);
  }
  struct tsr_bounce *bounce = prepare_bounce(walk, message.part.bytes);
  if (!bounce)
    return tsr_fail(TESSERA_ERR_MEMORY, "no private memory for %zu bytes of an indexed get", message.part.bytes);
  request.reply = bounce->data;
  tessera_status_t status = tsr_op_request(walk->op, &request, tsr_bounce_unpack, bounce);
  if (status) tsr_bounce_drop(bounce);
  return status;
}

static tessera_status_t get_walk(struct walk *walk) {
  tessera_status_t status = TESSERA_OK;
  while (walk->remote.left_bytes && !status) {
    size_t bytes = direct(walk);
    if (!bytes) {
      status = get_message(walk);
      continue;
    }
    status = tsr_get_remote((char *)walk->local_base + walk->local.off, remote_place(walk), bytes, walk->op);
    pass_direct(walk, bytes);
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
  tessera_status_t status = tsr_attach_iov(TSR_ATTACH_PUT, (void *)src, src_iov, dest, dest_iov);
  if (status != TESSERA_ERR_UNSUPPORTED) return status;
  struct walk walk = walk_of(dest, dest_iov, (void *)src, src_iov, op);
  return put_walk(&walk);
}

tessera_status_t tsr_get_iov(void *dest, const tsr_iov *dest_iov, tsr_addr src, const tsr_iov *src_iov,
                              tsr_op *op) {
  const void *remote_addr = tsr_place_pointer(src);
  if (remote_addr) {
    tsr_iov_copy(dest, dest_iov, remote_addr, src_iov);
    return TESSERA_OK;
  }
  tessera_status_t status = tsr_attach_iov(TSR_ATTACH_GET, dest, dest_iov, src, src_iov);
  if (status != TESSERA_ERR_UNSUPPORTED) return status;
  struct walk walk = walk_of(src, src_iov, dest, dest_iov, op);
  return get_walk(&walk);
}

/* Goes the way of the transfer, message by message. */
static void need_walk(struct tsr_op_need *need, struct walk walk, bool is_put) {
  if (tsr_rma_is_at_once(walk.target)) return;
  while (walk.remote.left_bytes) {
    size_t bytes = direct(&walk);
    if (bytes) {
      tsr_rma_need(need, remote_place(&walk), bytes);
      pass_direct(&walk, bytes);
      continue;
    }
    struct tsr_list_part part = plan(&walk, is_put, is_put ? tsr_net_limits.payload_bytes : reach_of(walk.local)).part;
    size_t list_bytes = part.iov_n * TSR_WIRE_RUN_BYTES;
    tsr_op_need_request(need, tsr_place_endpoint(walk.target), list_bytes + (is_put ? part.bytes : 0), is_put ? 0 : part.bytes);
    pass_local(&walk, part.bytes);
  }
}

void tsr_put_iov_need(struct tsr_op_need *need, tsr_addr dest, const tsr_iov *dest_iov, const tsr_iov *src_iov) {
  need_walk(need, walk_of(dest, dest_iov, NULL, src_iov, NULL), true);
}

void tsr_get_iov_need(struct tsr_op_need *need, const tsr_iov *dest_iov, tsr_addr src, const tsr_iov *src_iov) {
  need_walk(need, walk_of(src, src_iov, NULL, dest_iov, NULL), false);
}

static void serve_put_iov(const struct tsr_net_in *in, struct tsr_net_out *out) {
  (void)out;
  struct tsr_list list = tsr_list_read(in, in->args[2]);
  const char *data = tsr_list_data(&list);
  for (size_t i = 0; i < list.iov_n; i++) {
    tsr_copy_run(tsr_list_run(&list, i), data, tsr_list_bytes(&list, i));
    data += tsr_list_bytes(&list, i);
  }
}

static void serve_get_iov(const struct tsr_net_in *in, struct tsr_net_out *out) {
  struct tsr_list list = tsr_list_read(in, 0);
  if (in->args[2] > out->scratch_bytes)
    tsr_abort(1, "a request of rank %d asks for more bytes than one reply has", in->rank);
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
