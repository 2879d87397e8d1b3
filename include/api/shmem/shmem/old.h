/* Deprecated functions of OpenSHMEM 1.0 to 1.4 that programs still use. A table of functions: see shmem.h.
 *
 * Memory and completion are as with the functions that replace them. */
#ifndef SHMEMI_FN
#include <shmem.h>
#else

#define SHMEMI_OLD_ROW(NAME, T)                                                                                            \
  /* As shmem_atomic_fetch. */                                                                                             \
  SHMEMI_FN(T, NAME##_fetch, const T *source, int pe)                                                                      \
  /* As shmem_atomic_set. */                                                                                               \
  SHMEMI_FN(void, NAME##_set, T *dest, T value, int pe)                                                                    \
  /* As shmem_atomic_swap. */                                                                                              \
  SHMEMI_FN(T, NAME##_swap, T *dest, T value, int pe)
SHMEMI_OLD_AMO(SHMEMI_OLD_ROW) SHMEMI_AMO_FLOATS(SHMEMI_OLD_ROW)
#undef SHMEMI_OLD_ROW
#define SHMEMI_OLD_ROW(NAME, T)                                                                                            \
  /* As shmem_atomic_compare_swap. */                                                                                      \
  SHMEMI_FN(T, NAME##_cswap, T *dest, T cond, T value, int pe)                                                             \
  /* As shmem_atomic_fetch_inc. */                                                                                         \
  SHMEMI_FN(T, NAME##_finc, T *dest, int pe)                                                                               \
  /* As shmem_atomic_inc. */                                                                                               \
  SHMEMI_FN(void, NAME##_inc, T *dest, int pe)                                                                             \
  /* As shmem_atomic_fetch_add. */                                                                                         \
  SHMEMI_FN(T, NAME##_fadd, T *dest, T value, int pe)                                                                      \
  /* As shmem_atomic_add. */                                                                                               \
  SHMEMI_FN(void, NAME##_add, T *dest, T value, int pe)
SHMEMI_OLD_AMO(SHMEMI_OLD_ROW)
#undef SHMEMI_OLD_ROW

/* Returns when the variable differs from `value`. Without a type in the name, in C99, it is for variables of type long. */
#define SHMEMI_OLD_ROW(NAME, T) SHMEMI_FN(void, NAME##_wait, T *ivar, T value)
SHMEMI_WAIT_TYPES(SHMEMI_OLD_ROW)
#undef SHMEMI_OLD_ROW
SHMEMI_FN(void, wait, long *ivar, long value)
#ifndef __cplusplus /* there each type has an overload of this name */
/* As shmem_long_swap: what shmem_swap is in C99. */
SHMEMI_FN(long, swap, long *dest, long value, int pe)
#endif
/* As shmem_long_wait_until: what shmem_wait_until is in C99. */
SHMEMI_FN(void, wait_until, long *ivar, int cmp, long value)

/* Do nothing, because all accesses are coherent. */
SHMEMI_FN(void, set_cache_inv, void)
SHMEMI_FN(void, clear_cache_inv, void)
SHMEMI_FN(void, set_cache_line_inv, void *dest)
SHMEMI_FN(void, clear_cache_line_inv, void *dest)
SHMEMI_FN(void, udcflush, void)
SHMEMI_FN(void, udcflush_line, void *dest)

#endif
