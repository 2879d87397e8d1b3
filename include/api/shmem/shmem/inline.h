/* Inline versions of the frequent operations, for PEs of the same node: a bounds check, and a load, a store or a CPU atomic.
 * In all other cases they call the library's functions of the same names. Programs do not use the names with shmemi_.
 * SHMEM_PROFILE turns all of this off, and so does bindgen, which makes bindings for Rust and leaves out inline functions. */
#ifndef TSR_SHMEM_INLINE_H
#define TSR_SHMEM_INLINE_H

#include <shmem.h>

#include <string.h>

#pragma GCC system_header /* so that -pedantic is silent about `return f()` in functions without a result */

#if !defined SHMEM_PROFILE && !defined __BINDGEN__

#ifdef __cplusplus
extern "C" {
#endif

/* The location of the symmetric memory of this process, and of that of other PEs of its node: the address of PE p's object is
 * the address of the caller's object plus (p - my_pe) * step. The library fills in the numbers. All are 0 while it is not up;
 * `n` is also 0 if calls are counted or checked, or if only calls make progress (TESSERA_PROGRESS=none on several nodes). The
 * symbol's name contains the version of the layout. */
struct shmemi_local {
  int32_t pe, npes;
  uint32_t first, n;     /* inline functions access the PEs [first, first + n) */
  int64_t step;
  uint64_t heap, bytes;  /* the caller's heap */
  uint64_t data, data_bytes, data_alias; /* the caller's static variables, and the address of the same bytes in its heap */
  const uint32_t *watches; /* count of PE `first`: not 0 while that PE may sleep until its memory changes */
  uint64_t watch_step;     /* bytes from one PE's count to that of the next PE */
  const unsigned char *progress_required; /* 0 while all operations complete at once */
};
extern struct shmemi_local tsr_shmem_local_1;
/* Wakes the PE with this index on this node. */
void tsr_shmem_wake(uint32_t index);

#define SHMEMI_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define SHMEMI_SHORT extern __inline__ __attribute__((gnu_inline, always_inline, unused))
enum { SHMEMI_BYTES_MAX = 2048 /* of an inline copy: for more, a call costs little, and the library copies faster than memmove */ };

/* Stores the index of the PE on this node, and returns the address of the PE's object in this process. NULL: the
 * library has to do the operation. */
SHMEMI_SHORT void *shmemi_find(shmem_ctx_t ctx, const void *address, uint64_t bytes, int pe, uint32_t *index) {
  const struct shmemi_local *map = &tsr_shmem_local_1;
  *index = 0;
  if (ctx != SHMEM_CTX_DEFAULT) {
    if (!ctx || (uint32_t)pe >= ctx->local_n) return NULL;
    pe = ctx->first + pe * ctx->stride;
  }
  uint64_t at = (uint64_t)(uintptr_t)address, off = at - map->heap;
  *index = (uint32_t)pe - map->first;
  if (__builtin_expect(off >= map->bytes, 0)) {
    off = at - map->data;
    if (off >= map->data_bytes || bytes > map->data_bytes - off) return NULL;
    at = map->data_alias + off;
  } else if (bytes > map->bytes - off) {
    return NULL;
  }
  if (!SHMEMI_LIKELY(*index < map->n)) return NULL;
  return (void *)(uintptr_t)(at + (uint64_t)((int64_t)(pe - map->pe) * map->step));
}

/* Called after a change of a PE's memory: wakes the PE if it may wait for the change. The store may still be on its way when the
 * count is read. A PE that goes to sleep at that moment polls again soon, because its sleep is timed. */
SHMEMI_SHORT void shmemi_ring(uint32_t index) {
  const struct shmemi_local *map = &tsr_shmem_local_1;
  const char *watch = (const char *)map->watches + index * map->watch_step;
  if (__builtin_expect(__atomic_load_n((const uint32_t *)(const void *)watch, __ATOMIC_RELAXED), 0)) tsr_shmem_wake(index);
}

/* Private memory of no bytes may be NULL, which memmove does not take. `dest` and `source` may be the same. */
SHMEMI_SHORT int shmemi_put(shmem_ctx_t ctx, void *dest, const void *source, size_t bytes, int pe) {
  uint32_t index = 0;
  void *to = bytes <= SHMEMI_BYTES_MAX ? shmemi_find(ctx, dest, bytes, pe, &index) : (void *)0;
  if (!SHMEMI_LIKELY(to)) return 0;
  if (bytes) memmove(to, source, bytes);
  shmemi_ring(index);
  return 1;
}
SHMEMI_SHORT int shmemi_get(shmem_ctx_t ctx, void *dest, const void *source, size_t bytes, int pe) {
  uint32_t index = 0;
  const void *from = bytes <= SHMEMI_BYTES_MAX ? shmemi_find(ctx, source, bytes, pe, &index) : (void *)0;
  if (!SHMEMI_LIKELY(from)) return 0;
  if (bytes) memmove(dest, from, bytes);
  return 1;
}

/* The signal is a locked operation of the CPU, so the count of watches is read after it. */
SHMEMI_SHORT int shmemi_put_signal(shmem_ctx_t ctx, void *dest, const void *source, size_t bytes, uint64_t *sig_addr,
                                   uint64_t signal, int sig_op, int pe) {
  uint32_t index;
  const int is_known = sig_op == SHMEM_SIGNAL_SET || sig_op == SHMEM_SIGNAL_ADD;
  if (bytes > SHMEMI_BYTES_MAX || !is_known || (uintptr_t)sig_addr % sizeof *sig_addr) return 0;
  void *to = shmemi_find(ctx, dest, bytes, pe, &index);
  uint64_t *word = (uint64_t *)shmemi_find(ctx, sig_addr, sizeof *sig_addr, pe, &index);
  if (!SHMEMI_LIKELY(to && word)) return 0;
  if (bytes) memmove(to, source, bytes);
  if (sig_op == SHMEM_SIGNAL_SET) __atomic_exchange_n(word, signal, __ATOMIC_SEQ_CST);
  else __atomic_fetch_add(word, signal, __ATOMIC_SEQ_CST);
  shmemi_ring(index);
  return 1;
}

/* SHMEMI_BOTH(RESULT, NAME, (PARAMETERS), (ARGUMENTS), WAY) defines shmem_NAME and shmem_ctx_NAME. Both begin with the
 * statements WAY, which use the context `ctx` and return if they have done the operation; otherwise the library does it. */
#define SHMEMI_UNPACK(...) __VA_ARGS__
#define SHMEMI_BOTH(result, name, parameters, arguments, ...)                                                              \
  SHMEMI_SHORT result shmem_##name(SHMEMI_UNPACK parameters) {                                                             \
    const shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;                                                                             \
    __VA_ARGS__                                                                                                            \
    return pshmem_##name(SHMEMI_UNPACK arguments);                                                                         \
  }                                                                                                                        \
  SHMEMI_SHORT result shmem_ctx_##name(shmem_ctx_t ctx, SHMEMI_UNPACK parameters) {                                        \
    __VA_ARGS__                                                                                                            \
    return pshmem_ctx_##name(ctx, SHMEMI_UNPACK arguments);                                                                \
  }

#define SHMEMI_PUT_WAY(unit) \
  if (nelems <= SHMEMI_BYTES_MAX && shmemi_put(ctx, dest, source, nelems * (unit), pe)) return;
#define SHMEMI_GET_WAY(unit) \
  if (nelems <= SHMEMI_BYTES_MAX && shmemi_get(ctx, dest, source, nelems * (unit), pe)) return;

#define SHMEMI_SIGNAL_ROW(name, T, unit)                                                                                   \
  SHMEMI_BOTH(void, name, (T * dest, const T *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe), \
              (dest, source, nelems, sig_addr, signal, sig_op, pe),                                                        \
              if (nelems <= SHMEMI_BYTES_MAX &&                                                                            \
                  shmemi_put_signal(ctx, dest, source, nelems * (unit), sig_addr, signal, sig_op, pe)) return;)

#define SHMEMI_ROW(NAME, T)                                                                                                \
  SHMEMI_BOTH(void, NAME##_put, (T * dest, const T *source, size_t nelems, int pe), (dest, source, nelems, pe),            \
              SHMEMI_PUT_WAY(sizeof(T)))                                                                                   \
  SHMEMI_BOTH(void, NAME##_get, (T * dest, const T *source, size_t nelems, int pe), (dest, source, nelems, pe),            \
              SHMEMI_GET_WAY(sizeof(T)))                                                                                   \
  SHMEMI_BOTH(void, NAME##_put_nbi, (T * dest, const T *source, size_t nelems, int pe), (dest, source, nelems, pe),        \
              SHMEMI_PUT_WAY(sizeof(T)))                                                                                   \
  SHMEMI_BOTH(void, NAME##_get_nbi, (T * dest, const T *source, size_t nelems, int pe), (dest, source, nelems, pe),        \
              SHMEMI_GET_WAY(sizeof(T)))                                                                                   \
  SHMEMI_SIGNAL_ROW(NAME##_put_signal, T, sizeof(T))                                                                       \
  SHMEMI_SIGNAL_ROW(NAME##_put_signal_nbi, T, sizeof(T))                                                                   \
  SHMEMI_BOTH(void, NAME##_p, (T * dest, T value, int pe), (dest, value, pe),                                              \
              uint32_t index; T *to = (T *)shmemi_find(ctx, dest, sizeof(T), pe, &index);                                  \
              if (SHMEMI_LIKELY(to)) { *(volatile T *)to = value; shmemi_ring(index); return; })                           \
  SHMEMI_BOTH(T, NAME##_g, (const T *source, int pe), (source, pe),                                                        \
              uint32_t index; const T *from = (const T *)shmemi_find(ctx, source, sizeof(T), pe, &index);                  \
              if (SHMEMI_LIKELY(from)) return *(const volatile T *)from;)
SHMEMI_RMA_TYPES(SHMEMI_ROW)
#undef SHMEMI_ROW

#define SHMEMI_ROW(SIZE)                                                                                                   \
  SHMEMI_BOTH(void, put##SIZE, (void *dest, const void *source, size_t nelems, int pe), (dest, source, nelems, pe),        \
              SHMEMI_PUT_WAY(SIZE / 8))                                                                                    \
  SHMEMI_BOTH(void, get##SIZE, (void *dest, const void *source, size_t nelems, int pe), (dest, source, nelems, pe),        \
              SHMEMI_GET_WAY(SIZE / 8))                                                                                    \
  SHMEMI_BOTH(void, put##SIZE##_nbi, (void *dest, const void *source, size_t nelems, int pe), (dest, source, nelems, pe),  \
              SHMEMI_PUT_WAY(SIZE / 8))                                                                                    \
  SHMEMI_BOTH(void, get##SIZE##_nbi, (void *dest, const void *source, size_t nelems, int pe), (dest, source, nelems, pe),  \
              SHMEMI_GET_WAY(SIZE / 8))                                                                                    \
  SHMEMI_SIGNAL_ROW(put##SIZE##_signal, void, SIZE / 8)                                                                    \
  SHMEMI_SIGNAL_ROW(put##SIZE##_signal_nbi, void, SIZE / 8)
SHMEMI_SIZES(SHMEMI_ROW)
#undef SHMEMI_ROW
SHMEMI_BOTH(void, putmem, (void *dest, const void *source, size_t nelems, int pe), (dest, source, nelems, pe), SHMEMI_PUT_WAY(1))
SHMEMI_BOTH(void, getmem, (void *dest, const void *source, size_t nelems, int pe), (dest, source, nelems, pe), SHMEMI_GET_WAY(1))
SHMEMI_BOTH(void, putmem_nbi, (void *dest, const void *source, size_t nelems, int pe), (dest, source, nelems, pe),
            SHMEMI_PUT_WAY(1))
SHMEMI_BOTH(void, getmem_nbi, (void *dest, const void *source, size_t nelems, int pe), (dest, source, nelems, pe),
            SHMEMI_GET_WAY(1))
SHMEMI_SIGNAL_ROW(putmem_signal, void, 1)
SHMEMI_SIGNAL_ROW(putmem_signal_nbi, void, 1)

/* Atomics on naturally aligned integers, and the ones that only move bits on floating point, too. */
#define SHMEMI_AMO_WAY(T, target, change, answer)                                                                          \
  uint32_t index; T *at = (T *)shmemi_find(ctx, target, sizeof(T), pe, &index);                                            \
  if (SHMEMI_LIKELY(at && (uintptr_t)at % sizeof(T) == 0)) { change; shmemi_ring(index); return answer; }
#define SHMEMI_ROW(NAME, T)                                                                                                \
  SHMEMI_BOTH(T, NAME##_atomic_fetch, (const T *source, int pe), (source, pe),                                             \
              SHMEMI_AMO_WAY(T, source, T old; __atomic_load(at, &old, __ATOMIC_SEQ_CST), old))                            \
  SHMEMI_BOTH(void, NAME##_atomic_set, (T * dest, T value, int pe), (dest, value, pe),                                     \
              SHMEMI_AMO_WAY(T, dest, __atomic_store(at, &value, __ATOMIC_RELEASE), ))                                     \
  SHMEMI_BOTH(T, NAME##_atomic_swap, (T * dest, T value, int pe), (dest, value, pe),                                       \
              SHMEMI_AMO_WAY(T, dest, T old; __atomic_exchange(at, &value, &old, __ATOMIC_SEQ_CST), old))
SHMEMI_AMO_TYPES(SHMEMI_ROW) SHMEMI_AMO_FLOATS(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T)                                                                                                \
  SHMEMI_BOTH(T, NAME##_atomic_compare_swap, (T * dest, T cond, T value, int pe), (dest, cond, value, pe),                 \
              SHMEMI_AMO_WAY(T, dest, __atomic_compare_exchange_n(at, &cond, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST), cond)) \
  SHMEMI_BOTH(T, NAME##_atomic_fetch_inc, (T * dest, int pe), (dest, pe),                                                  \
              SHMEMI_AMO_WAY(T, dest, T old = __atomic_fetch_add(at, (T)1, __ATOMIC_SEQ_CST), old))                        \
  SHMEMI_BOTH(void, NAME##_atomic_inc, (T * dest, int pe), (dest, pe),                                                     \
              SHMEMI_AMO_WAY(T, dest, __atomic_fetch_add(at, (T)1, __ATOMIC_SEQ_CST), ))                                   \
  SHMEMI_BOTH(T, NAME##_atomic_fetch_add, (T * dest, T value, int pe), (dest, value, pe),                                  \
              SHMEMI_AMO_WAY(T, dest, T old = __atomic_fetch_add(at, value, __ATOMIC_SEQ_CST), old))                       \
  SHMEMI_BOTH(void, NAME##_atomic_add, (T * dest, T value, int pe), (dest, value, pe),                                     \
              SHMEMI_AMO_WAY(T, dest, __atomic_fetch_add(at, value, __ATOMIC_SEQ_CST), ))
SHMEMI_AMO_TYPES(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_OPERATION(NAME, T, OP)                                                                                      \
  SHMEMI_BOTH(T, NAME##_atomic_fetch_##OP, (T * dest, T value, int pe), (dest, value, pe),                                 \
              SHMEMI_AMO_WAY(T, dest, T old = __atomic_fetch_##OP(at, value, __ATOMIC_SEQ_CST), old))                      \
  SHMEMI_BOTH(void, NAME##_atomic_##OP, (T * dest, T value, int pe), (dest, value, pe),                                    \
              SHMEMI_AMO_WAY(T, dest, __atomic_fetch_##OP(at, value, __ATOMIC_SEQ_CST), ))
#define SHMEMI_ROW(NAME, T) SHMEMI_OPERATION(NAME, T, and) SHMEMI_OPERATION(NAME, T, or) SHMEMI_OPERATION(NAME, T, xor)
SHMEMI_AMO_BITS(SHMEMI_ROW)
#undef SHMEMI_ROW
#undef SHMEMI_OPERATION
#undef SHMEMI_AMO_WAY
#undef SHMEMI_SIGNAL_ROW
#undef SHMEMI_PUT_WAY
#undef SHMEMI_GET_WAY
#undef SHMEMI_BOTH
#undef SHMEMI_UNPACK

/* A full fence. The one that compilers generate is an operation on the top of the stack, and delays loads of variables that the
 * program keeps there. */
SHMEMI_SHORT void shmemi_fence(void) {
#ifdef __x86_64__
  uint64_t word = 0, other = 0;
  __asm__ __volatile__("xchgq %0, %1" : "+r"(other), "+m"(word) : : "memory");
#else
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

SHMEMI_SHORT int shmemi_nothing_under_way(void) {
  const struct shmemi_local *map = &tsr_shmem_local_1;
  return SHMEMI_LIKELY(map->n && !__atomic_load_n(map->progress_required, __ATOMIC_RELAXED));
}
/* A destroyed context has no PEs. Neither has that of a team with a list of PEs: the library looks at both. */
SHMEMI_SHORT int shmemi_is_live(shmem_ctx_t ctx) { return ctx == SHMEM_CTX_DEFAULT || (ctx && ctx->local_n); }

/* If nothing is under way, on any context, a quiet only orders the caller's earlier stores before its later loads. */
SHMEMI_SHORT void shmem_quiet(void) {
  if (shmemi_nothing_under_way()) shmemi_fence();
  else pshmem_quiet();
}
SHMEMI_SHORT void shmem_ctx_quiet(shmem_ctx_t ctx) {
  if (shmemi_is_live(ctx) && shmemi_nothing_under_way()) shmemi_fence();
  else pshmem_ctx_quiet(ctx);
}
SHMEMI_SHORT void shmem_fence(void) {
  if (shmemi_nothing_under_way()) __atomic_thread_fence(__ATOMIC_RELEASE);
  else pshmem_fence();
}
SHMEMI_SHORT void shmem_ctx_fence(shmem_ctx_t ctx) {
  if (shmemi_is_live(ctx) && shmemi_nothing_under_way()) __atomic_thread_fence(__ATOMIC_RELEASE);
  else pshmem_ctx_fence(ctx);
}

SHMEMI_SHORT int shmem_my_pe(void) {
  return SHMEMI_LIKELY(tsr_shmem_local_1.npes) ? tsr_shmem_local_1.pe : pshmem_my_pe();
}
SHMEMI_SHORT int shmem_n_pes(void) {
  return SHMEMI_LIKELY(tsr_shmem_local_1.npes) ? tsr_shmem_local_1.npes : pshmem_n_pes();
}

#ifdef __cplusplus
}
#endif

#endif
#endif
