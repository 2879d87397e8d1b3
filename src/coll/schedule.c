#include "coll/schedule.h"

#include <stdlib.h>
#include <string.h>

#include "core/progress_thread.h"
#include "core/hang_report.h"
#include "core/coll_error.h"
#include "core/runtime.h"
#include "core/sync.h"
#include "p2p/attempt.h"
#include "p2p/p2p.h"

enum step_kind { SEND, RECEIVE, COPY, COMBINE, COMPARE, AWAIT_NODE, AWAIT_RELEASE, RELEASE, WAIT };

struct step {
  enum step_kind kind;
  int32_t member;
  void *to;         /* RECEIVE, COPY, COMBINE, COMPARE; only those write it */
  const void *from; /* SEND, COPY, COMBINE */
  size_t n;         /* bytes; COMBINE: elements; of the sync area: the round */
};

/* A message of the round. */
struct message {
  bool is_send;
  union {
    tsr_attempt send;
    tsr_incoming receive;
  };
};

struct memory {
  struct memory *next;
  _Alignas(max_align_t) char data[];
};

struct tsr_schedule {
  struct tsr_work work;
  tsr_team *team;
  const char *name;
  uint64_t number;
  uint16_t mark; /* on its messages: what call they are of */
  struct step *steps;
  size_t steps_n, room_n; /* steps, and those there is memory for */
  size_t at, moved;       /* the step that is next, and what is done of it */
  struct message *messages;
  size_t round_n, most_n;     /* while it is made: messages of this round, and of the largest */
  size_t started_n, ended_n;  /* of the round */
  bool prepared;              /* the send that is next has all but room */
  tsr_reducer how;
  struct memory *memory;
  tsr_op *op;
  void (*finish)(void *arg);
  void *arg;
};

void *tsr_schedule_memory(tsr_schedule *schedule, size_t bytes) {
  struct memory *memory = tsr_coll_memory(sizeof *memory + bytes);
  memory->next = schedule->memory;
  schedule->memory = memory;
  return memory->data;
}

static void add(tsr_schedule *schedule, struct step step) {
  if (schedule->steps_n == schedule->room_n) {
    schedule->room_n = 2 * schedule->room_n + 16;
    schedule->steps = realloc(schedule->steps, schedule->room_n * sizeof step);
    if (!schedule->steps) tsr_abort(1, "no private memory for the %zu steps of a %s", schedule->room_n, schedule->name);
  }
  schedule->steps[schedule->steps_n++] = step;
}

static void add_message(tsr_schedule *schedule, struct step step) {
  schedule->round_n++;
  if (schedule->round_n > schedule->most_n) schedule->most_n = schedule->round_n;
  add(schedule, step);
}

void tsr_schedule_send(tsr_schedule *schedule, int32_t member, const void *data, size_t bytes) {
  add_message(schedule, (struct step){.kind = SEND, .member = member, .from = data, .n = bytes});
}

void tsr_schedule_receive(tsr_schedule *schedule, int32_t member, void *data, size_t bytes) {
  add_message(schedule, (struct step){.kind = RECEIVE, .member = member, .to = data, .n = bytes});
}

void tsr_schedule_copy(tsr_schedule *schedule, void *to, const void *from, size_t bytes) {
  if (to != from && bytes) add(schedule, (struct step){.kind = COPY, .to = to, .from = from, .n = bytes});
}

void tsr_schedule_combine(tsr_schedule *schedule, const tsr_reducer *how, void *inout, const void *in, size_t n) {
  schedule->how = *how;
  if (n) add(schedule, (struct step){.kind = COMBINE, .to = inout, .from = in, .n = n});
}

void tsr_schedule_wait(tsr_schedule *schedule) {
  if (schedule->round_n) add(schedule, (struct step){.kind = WAIT});
  schedule->round_n = 0;
}

static void add_sync(tsr_schedule *schedule, enum step_kind kind, uint64_t round) {
  tsr_schedule_wait(schedule);
  add(schedule, (struct step){.kind = kind, .n = round});
}
void tsr_schedule_await_node(tsr_schedule *schedule, uint64_t round) { add_sync(schedule, AWAIT_NODE, round); }
void tsr_schedule_await_release(tsr_schedule *schedule, uint64_t round) { add_sync(schedule, AWAIT_RELEASE, round); }
void tsr_schedule_release(tsr_schedule *schedule, uint64_t round) { add_sync(schedule, RELEASE, round); }

size_t tsr_schedule_mark(tsr_schedule *schedule) {
  tsr_schedule_wait(schedule);
  return schedule->steps_n;
}

void tsr_schedule_put_first(tsr_schedule *schedule, size_t first) {
  size_t n = tsr_schedule_mark(schedule) - first;
  struct step *moved = tsr_coll_memory(n * sizeof *moved);
  if (n) memcpy(moved, schedule->steps + first, n * sizeof *moved);
  if (n) memmove(schedule->steps + n, schedule->steps, first * sizeof *moved);
  if (n) memcpy(schedule->steps, moved, n * sizeof *moved);
  free(moved);
}

static void add_check(tsr_schedule *schedule, const struct tsr_check_call *call) {
  int32_t size = schedule->team->size, self = schedule->team->self, before = (self - 1 + size) % size;
  struct tsr_check_words *notices = tsr_schedule_memory(schedule, 2 * sizeof *notices);
  notices[0] = tsr_check_words(call);
  tsr_schedule_send(schedule, (self + 1) % size, &notices[0], sizeof notices[0]);
  tsr_schedule_receive(schedule, before, &notices[1], sizeof notices[1]);
  tsr_schedule_wait(schedule);
  add(schedule, (struct step){.kind = COMPARE, .member = before, .to = notices});
}

/* Sizes are compared anyway; and all the rest where calls are checked. */
static uint16_t mark_of(const struct tsr_check_call *call) {
  uint64_t brief = tsr_check_brief(call->name, TSR_CHECK_NO_BYTES, call->root, call->how);
  return (uint16_t)(brief ^ brief >> 16 ^ brief >> 32 ^ brief >> 48);
}

tsr_schedule *tsr_schedule_begin(tsr_team *team, const struct tsr_check_call *call) {
  tsr_schedule *schedule = tsr_coll_memory(sizeof *schedule);
  memset(schedule, 0, sizeof *schedule);
  tsr_start_count(team);
  schedule->team = team;
  schedule->name = call->name;
  schedule->number = team->started_n;
  schedule->mark = tsr_config.check ? 0 : mark_of(call);
  if (tsr_config.check && team->size > 1) add_check(schedule, call);
  return schedule;
}

static int32_t unit_of(const tsr_schedule *schedule, int32_t member) {
  return tsr_team_unit(schedule->team, TSR_MEMBER(member)).id;
}

static void compare(const tsr_schedule *schedule, const struct step *step) {
  const struct tsr_check_words *own = step->to, *theirs = own + 1;
  char text[TSR_CHECK_TEXT_BYTES], their_text[TSR_CHECK_TEXT_BYTES];
  if (memcmp(own, theirs, sizeof *own) == 0) return;
  tsr_check_describe(own, text);
  tsr_check_describe(theirs, their_text);
  tsr_abort(1, "non-blocking collective %llu of team %d: unit %d calls %s, unit %d calls %s; let all members call alike, in the "
            "same order", (unsigned long long)schedule->number, schedule->team->id, unit_of(schedule, schedule->team->self),
            text, unit_of(schedule, step->member), their_text);
}

static void check_message(const tsr_schedule *schedule, const tsr_incoming *in) {
  if (in->bytes == in->room && in->mark != schedule->mark)
    tsr_abort(1, "%s, non-blocking collective %llu of team %d: unit %d makes it, and unit %d another call, or with another root "
              "or operation; let all members call alike, in the same order (TESSERA_CHECK=1 says more)", schedule->name,
              (unsigned long long)schedule->number, schedule->team->id, unit_of(schedule, schedule->team->self), in->source.id);
  if (in->bytes == in->room) return;
  tsr_abort(1, "%s, non-blocking collective %llu of team %d: unit %d expects %zu bytes from unit %d, which sends %zu; let "
            "all members pass the same sizes, in the same order of calls (TESSERA_CHECK=1 says more)", schedule->name,
            (unsigned long long)schedule->number, schedule->team->id, unit_of(schedule, schedule->team->self), in->room,
            in->source.id, in->bytes);
}

static enum tsr_p2p_context context_of(const tsr_schedule *schedule) {
  return (enum tsr_p2p_context)((int32_t)TSR_P2P_COLL + schedule->team->id);
}
static int32_t tag_of(const tsr_schedule *schedule) { return (int32_t)(schedule->number & INT32_MAX); }

/* False: no room for it now. */
static bool start_send(tsr_schedule *schedule, const struct step *step) {
  struct message *message = &schedule->messages[schedule->started_n];
  tsr_unit to = tsr_team_unit(schedule->team, TSR_MEMBER(step->member));
  message->is_send = true;
  if (!schedule->prepared &&
      tsr_attempt_prepare(&message->send, to, context_of(schedule), tag_of(schedule), step->from, step->n))
    tsr_abort(1, "%s: a message of %zu bytes to unit %d cannot be sent, for which others wait; see the line above",
              schedule->name, step->n, to.id);
  message->send.envelope.mark = schedule->mark;
  schedule->prepared = !tsr_attempt_send(&message->send);
  if (!schedule->prepared) schedule->started_n++;
  return !schedule->prepared;
}

static void start_receive(tsr_schedule *schedule, const struct step *step) {
  struct message *message = &schedule->messages[schedule->started_n++];
  tsr_unit from = tsr_team_unit(schedule->team, TSR_MEMBER(step->member));
  message->is_send = false;
  tsr_p2p_receive_start(&message->receive, from, context_of(schedule), tag_of(schedule), step->to, step->n);
}

static bool has_ended(const tsr_schedule *schedule, const struct message *message) {
  const _Atomic bool *done = message->is_send ? &message->send.out.done : &message->receive.done;
  if (!atomic_load_explicit(done, memory_order_acquire)) return false;
  if (!message->is_send) check_message(schedule, &message->receive);
  return true;
}

static bool round_has_ended(tsr_schedule *schedule) {
  while (schedule->ended_n < schedule->started_n && has_ended(schedule, &schedule->messages[schedule->ended_n]))
    schedule->ended_n++;
  if (schedule->ended_n < schedule->started_n) return false;
  schedule->started_n = schedule->ended_n = 0;
  return true;
}

/* At most so many bytes at a time. True: all is done. */
static bool copy_some(tsr_schedule *schedule, const struct step *step) {
  size_t left = step->n - schedule->moved, bytes = left < TSR_WORK_BYTES ? left : TSR_WORK_BYTES;
  memcpy((char *)step->to + schedule->moved, (const char *)step->from + schedule->moved, bytes);
  schedule->moved += bytes;
  return schedule->moved == step->n;
}

static bool combine_some(tsr_schedule *schedule, const struct step *step) {
  const tsr_reducer *how = &schedule->how;
  size_t most = TSR_WORK_BYTES / how->elem_bytes, left = step->n - schedule->moved;
  size_t n = left <= most ? left : most ? most : 1, off = schedule->moved * how->elem_bytes;
  how->apply((char *)step->to + off, (const char *)step->from + off, n, how);
  schedule->moved += n;
  return schedule->moved == step->n;
}

static void free_schedule(tsr_schedule *schedule) {
  while (schedule->memory) {
    struct memory *memory = schedule->memory;
    schedule->memory = memory->next;
    free(memory);
  }
  free(schedule->messages);
  free(schedule->steps);
  free(schedule);
}

/* The team may end as soon as nothing of it goes on, and the op is the last that anybody waits for. */
static void end(tsr_schedule *schedule) {
  tsr_op *op = schedule->op;
  tsr_team *team = schedule->team;
  uint64_t number = schedule->number;
  if (schedule->finish) schedule->finish(schedule->arg);
  free_schedule(schedule);
  atomic_fetch_sub(&tsr_progress_thread_followed_n, 1);
  tsr_hang_report_remove(team->id, number);
  atomic_fetch_sub_explicit(&team->going_n, 1, memory_order_release); /* partner: is_settled in core/team.c */
  tsr_op_end(op);
}

/* The first of the round that has not ended. */
static void note_whom(const tsr_schedule *schedule) {
  const struct message *message = &schedule->messages[schedule->ended_n];
  int32_t unit = message->is_send ? message->send.out.to.id : message->receive.entry.key.source;
  tsr_hang_report_add(schedule->team->id, schedule->number, unit);
}

/* In the sync area of the node. Ringing tells nothing to what makes progress, so it looks again. */
static enum tsr_work_result await_sync(const tsr_schedule *schedule, const struct step *step) {
  const tsr_team *team = schedule->team;
  int32_t local = 0;
  if (step->kind == AWAIT_NODE ? tsr_sync_is_complete(team, TSR_SYNC_STARTED, step->n) : tsr_sync_is_released(team, step->n))
    return TSR_WORK_MOVED;
  if (step->kind == AWAIT_NODE) {
    while (local + 1 < team->locals_n && tsr_sync_has_arrived(team, TSR_SYNC_STARTED, local, step->n)) local++;
  }
  tsr_hang_report_add(team->id, schedule->number, unit_of(schedule, team->locals[local]));
  return TSR_WORK_RETRY;
}

/* What became of the step: MOVED means that the next may be done. */
static enum tsr_work_result do_step(tsr_schedule *schedule, const struct step *step) {
  bool over = true;
  switch (step->kind) {
    case SEND: return start_send(schedule, step) ? TSR_WORK_MOVED : TSR_WORK_RETRY;
    case RECEIVE: start_receive(schedule, step); break;
    case COPY: over = copy_some(schedule, step); break;
    case COMBINE: over = combine_some(schedule, step); break;
    case COMPARE: compare(schedule, step); break;
    case AWAIT_NODE:
    case AWAIT_RELEASE: return await_sync(schedule, step);
    case RELEASE: tsr_sync_release(schedule->team, step->n); break;
    default:
      if (round_has_ended(schedule)) return TSR_WORK_MOVED;
      note_whom(schedule);
      return TSR_WORK_WAITS;
  }
  return over ? TSR_WORK_MOVED : TSR_WORK_MORE;
}

struct tsr_wait_why tsr_schedule_why(const tsr_schedule *schedule) {
  return (struct tsr_wait_why){TSR_WAIT_COLLECTIVE, schedule->team->id, (int64_t)schedule->number};
}

static enum tsr_work_result advance(struct tsr_work *work) {
  tsr_schedule *schedule = (tsr_schedule *)((char *)work - offsetof(tsr_schedule, work));
  size_t before = schedule->at;
  while (schedule->at < schedule->steps_n) {
    enum tsr_work_result result = do_step(schedule, &schedule->steps[schedule->at]);
    if (result == TSR_WORK_WAITS && schedule->at > before) return TSR_WORK_MOVED;
    if (result != TSR_WORK_MOVED) return result;
    schedule->at++;
    schedule->moved = 0;
  }
  end(schedule);
  return TSR_WORK_OVER;
}

static void start(tsr_schedule *schedule, tsr_op *op, void (*finish)(void *arg), void *arg) {
  tsr_schedule_wait(schedule);
  schedule->messages = tsr_coll_memory(schedule->most_n * sizeof *schedule->messages);
  schedule->op = op;
  schedule->finish = finish;
  schedule->arg = arg;
  schedule->work.step = advance;
  tsr_op_begin(op);
  atomic_fetch_add(&schedule->team->going_n, 1);
  atomic_fetch_add(&tsr_progress_thread_followed_n, 1);
  tsr_progress_require();
  tsr_work_add(&schedule->work);
  tsr_progress();
}

void tsr_schedule_start(tsr_schedule *schedule, tsr_op *op, void (*finish)(void *arg), void *arg) {
  start(schedule, op, finish, arg);
  if (atomic_load_explicit(&tsr_progress_thread_followed_n, memory_order_relaxed)) tsr_progress_thread_call();
}

static bool is_over(const void *op) { return tsr_op_remote_done(op); }

tessera_status_t tsr_schedule_run(tsr_schedule *schedule, void (*finish)(void *arg), void *arg) {
  tsr_op op = {0};
  struct tsr_wait_why why = tsr_schedule_why(schedule);
  start(schedule, &op, finish, arg);
  tsr_wait(is_over, &op, why);
  return TESSERA_OK;
}
