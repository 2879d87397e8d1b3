/* Split-phase barriers: a member notifies, with or without a name, goes on, and later waits or tests until all members have
 * notified. Then it learns whether those with a name had the same one. A team has one at a time.
 */
#ifndef TSR_COLL_NAMED_H
#define TSR_COLL_NAMED_H

#include <stdbool.h>
#include <stdint.h>

#include <tessera.h>

#include "core/team.h"

#define TSR_UNNAMED INT64_MIN
#define TSR_NAME_CLASHES INT64_MAX       /* differs from every name, and from itself */
#define TSR_NAME_UNHEARD (INT64_MIN + 1) /* none; all members pass it, and end by tsr_named_end_unheard */

/* Whether this member has notified and has not yet closed the barrier. One thread of a team at a time, for this and the
 * calls below. */
bool tsr_named_is_open(const tsr_team *team);

/* Allocates what the first notification needs. After that a notification is safe in a signal handler. */
void tsr_named_prepare(tsr_team *team);

/* Notifies; no barrier may be open. Collective, mixes with all other calls on the team. Does not wait. `compares`: with
 * TESSERA_CHECK=1 members that start another call on the team instead get an error message; on one node this takes
 * messages. */
void tsr_named_notify(tsr_team *team, int64_t name, bool compares);

/* For an open barrier: whether all members have notified; or waits for that. */
bool tsr_named_is_over(const tsr_team *team);
void tsr_named_await(tsr_team *team);

/* Closes a barrier that is over; it is no longer open. The result: */
struct tsr_named_heard {
  bool named; /* some had a name: */
  int64_t least, most;
};
struct tsr_named_heard tsr_named_end(tsr_team *team);
void tsr_named_end_unheard(tsr_team *team);
/* The same, for callers that want one name. TESSERA_ERR_ARG, logged: the names differ. */
tessera_status_t tsr_named_close(tsr_team *team, const char *call);

#endif
