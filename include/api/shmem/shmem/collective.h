/* Collectives of teams (OpenSHMEM 1.5, 9.9; scans of 1.6). A table of functions: see shmem.h.
 *
 * All members call, with the same arguments unless a comment says otherwise. Buffers are symmetric; reductions and scans may be
 * in place. A call returns when `dest` has its data and `source` may be reused. It returns 0; with another value the call
 * failed, and a message says why. */
#ifndef SHMEMI_FN
#include <shmem.h>
#else

/* Waits for all members of the team, or all PEs; completes no operations. */
SHMEMI_FN(int, team_sync, shmem_team_t team)
SHMEMI_FN(void, sync_all, void)
/* shmem_quiet, then shmem_sync_all. */
SHMEMI_FN(void, barrier_all, void)

#define SHMEMI_COLLECTIVE_ROW(NAME, T)                                                                                     \
  SHMEMI_FN(int, NAME##_broadcast, shmem_team_t team, T *dest, const T *source, size_t nelems, int PE_root)                \
  SHMEMI_FN(int, NAME##_collect, shmem_team_t team, T *dest, const T *source, size_t nelems)                               \
  SHMEMI_FN(int, NAME##_fcollect, shmem_team_t team, T *dest, const T *source, size_t nelems)                              \
  SHMEMI_FN(int, NAME##_alltoall, shmem_team_t team, T *dest, const T *source, size_t nelems)                              \
  SHMEMI_FN(int, NAME##_alltoalls, shmem_team_t team, T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems)
SHMEMI_RMA_TYPES(SHMEMI_COLLECTIVE_ROW)
#undef SHMEMI_COLLECTIVE_ROW

SHMEMI_FN(int, broadcastmem, shmem_team_t team, void *dest, const void *source, size_t nelems, int PE_root)
/* In collectmem, as in the other collect functions, the sizes may differ between members; in fcollectmem,
 * alltoallmem and alltoallsmem they are equal. */
SHMEMI_FN(int, collectmem, shmem_team_t team, void *dest, const void *source, size_t nelems)
SHMEMI_FN(int, fcollectmem, shmem_team_t team, void *dest, const void *source, size_t nelems)
SHMEMI_FN(int, alltoallmem, shmem_team_t team, void *dest, const void *source, size_t nelems)
SHMEMI_FN(int, alltoallsmem, shmem_team_t team, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems)

/* dest[i] = the combination of source[i] of all members; all members get the same bits. */
#define SHMEMI_REDUCE_FN(NAME, T, OP) \
  SHMEMI_FN(int, NAME##_##OP##_reduce, shmem_team_t team, T *dest, const T *source, size_t nreduce)
#define SHMEMI_REDUCE_ROW(NAME, T) SHMEMI_REDUCE_FN(NAME, T, and) SHMEMI_REDUCE_FN(NAME, T, or) SHMEMI_REDUCE_FN(NAME, T, xor)
SHMEMI_REDUCE_BITS(SHMEMI_REDUCE_ROW)
#undef SHMEMI_REDUCE_ROW
#define SHMEMI_REDUCE_ROW(NAME, T) SHMEMI_REDUCE_FN(NAME, T, max) SHMEMI_REDUCE_FN(NAME, T, min)
SHMEMI_REDUCE_ORDER(SHMEMI_REDUCE_ROW)
#undef SHMEMI_REDUCE_ROW
/* Scans combine the elements of the members up to the caller (inscan), or before the caller (exscan; 0 on the first
 * member). */
#define SHMEMI_REDUCE_ROW(NAME, T)                                                                                         \
  SHMEMI_REDUCE_FN(NAME, T, sum) SHMEMI_REDUCE_FN(NAME, T, prod)                                                           \
  SHMEMI_FN(int, NAME##_sum_inscan, shmem_team_t team, T *dest, const T *source, size_t nelems)                            \
  SHMEMI_FN(int, NAME##_sum_exscan, shmem_team_t team, T *dest, const T *source, size_t nelems)
SHMEMI_REDUCE_SUM(SHMEMI_REDUCE_ROW)
#undef SHMEMI_REDUCE_ROW
#undef SHMEMI_REDUCE_FN

#endif
