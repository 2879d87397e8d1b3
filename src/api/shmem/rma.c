/* Put and get. */
#include "api/shmem/shmem_api.h"

#include "core/conflict.h"
#include "core/progress.h"
#include "core/stats.h"
#include "rma/rma.h"
#include "vis/strided.h"

void tsr_shmem_put(struct tsr_shmem_ctx *ctx, void *dest, const void *source, size_t bytes, int pe, bool waits, const char *call) {
  TSR_SHMEM_ENTER(call);
  const uint64_t begun_ns = tsr_stats_begin();
  if (!bytes) {
    tsr_shmem_unit(ctx, pe, call); /* any address is allowed, such as that of a block of no bytes */
    return;
  }
  tsr_addr to = tsr_shmem_address(ctx, dest, bytes, pe, call);
  void *local_addr = tsr_place_pointer(to);
  tsr_conflict_note(call, true, to, bytes);
  if (local_addr) {
    if (local_addr != source) tsr_copy(local_addr, source, bytes); /* else a PE puts a variable to itself */
    atomic_thread_fence(memory_order_release);
    tsr_shmem_ring(to.unit);
  } else {
    tsr_shmem_require(tsr_put_nb(to, source, bytes, &ctx->op), call);
    tsr_shmem_note_order(ctx, to, bytes);
    if (waits) tsr_op_wait_local(&ctx->op, to.unit);
  }
  tsr_progress_throttled();
  tsr_stats_end_at(TSR_STAT_PUT, begun_ns, bytes, to.unit);
}

void tsr_shmem_get(struct tsr_shmem_ctx *ctx, void *dest, const void *source, size_t bytes, int pe, bool waits, const char *call) {
  TSR_SHMEM_ENTER(call);
  const uint64_t begun_ns = tsr_stats_begin();
  if (!bytes) {
    tsr_shmem_unit(ctx, pe, call);
    return;
  }
  tsr_addr from = tsr_shmem_address(ctx, source, bytes, pe, call);
  const void *local_addr = tsr_place_pointer(from);
  tsr_conflict_note(call, false, from, bytes);
  if (local_addr) {
    if (local_addr != dest) tsr_copy(dest, local_addr, bytes);
  } else if (waits) {
    tsr_shmem_require(tsr_get_wait(dest, from, bytes), call);
  } else {
    tsr_shmem_require(tsr_get_nb(dest, from, bytes, &ctx->op), call);
  }
  tsr_progress_throttled();
  tsr_stats_end_at(TSR_STAT_GET, begun_ns, bytes, from.unit);
}

/* ---- strided ---- */

/* `blocks_n` blocks of `block` elements, which begin `stride` elements apart. */
struct shape {
  size_t elem_bytes, block, blocks_n;
  ptrdiff_t dst, sst;
};

static tsr_layout layout_of(const struct shape *shape, ptrdiff_t stride) {
  return tsr_layout_strided(shape->block * shape->elem_bytes, shape->blocks_n, stride * (ptrdiff_t)shape->elem_bytes);
}

static size_t extent_of(const struct shape *shape, ptrdiff_t stride, const char *call) {
  return tsr_shmem_extent(shape->blocks_n, stride, shape->block, shape->elem_bytes, call);
}

static void check_shape(const struct shape *shape, const char *call) {
  const ptrdiff_t least = shape->blocks_n > 1 ? (ptrdiff_t)shape->block : 1; /* one block has no stride */
  if (shape->dst < least || shape->sst < least)
    tsr_shmem_die("TSR-5041 %s: the strides are %td and %td; pass %td or more", call, shape->dst, shape->sst, least);
}

static void move_strided(bool is_put, shmem_ctx_t handle, void *dest, const void *source, struct shape shape, int pe,
                         const char *call) {
  TSR_SHMEM_ENTER(call);
  struct tsr_shmem_ctx *ctx = tsr_shmem_ctx(handle, call);
  tsr_shmem_unit(ctx, pe, call);
  if (!shape.blocks_n || !shape.block) return;
  check_shape(&shape, call);
  const ptrdiff_t remote_stride = is_put ? shape.dst : shape.sst;
  tsr_addr remote_addr = tsr_shmem_address(ctx, is_put ? dest : source, extent_of(&shape, remote_stride, call), pe, call);
  tsr_layout dest_layout = layout_of(&shape, shape.dst), source_layout = layout_of(&shape, shape.sst);
  tsr_op op = {0};
  if (is_put) {
    tsr_shmem_require(tsr_put_layout(remote_addr, &dest_layout, source, &source_layout, &ctx->op), call);
    tsr_shmem_note_order(ctx, remote_addr, SIZE_MAX); /* as long: the layout determines the number of messages */
    tsr_op_wait_local(&ctx->op, remote_addr.unit);
    tsr_shmem_ring(remote_addr.unit);
  } else {
    tsr_shmem_require(tsr_get_layout(dest, &dest_layout, remote_addr, &source_layout, &op), call);
    tsr_op_wait_remote(&op, remote_addr.unit);
  }
}

/* ---- the functions ---- */

#define DEFINE_COPIES(PUT, GET, SUFFIX, T, BYTES, WAITS) \
  TSR_SHMEM_DEFINE(void, PUT##SUFFIX, (T * dest, const T *source, size_t nelems, int pe), (dest, source, nelems, pe), \
         tsr_shmem_put(tsr_shmem_ctx(ctx, call), dest, source, tsr_shmem_bytes(nelems, BYTES, call), pe, WAITS, call);) \
  TSR_SHMEM_DEFINE(void, GET##SUFFIX, (T * dest, const T *source, size_t nelems, int pe), (dest, source, nelems, pe), \
         tsr_shmem_get(tsr_shmem_ctx(ctx, call), dest, source, tsr_shmem_bytes(nelems, BYTES, call), pe, WAITS, call);)
#define STRIDED_PARAMETERS(T) (T * dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
#define BLOCKED_PARAMETERS(T) (T * dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
#define DEFINE_STRIDED(IPUT, IGET, IBPUT, IBGET, T, BYTES) \
  TSR_SHMEM_DEFINE(void, IPUT, STRIDED_PARAMETERS(T), (dest, source, dst, sst, nelems, pe), \
         move_strided(true, ctx, dest, source, (struct shape){BYTES, 1, nelems, dst, sst}, pe, call);) \
  TSR_SHMEM_DEFINE(void, IGET, STRIDED_PARAMETERS(T), (dest, source, dst, sst, nelems, pe), \
         move_strided(false, ctx, dest, source, (struct shape){BYTES, 1, nelems, dst, sst}, pe, call);) \
  TSR_SHMEM_DEFINE(void, IBPUT, BLOCKED_PARAMETERS(T), (dest, source, dst, sst, bsize, nblocks, pe), \
         move_strided(true, ctx, dest, source, (struct shape){BYTES, bsize, nblocks, dst, sst}, pe, call);) \
  TSR_SHMEM_DEFINE(void, IBGET, BLOCKED_PARAMETERS(T), (dest, source, dst, sst, bsize, nblocks, pe), \
         move_strided(false, ctx, dest, source, (struct shape){BYTES, bsize, nblocks, dst, sst}, pe, call);)

#define ROW(NAME, T) \
  DEFINE_COPIES(NAME##_put, NAME##_get, , T, sizeof(T), true) \
  DEFINE_COPIES(NAME##_put, NAME##_get, _nbi, T, sizeof(T), false) \
  DEFINE_STRIDED(NAME##_iput, NAME##_iget, NAME##_ibput, NAME##_ibget, T, sizeof(T)) \
  TSR_SHMEM_DEFINE(void, NAME##_p, (T * dest, T value, int pe), (dest, value, pe), \
         tsr_shmem_put(tsr_shmem_ctx(ctx, call), dest, &value, sizeof value, pe, true, call);) \
  TSR_SHMEM_DEFINE(T, NAME##_g, (const T *source, int pe), (source, pe), \
         T value; tsr_shmem_get(tsr_shmem_ctx(ctx, call), &value, source, sizeof value, pe, true, call); return value;)
SHMEMI_RMA_TYPES(ROW)
#undef ROW

#define ROW(SIZE) \
  DEFINE_COPIES(put##SIZE, get##SIZE, , void, SIZE / 8, true) \
  DEFINE_COPIES(put##SIZE, get##SIZE, _nbi, void, SIZE / 8, false) \
  DEFINE_STRIDED(iput##SIZE, iget##SIZE, ibput##SIZE, ibget##SIZE, void, SIZE / 8)
SHMEMI_SIZES(ROW)
#undef ROW
DEFINE_COPIES(putmem, getmem, , void, 1, true)
DEFINE_COPIES(putmem, getmem, _nbi, void, 1, false)

#include "api/shmem/names.h"
#include <shmem/rma.h>
