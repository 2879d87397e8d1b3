#include "coll/nb.h"

enum { WINDOW_N = 16 /* pairs at a time */ };

/* Table or not: where the share of a member lies, and how long it is. */
struct side {
  struct tsr_counts counts_list;
  size_t each;
};
static size_t count_of(const struct side *side, int32_t member) {
  return side->counts_list.counts ? side->counts_list.counts[member] : side->each;
}
static size_t off_of(const struct side *side, int32_t member) {
  return side->counts_list.offs ? side->counts_list.offs[member] : (size_t)member * side->each;
}

/* In each step everybody sends to one and receives from one, all of them different. */
static void exchange(tsr_schedule *schedule, const tsr_team *team, const char *send, struct side out, char *recv,
                     struct side in) {
  int32_t n = team->size, self = team->self;
  for (int32_t i = 1; i < n; i++) {
    int32_t to = (self + i) % n, from = (self - i + n) % n;
    tsr_schedule_receive(schedule, from, recv + off_of(&in, from), count_of(&in, from));
    tsr_schedule_send(schedule, to, send + off_of(&out, to), count_of(&out, to));
    if (i % WINDOW_N == 0) tsr_schedule_wait(schedule);
  }
  tsr_schedule_copy(schedule, recv + off_of(&in, self), send + off_of(&out, self), count_of(&in, self));
}

tsr_schedule *tsr_nb_alltoall(tsr_team *team, const void *send, void *recv, size_t bytes) {
  tsr_schedule *schedule = tsr_schedule_begin(team, &(struct tsr_check_call){"alltoall", bytes, -1, 0, 0});
  exchange(schedule, team, send, (struct side){.each = bytes}, recv, (struct side){.each = bytes});
  return schedule;
}

tsr_schedule *tsr_nb_alltoallv(tsr_team *team, const void *send, struct tsr_counts out, void *recv,
                               struct tsr_counts in) {
  tsr_schedule *schedule = tsr_schedule_begin(team, &(struct tsr_check_call){"alltoallv", TSR_CHECK_NO_BYTES, -1, 0, 0});
  exchange(schedule, team, send, (struct side){.counts_list = out}, recv, (struct side){.counts_list = in});
  return schedule;
}
