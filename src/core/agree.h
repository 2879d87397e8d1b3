/* Agreement: the tiny barrier and exchange that set-up, segments and teams need, and that the collectives stand on.
 *
 * The members of a team on one node share a *sync area*. A step is: write the own part (tsr_agree_mine), take a turn, read the
 * parts of others (tsr_agree_theirs) before the next step. Small parts lie in the cache line that tells of the arrival, larger
 * ones in a bounce buffer beside it. Every member arrives once in every step, in one of four ways, which differ in whom
 * it waits for: all (tsr_agree_turn), one (tsr_agree_follow), or nobody (tsr_agree_tell, tsr_agree_pass). Lines have
 * some copies, used in turns, so that who waits for nobody may be a few steps ahead; then it waits for the slowest.
 * Boards of different teams are separate, so agreements on overlapping teams never wait for each other.
 */
#ifndef TSR_CORE_AGREE_H
#define TSR_CORE_AGREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera.h>

#include "core/team.h"

enum { TSR_BOUNCE_BYTES = 32 << 10, TSR_AGREE_MAX_N = 6 };

/* All members have arrived, and what they stored before is visible to all. Collective over the team. False, on all of
 * a node: one of them came to refuse another call (tsr_agree_refuse). On several nodes the job ends with a message when members
 * have made different collective calls since the last barrier (core/coll_error). */
bool tsr_agree_barrier(tsr_team *team);

/* v[i] becomes the maximum over all members; n <= TSR_AGREE_MAX_N. Collective; also a barrier. False as there. */
bool tsr_agree_max(tsr_team *team, int64_t v[], int n);

/* Collects one number of each member, in team order. Collective. Set-up only: time and memory grow with the team. */
void tsr_agree_gather(tsr_team *team, int64_t mine, int64_t all[]);

/* Room for `bytes` of the own part in the step to come, and the part of local member `local` in the step that the last turn
 * ended. `bytes` is at most TSR_BOUNCE_BYTES, and the same for all parts of a step: it decides where they lie. */
void *tsr_agree_mine(tsr_team *team, size_t bytes);
const void *tsr_agree_theirs(const tsr_team *team, int32_t local, size_t bytes);

/* The number of the step to come: the same on all members that make the same calls. */
uint64_t tsr_agree_number(const tsr_team *team);

/* Ends a step: all members on this node have written theirs. False: one has refused, there is nothing to read. When all
 * members take this turn, all of them learn of it. */
bool tsr_agree_turn(tsr_team *team);
/* The same, but for the part of one member only. False: it has refused, whatever others did. */
bool tsr_agree_follow(tsr_team *team, int32_t local);
/* Arrives and waits for nobody: `tell` when others follow this member, `pass` when only turns need it. */
void tsr_agree_tell(tsr_team *team);
void tsr_agree_pass(tsr_team *team);
/* After either: whether all members on this node have come to that step, whose parts can be read then; and waits for that.
 * A step in two halves, with whatever the member does between them. */
bool tsr_agree_all_came(tsr_team *team);
void tsr_agree_await_all(tsr_team *team);
/* Whether a member on this node has come to a step; the caller waits for one that has not come to its own. */
bool tsr_agree_has_come(const tsr_team *team, int32_t local, uint64_t round);
/* A turn that fails for who waits for this member: for who cannot go on and must not keep the others waiting. */
void tsr_agree_refuse(tsr_team *team);

/* The sync area's memory, zeroed by who provides it; one member prepares it before any other attaches. */
size_t tsr_agree_board_bytes(int32_t locals_n);
size_t tsr_agree_bounces_bytes(int32_t locals_n); /* its end, which need not be zeroed */
/* Attaches the team, whose node part is filled in, to the sync area at `memory`. TESSERA_ERR_MEMORY. */
tessera_status_t tsr_agree_attach(tsr_team *team, void *memory);
/* Lets go of the sync area after a barrier. On the node's first member it returns when all others have let go: then the
 * memory is nobody's. */
void tsr_agree_detach(tsr_team *team);
/* Around what a thread does for another process, which asks after a step of this one and takes a step when it is done: what
 * came before the first step is visible then, and what is done, after the second. */
void tsr_agree_serve(void);
void tsr_agree_served(void);
/* Lets go without telling anybody; NULL sync area is fine. For the end of the runtime. */
void tsr_agree_forget(tsr_team *team);

#endif
