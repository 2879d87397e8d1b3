/* GASNet-EX: teams. */
#ifndef TSR_GASNET_GEX_TEAM_H
#define TSR_GASNET_GEX_TEAM_H

#include <gex/client.h>

#ifdef __cplusplus
extern "C" {
#endif

void gex_TM_SetCData(gex_TM_t tm, const void *value);
void *gex_TM_QueryCData(gex_TM_t tm);
gex_Client_t gex_TM_QueryClient(gex_TM_t tm);
gex_EP_t gex_TM_QueryEP(gex_TM_t tm);
gex_Flags_t gex_TM_QueryFlags(gex_TM_t tm);

gex_Rank_t gexi_no_tm(const char *call); /* ends the job */
static inline gex_Rank_t gex_TM_QueryRank(gex_TM_t tm) {
  return GEXI_LIKELY(tm != 0) ? tm->rank : gexi_no_tm("gex_TM_QueryRank");
}
static inline gex_Rank_t gex_TM_QuerySize(gex_TM_t tm) {
  return GEXI_LIKELY(tm != 0) ? tm->size : gexi_no_tm("gex_TM_QuerySize");
}

/* Splits a team by color, ranks in the order of key. Collective over the parent; new_tm_p is NULL on who stays out. With
 * GEX_FLAG_TM_SCRATCH_SIZE_RECOMMENDED nothing is made, and the answer is how much scratch memory to give, which stays the
 * program's own: this library needs none and does not touch it. */
size_t gex_TM_Split(gex_TM_t *new_tm_p, gex_TM_t parent, int color, int key, void *scratch_addr, size_t scratch_size,
                    gex_Flags_t flags);

/* Makes a team of the members listed, by rank in the parent (or with GEX_FLAG_RANK_IS_JOBRANK in the job), in the order of
 * the list. Collective over the parent; who is in no list passes none. Each process is in one new team at most. */
size_t gex_TM_Create(gex_TM_t *new_tms, size_t num_new_tms, gex_TM_t parent, gex_EP_Location_t *args, size_t numargs,
                     gex_Addr_t *scratch_addrs, size_t scratch_size, gex_Flags_t flags);

/* Ends a team; not the first. Collective over it. Not 0: *scratch_p has the scratch memory that was given for it. Who passes NULL
 * does not ask for it, and gets 0. */
int gex_TM_Destroy(gex_TM_t tm, gex_Memvec_t *scratch_p, gex_Flags_t flags);

/* A name for the endpoints of this index in all processes, by job rank: for what one process does to another, not for
 * collective calls. Costs nothing, and needs no end. */
gex_TM_t gex_TM_Pair(gex_EP_t local_ep, gex_EP_Index_t remote_ep_index);

gex_Rank_t gex_TM_TranslateRankToJobrank(gex_TM_t tm, gex_Rank_t rank);
gex_Rank_t gex_TM_TranslateJobrankToRank(gex_TM_t tm, gex_Rank_t jobrank); /* GEX_RANK_INVALID: no member */
gex_EP_Location_t gex_TM_TranslateRankToEP(gex_TM_t tm, gex_Rank_t rank, gex_Flags_t flags);

#ifdef __cplusplus
}
#endif
#endif
