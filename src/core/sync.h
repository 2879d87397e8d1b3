/* The team sync area: memory of a node in which the members of a team there wait for each other.
 *
 * A member arrives in one round after another. Its arrival may carry a part, which others read when they have waited for it. In
 * each round a member waits for all members, for one of them (the root), or for nobody. All members take part in each
 * round, whichever way. There are three independent sequences of rounds: one of blocking calls, below, and two of calls that are
 * started and completed later, at the end of this page.
 *
 * Parts lie beside the arrival word in the same cache line when they are small enough, else in a bounce buffer, which a member
 * makes when it first needs one. What belongs to a round is overwritten some rounds later: a member that is so far ahead waits
 * for the slowest. Areas of different teams are separate, so calls on overlapping teams never wait for each other.
 */
#ifndef TSR_CORE_SYNC_H
#define TSR_CORE_SYNC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera.h>

#include "core/team.h"

enum { TSR_BOUNCE_BYTES = 32 << 10 /* of a bounce buffer */ };

/* What call a round is of, as far as members must agree on it. Members of a node that meet in a round compare it: when it differs
 * the job ends with a message. A set-up call has no bytes. */
enum tsr_call_kind {
  TSR_CALL_SETUP, TSR_CALL_BARRIER, TSR_CALL_BCAST, TSR_CALL_SCATTER, TSR_CALL_GATHER, TSR_CALL_ALLGATHER,
  TSR_CALL_ALLGATHERV, TSR_CALL_ALLTOALL, TSR_CALL_REDUCE, TSR_CALL_ALLREDUCE, TSR_CALL_KINDS_N
};
const char *tsr_call_name(enum tsr_call_kind kind);

/* Of the rounds from the next one on: the kind, and a hash of the rest in 11 bits. `how` is that of core/check: the operation and
 * type of a reduction. */
enum { TSR_CALL_HASH_BITS = 11 };
static inline void tsr_sync_set_call(tsr_team *team, enum tsr_call_kind kind, uint64_t bytes, int32_t root, uint64_t how) {
  uint64_t hash = (bytes ^ how << 32) * UINT64_C(0x9e3779b97f4a7c15) + (uint32_t)root * UINT64_C(0xc2b2ae3d27d4eb4f);
  team->call_digest = (uint16_t)((uint64_t)kind << TSR_CALL_HASH_BITS | hash >> (64 - TSR_CALL_HASH_BITS));
}

/* Room for `bytes` of the own part in the next round, and the part of local member `local` in the last one. `bytes` is at most
 * TSR_BOUNCE_BYTES, and the same for all parts of a round: it decides where they lie. */
void *tsr_sync_mine(tsr_team *team, size_t bytes);
const void *tsr_sync_theirs(const tsr_team *team, int32_t local, size_t bytes);

/* What is at most so long needs no bounce buffer. */
size_t tsr_sync_part_bytes(const tsr_team *team);

/* Number of the next round: the same on all members that make the same calls. */
uint64_t tsr_sync_next(const tsr_team *team);

/* Arrives and waits for all members on the node. False: one has failed the round, there is nothing to read; when all members
 * wait for all, all of them learn of it. */
bool tsr_sync_barrier(tsr_team *team) __attribute__((warn_unused_result));
/* The same for one member only. False: it has failed the round, whatever others did. */
bool tsr_sync_wait_root(tsr_team *team, int32_t local) __attribute__((warn_unused_result));
/* Arrives and waits for nobody: `signal` when others wait for this member, `arrive` when only barriers need it. */
void tsr_sync_signal(tsr_team *team);
void tsr_sync_arrive(tsr_team *team);
/* Arrives and fails the round for all that wait for this member: its caller cannot go on, but must not keep the others waiting. */
void tsr_sync_fail(tsr_team *team);

/* Sequences of rounds: of blocking calls, of started ones, and of split-phase barriers. */
enum tsr_sync_lane { TSR_SYNC_CALLS, TSR_SYNC_STARTED, TSR_SYNC_SPLIT, TSR_SYNC_LANES_N };

/* Whether a member has arrived in a round; the caller waits for one that has not. */
bool tsr_sync_has_arrived(const tsr_team *team, enum tsr_sync_lane lane, int32_t local, uint64_t round);

/* The area's memory, zeroed by whoever provides it, before any member attaches. */
size_t tsr_sync_area_bytes(int32_t locals_n);
/* Attaches the team, whose node part is filled in, to the area at `memory`. TESSERA_ERR_MEMORY. */
tessera_status_t tsr_sync_attach(tsr_team *team, void *memory);
/* Gives the own bounce buffer of an attached team, of TSR_SYNC_BOUNCE_BYTES in the node's memory, to which nobody else writes. */
enum { TSR_SYNC_BOUNCE_BYTES = 2 * TSR_BOUNCE_BYTES };
void tsr_sync_give_bounce(tsr_team *team, void *memory);
/* Lets go of the area after a barrier. On the node's first member it returns when all others have let go: then the memory is
 * nobody's. */
void tsr_sync_detach(tsr_team *team);
/* Lets go without telling anybody; a team that is not attached is fine. For the end of the runtime, and of a failed creation. */
void tsr_sync_forget(tsr_team *team);

/* Around what a thread does for another process, which asks after a round of this one and arrives when it is done: what
 * came before the first is visible then, and what is done, after the second. */
void tsr_sync_serve(void);
void tsr_sync_served(void);

/* Started calls and split-phase barriers. Arrives without waiting and returns the number of the round; what this member stored
 * before is visible to all that find the round complete. Any number of rounds may be open. Calls on one team come one after
 * another, from any thread. */
uint64_t tsr_sync_start(tsr_team *team, enum tsr_sync_lane lane);
/* Any thread. Of started calls whoever arrives last rings the others, so that this can be waited for together with anything else. */
bool tsr_sync_is_complete(const tsr_team *team, enum tsr_sync_lane lane, uint64_t round);
/* Of a team on several nodes: its first member on a node says that all members of the team have arrived in a round of started
 * calls, and therefore in those before; rings the others. And whether it has said so. */
void tsr_sync_release(tsr_team *team, uint64_t round);
bool tsr_sync_is_released(const tsr_team *team, uint64_t round);
/* Waits for a split-phase barrier. */
void tsr_sync_await(tsr_team *team, uint64_t round);
/* The word of a local member that goes with its arrival in a split-phase barrier, of which one at a time may be open. */
int64_t *tsr_sync_name(const tsr_team *team, int32_t local, uint64_t round);

#endif
