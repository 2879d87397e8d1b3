/* GASNet-1's collectives, which GASNet-EX still has, and some more that programs use. Part of gasnet_coll.h.
 *
 * All members of a team call them in the same order, with the same root, number of bytes and flags. Each process is
 * one image: an image's number is a rank of the team. The calls that end in _nb return a handle, an event of
 * GASNet-EX; any number may be under way, and they may be completed in any order. No call is allowed in a handler, or
 * between the halves of a barrier of the team. */
#ifndef TSR_GASNET_GEX_LEGACY_COLL_H
#define TSR_GASNET_GEX_LEGACY_COLL_H

#include <gex/client.h>
#include <gex/event.h>
#include <gex/legacy.h>
#include <gex/team.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Flags: one of IN, one of OUT, and one of LOCAL and SINGLE ---- */

/* IN: when data may move. NOSYNC: after the first call of any member; MYSYNC: between members that have called;
 * ALLSYNC: after all have called, so that other members may have written the sources before they called. */
#define GASNET_COLL_IN_NOSYNC (1 << 0)
#define GASNET_COLL_IN_MYSYNC (1 << 1)
#define GASNET_COLL_IN_ALLSYNC (1 << 2)
/* OUT: what completion means. NOSYNC: nothing before all members have completed; MYSYNC: the caller's buffers have
 * been read and written; ALLSYNC: those of all members have, so that their results may be read. Here NOSYNC is the
 * same as MYSYNC, for IN and OUT. */
#define GASNET_COLL_OUT_NOSYNC (1 << 3)
#define GASNET_COLL_OUT_MYSYNC (1 << 4)
#define GASNET_COLL_OUT_ALLSYNC (1 << 5)
#define GASNET_COLL_SYNC_FLAG_MASK 0x3F

/* LOCAL: each member passes the addresses of its own buffers, and any values for those of others. SINGLE: all
 * pass the same addresses; GASNet-EX no longer has it. */
#define GASNET_COLL_SINGLE (1 << 6)
#define GASNET_COLL_LOCAL (1 << 7)

/* Promises and hints without effect: each process has one image, any memory may be used, and a call with AGGREGATE
 * starts at once. Its handle is the call's own, and must be waited for. */
#define GASNET_COLL_AGGREGATE (1 << 8)
#define GASNET_COLL_FIXED_THREADS_PER_NODE (1 << 9)
#define GASNET_COLL_DST_IN_SEGMENT (1 << 10)
#define GASNET_COLL_SRC_IN_SEGMENT (1 << 11)
#define GASNET_COLL_DISABLE_AUTOTUNE (1 << 18)
#define GASNET_COLL_NO_IMAGES (1 << 19)

/* ---- Types ---- */

typedef uint32_t gasnet_image_t; /* rank of a process in its team */

typedef gex_Event_t gasnet_coll_handle_t;
#define GASNET_COLL_INVALID_HANDLE GEX_EVENT_INVALID

/* A team: the team of all, or any team of GASNet-EX. */
typedef gex_TM_t gasnet_team_handle_t;
gasnet_team_handle_t gexi_team_all(void);
#define GASNET_TEAM_ALL gexi_team_all()

/* ---- Data movement; `nbytes`, 0 or more, is the length of one member's part ---- */

/* Broadcast: from src of the root to dst of each member. At the root the two may be the same. */
void gasnet_coll_broadcast(gasnet_team_handle_t team, void *dst, gasnet_image_t srcimage, const void *src,
                           size_t nbytes, int flags);
gasnet_coll_handle_t gasnet_coll_broadcast_nb(gasnet_team_handle_t team, void *dst, gasnet_image_t srcimage,
                                              const void *src, size_t nbytes, int flags);

/* Scatter: the root's src has one part per member, by rank. The root's own part may already be in place. */
void gasnet_coll_scatter(gasnet_team_handle_t team, void *dst, gasnet_image_t srcimage, const void *src, size_t nbytes,
                         int flags);
gasnet_coll_handle_t gasnet_coll_scatter_nb(gasnet_team_handle_t team, void *dst, gasnet_image_t srcimage,
                                            const void *src, size_t nbytes, int flags);

/* Gather: the root's dst receives the parts of all members, by rank. The root's own part may already be in place. */
void gasnet_coll_gather(gasnet_team_handle_t team, gasnet_image_t dstimage, void *dst, const void *src, size_t nbytes,
                        int flags);
gasnet_coll_handle_t gasnet_coll_gather_nb(gasnet_team_handle_t team, gasnet_image_t dstimage, void *dst,
                                           const void *src, size_t nbytes, int flags);

/* Allgather: each member's dst receives the parts of all members, by rank. A member's own part may already be in
 * place. */
void gasnet_coll_gather_all(gasnet_team_handle_t team, void *dst, const void *src, size_t nbytes, int flags);
gasnet_coll_handle_t gasnet_coll_gather_all_nb(gasnet_team_handle_t team, void *dst, const void *src, size_t nbytes,
                                               int flags);

/* All-to-all: part i of a member's src goes to member i, to the part of its dst with the sender's rank. */
void gasnet_coll_exchange(gasnet_team_handle_t team, void *dst, const void *src, size_t nbytes, int flags);
gasnet_coll_handle_t gasnet_coll_exchange_nb(gasnet_team_handle_t team, void *dst, const void *src, size_t nbytes,
                                             int flags);

/* ---- Completion ----
 *
 * As gasnet_try_syncnb and its variants, for handles of collectives: one, some of `n`, or all of `n`. try returns GASNET_OK or
 * GASNET_ERR_NOT_READY; wait returns when the operation is complete. */

#define gasnet_coll_try_sync(handle) (gasnet_AMPoll(), gex_Event_Test(handle))
#define gasnet_coll_try_sync_some(handles, n) (gasnet_AMPoll(), gex_Event_TestSome(handles, n, 0))
#define gasnet_coll_try_sync_all(handles, n) (gasnet_AMPoll(), gex_Event_TestAll(handles, n, 0))
#define gasnet_coll_wait_sync(handle) gex_Event_Wait(handle)
#define gasnet_coll_wait_sync_some(handles, n) gex_Event_WaitSome(handles, n, 0)
#define gasnet_coll_wait_sync_all(handles, n) gex_Event_WaitAll(handles, n, 0)

/* ---- Barriers ----
 *
 * As gasnet_barrier_notify and its variants, for a team; with GASNET_TEAM_ALL they are the same. A team has one at a time. No
 * other collective call on the team is made between its halves, and the team is not destroyed then. */

void gasnet_coll_barrier_notify(gasnet_team_handle_t team, int id, int flags);
int gasnet_coll_barrier_try(gasnet_team_handle_t team, int id, int flags);
int gasnet_coll_barrier_wait(gasnet_team_handle_t team, int id, int flags);
int gasnet_coll_barrier(gasnet_team_handle_t team, int id, int flags);
int gasnet_coll_barrier_result(gasnet_team_handle_t team, int *id);

/* ---- Tuning ----
 *
 * These calls have no effect; gasnet_coll_get_num_tree_classes returns 0. docs/tuning-collectives.md says how Tessera is tuned. */

typedef enum {
  GASNET_COLL_BROADCAST_OP,
  GASNET_COLL_SCATTER_OP,
  GASNET_COLL_GATHER_OP,
  GASNET_COLL_GATHER_ALL_OP,
  GASNET_COLL_EXCHANGE_OP,
  GASNET_COLL_NUM_COLL_OPTYPES
} gasnet_coll_optype_t;

typedef enum {
  GASNET_COLL_PIPE_SEG_SIZE,
  GASNET_COLL_DISSEM_RADIX,
  GASNET_COLL_TREE_TYPE,
  GASNET_COLL_NUM_PARAM_TYPES
} gasnet_coll_tuning_param_type_t;

typedef void (*gasnet_coll_overlap_sample_work_t)(void *arg);

#define gasnet_coll_loadTuningState(filename, team) ((void)(filename), (void)(team))
#define gasnet_coll_dumpTuningState(filename, team) ((void)(filename), (void)(team))
#define gasnet_coll_dumpProfile(filename, team) ((void)(filename), (void)(team))
#define gasnet_coll_get_num_tree_classes(team, optype) ((void)(team), (void)(optype), 0)
#define gasnet_coll_set_tree_kind(team, tree_type, fanout, optype) \
  ((void)(team), (void)(tree_type), (void)(fanout), (void)(optype))
#define gasnet_coll_set_dissem_limit(team, dissemlimit, optype) ((void)(team), (void)(dissemlimit), (void)(optype))

/* ==== Functions that GASNet-1 has and GASNet-EX no longer has ==== */

/* ---- Start; only reductions need it ---- */

/* A user's operation: results[0] = left_operands[0] op right_operands[0], of elem_size bytes; both counts are 1.
 * `flags` contains GASNET_COLL_NONCOMM if the entry does; `arg` is func_arg of the call. Any thread inside the
 * library may run it, and several at the same time. */
typedef void (*gasnet_coll_reduce_fn_t)(void *results, size_t result_count, const void *left_operands,
                                        size_t left_count, const void *right_operands, size_t elem_size, int flags,
                                        int arg);
#define GASNET_COLL_AMSAFE (1 << 0)
#define GASNET_COLL_NONCOMM (1 << 1) /* does not commute: elements are combined in the order of ranks */
typedef struct {
  gasnet_coll_reduce_fn_t fnptr;
  unsigned int flags;
} gasnet_coll_fn_entry_t;
typedef int32_t gasnet_coll_fn_handle_t; /* index in the table of gasnet_coll_init */

/* Registers functions. Collective over the job, once. `images` is NULL, or contains 1 for each process, because a
 * process cannot be several images; my_image is not used; init_flags is 0. All processes pass the same number of
 * functions, in the same order. */
void gasnet_coll_init(const gasnet_image_t images[], gasnet_image_t my_image, gasnet_coll_fn_entry_t fn_tbl[],
                      size_t fn_count, int init_flags);

/* ---- Reduction ---- */

/* Combines elem_count elements of elem_size bytes of each member, element by element, into dst of the root; src ==
 * dst is allowed. Arrays in blocks are not supported: src_blksz and src_offset are 0. */
void gasnet_coll_reduce(gasnet_team_handle_t team, gasnet_image_t dstimage, void *dst, const void *src,
                        size_t src_blksz, size_t src_offset, size_t elem_size, size_t elem_count,
                        gasnet_coll_fn_handle_t func, int func_arg, int flags);
gasnet_coll_handle_t gasnet_coll_reduce_nb(gasnet_team_handle_t team, gasnet_image_t dstimage, void *dst,
                                           const void *src, size_t src_blksz, size_t src_offset, size_t elem_size,
                                           size_t elem_count, gasnet_coll_fn_handle_t func, int func_arg, int flags);

/* ---- The same with lists of addresses ----
 *
 * As the functions without M. Lists have one address per member, by rank, with GASNET_COLL_SINGLE, and only the caller's with
 * GASNET_COLL_LOCAL. */

static inline void *gexi_coll_own(gasnet_team_handle_t team, void *const list[], int flags) {
  return list[flags & GASNET_COLL_SINGLE ? gex_TM_QueryRank(team) : 0];
}

#define gasnet_coll_broadcastM(team, dstlist, srcimage, src, nbytes, flags) \
  gasnet_coll_broadcast(team, gexi_coll_own(team, dstlist, flags), srcimage, src, nbytes, flags)
#define gasnet_coll_broadcastM_nb(team, dstlist, srcimage, src, nbytes, flags) \
  gasnet_coll_broadcast_nb(team, gexi_coll_own(team, dstlist, flags), srcimage, src, nbytes, flags)
#define gasnet_coll_scatterM(team, dstlist, srcimage, src, nbytes, flags) \
  gasnet_coll_scatter(team, gexi_coll_own(team, dstlist, flags), srcimage, src, nbytes, flags)
#define gasnet_coll_scatterM_nb(team, dstlist, srcimage, src, nbytes, flags) \
  gasnet_coll_scatter_nb(team, gexi_coll_own(team, dstlist, flags), srcimage, src, nbytes, flags)
#define gasnet_coll_gatherM(team, dstimage, dst, srclist, nbytes, flags) \
  gasnet_coll_gather(team, dstimage, dst, gexi_coll_own(team, srclist, flags), nbytes, flags)
#define gasnet_coll_gatherM_nb(team, dstimage, dst, srclist, nbytes, flags) \
  gasnet_coll_gather_nb(team, dstimage, dst, gexi_coll_own(team, srclist, flags), nbytes, flags)
#define gasnet_coll_gather_allM(team, dstlist, srclist, nbytes, flags) \
  gasnet_coll_gather_all(team, gexi_coll_own(team, dstlist, flags), gexi_coll_own(team, srclist, flags), nbytes, flags)
#define gasnet_coll_gather_allM_nb(team, dstlist, srclist, nbytes, flags)                                           \
  gasnet_coll_gather_all_nb(team, gexi_coll_own(team, dstlist, flags), gexi_coll_own(team, srclist, flags), nbytes, \
                            flags)
#define gasnet_coll_exchangeM(team, dstlist, srclist, nbytes, flags) \
  gasnet_coll_exchange(team, gexi_coll_own(team, dstlist, flags), gexi_coll_own(team, srclist, flags), nbytes, flags)
#define gasnet_coll_exchangeM_nb(team, dstlist, srclist, nbytes, flags) \
  gasnet_coll_exchange_nb(team, gexi_coll_own(team, dstlist, flags), gexi_coll_own(team, srclist, flags), nbytes, flags)
#define gasnet_coll_reduceM(team, dstimage, dst, srclist, blksz, offset, elem_size, elem_count, func, func_arg, flags) \
  gasnet_coll_reduce(team, dstimage, dst, gexi_coll_own(team, srclist, flags), blksz, offset, elem_size, elem_count,   \
                     func, func_arg, flags)
#define gasnet_coll_reduceM_nb(team, dstimage, dst, srclist, blksz, offset, elem_size, elem_count, func, func_arg, \
                               flags)                                                                              \
  gasnet_coll_reduce_nb(team, dstimage, dst, gexi_coll_own(team, srclist, flags), blksz, offset, elem_size,        \
                        elem_count, func, func_arg, flags)

/* ---- Teams ---- */

/* The number of members; the node of a member; the rank of a node in the team, GEX_RANK_INVALID if it is not a member. */
#define gasnet_coll_team_size(team) gex_TM_QuerySize(team)
#define gasnet_coll_team_rank2node(team, rank) gex_TM_TranslateRankToJobrank(team, rank)
#define gasnet_coll_team_node2rank(team, node) gex_TM_TranslateJobrankToRank(team, node)

/* As gex_TM_Split: members with the same color, in the order of `relrank`. `scratch` is not used. */
static inline gasnet_team_handle_t gasnet_coll_team_split(gasnet_team_handle_t parent, gex_Rank_t color,
                                                          gex_Rank_t relrank, void *scratch) {
  gasnet_team_handle_t team = GEX_TM_INVALID;
  (void)scratch;
  gex_TM_Split(&team, parent, (int)color, (int)relrank, NULL, 0, GEX_FLAG_TM_NO_SCRATCH);
  return team;
}

/* Internal names of the GASNet project's implementation that programs use. */
#define gasnete_coll_team_all GASNET_TEAM_ALL
#define gasnete_coll_team_split(parent, color, relrank, scratch) gasnet_coll_team_split(parent, color, relrank, scratch)

#ifdef __cplusplus
}
#endif
#endif
