/* Bootstrap collectives: the barrier and exchanges that set-up, segments and teams use below the collectives. On a node
 * they are rounds of the team's sync area (core/sync); between nodes the leaders exchange messages.
 */
#ifndef TSR_CORE_BOOTSTRAP_H
#define TSR_CORE_BOOTSTRAP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "core/team.h"

enum { TSR_BOOTSTRAP_MAX_N = 6 };

/* Returns when all members have arrived; what they stored before is visible to all. Collective over the team. If
 * members on several nodes have made different collective calls since the last barrier, the job ends with a message
 * (core/coll_error). */
void tsr_bootstrap_barrier(tsr_team *team);

/* v[i] becomes the maximum over all members; n <= TSR_BOOTSTRAP_MAX_N. Collective; also a barrier. */
void tsr_bootstrap_max(tsr_team *team, int64_t v[], int n);

/* Whether it holds for any member. Collective; also a barrier. */
TSR_MUST_USE static inline bool tsr_bootstrap_any(tsr_team *team, bool mine) {
  int64_t any = mine;
  tsr_bootstrap_max(team, &any, 1);
  return any != 0;
}

/* Collects one number of each member, in team order. Collective. For set-up only: time and memory grow with the
 * team. */
void tsr_bootstrap_gather(tsr_team *team, int64_t mine, int64_t all[]);

/* Collects one number of each node of the team, in the order of its nodes: that of the node's leader; the numbers of other
 * members are not used. Collective, but no barrier. Time and memory grow with the number of nodes. */
void tsr_bootstrap_gather_nodes(tsr_team *team, int64_t mine, int64_t all[]);

/* The functions above end the job with a message if a member fails another call meanwhile (tsr_sync_fail). The
 * following ones return false instead, on all members on the node of that member. */
bool tsr_bootstrap_try_barrier(tsr_team *team) TSR_MUST_USE;
bool tsr_bootstrap_try_max(tsr_team *team, int64_t v[], int n) TSR_MUST_USE;

#endif
