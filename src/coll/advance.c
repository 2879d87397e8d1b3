/* Progress of started schedules. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/copy.h"
#include "coll/schedule.h"
#include "core/coll_error.h"
#include "core/hang_report.h"
#include "core/progress_thread.h"
#include "core/runtime.h"
#include "core/sync.h"
#include "p2p/p2p.h"

/* A message of the round. */
struct tsr_message {
  bool is_send;
  union {
    tsr_attempt send;
    tsr_incoming receive;
  };
};

static int32_t unit_of(const tsr_schedule *schedule, int32_t member) {
  return tsr_team_unit(schedule->team, TSR_MEMBER(member)).id;
}

static void compare_calls(const tsr_schedule *schedule, const struct tsr_step *step) {
  const struct tsr_check_words *own = (const struct tsr_check_words *)step->to, *theirs = own + 1;
  char text[TSR_CHECK_TEXT_BYTES], their_text[TSR_CHECK_TEXT_BYTES];
  if (memcmp(own, theirs, sizeof *own) == 0) return;
  tsr_check_describe(own, text);
  tsr_check_describe(theirs, their_text);
  tsr_abort(1, "TSR-0900 non-blocking collective %llu of team %d: unit %d calls %s, unit %d calls %s; let all members make the "
            "same calls in the same order", (unsigned long long)schedule->number, schedule->team->id,
            unit_of(schedule, schedule->team->self), text, unit_of(schedule, step->member), their_text);
}

struct call_name {
  char text[64];
};
static struct call_name name_call(const tsr_schedule *schedule) {
  struct call_name name;
  if (schedule->is_inner) snprintf(name.text, sizeof name.text, "a blocking call of team %d", schedule->team->id);
  else snprintf(name.text, sizeof name.text, "non-blocking collective %llu of team %d", (unsigned long long)schedule->number,
                schedule->team->id);
  return name;
}

/* For the watchdog. */
static uint64_t reported_number(const tsr_schedule *schedule) {
  return schedule->number | (schedule->is_inner ? TSR_HANG_REPORT_BLOCKING : 0);
}

static void check_message(const tsr_schedule *schedule, const tsr_incoming *in) {
  if (in->bytes == in->room && in->mark != schedule->mark)
    tsr_abort(1, "TSR-0901 %s, %s: the calls of unit %d and unit %d differ in kind, root or "
              "operation; let all members make the same calls in the same order (TESSERA_CHECK=1 names both calls)", schedule->name,
              name_call(schedule).text, unit_of(schedule, schedule->team->self), in->source.id);
  if (in->bytes == in->room) return;
  tsr_abort(1, "TSR-0902 %s, %s: unit %d expects %zu bytes from unit %d, which sends %zu; "
            "let all members pass the same sizes, in the same order of calls (TESSERA_CHECK=1 names both calls)", schedule->name,
            name_call(schedule).text, unit_of(schedule, schedule->team->self), in->room, in->source.id, in->bytes);
}

static enum tsr_p2p_context context_of(const tsr_schedule *schedule) {
  return (enum tsr_p2p_context)((int32_t)TSR_P2P_COLL + schedule->team->id);
}
/* Started calls and inner schedules are numbered separately. */
static int32_t tag_of(const tsr_schedule *schedule) {
  enum { INNER = 1 << 30 };
  return (int32_t)(schedule->number & (INNER - 1)) | (schedule->is_inner ? INNER : 0);
}

/* False: there is no room for the message at the moment. */
static bool start_send(tsr_schedule *schedule, const struct tsr_step *step) {
  struct tsr_message *message = &schedule->messages[schedule->started_n];
  tsr_unit to = tsr_team_unit(schedule->team, TSR_MEMBER(step->member));
  message->is_send = true;
  if (!schedule->prepared &&
      tsr_attempt_prepare(&message->send, to, context_of(schedule), tag_of(schedule), step->from, step->n))
    tsr_abort(1, "TSR-0903 %s: a message of %zu bytes to unit %d cannot be sent, and other members wait for it; see the line above",
              schedule->name, step->n, to.id);
  message->send.envelope.mark = schedule->mark;
  schedule->prepared = !tsr_attempt_send(&message->send);
  if (!schedule->prepared) schedule->started_n++;
  return !schedule->prepared;
}

static void start_receive(tsr_schedule *schedule, const struct tsr_step *step) {
  struct tsr_message *message = &schedule->messages[schedule->started_n++];
  tsr_unit from = tsr_team_unit(schedule->team, TSR_MEMBER(step->member));
  message->is_send = false;
  tsr_p2p_receive_start(&message->receive, from, context_of(schedule), tag_of(schedule), step->to, step->n);
}

static bool has_ended(const tsr_schedule *schedule, const struct tsr_message *message) {
  const _Atomic bool *done = message->is_send ? &message->send.out.done : &message->receive.done;
  if (!atomic_load_explicit(done, memory_order_acquire)) return false;
  if (!message->is_send) check_message(schedule, &message->receive);
  return true;
}

static enum tsr_work_result await_messages(tsr_schedule *schedule) {
  for (; schedule->ended_n < schedule->started_n; schedule->ended_n++) {
    const struct tsr_message *message = &schedule->messages[schedule->ended_n];
    if (has_ended(schedule, message)) continue;
    int32_t unit = message->is_send ? message->send.out.to.id : message->receive.entry.key.source;
    tsr_hang_report_add(schedule->team->id, reported_number(schedule), unit);
    return TSR_WORK_WAITS;
  }
  schedule->started_n = schedule->ended_n = 0;
  return TSR_WORK_MOVED;
}

/* Copies at most TSR_WORK_BYTES. True: all is done. */
static bool copy_some(tsr_schedule *schedule, const struct tsr_step *step) {
  size_t total = step->n * step->blocks_n, room = TSR_WORK_BYTES;
  while (room && schedule->moved < total) {
    size_t block = schedule->moved / step->n, off = schedule->moved % step->n, left = step->n - off;
    size_t bytes = left < room ? left : room;
    tsr_copy(step->to + block * step->to_stride + off, step->from + block * step->from_stride + off, bytes);
    schedule->moved += bytes;
    room -= bytes;
  }
  return schedule->moved == total;
}

static bool combine_some(tsr_schedule *schedule, const struct tsr_step *step) {
  const tsr_reducer *how = &schedule->how;
  size_t most = TSR_WORK_BYTES / how->elem_bytes, left = step->n - schedule->moved;
  size_t n = left <= most ? left : most ? most : 1, off = schedule->moved * how->elem_bytes;
  how->apply(step->to + off, step->from + off, n, how);
  schedule->moved += n;
  return schedule->moved == step->n;
}

/* Waits in the sync area of the node. A doorbell does not tell which schedule it is for, so each schedule polls
 * again. */
static enum tsr_work_result await_sync(const tsr_schedule *schedule, const struct tsr_step *step) {
  const tsr_team *team = schedule->team;
  bool for_node = step->kind == TSR_STEP_AWAIT_NODE;
  int32_t local = 0;
  if (for_node ? tsr_sync_is_complete(team, TSR_SYNC_STARTED, step->n) : tsr_sync_is_released(team, step->n))
    return TSR_WORK_MOVED;
  while (for_node && local + 1 < team->locals_n && tsr_sync_has_arrived(team, TSR_SYNC_STARTED, local, step->n)) local++;
  tsr_hang_report_add(team->id, reported_number(schedule), unit_of(schedule, team->locals[local]));
  return TSR_WORK_RETRY;
}

/* MOVED means that the next step may be performed. */
static enum tsr_work_result do_step(tsr_schedule *schedule, const struct tsr_step *step) {
  bool over = true;
  switch (step->kind) {
    case TSR_STEP_SEND: return start_send(schedule, step) ? TSR_WORK_MOVED : TSR_WORK_RETRY;
    case TSR_STEP_RECEIVE: start_receive(schedule, step); break;
    case TSR_STEP_COPY: over = copy_some(schedule, step); break;
    case TSR_STEP_COMBINE: over = combine_some(schedule, step); break;
    case TSR_STEP_COMPARE: compare_calls(schedule, step); break;
    case TSR_STEP_AWAIT_NODE:
    case TSR_STEP_AWAIT_RELEASE: return await_sync(schedule, step);
    case TSR_STEP_RELEASE: tsr_sync_release(schedule->team, step->n); break;
    default: return await_messages(schedule);
  }
  return over ? TSR_WORK_MOVED : TSR_WORK_MORE;
}

/* The team may be freed as soon as going_n is 0, and the op as soon as it ends, so these two steps are the last. */
static void end_schedule(tsr_schedule *schedule) {
  tsr_op *op = schedule->op;
  tsr_team *team = schedule->team;
  uint64_t number = reported_number(schedule);
  if (schedule->finish) schedule->finish(schedule->arg);
  tsr_schedule_free_memory(schedule);
  free(schedule->messages);
  free(schedule->steps);
  free(schedule);
  atomic_fetch_sub(&tsr_progress_thread_pending_n, 1);
  tsr_hang_report_remove(team->id, number);
  atomic_fetch_sub_explicit(&team->going_n, 1, memory_order_release); /* partner: is_quiet in core/team.c */
  tsr_op_end(op);
}

static enum tsr_work_result advance_schedule(struct tsr_work *work) {
  tsr_schedule *schedule = (tsr_schedule *)((char *)work - offsetof(tsr_schedule, work));
  size_t before = schedule->at;
  while (schedule->at < schedule->steps_n) {
    enum tsr_work_result result = do_step(schedule, &schedule->steps[schedule->at]);
    if (result == TSR_WORK_WAITS && schedule->at > before) return TSR_WORK_MOVED;
    if (result != TSR_WORK_MOVED) return result;
    schedule->at++;
    schedule->moved = 0;
  }
  end_schedule(schedule);
  return TSR_WORK_OVER;
}

struct tsr_wait_why tsr_schedule_why(const tsr_schedule *schedule) {
  const enum tsr_wait_kind kind = schedule->is_inner ? TSR_WAIT_INNER : TSR_WAIT_COLLECTIVE;
  return (struct tsr_wait_why){kind, schedule->team->id, (int64_t)reported_number(schedule)};
}

static void start_schedule(tsr_schedule *schedule, tsr_op *op, void (*finish)(void *arg), void *arg) {
  tsr_schedule_wait(schedule);
  schedule->messages = tsr_coll_memory(schedule->most_n * sizeof *schedule->messages);
  schedule->op = op;
  schedule->finish = finish;
  schedule->arg = arg;
  schedule->work.step = advance_schedule;
  tsr_op_begin(op);
  atomic_fetch_add(&schedule->team->going_n, 1);
  atomic_fetch_add(&tsr_progress_thread_pending_n, 1);
  tsr_progress_require();
  tsr_work_add(&schedule->work);
  tsr_progress();
}

void tsr_schedule_start(tsr_schedule *schedule, tsr_op *op, void (*finish)(void *arg), void *arg) {
  start_schedule(schedule, op, finish, arg);
  if (atomic_load_explicit(&tsr_progress_thread_pending_n, memory_order_relaxed)) tsr_progress_thread_call();
}

/* Also true after a collective error: the sender of an expected message may have failed the blocking call of the schedule. */
static bool is_over_or_news(const void *op) {
  return tsr_op_remote_done(op) || atomic_load_explicit(&tsr_coll_error_pending, memory_order_relaxed);
}

void tsr_schedule_run(tsr_schedule *schedule, void (*finish)(void *arg), void *arg) {
  tsr_op op = {0};
  struct tsr_wait_why why = tsr_schedule_why(schedule);
  start_schedule(schedule, &op, finish, arg);
  for (;;) {
    tsr_wait(is_over_or_news, &op, why);
    if (tsr_op_remote_done(&op)) return;
    tsr_coll_error_poll();
  }
}
