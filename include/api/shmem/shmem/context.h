/* Contexts and ordering (OpenSHMEM 1.5, 9.4 and 9.11; sessions and pe_quiet of 1.6). A table of functions: see shmem.h. */
#ifndef SHMEMI_FN
#include <shmem.h>
#else

/* Make a context, which is a stream of operations with a completion of its own. `options`: SHMEM_CTX_SERIALIZED, _PRIVATE,
 * _NOSTORE. Local. Not 0: no memory, or the team is invalid; *ctx is then SHMEM_CTX_INVALID. PE numbers on a context of a
 * team are numbers in the team. */
SHMEMI_FN(int, ctx_create, long options, shmem_ctx_t *ctx)
SHMEMI_FN(int, team_create_ctx, shmem_team_t team, long options, shmem_ctx_t *ctx)
/* Completes the operations of a context, and destroys it. Does nothing for SHMEM_CTX_INVALID. */
SHMEMI_FN(void, ctx_destroy, shmem_ctx_t ctx)
/* Stores the team of a context. Not 0: `ctx` is invalid, and *team is SHMEM_TEAM_INVALID. */
SHMEMI_FN(int, ctx_get_team, shmem_ctx_t ctx, shmem_team_t *team)

/* Puts and atomics before the call are delivered before those after it, if they go to the same PE. */
SHMEMI_FN(void, fence, void)
SHMEMI_FN(void, ctx_fence, shmem_ctx_t ctx)
/* Return when all operations of the context are complete, and their effects visible to all PEs. */
SHMEMI_FN(void, quiet, void)
SHMEMI_FN(void, ctx_quiet, shmem_ctx_t ctx)
/* As shmem_quiet, for the operations to some PEs; here those to all PEs are completed. */
SHMEMI_FN(void, pe_quiet, const int *target_pes, size_t npes)
SHMEMI_FN(void, ctx_pe_quiet, shmem_ctx_t ctx, const int *target_pes, size_t npes)

/* Hints, without effect. */
SHMEMI_FN(void, ctx_session_start, shmem_ctx_t ctx, long options, const shmem_ctx_session_config_t *config, long config_mask)
SHMEMI_FN(void, ctx_session_stop, shmem_ctx_t ctx)

#endif
