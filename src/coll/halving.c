/* Broadcast, reduce and allreduce by halving (coll/builders.h). The vector has one part per member, and the member at
 * place p owns part p. sum_up is a reduce-scatter; collect_parts is the allgather, with the same steps in reverse. */
#include "coll/builders.h"

struct halving {
  tsr_schedule *schedule;
  const tsr_group *group;
  struct tsr_parts parts;
  char *data;
};

/* A contiguous piece of the vector. A range of parts has one span, or two if it wraps around to part 0. */
struct span {
  size_t off, bytes;
};
enum { SPANS_N = 2 };

static void find_spans(const struct halving *halving, int32_t first, int32_t n, struct span spans[SPANS_N]) {
  const struct tsr_parts *parts = &halving->parts;
  int32_t end = first + n, over = end > parts->parts_n ? end - parts->parts_n : 0;
  size_t off = tsr_part_off(parts, first);
  spans[0] = (struct span){off, tsr_part_off(parts, end - over) - off};
  spans[1] = (struct span){0, tsr_part_off(parts, over)};
}

/* Sends the n parts from `mine` on to place `to`. Receives the n parts from `ours` on from place `from`: into `theirs`,
 * or in place if that is NULL. Sender and receiver split a range into the same spans. */
static void swap_parts(const struct halving *halving, int32_t to, int32_t mine, int32_t from, int32_t ours, int32_t n,
                       char *theirs) {
  struct span out[SPANS_N], in[SPANS_N];
  find_spans(halving, mine, n, out);
  find_spans(halving, ours, n, in);
  for (int i = 0; i < SPANS_N; i++) {
    char *place = theirs ? theirs + (i ? in[0].bytes : 0) : halving->data + in[i].off;
    if (in[i].bytes) tsr_schedule_receive(halving->schedule, tsr_group_at(halving->group, from), place, in[i].bytes);
  }
  for (int i = 0; i < SPANS_N; i++) {
    if (out[i].bytes)
      tsr_schedule_send(halving->schedule, tsr_group_at(halving->group, to), halving->data + out[i].off, out[i].bytes);
  }
  tsr_schedule_wait(halving->schedule);
}

/* Returns how many parts a member still combines after `step` steps: n / 2^step, rounded up. */
static int32_t held_after(const struct halving *halving, int step) {
  return (int32_t)(((int64_t)halving->group->n + (1ll << step) - 1) >> step);
}

/* Reduce-scatter: each member gets the result of its own part. The rest of its vector is then undefined. */
static void sum_up(const struct halving *halving, const tsr_reducer *how) {
  const tsr_group *group = halving->group;
  char *theirs = tsr_schedule_memory(halving->schedule, (size_t)(group->n / 2) * tsr_part_bytes(&halving->parts, 0));
  for (int step = 0; held_after(halving, step) > 1; step++) {
    int32_t keeps = held_after(halving, step + 1), gives = held_after(halving, step) - keeps;
    int32_t to = tsr_group_turn(group, keeps), from = tsr_group_turn(group, -keeps);
    struct span spans[SPANS_N];
    swap_parts(halving, to, to, from, group->self, gives, theirs);
    find_spans(halving, group->self, gives, spans);
    tsr_schedule_combine(halving->schedule, how, halving->data + spans[0].off, theirs, spans[0].bytes / how->elem_bytes);
    tsr_schedule_combine(halving->schedule, how, halving->data, theirs + spans[0].bytes, spans[1].bytes / how->elem_bytes);
  }
}

/* Allgather: each member has its own part and gets all others. */
static void collect_parts(const struct halving *halving) {
  const tsr_group *group = halving->group;
  int step = 0;
  while (held_after(halving, step) > 1) step++;
  while (step-- > 0) {
    int32_t has = held_after(halving, step + 1), gets = held_after(halving, step) - has;
    int32_t from = tsr_group_turn(group, has);
    swap_parts(halving, tsr_group_turn(group, -has), group->self, from, from, gets, NULL);
  }
}

/* Scatter from the root (`down`), or gather to it. The member at `low` has the parts [low, end) and sends the second
 * half to the member at `middle`, or receives it from there. A scatter sends one half per round, the largest first,
 * because its receiver has most to forward. In a gather a member receives all halves before it sends. */
static void pass_parts(const struct halving *halving, bool down) {
  tsr_schedule *schedule = halving->schedule;
  int32_t self = halving->group->self, parent = -1;
  struct span own = {0, 0};
  for (int32_t low = 0, end = halving->group->n; end - low > 1;) {
    int32_t middle = end - (end - low) / 2;
    size_t off = tsr_part_off(&halving->parts, middle), bytes = tsr_part_off(&halving->parts, end) - off;
    int32_t upper = tsr_group_at(halving->group, middle);
    if (self == low && down) tsr_schedule_send(schedule, upper, halving->data + off, bytes);
    if (self == low && !down) tsr_schedule_receive(schedule, upper, halving->data + off, bytes);
    if (self == middle && down) tsr_schedule_receive(schedule, tsr_group_at(halving->group, low), halving->data + off, bytes);
    if (down) tsr_schedule_wait(schedule);
    if (self == middle) {
      parent = low;
      own = (struct span){off, bytes};
    }
    if (self < middle) end = middle;
    else low = middle;
  }
  tsr_schedule_wait(schedule);
  if (!down && parent >= 0) tsr_schedule_send(schedule, tsr_group_at(halving->group, parent), halving->data + own.off, own.bytes);
}

static struct halving begin_halving(tsr_schedule *schedule, const tsr_group *group, void *data, size_t n, size_t elem_bytes) {
  return (struct halving){schedule, group, {n, elem_bytes, group->n}, data};
}

void tsr_add_halving_bcast(tsr_schedule *schedule, const tsr_group *group, void *data, size_t bytes) {
  struct halving halving = begin_halving(schedule, group, data, bytes, 1);
  pass_parts(&halving, true);
  collect_parts(&halving);
}

void tsr_add_halving_reduce(tsr_schedule *schedule, const tsr_group *group, void *data, size_t n, const tsr_reducer *how) {
  struct halving halving = begin_halving(schedule, group, data, n, how->elem_bytes);
  sum_up(&halving, how);
  pass_parts(&halving, false);
}

void tsr_add_halving_allreduce(tsr_schedule *schedule, const tsr_group *group, void *data, size_t n,
                               const tsr_reducer *how) {
  struct halving halving = begin_halving(schedule, group, data, n, how->elem_bytes);
  sum_up(&halving, how);
  collect_parts(&halving);
}
