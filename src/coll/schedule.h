/* A collective as a schedule of steps: messages to and from other members, copies and combinations. The algorithms
 * (coll/builders.h) add the steps. They are the same for the two kinds of schedule:
 *
 * - A *started* schedule records its steps, and progress performs them (coll/advance.c). Any number of started
 *   schedules proceed concurrently and complete in any order. Their messages are two-sided messages of p2p; they carry
 *   the team and the number of the call. The end of a team waits for its calls, so no message of an earlier team with
 *   the same number remains. A blocking reduction that is not combined node by node runs one, too: an *inner* schedule.
 * - A *blocking* schedule performs each step when it is added. It is the part of a blocking call between nodes. The
 *   calls of a team come one after another, so its messages need only the tag of the team.
 *
 * Sends and receives start in their order and proceed concurrently until the next wait, which ends the *round*. Copies
 * and combinations are performed in the order of the steps. Both ends of a message know its size. A message of another
 * size ends the job with an error message, because the members passed different sizes. With TESSERA_CHECK=1 the members
 * of a started call first compare what they call, in a ring; the first of two that differ ends the job with an error
 * message that names both. (core/coll_error compares blocking calls.)
 *
 * Threads: a team's calls are started one at a time, by any thread, in the same order on all members. */
#ifndef TSR_COLL_SCHEDULE_H
#define TSR_COLL_SCHEDULE_H

#include <stddef.h>

#include "coll/coll.h"
#include "core/check.h"
#include "core/message.h"
#include "core/op.h"
#include "core/sync.h"
#include "core/team.h"
#include "p2p/work.h"

enum tsr_step_kind {
  TSR_STEP_SEND, TSR_STEP_RECEIVE, TSR_STEP_COPY, TSR_STEP_COMBINE, TSR_STEP_COMPARE, TSR_STEP_AWAIT_NODE,
  TSR_STEP_AWAIT_RELEASE, TSR_STEP_RELEASE, TSR_STEP_WAIT
};

struct tsr_step {
  enum tsr_step_kind kind;
  int32_t member;
  char *to;          /* RECEIVE, COPY, COMBINE, COMPARE */
  const char *from;  /* SEND, COPY, COMBINE */
  size_t n;          /* bytes; COMBINE: elements; sync area: the round */
  size_t blocks_n, to_stride, from_stride; /* COPY: blocks of n bytes */
};

struct tsr_message;
struct tsr_schedule_memory;

typedef struct tsr_schedule {
  tsr_team *team;
  struct tsr_schedule_memory *memory;
  size_t small_n; /* bytes of `small` in use */
  size_t round_n; /* messages of this round */
  bool blocks;
  tsr_exchange round; /* of a blocking schedule */
  /* started */
  const char *name;
  uint64_t number; /* of the call, or of the inner schedule */
  bool is_inner;   /* a part of a blocking call */
  uint64_t sync_round; /* of started calls in the sync area of the node */
  uint16_t mark; /* a digest of the call, which its messages carry */
  struct tsr_step *steps;
  size_t steps_n, room_n; /* steps, and capacity */
  size_t most_n; /* messages of the largest round */
  tsr_reducer how;
  /* under way */
  struct tsr_work work;
  size_t at, moved;          /* the next step, and bytes or elements of it that are done */
  struct tsr_message *messages;
  size_t started_n, ended_n; /* messages of the round */
  bool prepared;             /* the next send is prepared, but had no room */
  tsr_op *op;
  void (*finish)(void *arg);
  void *arg;
  _Alignas(max_align_t) char small[512]; /* first memory of tsr_schedule_memory, without allocation */
} tsr_schedule;

/* Counts a call of the team, arrives in the sync area of the node, where the members compare their calls, and begins a started
 * schedule. _awaited: for a call whose members also wait for this round. Lack of memory in this or a call below ends the job. */
tsr_schedule *tsr_schedule_begin(tsr_team *team, const struct tsr_check_call *call);
tsr_schedule *tsr_schedule_begin_awaited(tsr_team *team, const struct tsr_check_call *call);
/* Begins a started schedule that is a part of a blocking call, which the members have compared. It is in the sequence of the
 * blocking calls, not in that of the started ones: members may make these two in a different order. */
tsr_schedule *tsr_schedule_begin_inner(tsr_team *team, const struct tsr_check_call *call);
/* The call as core/sync compares it. */
struct tsr_started_call tsr_started_call(const struct tsr_check_call *call, bool is_awaited);

/* A blocking schedule. tsr_schedule_end_blocking waits for all messages and frees the schedule's memory. */
void tsr_schedule_begin_blocking(tsr_schedule *schedule, tsr_team *team);
void tsr_schedule_end_blocking(tsr_schedule *schedule);

/* Steps. Buffers that are passed must stay valid until the schedule ends. `member` is another member. */
void tsr_schedule_send(tsr_schedule *schedule, int32_t member, const void *data, size_t bytes);
void tsr_schedule_receive(tsr_schedule *schedule, int32_t member, void *data, size_t bytes);
/* No effect if both addresses are the same. */
void tsr_schedule_copy(tsr_schedule *schedule, void *to, const void *from, size_t bytes);
/* Copies n blocks of `bytes`, which begin at multiples of the strides. */
void tsr_schedule_copy_blocks(tsr_schedule *schedule, void *to, size_t to_stride, const void *from, size_t from_stride,
                              size_t bytes, size_t n);
/* inout[i] = in[i] op inout[i]. All combinations of a schedule pass the same `how`. */
void tsr_schedule_combine(tsr_schedule *schedule, const tsr_reducer *how, void *inout, const void *in, size_t n);
/* Ends the round: waits for its messages. */
void tsr_schedule_wait(tsr_schedule *schedule);
void *tsr_schedule_memory(tsr_schedule *schedule, size_t bytes); /* freed with the schedule */
void tsr_schedule_free_memory(tsr_schedule *schedule);

/* For started schedules; each of these steps ends the round of messages. await_node waits until all members on the node have
 * arrived in `round` of the started calls (core/sync). The first member on a node calls release when all members of the team
 * have arrived; await_release waits for that. */
void tsr_schedule_await_node(tsr_schedule *schedule, uint64_t round);
void tsr_schedule_await_release(tsr_schedule *schedule, uint64_t round);
void tsr_schedule_release(tsr_schedule *schedule, uint64_t round);

/* tsr_schedule_mark ends the round and returns the number of steps. tsr_schedule_put_first ends the round and moves the
 * steps from `first` on to the front. */
size_t tsr_schedule_mark(tsr_schedule *schedule);
void tsr_schedule_put_first(tsr_schedule *schedule, size_t first);

/* Returns the reason that a wait for the end of the schedule reports. */
struct tsr_wait_why tsr_schedule_why(const tsr_schedule *schedule);

/* Starts a started schedule. `op` counts it until the part of this member is complete. `finish`, if not NULL, runs just
 * before that, in the thread that makes progress. The schedule is then freed. tsr_schedule_run also waits. */
void tsr_schedule_start(tsr_schedule *schedule, tsr_op *op, void (*finish)(void *arg), void *arg);
void tsr_schedule_run(tsr_schedule *schedule, void (*finish)(void *arg), void *arg);

#endif
