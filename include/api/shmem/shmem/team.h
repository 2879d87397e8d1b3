/* Teams (OpenSHMEM 1.5, 9.4). A table of functions: see shmem.h. */
#ifndef SHMEMI_FN
#include <shmem.h>
#else

/* Return the caller's number in the team, and the number of its members; -1: the team is invalid. */
SHMEMI_FN(int, team_my_pe, shmem_team_t team)
SHMEMI_FN(int, team_n_pes, shmem_team_t team)
/* Stores the members of the configuration that the mask names. Not 0: the team is invalid, or the mask names other
 * members. */
SHMEMI_FN(int, team_get_config, shmem_team_t team, long config_mask, shmem_team_config_t *config)
/* Returns the PE's number in another team; -1: the PE is not in both teams, or a team is invalid. */
SHMEMI_FN(int, team_translate_pe, shmem_team_t src_team, int src_pe, shmem_team_t dest_team)
/* Makes a team of `size` members of the parent: every `stride`-th member, from `start` on. Collective over the parent. PEs
 * that are not in the new team get SHMEM_TEAM_INVALID and 0. Not 0 on all PEs: the arguments are wrong, or a PE has no
 * memory. */
SHMEMI_FN(int, team_split_strided, shmem_team_t parent_team, int start, int stride, int size, const shmem_team_config_t *config,
          long config_mask, shmem_team_t *new_team)
/* Makes two teams for each PE of a grid with rows of `xrange` PEs: the PE's row and its column. Collective over the
 * parent. */
SHMEMI_FN(int, team_split_2d, shmem_team_t parent_team, int xrange, const shmem_team_config_t *xaxis_config, long xaxis_mask,
          shmem_team_t *xaxis_team, const shmem_team_config_t *yaxis_config, long yaxis_mask, shmem_team_t *yaxis_team)
/* Destroys a team and its contexts. Collective over the team. Does nothing for SHMEM_TEAM_INVALID. */
SHMEMI_FN(void, team_destroy, shmem_team_t team)

#endif
