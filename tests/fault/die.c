/* A unit dies in the way that the first argument names, while the others wait for it or compute.
 *
 * kill: SIGKILL, once the others of its node sleep; segv, abort: fatal signals; exit, exit3: it exits without ending
 * the runtime, with 0 or 3; _exit: the same with 0, and without exit handlers; computing: SIGKILL while the others
 * compute and make no calls; leak: SIGKILL with live allocations; transfer: SIGKILL while the unit before it waits and
 * the others put to it and get from it; right before, it makes the file that the second argument names; agent: the
 * first unit kills the agent of its node; wait: no unit dies here, but the last unit never comes to a barrier, so that
 * a script can cut it off; asleep: no unit dies, and all units sleep outside the library.
 *
 * monitors: only the monitors are killed, and replaced. Words behind it, in any order: first, last: only the monitor of
 * the first or the last node; twice: also the new ones; worn: until they are not replaced any more; idle: the units of
 * the last node are outside the library meanwhile; kill: then the last unit dies, as in kill; gone: the last unit dies
 * at once, before there is a new monitor.
 */
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/bootstrap.h"
#include "core/place.h"
#include "core/segment.h"
#include "core/team.h"
#include "rma/rma.h"

enum { BYTES = 1 << 20 };

static bool never(const void *arg) {
  (void)arg;
  return false;
}

static const char *mark; /* the file to make before the death; NULL: none */

/* Makes progress until it has received data and a neighbour sleeps, and then dies. */
static void die_in_transfer(const volatile int *data) {
  const volatile struct tsr_wait_why *why = &tsr_heap_unit(tsr_heap.self - 1)->why;
  while (!*data || why->kind == TSR_WAIT_NONE) {
    tsr_progress();
    sched_yield();
  }
  if (mark) close(open(mark, O_CREAT | O_WRONLY, 0600));
  raise(SIGKILL);
}

static void transfer(void) {
  static char data[BYTES];
  tsr_segment *segment = NULL;
  int32_t last = tsr_place.units_n - 1;
  if (tsr_segment_alloc(tsr_team_world, BYTES, &segment)) exit(EXIT_FAILURE);
  tsr_addr there = tsr_segment_address(segment, TSR_MEMBER(last), 0);
  if (tsr_place.self == last) memset(tsr_place_pointer(there), 0, BYTES);
  tsr_bootstrap_barrier(tsr_team_world);
  if (tsr_place.self == last) die_in_transfer(tsr_place_pointer(there));
  if (tsr_place.self == last - 1) tsr_bootstrap_barrier(tsr_team_world);
  for (data[0] = 1;;) {
    tsr_put_wait(there, data, BYTES);
    tsr_get_wait(data, there, BYTES);
  }
}

/* The pid of the agent is known once the monitor has seen it. */
static void kill_agent(void) {
  _Atomic int32_t *pid = &tsr_heap_unit(tsr_place_local_units())->pid;
  while (atomic_load(pid) == 0) sched_yield();
  kill(atomic_load(pid), SIGKILL);
}

static pid_t find_monitor(void) {
  uint32_t word = atomic_load(&tsr_heap.memory->monitor);
  return word < TSR_MONITOR_KILLED ? (pid_t)word : 0;
}

/* As many as the system allows, whatever the program's limit. */
static bool may_open_many_files(pid_t monitor) {
  struct rlimit limit;
  return prlimit(monitor, RLIMIT_NOFILE, NULL, &limit) == 0 && limit.rlim_cur == limit.rlim_max;
}

/* Kills the monitor of this node. The first unit starts the new one. */
static void replace_monitor(const char *how) {
  pid_t before, after;
  while ((before = find_monitor()) == 0) sched_yield();
  kill(before, SIGKILL);
  if (strstr(how, "gone")) raise(SIGKILL);
  if (strstr(how, "idle")) sleep(3); /* the other nodes must not take this one for lost meanwhile */
  while ((after = find_monitor()) == 0 || after == before) {
    if (!strstr(how, "asleep")) tsr_progress(); /* which wakes the first unit */
    sched_yield();
  }
  _Atomic int32_t *first_unit = &tsr_heap_unit(0)->pid;
  while (!atomic_load(first_unit)) sched_yield(); /* the monitor that was killed may not have come so far */
  bool is_kept = getpgid(after) == getpgid(atomic_load(first_unit));
  while (!may_open_many_files(after)) sched_yield();
  fprintf(stderr, "a monitor is in %s\n", is_kept ? "a unit's process group" : "a group of its own");
}

/* The first monitor has been replaced already. */
static void wear_monitors(void) {
  enum { REPLACEMENTS_MAX = 8 }; /* of core/monitor.c */
  for (int i = 1; i < REPLACEMENTS_MAX; i++) replace_monitor("");
  kill(find_monitor(), SIGKILL);
  while (atomic_load(&tsr_heap.memory->monitor)) { /* until the first unit has noticed */
    tsr_progress();
    sched_yield();
  }
}

static void await_sleepers(void) {
  for (uint32_t local = 0; local < tsr_place_local_units(); local++) {
    const volatile struct tsr_wait_why *why = &tsr_heap_unit(local)->why;
    while (tsr_place_unit(local).id != tsr_place.self && why->kind == TSR_WAIT_NONE) sched_yield();
  }
}

/* Runs in the last unit of each node, while the others sleep in the barrier that follows. */
static void replace_monitors(const char *how) {
  bool is_last = tsr_place.node == tsr_place.nodes_n - 1;
  if (tsr_heap.self + 1 < tsr_place_local_units()) return;
  if ((strstr(how, "first") && tsr_place.node > 0) || (strstr(how, "last") && !is_last)) return;
  if (is_last) await_sleepers();
  replace_monitor(how);
  if (strstr(how, "twice")) replace_monitor(how);
  if (strstr(how, "worn")) wear_monitors();
}

static void die(const char *how) {
  bool is_killed = strcmp(how, "kill") == 0 || (strncmp(how, "monitors", 8) == 0 && strstr(how, "kill"));
  if (is_killed) {
    await_sleepers();
    raise(SIGKILL);
  }
  if (strcmp(how, "wait") == 0 || strcmp(how, "agent") == 0) tsr_wait(never, NULL, (struct tsr_wait_why){.kind = TSR_WAIT_NONE});
  if (strcmp(how, "computing") == 0 || strcmp(how, "leak") == 0) raise(SIGKILL);
  /* tsr_progress reads the heap in any case, a barrier only if it has to wait. */
  if (strcmp(how, "segv") == 0) munmap(tsr_heap.memory, 4096), tsr_progress();
  if (strcmp(how, "abort") == 0) abort();
  if (strcmp(how, "exit") == 0) exit(0);
  if (strcmp(how, "exit3") == 0) exit(3);
  if (strcmp(how, "_exit") == 0) _exit(0);
}

int main(int argc, char **argv) {
  if (argc < 2 || tessera_init(&argc, &argv)) return EXIT_FAILURE;
  if (argc > 2) mark = argv[2];
  tsr_segment *segment = NULL;
  if (strcmp(argv[1], "leak") == 0 && tsr_segment_alloc(tsr_team_world, 1 << 20, &segment)) return EXIT_FAILURE;
  if (strcmp(argv[1], "transfer") == 0) transfer();
  tsr_bootstrap_barrier(tsr_team_world);
  if (strcmp(argv[1], "agent") == 0 && tsr_place.self == 0) kill_agent();
  bool asleep = strcmp(argv[1], "asleep") == 0;
  if ((asleep || strcmp(argv[1], "wait") == 0) && tsr_place.self == 0) fprintf(stderr, "all wait\n");
  while (asleep) pause();
  if (strncmp(argv[1], "monitors", 8) == 0) {
    replace_monitors(argv[1]);
    tsr_bootstrap_barrier(tsr_team_world);
  }
  if (tsr_place.self == tsr_place.units_n - 1) die(argv[1]);
  if (strcmp(argv[1], "computing") == 0) {
    for (volatile unsigned long i = 0;; i++) continue;
  }
  tsr_bootstrap_barrier(tsr_team_world);
  tessera_exit();
  return EXIT_SUCCESS;
}
