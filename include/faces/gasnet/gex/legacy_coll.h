/* GASNet-1's collectives, which GASNet-EX still has and programs still use. Part of gasnet_coll.h.
 *
 * All members of a team call them in the same order, with the same root, number of bytes and flags. Each process is one image:
 * an image's number is a rank of the team. The calls that end in _nb return a handle, an event of GASNet-EX; any number may be
 * under way, and be completed in any order. No call is allowed in a handler, or between the halves of a barrier of the team.
 */
#ifndef TSR_GASNET_GEX_LEGACY_COLL_H
#define TSR_GASNET_GEX_LEGACY_COLL_H

#include <gex/client.h>
#include <gex/event.h>
#include <gex/legacy.h>
#include <gex/team.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Flags: one IN, one OUT, and one of LOCAL and SINGLE ---- */

/* When data may move: NOSYNC, from the first call of a member on; MYSYNC, between members that have called; ALLSYNC, when all
 * have called, so that the sources may have been written by other members before they called. */
#define GASNET_COLL_IN_NOSYNC (1 << 0)
#define GASNET_COLL_IN_MYSYNC (1 << 1)
#define GASNET_COLL_IN_ALLSYNC (1 << 2)
/* What completion means: NOSYNC, nothing before all members have completed; MYSYNC, the caller's buffers are read and written;
 * ALLSYNC, those of all members are, so that their results may be read. Here NOSYNC is as good as MYSYNC, IN and OUT. */
#define GASNET_COLL_OUT_NOSYNC (1 << 3)
#define GASNET_COLL_OUT_MYSYNC (1 << 4)
#define GASNET_COLL_OUT_ALLSYNC (1 << 5)
#define GASNET_COLL_SYNC_FLAG_MASK 0x3F

/* LOCAL: each member passes the addresses of its own buffers, and of others NULL or anything. SINGLE: all pass the same
 * addresses; GASNet-EX has it no more. */
#define GASNET_COLL_SINGLE (1 << 6)
#define GASNET_COLL_LOCAL (1 << 7)

/* Promises and hints that change nothing: each process has one image, and any memory will do. */
#define GASNET_COLL_FIXED_THREADS_PER_NODE (1 << 9)
#define GASNET_COLL_DST_IN_SEGMENT (1 << 10)
#define GASNET_COLL_SRC_IN_SEGMENT (1 << 11)
#define GASNET_COLL_DISABLE_AUTOTUNE (1 << 18)
#define GASNET_COLL_NO_IMAGES (1 << 19)

/* ---- Types ---- */

typedef uint32_t gasnet_image_t;

typedef gex_Event_t gasnet_coll_handle_t;
#define GASNET_COLL_INVALID_HANDLE GEX_EVENT_INVALID

/* The team of all, or any that GASNet-EX made. */
typedef gex_TM_t gasnet_team_handle_t;
gasnet_team_handle_t gexi_team_all(void);
#define GASNET_TEAM_ALL gexi_team_all()

/* ---- Moving data. `nbytes`, 0 or more, are the share of each member. ---- */

/* From src of the root to dst of each member; at the root the two may be the same. */
void gasnet_coll_broadcast(gasnet_team_handle_t team, void *dst, gasnet_image_t srcimage, const void *src, size_t nbytes,
                           int flags);
gasnet_coll_handle_t gasnet_coll_broadcast_nb(gasnet_team_handle_t team, void *dst, gasnet_image_t srcimage, const void *src,
                                              size_t nbytes, int flags);

/* The root's src has a share for each member, by rank; the root's own may be in its place already. */
void gasnet_coll_scatter(gasnet_team_handle_t team, void *dst, gasnet_image_t srcimage, const void *src, size_t nbytes,
                         int flags);
gasnet_coll_handle_t gasnet_coll_scatter_nb(gasnet_team_handle_t team, void *dst, gasnet_image_t srcimage, const void *src,
                                            size_t nbytes, int flags);

/* The root's dst gets the shares of all members, by rank; the root's own may be in its place already. */
void gasnet_coll_gather(gasnet_team_handle_t team, gasnet_image_t dstimage, void *dst, const void *src, size_t nbytes,
                        int flags);
gasnet_coll_handle_t gasnet_coll_gather_nb(gasnet_team_handle_t team, gasnet_image_t dstimage, void *dst, const void *src,
                                           size_t nbytes, int flags);

/* Each member's dst gets the shares of all, by rank; a member's own may be in its place already. */
void gasnet_coll_gather_all(gasnet_team_handle_t team, void *dst, const void *src, size_t nbytes, int flags);
gasnet_coll_handle_t gasnet_coll_gather_all_nb(gasnet_team_handle_t team, void *dst, const void *src, size_t nbytes, int flags);

/* Share i of a member's src goes to member i, into the share of its dst that has the sender's rank. */
void gasnet_coll_exchange(gasnet_team_handle_t team, void *dst, const void *src, size_t nbytes, int flags);
gasnet_coll_handle_t gasnet_coll_exchange_nb(gasnet_team_handle_t team, void *dst, const void *src, size_t nbytes, int flags);

/* ---- Completion, as of gasnet_try_syncnb and its kin: try answers GASNET_OK, or GASNET_ERR_NOT_READY ---- */

#define gasnet_coll_try_sync(handle) (gasnet_AMPoll(), gex_Event_Test(handle))
#define gasnet_coll_try_sync_some(handles, n) (gasnet_AMPoll(), gex_Event_TestSome(handles, n, 0))
#define gasnet_coll_try_sync_all(handles, n) (gasnet_AMPoll(), gex_Event_TestAll(handles, n, 0))
#define gasnet_coll_wait_sync(handle) gex_Event_Wait(handle)
#define gasnet_coll_wait_sync_some(handles, n) gex_Event_WaitSome(handles, n, 0)
#define gasnet_coll_wait_sync_all(handles, n) gex_Event_WaitAll(handles, n, 0)

/* ---- Barriers of GASNET_TEAM_ALL, and of no other team: those of gasnet_barrier_notify and its kin (gex/legacy.h) ---- */

void gasnet_coll_barrier_notify(gasnet_team_handle_t team, int id, int flags);
int gasnet_coll_barrier_try(gasnet_team_handle_t team, int id, int flags);
int gasnet_coll_barrier_wait(gasnet_team_handle_t team, int id, int flags);
int gasnet_coll_barrier(gasnet_team_handle_t team, int id, int flags);
int gasnet_coll_barrier_result(gasnet_team_handle_t team, int *id);

#ifdef __cplusplus
}
#endif
#endif
