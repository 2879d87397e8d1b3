/* GASNet-EX: teams. */
#ifndef TSR_GASNET_GEX_TEAM_H
#define TSR_GASNET_GEX_TEAM_H

#include <gex/client.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Store and return a pointer of the program, which is NULL at first. The library does not use it. */
void gex_TM_SetCData(gex_TM_t tm, const void *value);
void *gex_TM_QueryCData(gex_TM_t tm);
/* Return the client, the caller's endpoint, and the flags with which the team was made. */
gex_Client_t gex_TM_QueryClient(gex_TM_t tm);
gex_EP_t gex_TM_QueryEP(gex_TM_t tm);
gex_Flags_t gex_TM_QueryFlags(gex_TM_t tm);

gex_Rank_t gexi_no_tm(const char *call); /* ends the job */
/* Return the caller's rank in the team, and the number of its members. */
static inline gex_Rank_t gex_TM_QueryRank(gex_TM_t tm) {
  return GEXI_LIKELY(tm != 0) ? tm->rank : gexi_no_tm("gex_TM_QueryRank");
}
static inline gex_Rank_t gex_TM_QuerySize(gex_TM_t tm) {
  return GEXI_LIKELY(tm != 0) ? tm->size : gexi_no_tm("gex_TM_QuerySize");
}

/* Splits a team by color, with ranks in the order of key. Collective over the parent; a process that joins no new
 * team passes NULL for new_tm_p. With GEX_FLAG_TM_SCRATCH_SIZE_RECOMMENDED it makes no team and returns the
 * recommended size of scratch memory. Scratch memory stays the program's own: this library neither needs nor accesses
 * it. */
size_t gex_TM_Split(gex_TM_t *new_tm_p, gex_TM_t parent, int color, int key, void *scratch_addr, size_t scratch_size,
                    gex_Flags_t flags);

/* Makes a team of the listed members, by their ranks in the parent (or in the job, with GEX_FLAG_RANK_IS_JOBRANK), in
 * the order of the list. Collective over the parent; a process on no list passes an empty one. Each process is in at
 * most one new team. */
size_t gex_TM_Create(gex_TM_t *new_tms, size_t num_new_tms, gex_TM_t parent, gex_EP_Location_t *args, size_t numargs,
                     gex_Addr_t *scratch_addrs, size_t scratch_size, gex_Flags_t flags);

/* Destroys a team, but not the first. Collective over the team. Returns a value other than 0 if *scratch_p received
 * the scratch memory that was passed for the team. If scratch_p is NULL, returns 0. */
int gex_TM_Destroy(gex_TM_t tm, gex_Memvec_t *scratch_p, gex_Flags_t flags);

/* Returns a pair: a name for the endpoints with this index in all processes, by job rank. It is for operations
 * between two processes, not for collective calls. It costs nothing and need not be destroyed. */
gex_TM_t gex_TM_Pair(gex_EP_t local_ep, gex_EP_Index_t remote_ep_index);

/* Return the job rank of a member, the rank in the team of a process of the job (GEX_RANK_INVALID: it is not a member), and the
 * endpoint of a member. */
gex_Rank_t gex_TM_TranslateRankToJobrank(gex_TM_t tm, gex_Rank_t rank);
gex_Rank_t gex_TM_TranslateJobrankToRank(gex_TM_t tm, gex_Rank_t jobrank);
gex_EP_Location_t gex_TM_TranslateRankToEP(gex_TM_t tm, gex_Rank_t rank, gex_Flags_t flags);

#ifdef __cplusplus
}
#endif
#endif
