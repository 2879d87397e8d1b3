#include "vis/vector.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "core/handlers.h"
#include "core/place.h"
#include "core/runtime.h"
#include "net/net.h"
#include "node/attach.h"
#include "rma/rma.h"
#include "rma/serve.h"
#include "vis/kernels.h"

/* Between nodes the two lists are walked side by side. What is long on both sides goes by itself, memory to memory; the
 * rest is packed: one message carries a list of runs of the target and, in a put, their data. */
static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

/* A list on the wire: the offsets in the target's heap, then the bytes of each run. */
typedef uint64_t wire_off;
typedef uint32_t wire_bytes;
enum { ENTRY_BYTES = sizeof(wire_off) + sizeof(wire_bytes) };

struct walk {
  tsr_addr target;
  void *local_base; /* not written by a put */
  tsr_runs_cursor remote, local;
  size_t direct_bytes; /* from this length on, a run goes by itself */
  tsr_op *op;
};

/* What one message covers. */
struct message {
  size_t runs_n, bytes;
  tsr_runs_cursor remote; /* where its runs begin */
  tsr_runs_cursor *local; /* packing passes what it has packed */
  const void *src;
};

/* Passes what a message has room for, and says what that is. A put has its data in the same room as the list, a get
 * has it in the reply, which is no longer. */
static struct message plan(struct walk *walk, bool is_put) {
  struct message message = {.remote = walk->remote, .local = &walk->local, .src = walk->local_base};
  size_t room = tsr_net_limits.eager_bytes;
  while (walk->remote.left_bytes && !(message.runs_n && walk->remote.left_bytes >= walk->direct_bytes)) {
    size_t list_bytes = (message.runs_n + 1) * ENTRY_BYTES, used = message.bytes + (is_put ? list_bytes : 0);
    if (used >= room || list_bytes > room) break;
    size_t now = smaller(walk->remote.left_bytes, room - used);
    message.runs_n++;
    message.bytes += now;
    tsr_runs_pass(&walk->remote, now);
  }
  return message;
}

static char *write_list(char *wire, const struct message *message, uint64_t target_off) {
  char *bytes_at = wire + message->runs_n * sizeof(wire_off);
  tsr_runs_cursor cursor = message->remote;
  for (size_t left = message->bytes; left > 0; bytes_at += sizeof(wire_bytes), wire += sizeof(wire_off)) {
    size_t now = smaller(left, cursor.left_bytes);
    memcpy(wire, &(wire_off){target_off + (uint64_t)cursor.off}, sizeof(wire_off));
    memcpy(bytes_at, &(wire_bytes){(wire_bytes)now}, sizeof(wire_bytes));
    tsr_runs_pass(&cursor, now);
    left -= now;
  }
  return bytes_at;
}

struct packing {
  const struct message *message;
  uint64_t target_off;
};

static void pack_put(void *dest, const void *arg) {
  const struct packing *packing = arg;
  const struct message *message = packing->message;
  char *data = write_list(dest, message, packing->target_off);
  tsr_runs_pack(data, message->src, message->local, message->bytes);
}

static void pack_get(void *dest, const void *arg) {
  const struct packing *packing = arg;
  write_list(dest, packing->message, packing->target_off);
}

static struct tsr_net_request request_for(const struct walk *walk, enum tsr_handler handler,
                                          const struct packing *packing) {
  const struct message *message = packing->message;
  return (struct tsr_net_request){.rank = tsr_place_endpoint(walk->target.unit),
                                  .handler = (uint8_t)handler,
                                  .args = {(uint64_t)walk->target.unit.id, message->runs_n, message->bytes},
                                  .payload_bytes = message->runs_n * ENTRY_BYTES,
                                  .pack_arg = packing};
}

/* The length of what goes by itself; 0: it is too short for that. */
static size_t direct(const struct walk *walk) {
  size_t bytes = smaller(walk->remote.left_bytes, walk->local.left_bytes);
  return bytes >= walk->direct_bytes ? bytes : 0;
}
static void pass_direct(struct walk *walk, size_t bytes) {
  tsr_runs_pass(&walk->remote, bytes);
  tsr_runs_pass(&walk->local, bytes);
}
static tsr_addr remote_place(const struct walk *walk) {
  return (tsr_addr){walk->target.unit, walk->target.off + (uint64_t)walk->remote.off};
}

static tessera_status_t put_message(struct walk *walk) {
  struct message message = plan(walk, true);
  struct packing packing = {&message, walk->target.off};
  struct tsr_net_request request = request_for(walk, TSR_H_PUT_RUNS, &packing);
  request.pack = pack_put;
  request.payload_bytes += message.bytes;
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

/* A reply on its way, and where its bytes go when it is here: the lists themselves are gone by then. */
struct landing {
  char *base;
  char *data; /* behind the list, in the same block */
  size_t runs_n;
  struct {
    ptrdiff_t off;
    size_t bytes;
  } run[];
};

static void unpack_landing(void *arg) {
  struct landing *landing = arg;
  const char *data = landing->data;
  for (size_t i = 0; i < landing->runs_n; i++) {
    tsr_copy_run(landing->base + landing->run[i].off, data, landing->run[i].bytes);
    data += landing->run[i].bytes;
  }
  free(landing);
}

static size_t count_runs(tsr_runs_cursor cursor, size_t bytes) {
  size_t n = 0;
  for (size_t now; bytes > 0; bytes -= now, n++) tsr_runs_pass(&cursor, now = smaller(bytes, cursor.left_bytes));
  return n;
}

/* Passes the local runs of a reply of `bytes`. NULL: no memory. */
static struct landing *prepare_landing(struct walk *walk, size_t bytes) {
  size_t runs_n = count_runs(walk->local, bytes), list_bytes = runs_n * sizeof(((struct landing *)0)->run[0]);
  struct landing *landing = malloc(sizeof *landing + list_bytes + bytes);
  if (!landing) return NULL;
  landing->base = walk->local_base;
  landing->data = (char *)(landing + 1) + list_bytes;
  landing->runs_n = runs_n;
  for (size_t i = 0; i < runs_n; i++) {
    size_t now = smaller(bytes, walk->local.left_bytes);
    landing->run[i].off = walk->local.off;
    landing->run[i].bytes = now;
    tsr_runs_pass(&walk->local, now);
    bytes -= now;
  }
  return landing;
}

static tessera_status_t get_message(struct walk *walk) {
  struct message message = plan(walk, false);
  struct packing packing = {&message, walk->target.off};
  struct tsr_net_request request = request_for(walk, TSR_H_GET_RUNS, &packing);
  request.pack = pack_get;
  request.reply_bytes = message.bytes;
  if (walk->local.left_bytes >= message.bytes) { /* one run: the reply goes where it belongs */
    request.reply = (char *)walk->local_base + walk->local.off;
    tsr_runs_pass(&walk->local, message.bytes);
    return tsr_op_request(walk->op, &request, NULL, NULL);
  }
  struct landing *landing = prepare_landing(walk, message.bytes);
  if (!landing) return tsr_fail(TESSERA_ERR_MEMORY, "no private memory for %zu bytes of an indexed get", message.bytes);
  request.reply = landing->data;
  tessera_status_t status = tsr_op_request(walk->op, &request, unpack_landing, landing);
  if (status) free(landing);
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

/* Memory of this node that cannot be loaded and stored all the same is served run by run. */
/* Memory of another process that the kernel copies takes no message. */
static size_t direct_bytes_to(tsr_unit unit) {
  int32_t local = tsr_place_local(unit);
  return local >= 0 && tsr_attach_works((uint32_t)local) ? 1 : tsr_net_limits.eager_bytes;
}

static struct walk walk_of(tsr_addr target, const tsr_runs *remote, void *local_base, const tsr_runs *local,
                           tsr_op *op) {
  return (struct walk){target, local_base, tsr_runs_begin(remote), tsr_runs_begin(local),
                       direct_bytes_to(target.unit), op};
}

tessera_status_t tsr_put_runs(tsr_addr dest, const tsr_runs *dest_runs, const void *src, const tsr_runs *src_runs,
                              tsr_op *op) {
  void *there = tsr_place_pointer(dest);
  if (there) {
    tsr_runs_copy(there, dest_runs, src, src_runs);
    return TESSERA_OK;
  }
  struct walk walk = walk_of(dest, dest_runs, (void *)src, src_runs, op);
  return put_walk(&walk);
}

tessera_status_t tsr_get_runs(void *dest, const tsr_runs *dest_runs, tsr_addr src, const tsr_runs *src_runs,
                              tsr_op *op) {
  const void *there = tsr_place_pointer(src);
  if (there) {
    tsr_runs_copy(dest, dest_runs, there, src_runs);
    return TESSERA_OK;
  }
  struct walk walk = walk_of(src, src_runs, dest, dest_runs, op);
  return get_walk(&walk);
}

/* At the target: the list of a request, and the memory that it names. */
struct list {
  const char *offs, *lengths;
  size_t runs_n;
  char *base; /* of the heap's byte `low` */
  uint64_t low;
};

static uint64_t off_at(const struct list *list, size_t i) {
  wire_off off;
  memcpy(&off, list->offs + i * sizeof off, sizeof off);
  return off;
}
static size_t bytes_at(const struct list *list, size_t i) {
  wire_bytes bytes;
  memcpy(&bytes, list->lengths + i * sizeof bytes, sizeof bytes);
  return bytes;
}

/* False: the bytes are no list, or not of as many bytes as its request says. */
static bool read_list(const struct tsr_net_in *in, struct list *list, uint64_t *high) {
  uint64_t total = 0;
  *list = (struct list){.offs = in->payload, .runs_n = in->args[1], .low = UINT64_MAX};
  *high = 0;
  if (!list->runs_n || list->runs_n > in->payload_bytes / ENTRY_BYTES) return false;
  list->lengths = list->offs + list->runs_n * sizeof(wire_off);
  for (size_t i = 0; i < list->runs_n; i++) {
    uint64_t off = off_at(list, i), end;
    if (__builtin_add_overflow(off, bytes_at(list, i), &end)) return false;
    if (off < list->low) list->low = off;
    if (end > *high) *high = end;
    total += bytes_at(list, i);
  }
  return total == in->args[2];
}

/* The list of a request that carries `data_bytes` behind it, checked against the heap. */
static struct list list_of(const struct tsr_net_in *in, size_t data_bytes) {
  struct list list;
  uint64_t high;
  if (!read_list(in, &list, &high) || in->payload_bytes - list.runs_n * ENTRY_BYTES < data_bytes)
    tsr_abort(1, "a request of rank %d carries no valid list of runs", in->rank);
  list.base = tsr_serve_range(in, list.low, high - list.low);
  return list;
}

static void serve_put_runs(const struct tsr_net_in *in, struct tsr_net_out *out) {
  (void)out;
  struct list list = list_of(in, in->args[2]);
  const char *data = list.lengths + list.runs_n * sizeof(wire_bytes);
  for (size_t i = 0; i < list.runs_n; i++) {
    tsr_copy_run(list.base + (off_at(&list, i) - list.low), data, bytes_at(&list, i));
    data += bytes_at(&list, i);
  }
}

static void serve_get_runs(const struct tsr_net_in *in, struct tsr_net_out *out) {
  struct list list = list_of(in, 0);
  if (in->args[2] > in->reply_bytes || in->args[2] > tsr_net_limits.eager_bytes)
    tsr_abort(1, "a request of rank %d asks for more bytes than one reply has", in->rank);
  char *to = out->scratch;
  for (size_t i = 0; i < list.runs_n; i++) {
    tsr_copy_run(to, list.base + (off_at(&list, i) - list.low), bytes_at(&list, i));
    to += bytes_at(&list, i);
  }
  out->reply = out->scratch;
  out->reply_bytes = in->args[2];
}

__attribute__((constructor)) static void register_handlers(void) {
  tsr_net_register(TSR_H_PUT_RUNS, serve_put_runs);
  tsr_net_register(TSR_H_GET_RUNS, serve_get_runs);
}
