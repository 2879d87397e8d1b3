/* Atomic operations: on integers of 4 and 8 bytes; what floating point allows moves its bits only. */
#include "rma/atomic.h"

#include <string.h>

#include "api/shmem/shmem_api.h"
#include "base/stats.h"
#include "core/progress.h"
#include "net/net.h"

/* One operation, on the bits. */
struct amo {
  shmem_ctx_t ctx;
  const char *call;
  void *target;
  size_t bytes;
  int pe;
};

static void require(tessera_status_t status, const char *call) {
  if (status) tsr_shmem_die("TSR-5012 %s: the operation failed: %s", call, tessera_status_text(status));
}

static tsr_addr find_target(const struct amo *amo, struct tsr_shmem_ctx *ctx) {
  tsr_addr target = tsr_shmem_address(ctx, amo->target, amo->bytes, amo->pe, amo->call);
  if ((uintptr_t)amo->target % amo->bytes)
    tsr_shmem_die("TSR-5013 %s: %p is not aligned to %zu bytes; pass the address of a variable of that type", amo->call, amo->target, amo->bytes);
  if (tsr_addr_is_outside(target)) atomic_store_explicit(&ctx->overtakes, true, memory_order_relaxed);
  return target;
}

static tsr_type type_of(size_t bytes) { return bytes == 4 ? TSR_U32 : TSR_U64; }

/* The end of each operation: `op` is the context's, or the caller waits. */
static void finish(const struct amo *amo, tsr_addr target, tessera_status_t status, const tsr_op *waited, uint64_t begun_ns,
                   enum tsr_stat what) {
  require(status, amo->call);
  if (waited) tsr_op_wait_remote(waited, target.unit);
  tsr_shmem_ring(target.unit);
  tsr_progress_throttled();
  tsr_stats_end(what, begun_ns, amo->bytes, tsr_place_is_local(target.unit) ? 0 : amo->bytes);
}

/* *result (NULL: not wanted) = the old value, on return if it `waits`. */
static void apply(const struct amo *amo, tsr_arith how, const void *operand, void *result, bool waits) {
  const uint64_t begun_ns = tsr_stats_begin();
  struct tsr_shmem_ctx *ctx = tsr_shmem_ctx(amo->ctx, amo->call);
  tsr_addr target = find_target(amo, ctx);
  tsr_op op = {0};
  tessera_status_t status = tsr_fetch(target, type_of(amo->bytes), how, operand, result, waits ? &op : &ctx->op);
  finish(amo, target, status, waits ? &op : NULL, begun_ns, TSR_STAT_FETCH);
}

static void swap_if(const struct amo *amo, const void *expected, const void *desired, void *result, bool waits) {
  const uint64_t begun_ns = tsr_stats_begin();
  struct tsr_shmem_ctx *ctx = tsr_shmem_ctx(amo->ctx, amo->call);
  tsr_addr target = find_target(amo, ctx);
  tsr_op op = {0};
  tessera_status_t status = tsr_swap_if(target, type_of(amo->bytes), expected, desired, result, waits ? &op : &ctx->op);
  finish(amo, target, status, waits ? &op : NULL, begun_ns, TSR_STAT_SWAP_IF);
}

#define UNPACK(...) __VA_ARGS__
#define DEFINE(result, name, parameters, arguments, ...)                                                    \
  result pshmem_ctx_##name(shmem_ctx_t ctx, UNPACK parameters) {                                            \
    const char *call = "shmem_" #name;                                                                      \
    __VA_ARGS__                                                                                             \
  }                                                                                                         \
  result pshmem_##name(UNPACK parameters) { return pshmem_ctx_##name(SHMEM_CTX_DEFAULT, UNPACK arguments); }
#define AMO(variable) &(struct amo){ctx, call, (void *)(uintptr_t)(variable), sizeof *(variable), pe}

#define ROW(NAME, T)                                                                                                        \
  DEFINE(T, NAME##_atomic_fetch, (const T *source, int pe), (source, pe),                                                   \
         T old; apply(AMO(source), TSR_NO_OP, NULL, &old, true); return old;)                                               \
  DEFINE(void, NAME##_atomic_set, (T * dest, T value, int pe), (dest, value, pe),                                           \
         apply(AMO(dest), TSR_REPLACE, &value, NULL, false);)                                                               \
  DEFINE(T, NAME##_atomic_swap, (T * dest, T value, int pe), (dest, value, pe),                                             \
         T old; apply(AMO(dest), TSR_REPLACE, &value, &old, true); return old;)                                             \
  DEFINE(void, NAME##_atomic_fetch_nbi, (T * fetch, const T *source, int pe), (fetch, source, pe),                          \
         apply(AMO(source), TSR_NO_OP, NULL, fetch, false);)                                                                \
  DEFINE(void, NAME##_atomic_swap_nbi, (T * fetch, T *dest, T value, int pe), (fetch, dest, value, pe),                     \
         apply(AMO(dest), TSR_REPLACE, &value, fetch, false);)
SHMEMI_AMO_TYPES(ROW) SHMEMI_AMO_FLOATS(ROW)
#undef ROW

#define ROW(NAME, T)                                                                                                        \
  DEFINE(T, NAME##_atomic_compare_swap, (T * dest, T cond, T value, int pe), (dest, cond, value, pe),                       \
         T old; swap_if(AMO(dest), &cond, &value, &old, true); return old;)                                                 \
  DEFINE(void, NAME##_atomic_compare_swap_nbi, (T * fetch, T *dest, T cond, T value, int pe), (fetch, dest, cond, value, pe), \
         swap_if(AMO(dest), &cond, &value, fetch, false);)                                                                  \
  DEFINE(T, NAME##_atomic_fetch_inc, (T * dest, int pe), (dest, pe),                                                        \
         const T one = 1; T old; apply(AMO(dest), TSR_SUM, &one, &old, true); return old;)                                  \
  DEFINE(void, NAME##_atomic_inc, (T * dest, int pe), (dest, pe),                                                           \
         const T one = 1; apply(AMO(dest), TSR_SUM, &one, NULL, false);)                                                    \
  DEFINE(void, NAME##_atomic_fetch_inc_nbi, (T * fetch, T *dest, int pe), (fetch, dest, pe),                                \
         const T one = 1; apply(AMO(dest), TSR_SUM, &one, fetch, false);)                                                   \
  DEFINE_OPERATION(NAME, T, add, TSR_SUM)
#define DEFINE_OPERATION(NAME, T, OPERATION, HOW)                                                                           \
  DEFINE(T, NAME##_atomic_fetch_##OPERATION, (T * dest, T value, int pe), (dest, value, pe),                                \
         T old; apply(AMO(dest), HOW, &value, &old, true); return old;)                                                     \
  DEFINE(void, NAME##_atomic_##OPERATION, (T * dest, T value, int pe), (dest, value, pe),                                   \
         apply(AMO(dest), HOW, &value, NULL, false);)                                                                       \
  DEFINE(void, NAME##_atomic_fetch_##OPERATION##_nbi, (T * fetch, T *dest, T value, int pe), (fetch, dest, value, pe),      \
         apply(AMO(dest), HOW, &value, fetch, false);)
SHMEMI_AMO_TYPES(ROW)
#undef ROW
#define ROW(NAME, T)                         \
  DEFINE_OPERATION(NAME, T, and, TSR_BAND)   \
  DEFINE_OPERATION(NAME, T, or, TSR_BOR)     \
  DEFINE_OPERATION(NAME, T, xor, TSR_BXOR)
SHMEMI_AMO_BITS(ROW)
#undef ROW

#include "api/shmem/names.h"
#include <shmem/atomic.h>
