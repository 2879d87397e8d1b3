#include "core/progress_thread.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>

#include "base/clock.h"
#include "base/limit.h"
#include "base/log.h"
#include "base/wait.h"
#include "core/listener.h"
#include "core/overlap.h"
#include "core/place.h"
#include "core/progress.h"
#include "core/runtime.h"
#include "core/monitor.h"
#include "net/net.h"

_Atomic uint32_t tsr_progress_thread_pending_n;

static struct {
  _Atomic bool runs;
  pthread_t thread;
  tsr_word *bell;
  const struct tsr_progress_thread_task *task; /* NULL: the thread works only while operations need steps of its unit */
  struct tsr_backoff backoff;
  _Atomic bool over;
  _Atomic bool sleeps_long; /* or is about to: longer than a request may be held back */
  _Atomic bool sleeps_until_called; /* asleep until it is called, or about to be */
  uint64_t late_ns;      /* how long it backs off at first while its unit serves the rank */
  uint64_t away_ns;      /* and now: longer while the unit polls */
  unsigned seen_n;       /* calls of the unit, at the last check */
} progress_thread;

/* While its unit makes calls often, the unit serves the rank, and the progress thread steps back. It sleeps rather than yields:
 * if a unit computes on the same core, a thread that yields gets the core back a whole time slice later, and a thread that sleeps
 * gets it as soon as it wakes. The thread polls seldom in two cases: nothing is under way, or each poll preempts the unit. */
enum {
  IDLE_POLL_NS = 400000,
  NEXT_PART_NS = 150000,          /* within this time the next part of a transfer follows */
  NEXT_TRANSFER_NS = 400000,      /* within this time the unit's next transfer follows; waking takes as long as a short one */
  NEXT_COLLECTIVE_NS = 100000000, /* within this time the unit's next collective follows; to wake for each costs the unit more */
  SLEEP_MOST_NS = 100000000,      /* longest sleep while a listener runs, since the thread checks the monitor */
  HELD_MOST_NS = 4000000,         /* longest time for which a request may be held back */
  AWAY_TIMES_MOST = 8,  /* of late_ns, the longest pause: each check preempts a unit that spins. */
  POLLING_CALLS_N = 32  /* A unit with this many calls since the last check polls all the time, as a unit in a wait does. */
};

static bool is_over(void) { return atomic_load_explicit(&progress_thread.over, memory_order_acquire); }

static bool is_wanted(const void *unused) {
  (void)unused;
  if (atomic_load(&progress_thread.sleeps_long) && atomic_load(&tsr_net_holds)) return true;
  return is_over() || (progress_thread.task && progress_thread.task->is_called());
}

static void wake_to_send(void) {
  if (atomic_load(&progress_thread.sleeps_long)) tsr_bell_ring(progress_thread.bell);
}

static bool has_pending(const void *unused) {
  (void)unused;
  return is_over() || atomic_load(&tsr_progress_thread_pending_n) > 0;
}

static bool is_wanted_or_pending(const void *unused) { return is_wanted(unused) || has_pending(unused); }

/* The number of calls since the last check. */
static unsigned unit_calls_in(void) {
  unsigned calls_n = atomic_load_explicit(&tsr_progress_calls_n, memory_order_relaxed), seen_n = progress_thread.seen_n;
  progress_thread.seen_n = calls_n;
  return calls_n - seen_n;
}

/* Whether the unit serves the rank itself. While the unit polls all the time, the thread checks this less and less often. If a
 * check finds that the unit does not poll, the pause is short again, because a unit that computes needs the thread soon.
 * `just_checked`: a moment ago, which is too short to tell a handler from a poll. */
static bool unit_serves(bool just_checked) {
  const unsigned calls_n = unit_calls_in();
  const bool in_handler = !just_checked && calls_n == 0 && tsr_wait_polls(), waits = tsr_wait_goes_on() && !in_handler;
  if (!waits && calls_n < POLLING_CALLS_N) progress_thread.away_ns = progress_thread.late_ns;
  else if (progress_thread.away_ns < AWAY_TIMES_MOST * progress_thread.late_ns) progress_thread.away_ns *= 2;
  return waits || calls_n > 0;
}

static bool is_quiet(void) {
  return progress_thread.backoff.begun_ns && tsr_clock_ns() - progress_thread.backoff.begun_ns > NEXT_PART_NS &&
         tsr_net->outstanding(-1) == 0;
}

static void sleep_unless_wanted(uint64_t least_ns) {
  uint64_t ns = tsr_backoff_next(&progress_thread.backoff);
  if (ns < least_ns) ns = least_ns;
  tsr_overlap_count_sleep();
  atomic_store(&progress_thread.sleeps_long, ns > HELD_MOST_NS); /* partner: the store of tsr_net_holds */
  tsr_wait_thread_sleep(progress_thread.bell, ns, is_wanted, NULL);
  atomic_store(&progress_thread.sleeps_long, false);
}

/* The listener wakes for what comes meanwhile. */
static bool may_sleep_long(void) {
  const struct tsr_progress_thread_task *task = progress_thread.task;
  return tsr_listener_runs() && !(task && task->busy()) && atomic_load(&tsr_progress_thread_pending_n) == 0;
}

static void sleep_long(void) {
  atomic_store(&progress_thread.sleeps_long, true); /* partner: the store of tsr_net_holds */
  atomic_store(&progress_thread.sleeps_until_called, true);
  tsr_wait_thread_sleep(progress_thread.bell, SLEEP_MOST_NS, is_wanted_or_pending, NULL);
  atomic_store(&progress_thread.sleeps_until_called, false);
  atomic_store(&progress_thread.sleeps_long, false);
}

static void serve_once(void) {
  const struct tsr_progress_thread_task *task = progress_thread.task;
  tsr_monitor_check();
  int worked_n = task ? task->work() : 0;
  if (worked_n) unit_calls_in(); /* only later calls show whether the unit computes */
  bool steps_back = unit_serves(worked_n > 0) && !(task && task->busy());
  int done = worked_n + (steps_back ? 0 : tsr_progress_aside());
  if (done) {
    tsr_backoff_begin(&progress_thread.backoff, 0);
  } else if (may_sleep_long()) {
    sleep_long();
  } else if (tsr_overlap_continues(NEXT_TRANSFER_NS)) { /* yields, for a bounded time, and only if there is a free core */
    tsr_overlap_count_sleep();
    tsr_wait_thread_sleep(progress_thread.bell, 0, is_wanted, NULL);
  } else if (steps_back) {
    sleep_unless_wanted(progress_thread.away_ns);
  } else {
    sleep_unless_wanted(tsr_overlap_oversubscribed() || is_quiet() ? progress_thread.late_ns : 0);
  }
}

static void *run_progress_thread(void *unused) {
  uint64_t pending_ns = 0;
  prctl(PR_SET_NAME, "tessera-serve");
  tsr_topology_use_cpus(&tsr_heap.memory->cpus);
  while (!is_over()) {
    uint64_t now = progress_thread.task ? 0 : tsr_clock_ns();
    if (progress_thread.task || has_pending(unused)) {
      pending_ns = now;
      serve_once();
    } else if (now - pending_ns < NEXT_COLLECTIVE_NS) {
      sleep_unless_wanted(progress_thread.late_ns);
    } else {
      atomic_store(&progress_thread.sleeps_until_called, true);
      tsr_wait_thread_sleep(progress_thread.bell, TSR_UNTIMED, has_pending, NULL);
      atomic_store(&progress_thread.sleeps_until_called, false);
      tsr_backoff_begin(&progress_thread.backoff, 0);
    }
  }
  return NULL;
}

static bool start_thread(tsr_word *bell, const struct tsr_progress_thread_task *task, uint64_t late_ns) {
  sigset_t all, before;
  progress_thread.bell = bell;
  progress_thread.task = task;
  progress_thread.late_ns = progress_thread.away_ns = late_ns;
  tsr_backoff_begin(&progress_thread.backoff, 0);
  atomic_store(&progress_thread.over, false);
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before); /* the program's handlers run in its own threads */
  atomic_store(&tsr_progress_thread_serves, true);
  atomic_fetch_add(&tsr_heap.memory->awake_n, 1);
  int error = pthread_create(&progress_thread.thread, NULL, run_progress_thread, NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  atomic_store(&progress_thread.runs, !error);
  if (!error) return true;
  atomic_store(&tsr_progress_thread_serves, false);
  atomic_fetch_sub(&tsr_heap.memory->awake_n, 1);
  tsr_warn("TSR-0354 no progress thread (%s): requests of other nodes are served when this unit makes a call; %s",
           strerror(error), tsr_limit_remedy(error));
  return false;
}

__attribute__((constructor)) static void register_wake(void) { tsr_net_on_hold = wake_to_send; }

bool tsr_progress_thread_start(tsr_word *bell, const struct tsr_progress_thread_task *task) {
  bool runs = start_thread(bell, task, IDLE_POLL_NS);
  if (runs) atomic_store(&tsr_net_is_polled, true);
  return runs;
}

/* If the progress threads of a node share cores, all of them together poll about as often as one of them would. */
static void start_for_pending(void) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static tsr_word bell;
  static bool start_failed;
  unsigned cores_n = (unsigned)tsr_topology_count(&tsr_heap.memory->cpus);
  pthread_mutex_lock(&lock);
  if (!start_failed && !atomic_load(&progress_thread.runs))
    start_failed = !start_thread(&bell, NULL, (uint64_t)IDLE_POLL_NS * ((tsr_heap.units_n + cores_n - 1) / cores_n));
  pthread_mutex_unlock(&lock);
}

void tsr_progress_thread_call(void) {
  bool is_served = tsr_place.shared_endpoints || tsr_place.agents_n > 0; /* by threads or, also on one node, by agents */
  if (!is_served || !tsr_threads_possible) return;
  if (!atomic_load_explicit(&progress_thread.runs, memory_order_acquire)) start_for_pending();
  else if (atomic_load(&progress_thread.sleeps_until_called))
    tsr_bell_ring(progress_thread.bell); /* partner: has_pending(), after the store */
}

void tsr_progress_thread_stop(void) {
  if (!atomic_load(&progress_thread.runs)) return;
  atomic_store(&tsr_net_is_polled, tsr_listener_runs());
  atomic_store_explicit(&progress_thread.over, true, memory_order_release);
  tsr_bell_ring(progress_thread.bell);
  pthread_join(progress_thread.thread, NULL);
  atomic_fetch_sub(&tsr_heap.memory->awake_n, 1);
  atomic_store(&progress_thread.runs, false);
}
