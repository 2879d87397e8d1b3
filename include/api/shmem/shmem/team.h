/* Teams (OpenSHMEM 1.5, 9.4). A table of functions: see shmem.h. */
#ifndef SHMEMI_FN
#include <shmem.h>
#else

/* Own number in the team, its size; -1: the team is invalid. */
SHMEMI_FN(int, team_my_pe, shmem_team_t team)
SHMEMI_FN(int, team_n_pes, shmem_team_t team)
/* Stores the members of the configuration that the mask names. Not 0: the team is invalid. */
SHMEMI_FN(int, team_get_config, shmem_team_t team, long config_mask, shmem_team_config_t *config)
/* The number in another team; -1: the PE is not in both, or a team is invalid. */
SHMEMI_FN(int, team_translate_pe, shmem_team_t src_team, int src_pe, shmem_team_t dest_team)
/* The team of `size` members of the parent, from `start` on, every `stride`-th. Collective over the parent. PEs that are not
 * in it get SHMEM_TEAM_INVALID and 0. Not 0 on all PEs: the arguments are wrong, or a PE has no memory. */
SHMEMI_FN(int, team_split_strided, shmem_team_t parent_team, int start, int stride, int size, const shmem_team_config_t *config,
          long config_mask, shmem_team_t *new_team)
/* Two teams for each PE of a grid with rows of `xrange` PEs: its row and its column. Collective over the parent. */
SHMEMI_FN(int, team_split_2d, shmem_team_t parent_team, int xrange, const shmem_team_config_t *xaxis_config, long xaxis_mask,
          shmem_team_t *xaxis_team, const shmem_team_config_t *yaxis_config, long yaxis_mask, shmem_team_t *yaxis_team)
/* Collective over the team. Its contexts are destroyed. SHMEM_TEAM_INVALID: nothing. */
SHMEMI_FN(void, team_destroy, shmem_team_t team)

#endif
