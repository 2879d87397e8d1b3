/* Collectives under way: each is a small program of steps, made by one of the builders (coll/nb.h) and advanced by whoever
 * makes progress (p2p/work.h), so that any number go on at once and complete in any order.
 *
 * Sends and receives start in the order of the program and go on side by side until the next wait, which ends the round;
 * copies and combinations are done when the program comes to them. Both ends of a message know its size: one that
 * arrives with another size ends the job with a message, since the members passed different sizes.
 *
 * Messages carry the team and the number of the call. Teams of the same number at different times do not meet: a team's end
 * awaits its calls. With TESSERA_CHECK=1 the members first tell each other, round a ring, what they call; the first of
 * two that differ ends the job with a message that names both.
 *
 * Threads: those of one team start its calls one at a time; in the same order everywhere.
 */
#ifndef TSR_COLL_SCHEDULE_H
#define TSR_COLL_SCHEDULE_H

#include <stddef.h>

#include "coll/coll.h"
#include "core/check.h"
#include "core/op.h"
#include "core/team.h"

typedef struct tsr_schedule tsr_schedule;

/* Counts a call on the team and begins its program. Ends the job when there is no private memory, as all below. */
tsr_schedule *tsr_schedule_begin(tsr_team *team, const struct tsr_check_call *call);

/* The builders' steps. Memory that is given stays until the end, as do the user's buffers. To and from other members. */
void tsr_schedule_send(tsr_schedule *schedule, int32_t member, const void *data, size_t bytes);
void tsr_schedule_receive(tsr_schedule *schedule, int32_t member, void *data, size_t bytes);
void tsr_schedule_copy(tsr_schedule *schedule, void *to, const void *from, size_t bytes); /* the same place: nothing */
/* inout[i] = in[i] op inout[i]; one way of combining for each program. */
void tsr_schedule_combine(tsr_schedule *schedule, const tsr_reducer *how, void *inout, const void *in, size_t n);
void tsr_schedule_wait(tsr_schedule *schedule);
void *tsr_schedule_memory(tsr_schedule *schedule, size_t bytes); /* freed with it */

/* Ends the round, and waits until all members on the node have arrived in a round of started calls (core/sync), or until the node's
 * first member has released that round, which it does by the last of these. */
void tsr_schedule_await_node(tsr_schedule *schedule, uint64_t round);
void tsr_schedule_await_release(tsr_schedule *schedule, uint64_t round);
void tsr_schedule_release(tsr_schedule *schedule, uint64_t round);

/* Ends the round and says how many steps there are; puts those from `first` on, which end a round, before all others. */
size_t tsr_schedule_mark(tsr_schedule *schedule);
void tsr_schedule_put_first(tsr_schedule *schedule, size_t first);

/* What a wait for its end is for. */
struct tsr_wait_why tsr_schedule_why(const tsr_schedule *schedule);

/* Starts it, with one more piece in `op`, which ends when this member's part is complete; `finish`, when given, runs
 * before, in the thread that makes progress. Or starts it and waits. The schedule is gone then. */
void tsr_schedule_start(tsr_schedule *schedule, tsr_op *op, void (*finish)(void *arg), void *arg);
tessera_status_t tsr_schedule_run(tsr_schedule *schedule, void (*finish)(void *arg), void *arg);

#endif
