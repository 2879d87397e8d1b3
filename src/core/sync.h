/* The team sync area: memory of a node in which the members of a team there wait for each other.
 *
 * A member arrives in one round after another. Its arrival may carry a part, which others read when they have
 * waited for it. In each round a member waits for all members, for one of them (the root), or for none. All members
 * take part in each round. There are three independent sequences of rounds. That of blocking calls, below, carries parts, failures
 * and a digest of the call; a member may be 2 to 8 rounds ahead. That of started calls carries a digest and may have any number of
 * rounds open; that of split-phase barriers carries a word and has one open: both are at the end of this header.
 *
 * Parts lie next to the arrival word in the same cache line if they are small enough, else in a bounce buffer,
 * which a member makes when it first needs one. What belongs to a round is overwritten some rounds later: a member
 * that is so far ahead waits for the slowest. Areas of different teams are separate, so calls on overlapping teams
 * never wait for each other.
 */
#ifndef TSR_CORE_SYNC_H
#define TSR_CORE_SYNC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera.h>

#include "core/team.h"

enum { TSR_BOUNCE_BYTES = 64 << 10 /* of a bounce buffer */ };

/* The call that a round belongs to. The members on a node compare their calls in each round; if the calls differ, the
 * job ends with a message. A set-up call has no bytes. */
enum tsr_call_kind {
  TSR_CALL_SETUP, TSR_CALL_BARRIER, TSR_CALL_BCAST, TSR_CALL_SCATTER, TSR_CALL_GATHER, TSR_CALL_ALLGATHER,
  TSR_CALL_ALLGATHERV, TSR_CALL_ALLTOALL, TSR_CALL_REDUCE, TSR_CALL_ALLREDUCE, TSR_CALL_KINDS_N
};
const char *tsr_call_name(enum tsr_call_kind kind);

/* Sets the call of the next and later rounds: its kind, and a hash of the rest in 11 bits. `how`: the operation and
 * type of a reduction, as in core/check. */
enum { TSR_CALL_HASH_BITS = 11 };
static inline void tsr_sync_set_call(tsr_team *team, enum tsr_call_kind kind, uint64_t bytes, int32_t root, uint64_t how) {
  uint64_t hash = (bytes ^ how << 32) * UINT64_C(0x9e3779b97f4a7c15) + (uint32_t)root * UINT64_C(0xc2b2ae3d27d4eb4f);
  team->call_digest = (uint16_t)((uint64_t)kind << TSR_CALL_HASH_BITS | hash >> (64 - TSR_CALL_HASH_BITS));
}

/* `tsr_sync_mine` returns room for `bytes` of the own part in the next round, `tsr_sync_theirs` the part of local
 * member `local` in the last one. `bytes` is at most TSR_BOUNCE_BYTES, and the same for all parts of a round: it
 * decides where they are stored. */
void *tsr_sync_mine(tsr_team *team, size_t bytes);
const void *tsr_sync_theirs(const tsr_team *team, int32_t local, size_t bytes);

/* Longest part that needs no bounce buffer. */
size_t tsr_sync_part_bytes(const tsr_team *team);

/* Number of the next round; equal on all members that make the same calls. */
uint64_t tsr_sync_next(const tsr_team *team);

/* Arrives and waits for all members on the node. False: a member has failed the round, and there is nothing to
 * read. If all members wait for all, all of them return false. */
bool tsr_sync_barrier(tsr_team *team) TSR_MUST_USE;
/* The same in two parts; between them the member works while others arrive. */
void tsr_sync_enter(tsr_team *team);
bool tsr_sync_leave(tsr_team *team) TSR_MUST_USE;
/* Arrives and waits for one member. False: that member has failed the round. */
bool tsr_sync_wait_root(tsr_team *team, int32_t local) TSR_MUST_USE;
/* Arrives and does not wait: `signal` when others wait for this member, `arrive` when only barriers need it. */
void tsr_sync_signal(tsr_team *team);
void tsr_sync_arrive(tsr_team *team);
/* Arrives and fails the round for all that wait for this member. For a caller that cannot go on, so that the others
 * do not hang. */
void tsr_sync_fail(tsr_team *team);

/* Sequences of rounds: of blocking calls, of started ones, and of split-phase barriers. */
enum tsr_sync_sequence { TSR_SYNC_CALLS, TSR_SYNC_STARTED, TSR_SYNC_SPLIT, TSR_SYNC_SEQUENCES_N };

/* Whether a member has arrived in a round; the caller waits for one that has not. */
bool tsr_sync_has_arrived(const tsr_team *team, enum tsr_sync_sequence sequence, int32_t local, uint64_t round);

/* Bytes of an area. Its memory is zero before the first member attaches. */
size_t tsr_sync_area_bytes(int32_t locals_n);
/* Attaches the team, whose node part is filled in, to the area at `memory`. TESSERA_ERR_MEMORY. */
tessera_status_t tsr_sync_attach(tsr_team *team, void *memory);
/* Gives the own bounce buffer of an attached team, of TSR_SYNC_BOUNCE_BYTES in the node's memory. No other process
 * writes to it. */
enum { TSR_SYNC_BOUNCE_BYTES = 2 * TSR_BOUNCE_BYTES };
void tsr_sync_give_bounce(tsr_team *team, void *memory);
/* Detaches from the area after a barrier. On the node's first member it returns when all others have detached: the
 * memory may then be freed. */
void tsr_sync_detach(tsr_team *team);
/* Detaches without notifying the other members; also for a team that is not attached. For the end of the runtime,
 * and after a failed creation. */
void tsr_sync_forget(tsr_team *team);

/* Around work that a thread does for another process, between a round of this process and a round of the other.
 * Stores before the first round are visible to the work; its stores are visible after the second round. */
void tsr_sync_serve(void);
void tsr_sync_served(void);

/* Started calls and split-phase barriers. Arrives without waiting and returns the number of the round; what this member stored
 * before is visible to all that find the round complete. Of started calls any number may be open. Calls on one team come one
 * after another, from any thread.
 *
 * Each started call has a round, also a call that does not wait for it. The job ends with a message if a member has arrived in
 * the round with another digest. Of a member that has started further calls the digest is not known. */
struct tsr_started_call {
  const char *name; /* for the message */
  uint16_t digest;
  bool is_awaited; /* The last member to arrive rings the others, so that a wait for other things sees it, too. */
};
uint64_t tsr_sync_start(tsr_team *team, struct tsr_started_call call);
uint64_t tsr_sync_split(tsr_team *team);
/* Any thread. */
bool tsr_sync_is_complete(const tsr_team *team, enum tsr_sync_sequence sequence, uint64_t round);
/* For a team on several nodes. _release: its first member on a node announces that all members of the team have arrived
 * in this and all earlier rounds of started calls, and rings the node's other members. _is_released: whether it has
 * announced the round. */
void tsr_sync_release(tsr_team *team, uint64_t round);
bool tsr_sync_is_released(const tsr_team *team, uint64_t round);
/* Waits for a split-phase barrier. */
void tsr_sync_await(tsr_team *team, uint64_t round);
/* The word of a local member that goes with its arrival in a split-phase barrier, of which one at a time may be open. */
int64_t *tsr_sync_name(const tsr_team *team, int32_t local, uint64_t round);

#endif
