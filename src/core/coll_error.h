/* Collective errors: what becomes of a collective call that one member cannot make, because its arguments are wrong or its
 * memory is used up, so that nobody waits for it.
 *
 * Calls on a team are counted. Each begins on every node with a round of the sync area; who refuses makes that round fail, and
 * all members on the node leave the call with an error. One exception: on a team on one node a call that consists of a single
 * step (up to TSR_DIRECT_BYTES in all) fails only for those who wait for the one that refuses: of a broadcast or scatter that is
 * who waits for the root, when the root refuses; of a reduction to one member, or a gather, the root. The others have left
 * with what they came for, perhaps long before. With TESSERA_CHECK=1 the members of all nodes learn of it before
 * anything begins. Without it a node whose members left tells the other nodes. Those that left the same call, too,
 * which is what a program sees that passes the same wrong arguments everywhere, have nothing to do. On any other the
 * messages of the call are under way and cannot be taken back: the job ends with a message that names the unit.
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

/* Begins a collective call. False: with TESSERA_CHECK=1 a member refused it; return TESSERA_ERR_PEER. */
bool tsr_call_begin_slow(tsr_team *team, enum tsr_call_kind kind, uint64_t bytes, int32_t root, uint64_t how);
static inline bool tsr_call_begin(tsr_team *team, enum tsr_call_kind kind, uint64_t bytes, int32_t root,
                                  uint64_t how) {
  tsr_sync_set_call(team, kind, bytes, root, how);
  if (__builtin_expect(team->nodes_n > 1 || tsr_config.check, 0)) return tsr_call_begin_slow(team, kind, bytes, root, how);
  return true;
}

/* Its first turn on this node failed: ends it. Returns TESSERA_ERR_PEER. */
tessera_status_t tsr_call_fail(tsr_team *team) __attribute__((cold));

/* Instead of a call, by who has said what is wrong. Collective: it waits as the call would have, but briefly. */
void tsr_call_fail_others(tsr_team *team) __attribute__((cold));

/* The same for calls that go on after they return: begins one, and refuses one. Whoever else has begun it, or a later one,
 * ends the job with a message when it hears of that; who refuses it, too, has nothing to do. Refusing waits until the
 * others have heard, which they do when they call in. */
void tsr_start_count(tsr_team *team);
void tsr_start_fail_others(tsr_team *team) __attribute__((cold));

/* Whether news of a collective error have come; ends the job when this unit is in that call, or beyond it. Any thread. */
extern _Atomic bool tsr_coll_error_pending;
void tsr_coll_error_poll(void) __attribute__((cold));

void tsr_coll_error_stop(void);

#endif
