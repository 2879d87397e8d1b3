#include "coll/schedule.h"

#include <stdlib.h>
#include <string.h>

#include "base/copy.h"
#include "core/coll_error.h"
#include "core/conflict.h"
#include "core/runtime.h"

struct tsr_schedule_memory {
  struct tsr_schedule_memory *next;
  _Alignas(max_align_t) char data[];
};

void *tsr_coll_memory(size_t bytes) {
  void *memory = malloc(bytes ? bytes : 1);
  if (!memory) tsr_abort(1, "TSR-0906 no private memory for %zu bytes of a collective; " TSR_REMEDY_MEMORY, bytes);
  return memory;
}

void *tsr_schedule_memory(tsr_schedule *schedule, size_t bytes) {
  size_t small = (bytes + _Alignof(max_align_t) - 1) / _Alignof(max_align_t) * _Alignof(max_align_t);
  if (bytes <= sizeof schedule->small && small <= sizeof schedule->small - schedule->small_n) {
    schedule->small_n += small;
    return schedule->small + schedule->small_n - small;
  }
  struct tsr_schedule_memory *memory = tsr_coll_memory(sizeof *memory + bytes);
  memory->next = schedule->memory;
  schedule->memory = memory;
  return memory->data;
}

void tsr_schedule_free_memory(tsr_schedule *schedule) {
  while (schedule->memory) {
    struct tsr_schedule_memory *memory = schedule->memory;
    schedule->memory = memory->next;
    free(memory);
  }
}

void tsr_schedule_begin_blocking(tsr_schedule *schedule, tsr_team *team) {
  schedule->team = team;
  schedule->memory = NULL;
  schedule->small_n = 0;
  schedule->round_n = 0;
  schedule->blocks = true;
  tsr_exchange_begin(&schedule->round, TSR_TAG_TEAM + team->id);
}

void tsr_schedule_end_blocking(tsr_schedule *schedule) {
  tsr_schedule_wait(schedule);
  tsr_schedule_free_memory(schedule);
}

static void add_step(tsr_schedule *schedule, struct tsr_step step) {
  if (schedule->steps_n == schedule->room_n) {
    schedule->room_n = 2 * schedule->room_n + 16;
    schedule->steps = realloc(schedule->steps, schedule->room_n * sizeof step);
    if (!schedule->steps) tsr_abort(1, "TSR-0907 no private memory for the %zu steps of a %s; " TSR_REMEDY_MEMORY, schedule->room_n,
                                    schedule->name);
  }
  schedule->steps[schedule->steps_n++] = step;
}

static __attribute__((noinline)) void record_message(tsr_schedule *schedule, enum tsr_step_kind kind, int32_t member, void *to,
                                                     const void *from, size_t bytes) {
  if (schedule->round_n > schedule->most_n) schedule->most_n = schedule->round_n;
  add_step(schedule, (struct tsr_step){.kind = kind, .member = member, .to = to, .from = from, .n = bytes});
}

void tsr_schedule_send(tsr_schedule *schedule, int32_t member, const void *data, size_t bytes) {
  schedule->round_n++;
  if (schedule->blocks) tsr_exchange_send(&schedule->round, tsr_team_unit(schedule->team, TSR_MEMBER(member)), data, bytes);
  else record_message(schedule, TSR_STEP_SEND, member, NULL, data, bytes);
}

void tsr_schedule_receive(tsr_schedule *schedule, int32_t member, void *data, size_t bytes) {
  schedule->round_n++;
  if (schedule->blocks) tsr_exchange_receive(&schedule->round, tsr_team_unit(schedule->team, TSR_MEMBER(member)), data, bytes);
  else record_message(schedule, TSR_STEP_RECEIVE, member, data, NULL, bytes);
}

void tsr_schedule_copy(tsr_schedule *schedule, void *to, const void *from, size_t bytes) {
  if (to == from || !bytes) return;
  if (schedule->blocks) tsr_copy(to, from, bytes);
  else add_step(schedule, (struct tsr_step){.kind = TSR_STEP_COPY, .to = to, .from = from, .n = bytes, .blocks_n = 1});
}

void tsr_schedule_copy_blocks(tsr_schedule *schedule, void *to, size_t to_stride, const void *from, size_t from_stride,
                              size_t bytes, size_t n) {
  if (n == 1 || (to_stride == bytes && from_stride == bytes)) {
    tsr_schedule_copy(schedule, to, from, n * bytes);
  } else if (schedule->blocks) {
    for (size_t i = 0; bytes && i < n; i++) tsr_copy((char *)to + i * to_stride, (const char *)from + i * from_stride, bytes);
  } else if (bytes && n) {
    add_step(schedule, (struct tsr_step){.kind = TSR_STEP_COPY, .to = to, .from = from, .n = bytes, .blocks_n = n,
                                         .to_stride = to_stride, .from_stride = from_stride});
  }
}

void tsr_schedule_combine(tsr_schedule *schedule, const tsr_reducer *how, void *inout, const void *in, size_t n) {
  if (!n) return;
  if (schedule->blocks) {
    how->apply(inout, in, n, how);
    return;
  }
  schedule->how = *how;
  add_step(schedule, (struct tsr_step){.kind = TSR_STEP_COMBINE, .to = inout, .from = in, .n = n});
}

void tsr_schedule_wait(tsr_schedule *schedule) {
  if (!schedule->round_n) return;
  schedule->round_n = 0;
  if (schedule->blocks) tsr_exchange_end(&schedule->round);
  else add_step(schedule, (struct tsr_step){.kind = TSR_STEP_WAIT});
}

static void add_sync(tsr_schedule *schedule, enum tsr_step_kind kind, uint64_t round) {
  tsr_schedule_wait(schedule);
  add_step(schedule, (struct tsr_step){.kind = kind, .n = round});
}
void tsr_schedule_await_node(tsr_schedule *schedule, uint64_t round) { add_sync(schedule, TSR_STEP_AWAIT_NODE, round); }
void tsr_schedule_await_release(tsr_schedule *schedule, uint64_t round) {
  add_sync(schedule, TSR_STEP_AWAIT_RELEASE, round);
}
void tsr_schedule_release(tsr_schedule *schedule, uint64_t round) { add_sync(schedule, TSR_STEP_RELEASE, round); }

size_t tsr_schedule_mark(tsr_schedule *schedule) {
  tsr_schedule_wait(schedule);
  return schedule->steps_n;
}

void tsr_schedule_put_first(tsr_schedule *schedule, size_t first) {
  size_t n = tsr_schedule_mark(schedule) - first;
  if (!n) return;
  struct tsr_step *moved = tsr_coll_memory(n * sizeof *moved);
  memcpy(moved, schedule->steps + first, n * sizeof *moved);
  memmove(schedule->steps + n, schedule->steps, first * sizeof *moved);
  memcpy(schedule->steps, moved, n * sizeof *moved);
  free(moved);
}

static void add_check(tsr_schedule *schedule, const struct tsr_check_call *call) {
  int32_t size = schedule->team->size, self = schedule->team->self, before = (self - 1 + size) % size;
  struct tsr_check_words *words = tsr_schedule_memory(schedule, 2 * sizeof *words);
  words[0] = tsr_check_words(call);
  tsr_schedule_send(schedule, (self + 1) % size, &words[0], sizeof words[0]);
  tsr_schedule_receive(schedule, before, &words[1], sizeof words[1]);
  tsr_schedule_wait(schedule);
  add_step(schedule, (struct tsr_step){.kind = TSR_STEP_COMPARE, .member = before, .to = (char *)words});
}

static uint16_t short_digest(uint64_t brief) { return (uint16_t)(brief ^ brief >> 16 ^ brief >> 32 ^ brief >> 48); }

/* Leaves out the sizes, which the receiver of each message checks anyway. */
static uint16_t digest_for_messages(const struct tsr_check_call *call) {
  return short_digest(tsr_check_brief(call->name, TSR_CHECK_NO_BYTES, call->root, call->how));
}

/* With TESSERA_CHECK=1 the members compare more, and report it better. */
struct tsr_started_call tsr_started_call(const struct tsr_check_call *call, bool is_awaited) {
  const uint64_t brief = tsr_check_brief(call->name, call->bytes ^ call->digest, call->root, call->how);
  return (struct tsr_started_call){call->name, tsr_config_check() ? 0 : short_digest(brief), is_awaited};
}

static tsr_schedule *make_schedule(tsr_team *team, const struct tsr_check_call *call) {
  tsr_schedule *schedule = tsr_coll_memory(sizeof *schedule);
  memset(schedule, 0, offsetof(tsr_schedule, small));
  schedule->team = team;
  schedule->name = call->name;
  schedule->mark = tsr_config_check() ? 0 : digest_for_messages(call);
  return schedule;
}

static tsr_schedule *begin(tsr_team *team, const struct tsr_check_call *call, bool is_awaited) {
  tsr_schedule *schedule = make_schedule(team, call);
  tsr_start_count(team);
  tsr_conflict_sync();
  schedule->number = team->started_n;
  if (tsr_config_check() && team->size > 1) add_check(schedule, call);
  schedule->sync_round = tsr_sync_start(team, tsr_started_call(call, is_awaited));
  return schedule;
}

tsr_schedule *tsr_schedule_begin(tsr_team *team, const struct tsr_check_call *call) { return begin(team, call, false); }
tsr_schedule *tsr_schedule_begin_awaited(tsr_team *team, const struct tsr_check_call *call) { return begin(team, call, true); }

tsr_schedule *tsr_schedule_begin_inner(tsr_team *team, const struct tsr_check_call *call) {
  tsr_schedule *schedule = make_schedule(team, call);
  schedule->is_inner = true;
  schedule->number = ++team->inner_n;
  return schedule;
}
