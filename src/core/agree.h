/* Bootstrap collectives: the barrier and exchanges that set-up, segments and teams need below the collectives. On a node they are
 * rounds of the team's sync area (core/sync); between nodes the leaders exchange messages.
 */
#ifndef TSR_CORE_AGREE_H
#define TSR_CORE_AGREE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/team.h"

enum { TSR_AGREE_MAX_N = 6 };

/* All members have arrived, and what they stored before is visible to all. Collective over the team. On several nodes the job ends
 * with a message when members have made different collective calls since the last barrier (core/coll_error). */
void tsr_agree_barrier(tsr_team *team);

/* v[i] becomes the maximum over all members; n <= TSR_AGREE_MAX_N. Collective; also a barrier. */
void tsr_agree_max(tsr_team *team, int64_t v[], int n);

/* Collects one number of each member, in team order. Collective. Set-up only: time and memory grow with the team. */
void tsr_agree_gather(tsr_team *team, int64_t mine, int64_t all[]);

/* The above end the job with a message when a member has come to fail another call (tsr_sync_fail). These return false then, on
 * all members of its node. */
bool tsr_agree_try_barrier(tsr_team *team) __attribute__((warn_unused_result));
bool tsr_agree_try_max(tsr_team *team, int64_t v[], int n) __attribute__((warn_unused_result));

#endif
