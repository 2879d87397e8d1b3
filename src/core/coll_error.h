/* Collective errors: how a collective call fails on all members if one member cannot make it, because its arguments are
 * wrong or its memory is used up. So no member waits for that one for ever.
 *
 * Calls on a team are counted. Each begins on every node with a round of the sync area. A member that fails the call
 * fails that round, and all members on the node leave the call with an error. One exception: on a team on one node, a
 * call that consists of a single step (of up to 32 KiB, where it tries no direct copies: tsr_direct_pays) fails only for
 * members that wait for the failing one. In a broadcast or scatter these are the members that wait for the root, if the
 * root fails it; in a reduction to one member, or a gather, this is the root. The others have left with their results,
 * perhaps long before.
 *
 * With TESSERA_CHECK=1 the members of all nodes learn of the failure before any data moves. Without it, a node whose
 * members have left the call notifies the other nodes. Members that have left the same call, too, continue; this
 * happens if a program passes the same wrong arguments everywhere. On any other member the messages of the call are
 * under way and cannot be taken back, so the job ends with a message that names the unit.
 */
#ifndef TSR_CORE_COLL_ERROR_H
#define TSR_CORE_COLL_ERROR_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <tessera.h>

#include "core/check.h"
#include "core/sync.h"
#include "core/team.h"

/* Begins a collective call. False: with TESSERA_CHECK=1 a member has failed it; return TESSERA_ERR_PEER. */
bool tsr_call_begin_slow(tsr_team *team, enum tsr_call_kind kind, uint64_t bytes, int32_t root, uint64_t how) TSR_MUST_USE;
TSR_MUST_USE static inline bool tsr_call_begin(tsr_team *team, enum tsr_call_kind kind, uint64_t bytes, int32_t root,
                                               uint64_t how) {
  tsr_sync_set_call(team, kind, bytes, root, how);
  if (__builtin_expect(team->nodes_n > 1 || tsr_config_check(), 0)) return tsr_call_begin_slow(team, kind, bytes, root, how);
  return true;
}

/* The same for a call in which all members pass equal counts, `bytes` in total. */
bool tsr_call_begin_counts(tsr_team *team, enum tsr_call_kind kind, uint64_t bytes, const size_t counts[]) TSR_MUST_USE;

/* Ends a call whose first round on this node has failed. Returns TESSERA_ERR_PEER. */
tessera_status_t tsr_call_fail(tsr_team *team) __attribute__((cold));

/* Called instead of a collective call by a member that cannot make it and has logged the reason. Collective: waits as
 * the call would have, but briefly. */
void tsr_call_fail_others(tsr_team *team) __attribute__((cold));

/* The same for non-blocking calls: begins one, or fails one. A member that has begun that call, or a later one, ends
 * the job with a message when it gets the report; a member that fails the call, too, continues. Failing it waits until
 * the other members have received the report, which they do when they make progress. */
void tsr_start_count(tsr_team *team);
void tsr_start_fail_others(tsr_team *team) __attribute__((cold));

/* Whether a collective error has been reported. The poll ends the job if this unit is in that call, or beyond it. Any
 * thread. */
extern _Atomic bool tsr_coll_error_pending;
void tsr_coll_error_poll(void) __attribute__((cold));

/* Called when a message of the team does not fit. If a unit has left a call of the team with an error, that is the reason, and
 * the job ends with a message that names the unit. Any thread. */
void tsr_coll_error_misfit(int32_t team) __attribute__((cold));

void tsr_coll_error_stop(void);

#endif
