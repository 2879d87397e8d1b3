#include "core/helper.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>

#include "base/clock.h"
#include "base/limit.h"
#include "base/log.h"
#include "base/wait.h"
#include "core/habit.h"
#include "core/place.h"
#include "core/progress.h"
#include "core/runtime.h"
#include "core/watch.h"
#include "net/net.h"

_Atomic uint32_t tsr_helper_followed_n;

static struct {
  _Atomic bool runs;
  pthread_t thread;
  struct tsr_helper_duty duty;
  struct tsr_nap nap;
  _Atomic bool over;
  _Atomic bool off_duty; /* asleep until it is called, or about to be */
  uint64_t late_ns;      /* how long it naps when nobody misses it */
  unsigned seen_n;       /* calls of the unit, when it looked last */
} helper;

/* While its unit calls in often, that serves the rank as well as a second one could, which would only be in its way. It naps
 * rather than gives way: beside a unit that computes, who yields gets the core back a whole time slice later, and who sleeps
 * gets it as soon as he wakes. With nothing under way it looks now and then only, since its looks cost that unit time; nor
 * more often where each of them takes the unit's core. */
enum {
  LATELY_NS = 400000,
  SOON_NS = 150000,     /* in which the next part of what came last follows */
  HOT_NS = 400000,      /* in which the unit's next transfer follows; waking for it would take as long as a short one */
  LINGER_NS = 100000000 /* in which the unit's next collective follows; waking for each would cost the unit more than it */
};

static bool is_over(void) { return atomic_load_explicit(&helper.over, memory_order_acquire); }

static bool is_wanted(const void *unused) {
  (void)unused;
  return is_over() || helper.duty.is_called();
}

static bool unit_calls_in(void) {
  unsigned calls_n = atomic_load_explicit(&tsr_progress_calls_n, memory_order_relaxed);
  bool called = calls_n != helper.seen_n;
  helper.seen_n = calls_n;
  return called;
}

static bool unit_serves(void) { return unit_calls_in() || tsr_wait_goes_on(); }

static bool is_quiet(void) {
  return helper.nap.begun_ns && tsr_clock_ns() - helper.nap.begun_ns > SOON_NS && tsr_net->outstanding(-1) == 0;
}

static void rest(uint64_t least_ns) {
  uint64_t ns = tsr_nap_next(&helper.nap);
  tsr_habit_count_rest();
  tsr_wait_rest(helper.duty.bell, ns > least_ns ? ns : least_ns, is_wanted, NULL);
}

/* The one case in which it gives way: for a bounded time, and where there is a core that it takes from nobody. */
static void stay_awake(void) {
  tsr_habit_count_rest();
  tsr_wait_rest(helper.duty.bell, 0, is_wanted, NULL);
}

static void look_once(void) {
  tsr_watch_check();
  int worked_n = helper.duty.work();
  if (worked_n) unit_calls_in(); /* only what it does from now on tells whether it computes */
  bool steps_back = unit_serves() && !helper.duty.busy();
  int done = worked_n + (steps_back ? 0 : tsr_progress_aside());
  if (done) tsr_nap_begin(&helper.nap, 0);
  else if (tsr_habit_goes_on(HOT_NS)) stay_awake();
  else rest(steps_back || tsr_habit_crowded() || is_quiet() ? helper.late_ns : 0);
}

static void settle_in(const char *name) {
  prctl(PR_SET_NAME, name);
  tsr_topology_use_cpus(&tsr_heap.memory->cpus);
}

/* The helper of a node. */
static void *serve(void *unused) {
  (void)unused;
  settle_in("tessera-agent");
  while (!is_over()) look_once();
  return NULL;
}

/* The helper of another unit. */
static bool nobody_calls(void) { return false; }
static int do_nothing(void) { return 0; }
static tsr_word own_bell;
static const struct tsr_helper_duty no_duty = {&own_bell, nobody_calls, do_nothing, nobody_calls};

static bool is_followed(const void *unused) {
  (void)unused;
  return is_over() || atomic_load(&tsr_helper_followed_n) > 0;
}

static void sleep_until_followed(void) {
  atomic_store(&helper.off_duty, true);
  tsr_wait_rest(&own_bell, TSR_UNTIMED, is_followed, NULL);
  atomic_store(&helper.off_duty, false);
  tsr_nap_begin(&helper.nap, 0);
}

static void *follow(void *unused) {
  uint64_t followed_ns = 0;
  settle_in("tessera-helper");
  while (!is_over()) {
    uint64_t now = tsr_clock_ns();
    if (is_followed(unused)) {
      followed_ns = now;
      look_once();
    } else if (now - followed_ns < LINGER_NS) {
      rest(helper.late_ns);
    } else {
      sleep_until_followed();
    }
  }
  return NULL;
}

static bool start(const struct tsr_helper_duty *duty, uint64_t late_ns, void *(*run)(void *)) {
  sigset_t all, before;
  helper.duty = *duty;
  helper.late_ns = late_ns;
  tsr_nap_begin(&helper.nap, 0);
  atomic_store(&helper.over, false);
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before); /* the program's handlers run in its own threads */
  atomic_store(&tsr_helped, true);
  atomic_fetch_add(&tsr_heap.memory->awake_n, 1);
  int refused = pthread_create(&helper.thread, NULL, run, NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  atomic_store(&helper.runs, !refused);
  if (!refused) return true;
  atomic_fetch_sub(&tsr_heap.memory->awake_n, 1);
  tsr_warn("no helper thread (%s): what others wait for goes on when this unit calls in; %s", strerror(refused),
           tsr_limit_remedy(refused));
  return false;
}

bool tsr_helper_start(const struct tsr_helper_duty *duty) { return start(duty, LATELY_NS, serve); }

/* Helpers on a node look as often together as one would, where they share the cores. */
static void start_follower(void) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static bool refused;
  unsigned cores_n = (unsigned)tsr_topology_count(&tsr_heap.memory->cpus);
  pthread_mutex_lock(&lock);
  if (!refused && !atomic_load(&helper.runs))
    refused = !start(&no_duty, (uint64_t)LATELY_NS * ((tsr_heap.units_n + cores_n - 1) / cores_n), follow);
  pthread_mutex_unlock(&lock);
}

/* Helpers or agents; the latter on one node as well. */
static bool has_servers(void) { return tsr_place.endpoint_of || tsr_place.agents_n > 0; }

void tsr_helper_call(void) {
  if (!has_servers() || !tsr_threads_possible) return;
  if (!atomic_load_explicit(&helper.runs, memory_order_acquire)) start_follower();
  else if (atomic_load(&helper.off_duty)) tsr_bell_ring(&own_bell); /* partner: sleep_until_followed looks after it has set it */
}

void tsr_helper_stop(void) {
  if (!atomic_load(&helper.runs)) return;
  atomic_store_explicit(&helper.over, true, memory_order_release);
  tsr_bell_ring(helper.duty.bell);
  pthread_join(helper.thread, NULL);
  atomic_fetch_sub(&tsr_heap.memory->awake_n, 1);
  atomic_store(&helper.runs, false);
}
