/* Deprecated: collectives of active sets (OpenSHMEM 1.4, 9.8). A table of functions: see shmem.h.
 *
 * An active set consists of the PEs PE_start + i * 2^logPE_stride, for 0 <= i < PE_size. pSync and pWrk must be valid as the
 * specification says; the library does not use them. All PEs of the set call, with the same arguments; only `nelems` of
 * collect may differ. `dest` is symmetric. So should `source` be, which is required with TESSERA_CHECK=1 only. Reductions may be
 * in place, and give all PEs the same bits. In functions with a number in their names, elements have that number of bits. A call
 * returns when `dest` has its data and `source` may be reused. */
#ifndef SHMEMI_FN
#include <shmem.h>
#else

#define SHMEMI_SET int PE_start, int logPE_stride, int PE_size

/* shmem_quiet, then waits for all PEs of the set. */
SHMEMI_FN(void, barrier, SHMEMI_SET, long *pSync)
/* Waits for all PEs of the set; completes no operations. shmem_sync(team), in C11 and C++, is shmem_team_sync. */
SHMEMI_FN(void, sync, SHMEMI_SET, long *pSync)

#define SHMEMI_SET_ROW(SIZE)                                                                                               \
  /* Copies `nelems` elements from `source` of the root to `dest` of the other PEs. PE_root is the root's number in the    \
   * set. */                                                                                                               \
  SHMEMI_FN(void, broadcast##SIZE, void *dest, const void *source, size_t nelems, int PE_root, SHMEMI_SET, long *pSync)    \
  /* Stores the elements of all PEs, in the order of the set, in `dest` of each PE. `nelems` may differ between PEs. */    \
  SHMEMI_FN(void, collect##SIZE, void *dest, const void *source, size_t nelems, SHMEMI_SET, long *pSync)                   \
  /* Stores the elements of all PEs, in the order of the set, in `dest` of each PE. `nelems` is the same on all PEs. */    \
  SHMEMI_FN(void, fcollect##SIZE, void *dest, const void *source, size_t nelems, SHMEMI_SET, long *pSync)                  \
  /* Sends `nelems` elements to each PE: block i of `source` goes to PE i of the set, to the block of its `dest` that has  \
   * the caller's number in the set. */                                                                                    \
  SHMEMI_FN(void, alltoall##SIZE, void *dest, const void *source, size_t nelems, SHMEMI_SET, long *pSync)                  \
  /* As shmem_alltoall of the same size, with elements that are `sst` apart in `source` and `dst` apart in `dest`. Strides \
   * are 1 or more. */                                                                                                     \
  SHMEMI_FN(void, alltoalls##SIZE, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,            \
            SHMEMI_SET, long *pSync)
SHMEMI_SET_SIZES(SHMEMI_SET_ROW)
#undef SHMEMI_SET_ROW

#define SHMEMI_SET_FN(NAME, T, OP)                                                                                         \
  SHMEMI_FN(void, NAME##_##OP##_to_all, T *dest, const T *source, int nreduce, SHMEMI_SET, T *pWrk, long *pSync)
#define SHMEMI_SET_ROW(NAME, T)                                                                                            \
  /* dest[i] is the bitwise AND of source[i] of all PEs of the set. */                                                     \
  SHMEMI_SET_FN(NAME, T, and)                                                                                              \
  /* dest[i] is the bitwise OR of source[i] of all PEs of the set. */                                                      \
  SHMEMI_SET_FN(NAME, T, or)                                                                                               \
  /* dest[i] is the bitwise exclusive OR of source[i] of all PEs of the set. */                                            \
  SHMEMI_SET_FN(NAME, T, xor)
SHMEMI_SET_BITS(SHMEMI_SET_ROW)
#undef SHMEMI_SET_ROW
#define SHMEMI_SET_ROW(NAME, T)                                                                                            \
  /* dest[i] is the maximum of source[i] of all PEs of the set. */                                                         \
  SHMEMI_SET_FN(NAME, T, max)                                                                                              \
  /* dest[i] is the minimum of source[i] of all PEs of the set. */                                                         \
  SHMEMI_SET_FN(NAME, T, min)
SHMEMI_SET_ORDER(SHMEMI_SET_ROW)
#undef SHMEMI_SET_ROW
#define SHMEMI_SET_ROW(NAME, T)                                                                                            \
  /* dest[i] is the sum of source[i] of all PEs of the set. */                                                             \
  SHMEMI_SET_FN(NAME, T, sum)                                                                                              \
  /* dest[i] is the product of source[i] of all PEs of the set. */                                                         \
  SHMEMI_SET_FN(NAME, T, prod)
SHMEMI_SET_SUM(SHMEMI_SET_ROW)
#undef SHMEMI_SET_ROW
#undef SHMEMI_SET_FN
#undef SHMEMI_SET

#endif
