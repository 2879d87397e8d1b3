/* Deprecated: collectives of active sets (OpenSHMEM 1.4, 9.8). A table of functions: see shmem.h.
 *
 * An active set consists of the PEs PE_start + i * 2^logPE_stride, for 0 <= i < PE_size. pSync and pWrk must be valid as the
 * specification says; the library does not use them. All PEs of the set call, with the same arguments; only `nelems` of
 * collect may differ. */
#ifndef SHMEMI_FN
#include <shmem.h>
#else

#define SHMEMI_SET int PE_start, int logPE_stride, int PE_size

SHMEMI_FN(void, barrier, SHMEMI_SET, long *pSync)
SHMEMI_FN(void, sync, SHMEMI_SET, long *pSync)

/* A broadcast does not write `dest` of the root. PE_root is the root's number in the set. */
#define SHMEMI_SET_ROW(SIZE)                                                                                               \
  SHMEMI_FN(void, broadcast##SIZE, void *dest, const void *source, size_t nelems, int PE_root, SHMEMI_SET, long *pSync)    \
  SHMEMI_FN(void, collect##SIZE, void *dest, const void *source, size_t nelems, SHMEMI_SET, long *pSync)                   \
  SHMEMI_FN(void, fcollect##SIZE, void *dest, const void *source, size_t nelems, SHMEMI_SET, long *pSync)                  \
  SHMEMI_FN(void, alltoall##SIZE, void *dest, const void *source, size_t nelems, SHMEMI_SET, long *pSync)                  \
  SHMEMI_FN(void, alltoalls##SIZE, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,            \
            SHMEMI_SET, long *pSync)
SHMEMI_SET_SIZES(SHMEMI_SET_ROW)
#undef SHMEMI_SET_ROW

#define SHMEMI_SET_FN(NAME, T, OP) \
  SHMEMI_FN(void, NAME##_##OP##_to_all, T *dest, const T *source, int nreduce, SHMEMI_SET, T *pWrk, long *pSync)
#define SHMEMI_SET_ROW(NAME, T) SHMEMI_SET_FN(NAME, T, and) SHMEMI_SET_FN(NAME, T, or) SHMEMI_SET_FN(NAME, T, xor)
SHMEMI_SET_BITS(SHMEMI_SET_ROW)
#undef SHMEMI_SET_ROW
#define SHMEMI_SET_ROW(NAME, T) SHMEMI_SET_FN(NAME, T, max) SHMEMI_SET_FN(NAME, T, min)
SHMEMI_SET_ORDER(SHMEMI_SET_ROW)
#undef SHMEMI_SET_ROW
#define SHMEMI_SET_ROW(NAME, T) SHMEMI_SET_FN(NAME, T, sum) SHMEMI_SET_FN(NAME, T, prod)
SHMEMI_SET_SUM(SHMEMI_SET_ROW)
#undef SHMEMI_SET_ROW
#undef SHMEMI_SET_FN
#undef SHMEMI_SET

#endif
