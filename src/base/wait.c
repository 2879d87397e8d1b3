#include "base/wait.h"

#include <pthread.h>
#include <sched.h>
#include <time.h>

#include "base/clock.h"
#include "base/config.h"
#include "base/wait_watch.h"

static struct tsr_wait_env env;
static bool waits_on_event; /* eventcounts wake this process; otherwise its doorbell does */

/* Several threads of a process may wait at once. One of them leads: it polls, and sleeps on the unit's doorbell. Each
 * of the others sleeps on a word of its own until the leader wakes it; the leader polls the conditions of all. */
enum behind_state { ASLEEP, READY, LEADS };
struct behind {
  tsr_ready_fn ready;
  const void *arg;
  enum tsr_wait_kind kind;
  tsr_word state;
  struct behind *next;
};
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER; /* guards the list below; taken before any lock of a
                                                          * condition */
static struct behind *first_behind, **last_behind = &first_behind;
static _Atomic bool led; /* taken and given up without the gate, so a single waiter pays little */
static _Atomic int behind_n, behind_for_values_n; /* of the list: all, and those that wait for a variable */

static _Thread_local bool leading __attribute__((tls_model("initial-exec"))); /* this thread */

static inline void cpu_relax(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ __volatile__("yield");
#endif
}

void tsr_wait_sleep_ns(uint64_t ns) {
  struct timespec time = {.tv_sec = (time_t)(ns / 1000000000u), .tv_nsec = (long)(ns % 1000000000u)};
  nanosleep(&time, NULL);
}

void tsr_bell_wake(tsr_word *bell) {
  if (!atomic_exchange(bell, 0)) return; /* another process has rung it */
  if (env.awake_n) atomic_fetch_add_explicit(env.awake_n, 1, memory_order_relaxed);
  tsr_futex_wake(bell, 1);
}

/* Wakes some waiters that slept before the last signal. If there were fewer, none of them sleeps any more: after the
 * signal the kernel puts no thread to sleep that has read the earlier sequence. */
static void wake_some(tsr_eventcount *eventcount) {
  enum { WOKEN_BY_EACH = 4 };
  uint32_t sequence = atomic_load(&eventcount->sequence);
  if (tsr_futex_wake(&eventcount->sequence, WOKEN_BY_EACH) < WOKEN_BY_EACH)
    atomic_store(&eventcount->acked_sequence, sequence);
}

void tsr_eventcount_wake(tsr_eventcount *eventcount) {
  atomic_fetch_add(&eventcount->sequence, 1);
  wake_some(eventcount);
}

static bool cores_are_free(void) {
  return !env.awake_n || atomic_load_explicit(env.awake_n, memory_order_relaxed) <= env.cores_n;
}

bool tsr_wait_oversubscribed(void) { return env.oversubscribed; }

void tsr_wait_give_way(void) {
  if (!cores_are_free()) sched_yield();
}

void tsr_word_lock_slow(tsr_word *word) {
  for (int i = 0; i < 100 && cores_are_free(); i++) {
    if (atomic_load_explicit(word, memory_order_relaxed) == 0 && tsr_word_trylock(word)) return;
    cpu_relax();
  }
  while (atomic_exchange_explicit(word, 2, memory_order_acquire) != 0) tsr_futex_wait(word, 2, TSR_UNTIMED);
}

void tsr_wait_install(const struct tsr_wait_env *with) {
  if (with) env = *with;
  else env = (struct tsr_wait_env){0};
  tsr_wait_watch_use(&env);
  waits_on_event = !env.polls_net && tsr_futex_has_pairs(); /* a process that polls the network wakes often enough */
}

static void count_behind(const struct behind *thread, int change) {
  atomic_fetch_add(&behind_n, change); /* partners: the load after the exchange in hand_over, and that in wake_ready */
  if (thread->kind == TSR_WAIT_VALUE) atomic_fetch_add(&behind_for_values_n, change);
}

/* The memory of `behind` may be gone once its thread sees the state; then the wake-up is a spurious one. */
static void wake_one(struct behind **link, enum behind_state state) {
  struct behind *thread = *link;
  *link = thread->next;
  if (!*link) last_behind = link;
  count_behind(thread, -1);
  atomic_store_explicit(&thread->state, state, memory_order_release);
  tsr_futex_wake(&thread->state, 1);
}

/* Called by the leader after anything that may have made a condition true. */
static void wake_ready(void) {
  if (atomic_load(&behind_n) == 0) return; /* partner: the count before the poll in wait_behind */
  pthread_mutex_lock(&gate);
  for (struct behind **link = &first_behind; *link;) {
    if ((*link)->ready((*link)->arg)) wake_one(link, READY);
    else link = &(*link)->next;
  }
  pthread_mutex_unlock(&gate);
}

/* Wakes the leader, which then polls all conditions again. */
void tsr_wait_nudge(void) {
  if (env.bell) tsr_bell_ring(env.bell);
}

/* The leader polls the conditions after each poll. */
void tsr_wait_nudge_others(void) {
  if (!leading) tsr_wait_nudge();
}

static bool is_armed(void) { return !env.arm || env.arm(); }

static _Atomic bool polls; /* the leader is inside a poll, which may run a handler */

bool tsr_wait_polls(void) { return atomic_load_explicit(&polls, memory_order_relaxed); }

static int poll_by(int (*poll)(void)) {
  if (!poll) return 0;
  if (!leading) return poll();
  atomic_store_explicit(&polls, true, memory_order_relaxed);
  int done = poll();
  atomic_store_explicit(&polls, false, memory_order_relaxed);
  return done;
}

static int poll_once(void) {
  int done = poll_by(env.poll);
  wake_ready();
  return done;
}

enum { QUICK_POLLS_N = 3 }; /* of one kind of record, before a poll of everything */

/* Polls a few times for one kind of record only: a spinning wait waits for such a record, or for a store of another
 * unit. */
static bool poll_quickly(tsr_ready_fn ready, const void *arg, int (*poll)(void)) {
  for (int i = 0; i < QUICK_POLLS_N; i++) {
    if (ready(arg)) return true;
    if (poll_by(poll)) wake_ready();
  }
  return ready(arg);
}

enum {
  CLOCK_EVERY = 64,  /* reading the clock costs as much as several polls */
  SPIN_FIRST_NS = 2000000,   /* longest first spin, even if polls find something: after it the wait publishes its reason */
  SPIN_LATER_NS = 100000000, /* longest spin between two sleeps: after each sleep the wait may report */
  EAGER_POLLS = 256, /* polls without a pause of the CPU, which takes longer than a poll; so early events are found at
                      * once */
  OVERSUBSCRIBED_POLLS = 16 /* on an oversubscribed node the awaited unit may be queued behind this one on its core */
};

/* Spins while every awake unit has a core, until polls have found nothing for the configured time, or for `most_ns`
 * in all. True: ready. */
static bool spin_until(tsr_ready_fn ready, const void *arg, enum tsr_wait_kind kind, uint64_t most_ns) {
  int (*poll)(void) = kind == TSR_WAIT_AM ? env.poll_messages : env.poll_ring;
  uint64_t limit_ns = 0, end_ns = 0;
  for (unsigned i = 1;; i++) {
    if (poll_quickly(ready, arg, poll)) return true;
    if (poll_once()) limit_ns = 0;
    if (!cores_are_free() || (env.oversubscribed && i >= OVERSUBSCRIBED_POLLS)) return ready(arg);
    if (i % CLOCK_EVERY == 0) {
      uint64_t now = tsr_clock_ns();
      if (!limit_ns) limit_ns = now + (uint64_t)tsr_config.spin_us * 1000u;
      if (!end_ns) end_ns = now + most_ns;
      if (now >= limit_ns || now >= end_ns) return ready(arg);
    }
    if (i > EAGER_POLLS) cpu_relax();
  }
}

/* A poll takes the cache line of a word away from the unit that writes it. The last member to arrive in a barrier
 * writes its word twice in a row, and is slowed down if another member polls meanwhile. So polls keep a distance of
 * about the time in which a line moves to another core and back. Shorter and longer distances, and a pause of the CPU,
 * make a barrier of two units slower. */
static void keep_distance(void) {
  enum { ITERATIONS_N = 160 /* about 40 ns */ };
  for (int i = 0; i < ITERATIONS_N; i++) __asm__ __volatile__("");
}

bool tsr_wait_briefly(tsr_ready_fn ready, const void *arg) {
  enum { POLLS_N = 10 };
  for (int i = 0; i < POLLS_N && !env.oversubscribed; i++) {
    if (ready(arg)) return true;
    keep_distance();
  }
  return false;
}

/* State of a wait that sleeps while the own MPI rank must be polled. A wait that a message ends yields some times
 * first, which costs little and finds a message at once. Then it backs off, longer and longer while nothing arrives. A
 * wait that the doorbell ends backs off at once: it wakes only to serve requests of other nodes, and spins after it has
 * found one. */
struct sleeper {
  struct tsr_backoff backoff; /* since the last arrival */
  struct tsr_wait_watch watch;
  bool found;                 /* the last poll has found something */
  tsr_eventcount *eventcount; /* NULL: none */
  int for_values_n;           /* threads behind that waited for variables at the last sleep */
};

enum { YIELDS_N = 32, WAITED_BEFORE_NS = 400000 /* initial value for waits that the doorbell ends */ };

/* Whether the doorbell ends such a wait in a process that polls the network. */
static bool ends_by_doorbell(enum tsr_wait_kind kind) {
  return kind == TSR_WAIT_BARRIER || kind == TSR_WAIT_SPLIT || kind == TSR_WAIT_LOCK_USERS || kind == TSR_WAIT_ROOM ||
         kind == TSR_WAIT_AM_BLOCK; /* a lock may also come by a message */
}

/* Around a sleep: producers ring the doorbell after prepare_sleep. The producer that rings has counted the thread as
 * awake. */
static void prepare_sleep(tsr_word *bell) {
  atomic_exchange(bell, 1);
  tsr_fence_exchanged(); /* partner: the fence in tsr_bell_ring */
  atomic_fetch_sub_explicit(env.awake_n, 1, memory_order_relaxed);
}
static void finish_sleep(tsr_word *bell) {
  if (atomic_exchange(bell, 0)) atomic_fetch_add_explicit(env.awake_n, 1, memory_order_relaxed);
}

void tsr_wait_thread_sleep(tsr_word *bell, uint64_t ns, tsr_ready_fn has_work, const void *arg) {
  if (!ns) {
    sched_yield();
    return;
  }
  prepare_sleep(bell);
  if (!has_work(arg)) tsr_futex_wait(bell, 1, ns);
  finish_sleep(bell);
}

static void sleep_on_doorbell(uint64_t ns) {
  if (ns) tsr_futex_wait(env.bell, 1, ns);
  else sched_yield();
}

/* Whether to continue polling instead of sleeping: polls move data, and no other unit needs the core (this unit is
 * counted as asleep). For a limited time only, since the peer of the transfer may be busy. */
static bool polls_on(struct tsr_backoff *backoff) {
  enum { MOVING_NS = 4000000 };
  if (!env.moves || !env.moves()) return false;
  if (atomic_load_explicit(env.awake_n, memory_order_relaxed) >= env.cores_n) return false;
  uint64_t now = tsr_clock_ns();
  if (!backoff->begun_ns) backoff->begun_ns = now;
  return now - backoff->begun_ns < MOVING_NS;
}

/* A plain store to a variable rings no doorbell, so waits for variables have time-outs: those of the leader, and those of
 * threads behind it. */
static bool sleeps_by_clock(struct sleeper *sleeper, enum tsr_wait_kind kind) {
  const int before_n = sleeper->for_values_n;
  sleeper->for_values_n = atomic_load_explicit(&behind_for_values_n, memory_order_relaxed);
  if (sleeper->for_values_n > before_n) tsr_backoff_begin(&sleeper->backoff, YIELDS_N); /* the leader may have waited for long */
  return env.polls_net || kind == TSR_WAIT_VALUE || sleeper->for_values_n > 0 || (env.needs_clock && env.needs_clock());
}

static void timed_sleep(struct sleeper *sleeper, uint32_t sequence, enum tsr_wait_kind kind) {
  if (polls_on(&sleeper->backoff) || tsr_wait_watch_has_answer()) return; /* the last poll may have found the answer */
  const bool by_clock = sleeps_by_clock(sleeper, kind);
  const uint64_t ns = by_clock ? tsr_backoff_next(&sleeper->backoff) : tsr_wait_watch_sleep_ns(&sleeper->watch);
  if (!ns || !sleeper->eventcount || !waits_on_event) sleep_on_doorbell(ns);
  else
    tsr_futex_wait_pair((tsr_word *const[2]){env.bell, &sleeper->eventcount->sequence}, (uint32_t[2]){1, sequence}, ns);
}

/* Sleeps on the doorbell and the eventcount, unless a last poll finds something. A polling waiter is woken through its
 * doorbell. True: ready. */
static bool sleep_once(tsr_ready_fn ready, const void *arg, const struct tsr_wait_why *why, struct sleeper *sleeper) {
  tsr_eventcount *eventcount = sleeper->eventcount;
  _Atomic uint32_t *count = !eventcount ? NULL : waits_on_event ? &eventcount->waiters_n : &eventcount->doorbell_waiters_n;
  uint32_t sequence = 0;
  prepare_sleep(env.bell);
  if (eventcount) {
    atomic_fetch_add(count, 1);
    tsr_fence_exchanged(); /* partner: the fence before tsr_eventcount_signal_fenced */
    sequence = atomic_load_explicit(&eventcount->sequence, memory_order_acquire);
  }
  sleeper->found = false;
  if (!ready(arg)) {
    /* Polls the conditions of other threads once more, since from now on they depend on the doorbell. */
    sleeper->found = poll_once() > 0 || !is_armed();
    if (sleeper->found) tsr_backoff_begin(&sleeper->backoff, YIELDS_N);
    else timed_sleep(sleeper, sequence, why->kind);
  }
  /* Wakes other waiters while a signal has not woken all. The signal may have counted on this thread, whatever has
   * woken it, and even if it began to sleep after the signal, since the kernel wakes by priority. */
  uint32_t others_n = eventcount ? atomic_fetch_sub(count, 1) - 1 : 0;
  if (waits_on_event && others_n && atomic_load(&eventcount->sequence) != atomic_load(&eventcount->acked_sequence))
    wake_some(eventcount);
  finish_sleep(env.bell);
  tsr_wait_watch_check(&sleeper->watch, why);
  return ready(arg);
}

/* On an oversubscribed node a wait yields some times before it sleeps. If all units reach the same point, as in a
 * barrier, they take turns without a system call per wake-up. But a yield to a unit or program that computes forfeits
 * the rest of the time slice. If a second loss follows soon, the units of the node sleep at once instead, and are woken
 * in time. They do so for twice the lost time at first, since units that start, or finish a computation, at different
 * times lose some slices, too. If the next try is as bad, they do so for four times as long, until the cost of the
 * tries is negligible. */
enum { GIVE_WAY_N = 64, LAPSE_NS = 400000, GOOD_TIMES = 4, NO_YIELD_TIMES_FIRST = 2, NO_YIELD_TIMES_MOST = 32 };

/* Records that this thread was without a core from `from` to `now`. */
static void record_lapse(uint64_t from, uint64_t now) {
  static _Atomic uint64_t last_end;
  uint64_t last = atomic_exchange_explicit(&last_end, now, memory_order_relaxed), lost = now - from;
  uint64_t rested = atomic_load_explicit(&env.no_yield->until_ns, memory_order_relaxed);
  uint32_t times = atomic_load_explicit(&env.no_yield->times, memory_order_relaxed);
  if (now < rested) return; /* another unit of this node has recorded the loss of the same time slice */
  if (from < rested + lost * GOOD_TIMES) times = times < NO_YIELD_TIMES_MOST ? times * 4 : NO_YIELD_TIMES_MOST;
  else if (from < last + lost * GOOD_TIMES) times = NO_YIELD_TIMES_FIRST;
  else return;
  atomic_store_explicit(&env.no_yield->times, times, memory_order_relaxed);
  atomic_store_explicit(&env.no_yield->until_ns, now + lost * times, memory_order_relaxed);
}

static bool give_way(tsr_ready_fn ready, const void *arg) {
  if (!env.oversubscribed) return false;
  uint64_t before = tsr_clock_ns();
  for (int i = 0; i < GIVE_WAY_N; i++) {
    if (before < atomic_load_explicit(&env.no_yield->until_ns, memory_order_relaxed)) return false;
    sched_yield();
    uint64_t now = tsr_clock_ns();
    if (now - before > LAPSE_NS) record_lapse(before, now);
    if (ready(arg)) return true;
    poll_once();
    before = now;
  }
  return false;
}

/* For a wait for several units. On an oversubscribed node it does not spin, since some of these units share its core.
 * True: ready. */
static bool poll_around(tsr_ready_fn ready, const void *arg, const struct tsr_wait_why *why,
                        const tsr_eventcount *eventcount, uint64_t most_ns) {
  if (!(env.oversubscribed && eventcount) && spin_until(ready, arg, why->kind, most_ns)) return true;
  return give_way(ready, arg);
}

/* Between two sleeps. A wait that polls the network spins only after a poll has found something, since more often
 * follows soon; otherwise the backoff decides how often to poll. True: ready. */
static bool poll_between(tsr_ready_fn ready, const void *arg, const struct tsr_wait_why *why, const struct sleeper *sleeper) {
  if (!env.polls_net) return poll_around(ready, arg, why, sleeper->eventcount, SPIN_LATER_NS);
  return sleeper->found && spin_until(ready, arg, why->kind, SPIN_LATER_NS);
}

/* The reason is published from the end of the first spin on, both asleep and polling: the monitor may read it at any
 * moment. */
static void sleep_long(tsr_ready_fn ready, const void *arg, const struct tsr_wait_why *why,
                       tsr_eventcount *eventcount) {
  struct sleeper sleeper = {.backoff = {YIELDS_N, 0}, .eventcount = eventcount};
  tsr_wait_watch_begin(&sleeper.watch);
  if (env.polls_net && ends_by_doorbell(why->kind))
    sleeper.backoff = (struct tsr_backoff){0, tsr_clock_ns() - WAITED_BEFORE_NS};
  const struct tsr_wait_why around = tsr_wait_reason(env.why);
  tsr_wait_set_reason(env.why, *why);
  while (!sleep_once(ready, arg, why, &sleeper) && !poll_between(ready, arg, why, &sleeper)) continue;
  tsr_wait_set_reason(env.why, around);
  tsr_wait_watch_end();
}

static void wait_as_leader(tsr_ready_fn ready, const void *arg, const struct tsr_wait_why *why, tsr_eventcount *eventcount) {
  while (!poll_around(ready, arg, why, eventcount, SPIN_FIRST_NS)) {
    if (!env.bell) continue;
    sleep_long(ready, arg, why, eventcount);
    return;
  }
}

bool tsr_wait_goes_on(void) { return atomic_load_explicit(&led, memory_order_relaxed); }

/* Makes the thread that has waited longest the leader. */
static void hand_over(void) {
  atomic_exchange(&led, false); /* partner: the count before the exchange in wait_behind */
  if (atomic_load(&behind_n) == 0) return;
  pthread_mutex_lock(&gate);
  if (first_behind && !atomic_exchange(&led, true)) wake_one(&first_behind, LEADS);
  pthread_mutex_unlock(&gate);
}

static struct behind **find_link(const struct behind *thread) {
  struct behind **link = &first_behind;
  while (*link != thread) link = &(*link)->next;
  return link;
}

/* Waits behind the leader. Producers of the event wake the leader through the doorbell. True: this thread leads now. */
static bool wait_behind(struct behind *self, tsr_eventcount *eventcount) {
  if (eventcount) atomic_fetch_add(&eventcount->doorbell_waiters_n, 1);
  tsr_fence_exchanged(); /* before the last poll below; partner: the fence before tsr_eventcount_signal_fenced */
  pthread_mutex_lock(&gate);
  *last_behind = self;
  last_behind = &self->next;
  count_behind(self, 1);
  bool leads = !atomic_exchange(&led, true);
  if (leads) { /* there was no leader any more */
    last_behind = find_link(self);
    *last_behind = NULL; /* this thread was the last of the list */
    count_behind(self, -1);
  } else if (self->ready(self->arg)) {
    /* The leader may have polled before this thread was in the list. Partner: the exchange of the doorbell in
     * sleep_once. */
    wake_one(find_link(self), READY);
  }
  pthread_mutex_unlock(&gate);
  if (!leads) {
    tsr_wait_nudge(); /* the condition may need the leader's progress, and the leader may be asleep */
    uint32_t state;
    while ((state = atomic_load_explicit(&self->state, memory_order_acquire)) == ASLEEP)
      tsr_futex_wait(&self->state, ASLEEP, TSR_UNTIMED);
    leads = state == LEADS;
  }
  if (eventcount) atomic_fetch_sub_explicit(&eventcount->doorbell_waiters_n, 1, memory_order_relaxed);
  return leads;
}

void tsr_wait_timed(struct tsr_timed_sleep *state, struct tsr_wait_why why) {
  for (int i = 0; i < QUICK_POLLS_N; i++) {
    if (!env.poll_messages || !env.poll_messages()) continue;
    wake_ready();
    state->begun_ns = 0;
    return;
  }
  uint64_t now = tsr_clock_ns();
  if (poll_once() || !state->begun_ns) {
    *state = (struct tsr_timed_sleep){{YIELDS_N, 0}, now};
    return;
  }
  if (cores_are_free() && !env.oversubscribed && now - state->begun_ns < (uint64_t)tsr_config.spin_us * 1000u) {
    cpu_relax();
    return;
  }
  uint64_t ns = tsr_backoff_next(&state->backoff);
  if (!env.bell || atomic_exchange(&led, true)) { /* no doorbell, or another thread sleeps on it */
    tsr_wait_sleep_ns(ns);
    return;
  }
  leading = true; /* a handler that this poll runs may wait */
  const struct tsr_wait_why around = tsr_wait_reason(env.why);
  tsr_wait_set_reason(env.why, why);
  prepare_sleep(env.bell);
  if (!poll_once() && is_armed()) sleep_on_doorbell(ns);
  finish_sleep(env.bell);
  tsr_wait_set_reason(env.why, around);
  tsr_wait_watch_answer(&why);
  leading = false;
  hand_over();
}

void tsr_wait_slow(tsr_ready_fn ready, const void *arg, struct tsr_wait_why why, tsr_eventcount *eventcount) {
  if (leading) { /* inside a handler that runs in another wait of this thread; that wait may be about to sleep, so the
                  * unit may count as asleep */
    if (env.bell) finish_sleep(env.bell);
    wait_as_leader(ready, arg, &why, eventcount);
    atomic_store_explicit(&polls, true, memory_order_relaxed); /* the handler goes on */
    return;
  }
  struct behind self = {.ready = ready, .arg = arg, .kind = why.kind};
  if (atomic_exchange(&led, true) && !wait_behind(&self, eventcount)) return;
  leading = true;
  wait_as_leader(ready, arg, &why, eventcount);
  leading = false;
  hand_over();
}
