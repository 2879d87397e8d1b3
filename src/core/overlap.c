#include "core/overlap.h"

#include <pthread.h>
#include <sys/resource.h>

#include "base/clock.h"

/* A transfer followed by computation counts double: of several that are started together, only the last one is. */
enum { AWAY_NS = 4000, SURE = 4, ENOUGH_N = 32 };

_Atomic uint64_t tsr_overlap_left_ns;
static _Atomic uint64_t started_ns; /* of the last long transfer; never reset */
static _Atomic int computes_n = SURE;
static _Atomic bool oversubscribed;

/* Sleeps of the progress thread so far. The thread that started the transfer, the counts at that time, and the sums
 * since the last decision. */
static _Atomic unsigned sleeps_n;
static _Atomic pthread_t starter;
static _Atomic unsigned sleeps_before, preempted_before, sleeps_seen, preempted_seen;

static unsigned load_count(_Atomic unsigned *n) { return atomic_load_explicit(n, memory_order_relaxed); }
static void store_count(_Atomic unsigned *n, unsigned value) { atomic_store_explicit(n, value, memory_order_relaxed); }

/* How often another thread has preempted this one. */
static unsigned count_preemptions(void) {
  struct rusage usage;
  return getrusage(RUSAGE_THREAD, &usage) ? 0 : (unsigned)usage.ru_nivcsw;
}

void tsr_overlap_count_sleep(void) { atomic_fetch_add_explicit(&sleeps_n, 1, memory_order_relaxed); }

void tsr_overlap_leave(void) {
  atomic_store_explicit(&starter, pthread_self(), memory_order_relaxed);
  store_count(&preempted_before, count_preemptions());
  store_count(&sleeps_before, load_count(&sleeps_n));
  uint64_t now = tsr_clock_ns();
  atomic_store_explicit(&started_ns, now, memory_order_relaxed);
  atomic_store_explicit(&tsr_overlap_left_ns, now, memory_order_relaxed);
}

void tsr_overlap_return_slow(uint64_t left_ns) {
  bool computed = tsr_clock_ns() - left_ns > AWAY_NS;
  int n = atomic_load_explicit(&computes_n, memory_order_relaxed) + (computed ? 2 : -1);
  atomic_store_explicit(&computes_n, n < 0 ? 0 : n > SURE ? SURE : n, memory_order_relaxed);
  atomic_store_explicit(&tsr_overlap_left_ns, 0, memory_order_relaxed);
  if (!computed || atomic_load_explicit(&starter, memory_order_relaxed) != pthread_self()) return;
  /* While a core is free, the progress thread seldom preempts the unit; otherwise nearly each of its polls does. */
  unsigned slept = load_count(&sleeps_seen) + load_count(&sleeps_n) - load_count(&sleeps_before);
  unsigned preempted = load_count(&preempted_seen) + count_preemptions() - load_count(&preempted_before);
  bool enough = slept >= ENOUGH_N;
  if (enough) atomic_store_explicit(&oversubscribed, 2 * preempted > slept, memory_order_relaxed);
  store_count(&sleeps_seen, enough ? 0 : slept);
  store_count(&preempted_seen, enough ? 0 : preempted);
}

static bool is_sure(void) { return atomic_load_explicit(&computes_n, memory_order_relaxed) >= SURE / 2; }

bool tsr_overlap_computes(void) {
  tsr_overlap_return();
  return is_sure();
}

bool tsr_overlap_oversubscribed(void) { return atomic_load_explicit(&oversubscribed, memory_order_relaxed); }

bool tsr_overlap_continues(uint64_t ns) {
  return is_sure() && !tsr_overlap_oversubscribed() &&
         tsr_clock_ns() - atomic_load_explicit(&started_ns, memory_order_relaxed) < ns;
}
