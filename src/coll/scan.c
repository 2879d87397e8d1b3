/* Scan: each member gets the reduction of all members up to itself (exclusive: before itself). */
#include "coll/nb.h"

/* Recursive doubling: after each round `sum` covers twice as many members, the last of which is this one. */
static void scan_doubling(tsr_schedule *schedule, const tsr_team *team, void *sum, size_t n, const tsr_reducer *how) {
  size_t bytes = n * how->elem_bytes;
  void *theirs = team->self > 0 ? tsr_schedule_memory(schedule, bytes) : NULL;
  for (int64_t distance = 1; distance < team->size; distance *= 2) {
    int64_t to = team->self + distance, from = team->self - distance;
    if (to < team->size) tsr_schedule_send(schedule, (int32_t)to, sum, bytes);
    if (from >= 0) tsr_schedule_receive(schedule, (int32_t)from, theirs, bytes);
    tsr_schedule_wait(schedule);
    if (from >= 0) tsr_schedule_combine(schedule, how, sum, theirs, n);
  }
}

tsr_schedule *tsr_nb_scan(tsr_team *team, const void *send, void *recv, size_t n, const tsr_reducer *how, bool exclusive) {
  size_t bytes = n * how->elem_bytes;
  const char *name = exclusive ? "exclusive scan" : "scan";
  tsr_schedule *schedule = tsr_schedule_begin(team, &(struct tsr_check_call){name, bytes, -1, tsr_reducer_check(how), 0});
  void *sum = exclusive ? tsr_schedule_memory(schedule, bytes) : recv;
  tsr_schedule_copy(schedule, sum, send, bytes);
  scan_doubling(schedule, team, sum, n, how);
  if (!exclusive) return schedule;
  if (team->self + 1 < team->size) tsr_schedule_send(schedule, team->self + 1, sum, bytes);
  if (team->self > 0) tsr_schedule_receive(schedule, team->self - 1, recv, bytes);
  return schedule;
}
