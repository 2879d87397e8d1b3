/* Contexts and ordering (OpenSHMEM 1.5, 9.4 and 9.11; sessions and pe_quiet of 1.6). A table of functions: see shmem.h. */
#ifndef SHMEMI_FN
#include <shmem.h>
#else

/* A stream of operations with a completion of its own. `options`: SHMEM_CTX_SERIALIZED, _PRIVATE, _NOSTORE. Local. Not 0: no
 * memory, and *ctx is SHMEM_CTX_INVALID. PE numbers on a context of a team are the team's. */
SHMEMI_FN(int, ctx_create, long options, shmem_ctx_t *ctx)
SHMEMI_FN(int, team_create_ctx, shmem_team_t team, long options, shmem_ctx_t *ctx)
/* Completes its operations first. SHMEM_CTX_INVALID: nothing. */
SHMEMI_FN(void, ctx_destroy, shmem_ctx_t ctx)
/* The team of a context. Not 0: `ctx` is invalid, and *team is SHMEM_TEAM_INVALID. */
SHMEMI_FN(int, ctx_get_team, shmem_ctx_t ctx, shmem_team_t *team)

/* What was put or changed by an atomic before is delivered before what follows to the same PE. */
SHMEMI_FN(void, fence, void)
SHMEMI_FN(void, ctx_fence, shmem_ctx_t ctx)
/* All operations are complete, and their effects visible to all PEs. */
SHMEMI_FN(void, quiet, void)
SHMEMI_FN(void, ctx_quiet, shmem_ctx_t ctx)
/* The same for the operations to some PEs. */
SHMEMI_FN(void, pe_quiet, const int *target_pes, size_t npes)
SHMEMI_FN(void, ctx_pe_quiet, shmem_ctx_t ctx, const int *target_pes, size_t npes)

/* Hints, without effect. */
SHMEMI_FN(void, ctx_session_start, shmem_ctx_t ctx, long options, const shmem_ctx_session_config_t *config, long config_mask)
SHMEMI_FN(void, ctx_session_stop, shmem_ctx_t ctx)

#endif
