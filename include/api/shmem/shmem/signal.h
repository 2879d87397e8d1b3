/* Put with signal (OpenSHMEM 1.5, 9.8; add and set of 1.6). A table of functions: see shmem.h.
 *
 * When the data has arrived, sig_addr of the target is set to `signal` (SHMEM_SIGNAL_SET) or increased by it
 * (SHMEM_SIGNAL_ADD). A PE that sees the new value sees the data. It sees earlier puts only if there was a fence in
 * between. */
#ifndef SHMEMI_FN
#include <shmem.h>
#else

#define SHMEMI_SIGNAL_ROW(NAME, T)                                                                                         \
  /* Copies `nelems` elements from `source` to `dest` of the PE, and then updates its sig_addr. Returns when `source` may  \
   * be reused. */                                                                                                         \
  SHMEMI_CTX_FN(void, NAME##_put_signal, T *dest, const T *source, size_t nelems, uint64_t *sig_addr, uint64_t signal,     \
                int sig_op, int pe)                                                                                        \
  /* As shmem_put_signal; `source` stays in use until shmem_quiet. */                                                      \
  SHMEMI_CTX_FN(void, NAME##_put_signal_nbi, T *dest, const T *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, \
                int sig_op, int pe)
SHMEMI_RMA_TYPES(SHMEMI_SIGNAL_ROW)
#undef SHMEMI_SIGNAL_ROW

#define SHMEMI_SIGNAL_ROW(SIZE)                                                                                            \
  SHMEMI_CTX_FN(void, put##SIZE##_signal, void *dest, const void *source, size_t nelems, uint64_t *sig_addr,               \
                uint64_t signal, int sig_op, int pe)                                                                       \
  SHMEMI_CTX_FN(void, put##SIZE##_signal_nbi, void *dest, const void *source, size_t nelems, uint64_t *sig_addr,           \
                uint64_t signal, int sig_op, int pe)
SHMEMI_SIZES(SHMEMI_SIGNAL_ROW)
#undef SHMEMI_SIGNAL_ROW

SHMEMI_CTX_FN(void, putmem_signal, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op,
              int pe)
SHMEMI_CTX_FN(void, putmem_signal_nbi, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal,
              int sig_op, int pe)
/* Adds `signal` to sig_addr of the PE. */
SHMEMI_CTX_FN(void, signal_add, uint64_t *sig_addr, uint64_t signal, int pe)
/* Sets sig_addr of the PE to `signal`. */
SHMEMI_CTX_FN(void, signal_set, uint64_t *sig_addr, uint64_t signal, int pe)

/* Returns the value of a signal of the caller. */
SHMEMI_FN(uint64_t, signal_fetch, const uint64_t *sig_addr)
/* Waits as shmem_wait_until, and returns the value that ended the wait. */
SHMEMI_FN(uint64_t, signal_wait_until, uint64_t *sig_addr, int cmp, uint64_t cmp_value)

#endif
