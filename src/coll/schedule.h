/* A collective as a schedule of steps: messages to and from other members, copies and combinations. The algorithms
 * (coll/builders.h) add the steps, and do not know which of two kinds of schedule they add them to:
 *
 * - A *started* schedule records its steps, and progress performs them (coll/advance.c). Any number of started
 *   schedules proceed at once and complete in any order. Their messages are two-sided messages of p2p; they carry the
 *   team and the number of the call. A team's end waits for its calls, so messages of an earlier team with the same
 *   number never remain.
 * - A *blocking* schedule performs each step when it is added. It is the part of a blocking call between nodes, and only
 *   members that act for their nodes run one. The calls of a team come one after another, so its messages need only the
 *   tag of the team.
 *
 * Sends and receives start in their order and proceed at once until the next wait, which ends the *round*. Copies and
 * combinations are performed when the schedule comes to them. Both ends of a message know its size. A message of another
 * size ends the job with an error message, because the members passed different sizes. With TESSERA_CHECK=1 the members of
 * a started call first compare what they call, in a ring; the first of two that differ ends the job with an error message
 * that names both. (Blocking calls are compared in core/coll_error.)
 *
 * Threads: those of a team start its calls one at a time, in the same order on all members.
 */
#ifndef TSR_COLL_SCHEDULE_H
#define TSR_COLL_SCHEDULE_H

#include <stddef.h>

#include "coll/coll.h"
#include "core/check.h"
#include "core/message.h"
#include "core/op.h"
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
  size_t small_n; /* bytes of `small` that are taken */
  size_t round_n; /* messages of this round */
  bool blocks;
  tsr_exchange round; /* of a blocking schedule */
  /* started */
  const char *name;
  uint64_t number;
  uint16_t mark; /* a digest of the call, which its messages carry */
  struct tsr_step *steps;
  size_t steps_n, room_n; /* steps, and those there is memory for */
  size_t most_n; /* messages of the largest round */
  tsr_reducer how;
  /* under way */
  struct tsr_work work;
  size_t at, moved;          /* the next step, and bytes or elements of it that are done */
  struct tsr_message *messages;
  size_t started_n, ended_n; /* messages of the round */
  bool prepared;             /* the next send lacks only room */
  tsr_op *op;
  void (*finish)(void *arg);
  void *arg;
  _Alignas(max_align_t) char small[512]; /* short memory, which needs no allocation */
} tsr_schedule;

/* Counts a call of the team and begins a started schedule. It ends the job when there is no private memory, as all below do. */
tsr_schedule *tsr_schedule_begin(tsr_team *team, const struct tsr_check_call *call);

/* A blocking schedule. The end waits for all messages and frees the schedule's memory. */
void tsr_schedule_begin_blocking(tsr_schedule *schedule, tsr_team *team);
void tsr_schedule_end_blocking(tsr_schedule *schedule);

/* Steps. The program's buffers, and memory that is passed, stay until the end. Members are other members. */
void tsr_schedule_send(tsr_schedule *schedule, int32_t member, const void *data, size_t bytes);
void tsr_schedule_receive(tsr_schedule *schedule, int32_t member, void *data, size_t bytes);
/* Does nothing if both places are the same. */
void tsr_schedule_copy(tsr_schedule *schedule, void *to, const void *from, size_t bytes);
/* Copies n blocks of `bytes`, which begin at multiples of the strides. */
void tsr_schedule_copy_blocks(tsr_schedule *schedule, void *to, size_t to_stride, const void *from, size_t from_stride,
                              size_t bytes, size_t n);
/* inout[i] = in[i] op inout[i]; a schedule combines in one way only. */
void tsr_schedule_combine(tsr_schedule *schedule, const tsr_reducer *how, void *inout, const void *in, size_t n);
/* Ends the round: waits for its messages. */
void tsr_schedule_wait(tsr_schedule *schedule);
void *tsr_schedule_memory(tsr_schedule *schedule, size_t bytes); /* freed with the schedule */
void tsr_schedule_free_memory(tsr_schedule *schedule);

/* For started schedules; each ends the round. The first waits until all members on the node have arrived in a round of
 * started calls (core/sync); the second until the node's first member has released that round, which it does by the
 * third. */
void tsr_schedule_await_node(tsr_schedule *schedule, uint64_t round);
void tsr_schedule_await_release(tsr_schedule *schedule, uint64_t round);
void tsr_schedule_release(tsr_schedule *schedule, uint64_t round);

/* Ends the round and returns the number of steps; moves the steps from `first` on before all others, and ends the round. */
size_t tsr_schedule_mark(tsr_schedule *schedule);
void tsr_schedule_put_first(tsr_schedule *schedule, size_t first);

/* The reason that a wait for the end of the schedule reports. */
struct tsr_wait_why tsr_schedule_why(const tsr_schedule *schedule);

/* Starts a started schedule. `op` gets one more piece, which ends when this member's part is complete; `finish`, if not
 * NULL, runs before that in the thread that makes progress. The second function also waits. The schedule is freed
 * then. */
void tsr_schedule_start(tsr_schedule *schedule, tsr_op *op, void (*finish)(void *arg), void *arg);
tessera_status_t tsr_schedule_run(tsr_schedule *schedule, void (*finish)(void *arg), void *arg);

#endif
