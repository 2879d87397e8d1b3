/* Atomic operations on integers of 4 and 8 bytes. Those that exist for floating point only move bits. */
#include "rma/atomic.h"

#include "api/shmem/shmem_api.h"
#include "core/conflict.h"
#include "core/progress.h"
#include "core/stats.h"
#include "net/net.h"

/* One operation, on the bits. */
struct amo {
  shmem_ctx_t ctx;
  const char *call;
  void *target;
  size_t bytes;
  int pe;
};

static tsr_addr find_target(const struct amo *amo, struct tsr_shmem_ctx *ctx) {
  tsr_addr target = tsr_shmem_address(ctx, amo->target, amo->bytes, amo->pe, amo->call);
  if ((uintptr_t)amo->target % amo->bytes)
    tsr_shmem_die("TSR-5013 %s: %p is not aligned to %zu bytes; pass the address of a variable of that type", amo->call,
                  amo->target, amo->bytes);
  return target;
}

/* `expected`: for a compare-and-swap; else NULL. *result becomes the old value (NULL: not wanted): before the return if the call
 * `waits`, else when the context is quiet. */
static void apply_amo(const struct amo *amo, tsr_arith how, const void *expected, const void *operand, void *result, bool waits) {
  TSR_SHMEM_ENTER(amo->call);
  const uint64_t begun_ns = tsr_stats_begin();
  struct tsr_shmem_ctx *ctx = tsr_shmem_ctx(amo->ctx, amo->call);
  tsr_addr target = find_target(amo, ctx);
  tsr_op waited = {0}, *op = waits ? &waited : &ctx->op;
  const tsr_type type = amo->bytes == 4 ? TSR_U32 : TSR_U64;
  tsr_conflict_sync();
  if (expected) tsr_shmem_require(tsr_swap_if(target, type, expected, operand, result, op), amo->call);
  else tsr_shmem_require(tsr_fetch(target, type, how, operand, result, op), amo->call);
  if (waits) tsr_op_wait_remote(&waited, target.unit);
  tsr_shmem_note_order(ctx, target, 0);
  tsr_shmem_ring(target.unit);
  tsr_progress_throttled();
  tsr_stats_end_at(expected ? TSR_STAT_SWAP_IF : TSR_STAT_FETCH, begun_ns, amo->bytes, target.unit);
}

#define AMO(variable) &(struct amo){ctx, call, (void *)(uintptr_t)(variable), sizeof *(variable), pe}

#define ROW(NAME, T) \
  TSR_SHMEM_DEFINE(T, NAME##_atomic_fetch, (const T *source, int pe), (source, pe), \
         T old; apply_amo(AMO(source), TSR_NO_OP, NULL, NULL, &old, true); return old;) \
  TSR_SHMEM_DEFINE(void, NAME##_atomic_set, (T * dest, T value, int pe), (dest, value, pe), \
         apply_amo(AMO(dest), TSR_REPLACE, NULL, &value, NULL, false);) \
  TSR_SHMEM_DEFINE(T, NAME##_atomic_swap, (T * dest, T value, int pe), (dest, value, pe), \
         T old; apply_amo(AMO(dest), TSR_REPLACE, NULL, &value, &old, true); return old;) \
  TSR_SHMEM_DEFINE(void, NAME##_atomic_fetch_nbi, (T * fetch, const T *source, int pe), (fetch, source, pe), \
         apply_amo(AMO(source), TSR_NO_OP, NULL, NULL, fetch, false);) \
  TSR_SHMEM_DEFINE(void, NAME##_atomic_swap_nbi, (T * fetch, T *dest, T value, int pe), (fetch, dest, value, pe), \
         apply_amo(AMO(dest), TSR_REPLACE, NULL, &value, fetch, false);)
SHMEMI_AMO_TYPES(ROW) SHMEMI_AMO_FLOATS(ROW)
#undef ROW

#define ROW(NAME, T) \
  TSR_SHMEM_DEFINE(T, NAME##_atomic_compare_swap, (T * dest, T cond, T value, int pe), (dest, cond, value, pe), \
         T old; apply_amo(AMO(dest), TSR_REPLACE, &cond, &value, &old, true); return old;) \
  TSR_SHMEM_DEFINE(void, NAME##_atomic_compare_swap_nbi, (T * fetch, T *dest, T cond, T value, int pe), \
         (fetch, dest, cond, value, pe), apply_amo(AMO(dest), TSR_REPLACE, &cond, &value, fetch, false);) \
  TSR_SHMEM_DEFINE(T, NAME##_atomic_fetch_inc, (T * dest, int pe), (dest, pe), \
         const T one = 1; T old; apply_amo(AMO(dest), TSR_SUM, NULL, &one, &old, true); return old;) \
  TSR_SHMEM_DEFINE(void, NAME##_atomic_inc, (T * dest, int pe), (dest, pe), \
         const T one = 1; apply_amo(AMO(dest), TSR_SUM, NULL, &one, NULL, false);) \
  TSR_SHMEM_DEFINE(void, NAME##_atomic_fetch_inc_nbi, (T * fetch, T *dest, int pe), (fetch, dest, pe), \
         const T one = 1; apply_amo(AMO(dest), TSR_SUM, NULL, &one, fetch, false);) \
  DEFINE_OPERATION(NAME, T, add, TSR_SUM)
#define DEFINE_OPERATION(NAME, T, OPERATION, HOW) \
  TSR_SHMEM_DEFINE(T, NAME##_atomic_fetch_##OPERATION, (T * dest, T value, int pe), (dest, value, pe), \
         T old; apply_amo(AMO(dest), HOW, NULL, &value, &old, true); return old;) \
  TSR_SHMEM_DEFINE(void, NAME##_atomic_##OPERATION, (T * dest, T value, int pe), (dest, value, pe), \
         apply_amo(AMO(dest), HOW, NULL, &value, NULL, false);) \
  TSR_SHMEM_DEFINE(void, NAME##_atomic_fetch_##OPERATION##_nbi, (T * fetch, T *dest, T value, int pe), (fetch, dest, value, pe), \
         apply_amo(AMO(dest), HOW, NULL, &value, fetch, false);)
SHMEMI_AMO_TYPES(ROW)
#undef ROW
#define ROW(NAME, T) \
  DEFINE_OPERATION(NAME, T, and, TSR_BAND) \
  DEFINE_OPERATION(NAME, T, or, TSR_BOR) \
  DEFINE_OPERATION(NAME, T, xor, TSR_BXOR)
SHMEMI_AMO_BITS(ROW)
#undef ROW

#include "api/shmem/names.h"
#include <shmem/atomic.h>
