/* OpenSHMEM 1.5, with the deprecated names of earlier versions and the final additions of 1.6.
 *
 * Functions with ctx_ in their names take a context (shmem_ctx_create), all others use the default context. For profiling tools,
 * each shmem_NAME is also there as pshmem_NAME (pshmem.h).
 *
 * PEs are the processes of the job. These objects are symmetric: blocks of shmem_malloc and its variants, memory that another
 * interface of Tessera has allocated at the same offset of all heaps, and global and static variables of the program and its
 * libraries (shmem/memory.h). A call with a wrong PE, address, context or comparison ends the job with a message that names it.
 * At the level SHMEM_THREAD_MULTIPLE, all calls except collective ones may come from any thread. */
#ifndef TSR_SHMEM_H
#define TSR_SHMEM_H

#include <stddef.h>
#include <stdint.h>

#include <shmem/push_names.h>

#include <shmem/lists.h>

#define SHMEM_MAJOR_VERSION 1
#define SHMEM_MINOR_VERSION 5
#define SHMEM_MAX_NAME_LEN 64
#define SHMEM_VENDOR_STRING "Tessera"

#define SHMEM_THREAD_SINGLE 0
#define SHMEM_THREAD_FUNNELED 1
#define SHMEM_THREAD_SERIALIZED 2
#define SHMEM_THREAD_MULTIPLE 3

#define SHMEM_CMP_EQ 0
#define SHMEM_CMP_NE 1
#define SHMEM_CMP_GT 2
#define SHMEM_CMP_LE 3
#define SHMEM_CMP_LT 4
#define SHMEM_CMP_GE 5

#define SHMEM_SIGNAL_SET 1
#define SHMEM_SIGNAL_ADD 2

#define SHMEM_CTX_SERIALIZED 1L
#define SHMEM_CTX_PRIVATE 2L
#define SHMEM_CTX_NOSTORE 4L
#define SHMEM_CTX_SESSION_BATCH 1L
#define SHMEM_CTX_SESSION_TOTAL_OPS 1L
#define SHMEM_TEAM_NUM_CONTEXTS 1L
#define SHMEM_MALLOC_ATOMICS_REMOTE 1L
#define SHMEM_MALLOC_SIGNAL_REMOTE 2L

/* Deprecated. */
#define SHMEM_SYNC_VALUE 0L
#define SHMEM_SYNC_SIZE 4
#define SHMEM_BCAST_SYNC_SIZE 4
#define SHMEM_REDUCE_SYNC_SIZE 4
#define SHMEM_BARRIER_SYNC_SIZE 4
#define SHMEM_COLLECT_SYNC_SIZE 4
#define SHMEM_ALLTOALL_SYNC_SIZE 4
#define SHMEM_ALLTOALLS_SYNC_SIZE 4
#define SHMEM_REDUCE_MIN_WRKDATA_SIZE 4
#define _SHMEM_SYNC_VALUE SHMEM_SYNC_VALUE
#define _SHMEM_BCAST_SYNC_SIZE SHMEM_BCAST_SYNC_SIZE
#define _SHMEM_REDUCE_SYNC_SIZE SHMEM_REDUCE_SYNC_SIZE
#define _SHMEM_BARRIER_SYNC_SIZE SHMEM_BARRIER_SYNC_SIZE
#define _SHMEM_COLLECT_SYNC_SIZE SHMEM_COLLECT_SYNC_SIZE
#define _SHMEM_ALLTOALL_SYNC_SIZE SHMEM_ALLTOALL_SYNC_SIZE
#define _SHMEM_ALLTOALLS_SYNC_SIZE SHMEM_ALLTOALLS_SYNC_SIZE
#define _SHMEM_REDUCE_MIN_WRKDATA_SIZE SHMEM_REDUCE_MIN_WRKDATA_SIZE
#define _SHMEM_MAJOR_VERSION SHMEM_MAJOR_VERSION
#define _SHMEM_MINOR_VERSION SHMEM_MINOR_VERSION
#define _SHMEM_MAX_NAME_LEN SHMEM_MAX_NAME_LEN
#define _SHMEM_VENDOR_STRING SHMEM_VENDOR_STRING
#define _SHMEM_CMP_EQ SHMEM_CMP_EQ
#define _SHMEM_CMP_NE SHMEM_CMP_NE
#define _SHMEM_CMP_GT SHMEM_CMP_GT
#define _SHMEM_CMP_LE SHMEM_CMP_LE
#define _SHMEM_CMP_LT SHMEM_CMP_LT
#define _SHMEM_CMP_GE SHMEM_CMP_GE

#ifdef __cplusplus
extern "C" {
#endif

/* The part of a context that the inline functions use. Member i of the context's team is PE first + i * stride, for i
 * below local_n; if local_n is 0, the library translates the number. A private part of the library follows. */
struct shmemi_ctx {
  int32_t first, stride;
  uint32_t local_n;
};
typedef struct shmemi_ctx *shmem_ctx_t;
#define SHMEM_CTX_INVALID ((shmem_ctx_t)0)
#define SHMEM_CTX_DEFAULT ((shmem_ctx_t)1)

struct shmemi_team;
typedef struct shmemi_team *shmem_team_t;
#define SHMEM_TEAM_INVALID ((shmem_team_t)0)
#define SHMEM_TEAM_WORLD ((shmem_team_t)1)
#define SHMEM_TEAM_SHARED ((shmem_team_t)2)

typedef struct {
  int num_contexts;
} shmem_team_config_t;
typedef struct {
  size_t total_ops;
} shmem_ctx_session_config_t;

/* The tables in shmem/ declare the functions. SHMEMI_FN(RESULT, NAME, PARAMETERS...) declares shmem_NAME, and pshmem_NAME, which is
 * the same function. SHMEMI_CTX_FN also declares both with ctx_ before NAME and a context as first parameter. shmem/inline.h has
 * inline versions of the frequent functions, and shmem/generic.h the names that select a function by type. */
#define SHMEMI_CTX_FN(result, name, ...)                                                                                   \
  result pshmem_##name(__VA_ARGS__);                                                                                       \
  result shmem_##name(__VA_ARGS__);                                                                                        \
  result pshmem_ctx_##name(shmem_ctx_t ctx, __VA_ARGS__);                                                                  \
  result shmem_ctx_##name(shmem_ctx_t ctx, __VA_ARGS__);
#define SHMEMI_FN(result, name, ...)                                                                                       \
  result pshmem_##name(__VA_ARGS__);                                                                                       \
  result shmem_##name(__VA_ARGS__);
#include <shmem/active_set.h>
#include <shmem/atomic.h>
#include <shmem/collective.h>
#include <shmem/context.h>
#include <shmem/lock.h>
#include <shmem/memory.h>
#include <shmem/old.h>
#include <shmem/rma.h>
#include <shmem/setup.h>
#include <shmem/signal.h>
#include <shmem/team.h>
#include <shmem/wait.h>
#undef SHMEMI_FN
#undef SHMEMI_CTX_FN

/* Deprecated names of shmem_init (the argument has no effect), shmem_my_pe, shmem_n_pes, and the memory functions. */
void start_pes(int npes);
int _my_pe(void);
int _num_pes(void);
void *shmalloc(size_t size);
void *shmemalign(size_t alignment, size_t size);
void *shrealloc(void *ptr, size_t size);
void shfree(void *ptr);

#ifdef __cplusplus
}
#endif

#ifndef SHMEMI_IN_LIBRARY
#include <shmem/inline.h>
#include <shmem/generic.h>
#endif

#include <shmem/pop_names.h>

#endif
