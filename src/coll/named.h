/* Barriers in two halves: a member notifies, with a name or none, goes on, and later waits, or asks, until all have notified.
 * Then it learns whether those that had a name had the same one. One at a time on a team.
 */
#ifndef TSR_COLL_NAMED_H
#define TSR_COLL_NAMED_H

#include <stdbool.h>
#include <stdint.h>

#include "core/team.h"

#define TSR_UNNAMED INT64_MIN

/* Whether this member has notified, and not yet seen the end. One thread of a team at a time, here and below. */
bool tsr_named_is_open(const tsr_team *team);

/* Of one that is not open: collective, mixes with all other calls on the team. Waits for nobody. */
void tsr_named_notify(tsr_team *team, int64_t name);

/* Of one that is open: whether all have come; waits for that. */
bool tsr_named_is_over(const tsr_team *team);
void tsr_named_await(tsr_team *team);

/* Of one that is over, once: it is no longer open. TESSERA_ERR_ARG, logged: the names differ. */
tessera_status_t tsr_named_close(tsr_team *team, const char *call);

#endif
