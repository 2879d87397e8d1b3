#include "vis/batch.h"

#include <string.h>

#include "base/bits.h"
#include "base/freelist.h"
#include "base/scale.h"
#include "base/status.h"
#include "vis/accumulate.h"
#include "vis/strided.h"
#include "vis/vector.h"
#include "vis/bounce.h"

/* The block is filled from both ends: upwards with the data of puts and sums or the places of gets, downwards with the
 * entries at the target. An entry is a third longer here than on the wire, so the block is a third longer than a request. */
struct run {
  uint64_t off;
  size_t bytes;
};
enum { BLOCK_ALIGN = 16 };
static tsr_freelist blocks = TSR_FREELIST(1 << 20);
static size_t block_bytes(void) { return (tsr_net_limits.eager_bytes * 4 / 3 / BLOCK_ALIGN + 1) * BLOCK_ALIGN; }

static struct run *run_at(const tsr_batch *batch, size_t i) {
  return (struct run *)(batch->block + block_bytes()) - 1 - i;
}
static struct tsr_bounce_place *places_of(const tsr_batch *batch) { return (struct tsr_bounce_place *)batch->block; }

/* ---- sending ---- */

static void pack_batch(void *dest, const void *arg) {
  const tsr_batch *batch = arg;
  char *off_at = dest, *bytes_at = off_at + batch->iov_n * sizeof(tsr_entry_off);
  const struct run *run = run_at(batch, 0);
  for (size_t i = 0; i < batch->iov_n; i++, run--) {
    memcpy(off_at + i * sizeof(tsr_entry_off), &(tsr_entry_off){run->off}, sizeof(tsr_entry_off));
    memcpy(bytes_at + i * sizeof(tsr_entry_bytes), &(tsr_entry_bytes){(tsr_entry_bytes)run->bytes}, sizeof(tsr_entry_bytes));
  }
  if (batch->kind != TSR_BATCH_GETS)
    memcpy(bytes_at + batch->iov_n * sizeof(tsr_entry_bytes), batch->block, batch->bytes);
}

static struct tsr_net_request request_of(const tsr_batch *batch, enum tsr_handler handler) {
  struct tsr_net_request request = tsr_list_request(handler, (tsr_addr){batch->unit, 0}, batch->iov_n, batch->bytes);
  request.pack = pack_batch;
  request.pack_arg = batch;
  return request;
}

static tessera_status_t send_data(tsr_batch *batch) {
  bool sums = batch->kind >= TSR_BATCH_SUMS;
  struct tsr_net_request request = request_of(batch, sums ? TSR_H_ACC_IOV : TSR_H_PUT_IOV);
  if (sums) request.args[4] = tsr_arith_encode((tsr_type)(batch->kind - TSR_BATCH_SUMS), TSR_SUM);
  request.payload_bytes += batch->bytes;
  return tsr_op_request(batch->op, &request, NULL, NULL);
}

static tessera_status_t send_gets(tsr_batch *batch) {
  struct tsr_bounce *bounce = tsr_bounce_new(batch->unit, batch->places_n, batch->bytes);
  if (!bounce)
    return tsr_fail(TESSERA_ERR_MEMORY, "TSR-0702 no private memory for %zu bytes of a batch of gets; " TSR_REMEDY_MEMORY,
                    batch->bytes);
  memcpy(bounce->place, places_of(batch), batch->places_n * sizeof bounce->place[0]);
  struct tsr_net_request request = request_of(batch, TSR_H_GET_IOV);
  request.reply = bounce->data;
  request.reply_bytes = batch->bytes;
  tessera_status_t status = tsr_op_request(batch->op, &request, tsr_bounce_unpack, bounce);
  if (status) tsr_bounce_drop(bounce);
  return status;
}

/* Makes the handle that counts the requests. */
static tessera_status_t begin_batch(tsr_batch *batch) {
  return batch->handle ? TESSERA_OK : tsr_handle_create(batch->unit, &batch->handle, &batch->op);
}

tessera_status_t tsr_batch_flush(tsr_batch *batch) {
  if (!batch->iov_n) return TESSERA_OK;
  tessera_status_t status = begin_batch(batch);
  if (!status) status = batch->kind == TSR_BATCH_GETS ? send_gets(batch) : send_data(batch);
  batch->iov_n = batch->bytes = batch->places_n = 0;
  return status;
}

tessera_status_t tsr_batch_wait(tsr_batch *batch) {
  tessera_status_t status = tsr_batch_flush(batch);
  if (batch->handle) {
    tsr_handle_wait_local(batch->op);
    tsr_handle_release(batch->handle);
  }
  if (batch->block) tsr_freelist_give(&blocks, batch->block, block_bytes());
  tsr_batch_open(batch, batch->unit);
  return status;
}

/* ---- collecting ---- */

/* One side of an operation: a simplified layout, an iovec, or, if both are NULL, contiguous bytes. */
struct side {
  uint64_t at; /* remote: offset in the heap; local: address */
  const tsr_layout *layout;
  const tsr_iov *iov;
};

static void *pointer_of(const struct side *side) { return (void *)(uintptr_t)side->at; }

/* An upper bound of the number of contiguous pieces. */
static size_t count_pieces(const struct side *side, size_t bytes) {
  size_t n = 1;
  if (side->layout) return bytes / side->layout->elem_bytes;
  if (side->iov && !tsr_mul_size(side->iov->n, side->iov->times, &n)) return SIZE_MAX;
  return n;
}

typedef void (*add_fn)(tsr_batch *batch, uint64_t at, size_t bytes);

/* Bytes that continue the last entry extend it. */
static void add_run(tsr_batch *batch, uint64_t at, size_t bytes) {
  struct run *next = run_at(batch, batch->iov_n);
  if (batch->iov_n && next[1].off + next[1].bytes == at) {
    next[1].bytes += bytes;
    return;
  }
  *next = (struct run){at, bytes};
  batch->iov_n++;
}

static void add_place(tsr_batch *batch, uint64_t at, size_t bytes) {
  struct tsr_bounce_place *next = places_of(batch) + batch->places_n;
  if (batch->places_n && (uintptr_t)next[-1].to + next[-1].bytes == at) {
    next[-1].bytes += bytes;
    return;
  }
  *next = (struct tsr_bounce_place){(char *)(uintptr_t)at, bytes};
  batch->places_n++;
}

static void add_side(tsr_batch *batch, add_fn add, const struct side *side, size_t bytes) {
  if (side->layout) {
    tsr_layout_cursor cursor;
    tsr_layout_begin(&cursor, side->layout);
    do add(batch, side->at + (uint64_t)cursor.off, cursor.left_bytes);
    while (tsr_layout_pass(&cursor, cursor.left_bytes));
  } else if (side->iov) {
    tsr_iov_cursor cursor = tsr_iov_begin(side->iov);
    for (; cursor.left_bytes; tsr_iov_pass(&cursor, cursor.left_bytes))
      add(batch, side->at + (uint64_t)cursor.off, cursor.left_bytes);
  } else {
    add(batch, side->at, bytes);
  }
}

static void add_data(tsr_batch *batch, const struct side *from, size_t bytes) {
  char *data = batch->block + batch->bytes;
  if (from->layout) {
    tsr_layout_pack(data, pointer_of(from), from->layout, 0, bytes);
  } else if (from->iov) {
    tsr_iov_cursor cursor = tsr_iov_begin(from->iov);
    tsr_iov_pack(data, pointer_of(from), &cursor, bytes);
  } else {
    tsr_copy(data, pointer_of(from), bytes);
  }
}

/* The space of an operation in the block: data or places, and entries. */
struct need {
  size_t bytes, places_n, iov_n;
};

/* The data of puts and sums shares the request with the list. The data of gets comes in the reply, and their places
 * stay in the block. */
static bool fits_request(int kind, const struct need *need, size_t room) {
  size_t low = kind == TSR_BATCH_GETS ? need->places_n * sizeof(struct tsr_bounce_place) : need->bytes;
  return need->bytes <= room && low + need->iov_n * TSR_LIST_ENTRY_BYTES <= room;
}

static bool is_short(int kind, const struct need *need) {
  size_t half = tsr_net_limits.eager_bytes / 2;
  return need->places_n <= half && need->iov_n <= half && fits_request(kind, need, half);
}

/* Flushes the batch if the operation does not fit. A short operation fits into an empty block. */
static tessera_status_t make_room(tsr_batch *batch, int kind, const struct need *need) {
  struct need all = {batch->bytes + need->bytes, batch->places_n + need->places_n, batch->iov_n + need->iov_n};
  tessera_status_t status = TESSERA_OK;
  if (batch->iov_n && (batch->kind != kind || !fits_request(kind, &all, tsr_net_limits.eager_bytes)))
    status = tsr_batch_flush(batch);
  batch->kind = kind;
  if (!batch->block) batch->block = tsr_freelist_take(&blocks, block_bytes());
  if (!batch->block)
    return tsr_fail(TESSERA_ERR_MEMORY, "TSR-0703 no private memory for a batch of operations; " TSR_REMEDY_MEMORY);
  return status;
}

/* TESSERA_ERR_UNSUPPORTED: the caller starts the operation separately, counted in batch->op. */
static tessera_status_t collect_sides(tsr_batch *batch, int kind, const struct side *remote,
                                      const struct side *local, size_t bytes) {
  if (!bytes) return TESSERA_OK;
  struct need need = {bytes, kind == TSR_BATCH_GETS ? count_pieces(local, bytes) : 0, count_pieces(remote, bytes)};
  tessera_status_t status;
  if (remote->at >= TSR_ADDR_OUTSIDE || !is_short(kind, &need)) {
    batch->has_separate = true;
    return (status = begin_batch(batch)) ? status : TESSERA_ERR_UNSUPPORTED;
  }
  if ((status = make_room(batch, kind, &need))) return status;
  add_side(batch, add_run, remote, bytes);
  if (kind == TSR_BATCH_GETS) add_side(batch, add_place, local, bytes);
  else add_data(batch, local, bytes);
  batch->bytes += bytes;
  return TESSERA_OK;
}

static tessera_status_t collect_layouts(tsr_batch *batch, int kind, tsr_addr remote_addr,
                                        const tsr_layout *remote, const void *local_addr, const tsr_layout *local) {
  if (tsr_place_pointer(remote_addr)) return TESSERA_ERR_UNSUPPORTED;
  tsr_layout theirs, ours;
  tsr_layout_simplify_to(&theirs, remote);
  tsr_layout_simplify_to(&ours, local);
  return collect_sides(batch, kind, &(struct side){.at = remote_addr.off, .layout = &theirs},
                       &(struct side){.at = (uintptr_t)local_addr, .layout = &ours}, tsr_layout_bytes(&theirs));
}

static tessera_status_t collect_iov(tsr_batch *batch, int kind, tsr_addr remote_addr, const tsr_iov *remote,
                                     const void *local_addr, const tsr_iov *local) {
  if (tsr_place_pointer(remote_addr)) return TESSERA_ERR_UNSUPPORTED;
  return collect_sides(batch, kind, &(struct side){.at = remote_addr.off, .iov = remote},
                       &(struct side){.at = (uintptr_t)local_addr, .iov = local}, tsr_iov_bytes(remote));
}

/* ---- operations ---- */

/* As collect_sides(), with a short path for the most frequent case: one more contiguous operation of the same kind that fits.
 */
static inline tessera_status_t collect_contiguous(tsr_batch *batch, int kind, tsr_addr remote_addr, const void *local,
                                                  size_t bytes) {
  const bool gets = kind == TSR_BATCH_GETS;
  const struct need all = {batch->bytes + bytes, batch->places_n + gets, batch->iov_n + 1};
  if (!batch->iov_n || batch->kind != kind || !bytes || bytes > tsr_net_limits.eager_bytes / 4 ||
      remote_addr.off >= TSR_ADDR_OUTSIDE || !fits_request(kind, &all, tsr_net_limits.eager_bytes))
    return collect_sides(batch, kind, &(struct side){.at = remote_addr.off}, &(struct side){.at = (uintptr_t)local}, bytes);
  add_run(batch, remote_addr.off, bytes);
  if (gets) add_place(batch, (uintptr_t)local, bytes);
  else tsr_copy(batch->block + batch->bytes, local, bytes);
  batch->bytes += bytes;
  return TESSERA_OK;
}

tessera_status_t tsr_batch_put_remote(tsr_batch *batch, tsr_addr dest, const void *src, size_t bytes) {
  tessera_status_t status = collect_contiguous(batch, TSR_BATCH_PUTS, dest, src, bytes);
  return status == TESSERA_ERR_UNSUPPORTED ? tsr_put_nb(dest, src, bytes, batch->op) : status;
}

tessera_status_t tsr_batch_get_remote(tsr_batch *batch, void *dest, tsr_addr src, size_t bytes) {
  tessera_status_t status = collect_contiguous(batch, TSR_BATCH_GETS, src, dest, bytes);
  return status == TESSERA_ERR_UNSUPPORTED ? tsr_get_nb(dest, src, bytes, batch->op) : status;
}

tessera_status_t tsr_batch_put_layout(tsr_batch *batch, tsr_addr dest, const tsr_layout *dest_layout, const void *src,
                                      const tsr_layout *src_layout) {
  tessera_status_t status = collect_layouts(batch, TSR_BATCH_PUTS, dest, dest_layout, src, src_layout);
  return status == TESSERA_ERR_UNSUPPORTED ? tsr_put_layout(dest, dest_layout, src, src_layout, batch->op) : status;
}

tessera_status_t tsr_batch_get_layout(tsr_batch *batch, void *dest, const tsr_layout *dest_layout, tsr_addr src,
                                      const tsr_layout *src_layout) {
  tessera_status_t status = collect_layouts(batch, TSR_BATCH_GETS, src, src_layout, dest, dest_layout);
  return status == TESSERA_ERR_UNSUPPORTED ? tsr_get_layout(dest, dest_layout, src, src_layout, batch->op) : status;
}

tessera_status_t tsr_batch_put_iov(tsr_batch *batch, tsr_addr dest, const tsr_iov *dest_iov, const void *src,
                                    const tsr_iov *src_iov) {
  tessera_status_t status = collect_iov(batch, TSR_BATCH_PUTS, dest, dest_iov, src, src_iov);
  return status == TESSERA_ERR_UNSUPPORTED ? tsr_put_iov(dest, dest_iov, src, src_iov, batch->op) : status;
}

tessera_status_t tsr_batch_get_iov(tsr_batch *batch, void *dest, const tsr_iov *dest_iov, tsr_addr src,
                                    const tsr_iov *src_iov) {
  tessera_status_t status = collect_iov(batch, TSR_BATCH_GETS, src, src_iov, dest, dest_iov);
  return status == TESSERA_ERR_UNSUPPORTED ? tsr_get_iov(dest, dest_iov, src, src_iov, batch->op) : status;
}

/* Multiplies the data that was collected last: the origin multiplies, as in vis/message.c. */
static void scale_collected(tsr_batch *batch, size_t bytes, tsr_type type, const void *scale) {
  if (scale && bytes) tsr_scale(type, batch->block + batch->bytes - bytes, scale, bytes / tsr_type_bytes(type));
}

tessera_status_t tsr_batch_acc_layout(tsr_batch *batch, tsr_addr dest, const tsr_layout *dest_layout, const void *src,
                                      const tsr_layout *src_layout, tsr_type type, const void *scale) {
  tessera_status_t status = collect_layouts(batch, TSR_BATCH_SUMS + (int)type, dest, dest_layout, src, src_layout);
  if (status == TESSERA_ERR_UNSUPPORTED)
    return tsr_acc_layout(dest, dest_layout, src, src_layout, type, TSR_SUM, scale, batch->op);
  if (!status) scale_collected(batch, tsr_layout_bytes(dest_layout), type, scale);
  return status;
}

tessera_status_t tsr_batch_acc_iov(tsr_batch *batch, tsr_addr dest, const tsr_iov *dest_iov, const void *src,
                                    const tsr_iov *src_iov, tsr_type type, const void *scale) {
  tessera_status_t status = collect_iov(batch, TSR_BATCH_SUMS + (int)type, dest, dest_iov, src, src_iov);
  if (status == TESSERA_ERR_UNSUPPORTED) return tsr_acc_iov(dest, dest_iov, src, src_iov, type, TSR_SUM, scale, batch->op);
  if (!status) scale_collected(batch, tsr_iov_bytes(dest_iov), type, scale);
  return status;
}
