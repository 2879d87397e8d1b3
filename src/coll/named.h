/* Split-phase barriers: a member notifies, with or without a name, goes on, and later waits or tests until all members
 * have notified. Then it learns whether all names were the same. A team has one such barrier at a time. */
#ifndef TSR_COLL_NAMED_H
#define TSR_COLL_NAMED_H

#include <stdbool.h>
#include <stdint.h>

#include <tessera.h>

#include "core/team.h"

#define TSR_UNNAMED INT64_MIN
#define TSR_NAME_CLASHES INT64_MAX            /* differs from every name, and from itself */
#define TSR_NAME_NOT_COMPARED (INT64_MIN + 1) /* no name; all members pass it, and end by tsr_named_end_uncompared */

/* A program may use any other name, or none. */
static inline bool tsr_name_is_reserved(int64_t name) { return name == TSR_NAME_CLASHES || name == TSR_NAME_NOT_COMPARED; }

/* Whether this member has notified and not yet closed the barrier. Threads, here and below: one at a time per team. */
bool tsr_named_is_open(const tsr_team *team);

/* Allocates what the first notification needs. A notification that uses no messages (on one node, not compared) is then safe in a
 * signal handler. */
void tsr_named_prepare(tsr_team *team);

/* Notifies; no barrier may be open. Collective, and may be mixed with all other calls on the team. Does not wait.
 * `compares` must be the same for all barriers of a team. If it is set, and TESSERA_CHECK=1, the job ends with an error message
 * if a member starts another call on the team instead; barriers on one node then use messages, too. */
void tsr_named_notify(tsr_team *team, int64_t name, bool compares);

/* For an open barrier: returns whether all members have notified, or waits until they have. */
bool tsr_named_is_over(const tsr_team *team);
void tsr_named_await(tsr_team *team);

/* Closes a barrier in which all members have notified. The result: */
struct tsr_named_result {
  bool named; /* a member had a name; then: */
  int64_t least, most;
};
struct tsr_named_result tsr_named_end(tsr_team *team);
void tsr_named_end_uncompared(tsr_team *team);
/* As tsr_named_end, for callers that require one name. TESSERA_ERR_ARG, logged: the names differ. */
tessera_status_t tsr_named_close(tsr_team *team, const char *call) TSR_MUST_USE;

#endif
