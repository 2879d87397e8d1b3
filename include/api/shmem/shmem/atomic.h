/* Atomic operations (OpenSHMEM 1.5, 9.7). A table of functions: see shmem.h.
 *
 * A CPU of the target's node executes them. They are therefore atomic to each other, whatever their types and contexts, and to the
 * atomics of the other interfaces. Floating point is the exception: swaps, fetches and sets of float and double are atomic to each
 * other and to GASNet's domains only. Operations that fetch return the old value; with _nbi it is in *fetch after shmem_quiet.
 * Operations that do not fetch have taken effect after shmem_quiet. */
#ifndef SHMEMI_FN
#include <shmem.h>
#else

#define SHMEMI_AMO_ROW(NAME, T)                                                                                            \
  /* Returns the value of `source` of the PE. */                                                                           \
  SHMEMI_CTX_FN(T, NAME##_atomic_fetch, const T *source, int pe)                                                           \
  /* Stores a value in `dest` of the PE. */                                                                                \
  SHMEMI_CTX_FN(void, NAME##_atomic_set, T *dest, T value, int pe)                                                         \
  /* Stores a value in `dest` of the PE, and returns the old one. */                                                       \
  SHMEMI_CTX_FN(T, NAME##_atomic_swap, T *dest, T value, int pe)                                                           \
  /* As shmem_atomic_fetch; *fetch has the value after shmem_quiet. */                                                     \
  SHMEMI_CTX_FN(void, NAME##_atomic_fetch_nbi, T *fetch, const T *source, int pe)                                          \
  /* As shmem_atomic_swap; *fetch has the old value after shmem_quiet. */                                                  \
  SHMEMI_CTX_FN(void, NAME##_atomic_swap_nbi, T *fetch, T *dest, T value, int pe)
SHMEMI_AMO_TYPES(SHMEMI_AMO_ROW) SHMEMI_AMO_FLOATS(SHMEMI_AMO_ROW)
#undef SHMEMI_AMO_ROW

#define SHMEMI_AMO_ROW(NAME, T)                                                                                            \
  /* Stores `value` in `dest` of the PE if that is equal to `cond`. Returns the old value in both cases. */                \
  SHMEMI_CTX_FN(T, NAME##_atomic_compare_swap, T *dest, T cond, T value, int pe)                                           \
  /* Adds 1 to `dest` of the PE, and returns the old value. */                                                             \
  SHMEMI_CTX_FN(T, NAME##_atomic_fetch_inc, T *dest, int pe)                                                               \
  /* Adds 1 to `dest` of the PE. */                                                                                        \
  SHMEMI_CTX_FN(void, NAME##_atomic_inc, T *dest, int pe)                                                                  \
  /* Adds `value` to `dest` of the PE, and returns the old value. */                                                       \
  SHMEMI_CTX_FN(T, NAME##_atomic_fetch_add, T *dest, T value, int pe)                                                      \
  /* Adds `value` to `dest` of the PE. */                                                                                  \
  SHMEMI_CTX_FN(void, NAME##_atomic_add, T *dest, T value, int pe)                                                         \
  /* As shmem_atomic_compare_swap; *fetch has the old value after shmem_quiet. */                                          \
  SHMEMI_CTX_FN(void, NAME##_atomic_compare_swap_nbi, T *fetch, T *dest, T cond, T value, int pe)                          \
  /* As shmem_atomic_fetch_inc; *fetch has the old value after shmem_quiet. */                                             \
  SHMEMI_CTX_FN(void, NAME##_atomic_fetch_inc_nbi, T *fetch, T *dest, int pe)                                              \
  /* As shmem_atomic_fetch_add; *fetch has the old value after shmem_quiet. */                                             \
  SHMEMI_CTX_FN(void, NAME##_atomic_fetch_add_nbi, T *fetch, T *dest, T value, int pe)
SHMEMI_AMO_TYPES(SHMEMI_AMO_ROW)
#undef SHMEMI_AMO_ROW

#define SHMEMI_AMO_ROW(NAME, T)                                                                                            \
  /* Replaces `dest` of the PE by its bitwise AND with `value`, and returns the old value. */                              \
  SHMEMI_CTX_FN(T, NAME##_atomic_fetch_and, T *dest, T value, int pe)                                                      \
  /* Replaces `dest` of the PE by its bitwise OR with `value`, and returns the old value. */                               \
  SHMEMI_CTX_FN(T, NAME##_atomic_fetch_or, T *dest, T value, int pe)                                                       \
  /* Replaces `dest` of the PE by its bitwise exclusive OR with `value`, and returns the old value. */                     \
  SHMEMI_CTX_FN(T, NAME##_atomic_fetch_xor, T *dest, T value, int pe)                                                      \
  /* Replaces `dest` of the PE by its bitwise AND with `value`. */                                                         \
  SHMEMI_CTX_FN(void, NAME##_atomic_and, T *dest, T value, int pe)                                                         \
  /* Replaces `dest` of the PE by its bitwise OR with `value`. */                                                          \
  SHMEMI_CTX_FN(void, NAME##_atomic_or, T *dest, T value, int pe)                                                          \
  /* Replaces `dest` of the PE by its bitwise exclusive OR with `value`. */                                                \
  SHMEMI_CTX_FN(void, NAME##_atomic_xor, T *dest, T value, int pe)                                                         \
  /* As shmem_atomic_fetch_and; *fetch has the old value after shmem_quiet. */                                             \
  SHMEMI_CTX_FN(void, NAME##_atomic_fetch_and_nbi, T *fetch, T *dest, T value, int pe)                                     \
  /* As shmem_atomic_fetch_or; *fetch has the old value after shmem_quiet. */                                              \
  SHMEMI_CTX_FN(void, NAME##_atomic_fetch_or_nbi, T *fetch, T *dest, T value, int pe)                                      \
  /* As shmem_atomic_fetch_xor; *fetch has the old value after shmem_quiet. */                                             \
  SHMEMI_CTX_FN(void, NAME##_atomic_fetch_xor_nbi, T *fetch, T *dest, T value, int pe)
SHMEMI_AMO_BITS(SHMEMI_AMO_ROW)
#undef SHMEMI_AMO_ROW

#endif
