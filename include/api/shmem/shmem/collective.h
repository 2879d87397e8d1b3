/* Collectives of teams (OpenSHMEM 1.5, 9.9; scans of 1.6). A table of functions: see shmem.h.
 *
 * All members call, with the same arguments unless a comment says otherwise. `dest` is symmetric. So should `source` be, which is
 * required with TESSERA_CHECK=1 only. Reductions and scans may be in place. Reductions give all members the same bits. In functions
 * with `mem` in their names, elements are bytes. A call returns when `dest` has its data and `source` may be reused. It returns 0;
 * with another value the call failed, and a message says why. */
#ifndef SHMEMI_FN
#include <shmem.h>
#else

/* Wait for all members of the team, or all PEs; they complete no operations. In C11 and C++, shmem_sync(team) is
 * shmem_team_sync. */
SHMEMI_FN(int, team_sync, shmem_team_t team)
SHMEMI_FN(void, sync_all, void)
/* shmem_quiet, then shmem_sync_all. */
SHMEMI_FN(void, barrier_all, void)

#define SHMEMI_COLLECTIVE_ROW(NAME, T)                                                                                     \
  /* Copies `nelems` elements from `source` of the root to `dest` of all members, the root included. PE_root is the root's \
   * number in the team. */                                                                                                \
  SHMEMI_FN(int, NAME##_broadcast, shmem_team_t team, T *dest, const T *source, size_t nelems, int PE_root)                \
  /* Stores the elements of all members, in the order of the team, in `dest` of each member. `nelems` may differ between   \
   * members. */                                                                                                           \
  SHMEMI_FN(int, NAME##_collect, shmem_team_t team, T *dest, const T *source, size_t nelems)                               \
  /* Stores the elements of all members, in the order of the team, in `dest` of each member. `nelems` is the same on all   \
   * members. */                                                                                                           \
  SHMEMI_FN(int, NAME##_fcollect, shmem_team_t team, T *dest, const T *source, size_t nelems)                              \
  /* Sends `nelems` elements to each member: block i of `source` goes to member i, to the block of its `dest` that has the \
   * caller's number in the team. */                                                                                       \
  SHMEMI_FN(int, NAME##_alltoall, shmem_team_t team, T *dest, const T *source, size_t nelems)                              \
  /* As shmem_alltoall, with elements that are `sst` apart in `source` and `dst` apart in `dest`. Strides are 1 or         \
   * more. */                                                                                                              \
  SHMEMI_FN(int, NAME##_alltoalls, shmem_team_t team, T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems)
SHMEMI_RMA_TYPES(SHMEMI_COLLECTIVE_ROW)
#undef SHMEMI_COLLECTIVE_ROW

SHMEMI_FN(int, broadcastmem, shmem_team_t team, void *dest, const void *source, size_t nelems, int PE_root)
SHMEMI_FN(int, collectmem, shmem_team_t team, void *dest, const void *source, size_t nelems)
SHMEMI_FN(int, fcollectmem, shmem_team_t team, void *dest, const void *source, size_t nelems)
SHMEMI_FN(int, alltoallmem, shmem_team_t team, void *dest, const void *source, size_t nelems)
SHMEMI_FN(int, alltoallsmem, shmem_team_t team, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems)

#define SHMEMI_REDUCE_FN(NAME, T, OP)                                                                                      \
  SHMEMI_FN(int, NAME##_##OP##_reduce, shmem_team_t team, T *dest, const T *source, size_t nreduce)
#define SHMEMI_REDUCE_ROW(NAME, T)                                                                                         \
  /* dest[i] is the bitwise AND of source[i] of all members. */                                                            \
  SHMEMI_REDUCE_FN(NAME, T, and)                                                                                           \
  /* dest[i] is the bitwise OR of source[i] of all members. */                                                             \
  SHMEMI_REDUCE_FN(NAME, T, or)                                                                                            \
  /* dest[i] is the bitwise exclusive OR of source[i] of all members. */                                                   \
  SHMEMI_REDUCE_FN(NAME, T, xor)
SHMEMI_REDUCE_BITS(SHMEMI_REDUCE_ROW)
#undef SHMEMI_REDUCE_ROW
#define SHMEMI_REDUCE_ROW(NAME, T)                                                                                         \
  /* dest[i] is the maximum of source[i] of all members. */                                                                \
  SHMEMI_REDUCE_FN(NAME, T, max)                                                                                           \
  /* dest[i] is the minimum of source[i] of all members. */                                                                \
  SHMEMI_REDUCE_FN(NAME, T, min)
SHMEMI_REDUCE_ORDER(SHMEMI_REDUCE_ROW)
#undef SHMEMI_REDUCE_ROW
#define SHMEMI_REDUCE_ROW(NAME, T)                                                                                         \
  /* dest[i] is the sum of source[i] of all members. */                                                                    \
  SHMEMI_REDUCE_FN(NAME, T, sum)                                                                                           \
  /* dest[i] is the product of source[i] of all members. */                                                                \
  SHMEMI_REDUCE_FN(NAME, T, prod)                                                                                          \
  /* dest[i] is the sum of source[i] of the members up to the caller. */                                                   \
  SHMEMI_FN(int, NAME##_sum_inscan, shmem_team_t team, T *dest, const T *source, size_t nelems)                            \
  /* dest[i] is the sum of source[i] of the members before the caller; 0 on the first member. */                           \
  SHMEMI_FN(int, NAME##_sum_exscan, shmem_team_t team, T *dest, const T *source, size_t nelems)
SHMEMI_REDUCE_SUM(SHMEMI_REDUCE_ROW)
#undef SHMEMI_REDUCE_ROW
#undef SHMEMI_REDUCE_FN

#endif
