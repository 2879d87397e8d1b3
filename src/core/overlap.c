#include "core/overlap.h"

#include <pthread.h>
#include <sys/resource.h>

#include "base/clock.h"

/* Computing counts double: of several transfers that are started together, only the last one is followed by it. */
enum { AWAY_NS = 4000, SURE = 4, ENOUGH_N = 32 };

_Atomic uint64_t tsr_overlap_left_ns;
static _Atomic uint64_t started_ns; /* the same, but stays */
static _Atomic int computes_n = SURE;
static _Atomic bool oversubscribed;

/* How often the progress thread has rested; and the thread that left, what it saw then, and what has come together
 * since a verdict. */
static _Atomic unsigned rests_n;
static _Atomic pthread_t who;
static _Atomic unsigned rests_before, losses_before, rests_seen, losses_seen;

static unsigned load(_Atomic unsigned *n) { return atomic_load_explicit(n, memory_order_relaxed); }
static void store(_Atomic unsigned *n, unsigned value) { atomic_store_explicit(n, value, memory_order_relaxed); }

/* How often this thread had to leave its core to somebody. */
static unsigned losses(void) {
  struct rusage usage;
  return getrusage(RUSAGE_THREAD, &usage) ? 0 : (unsigned)usage.ru_nivcsw;
}

void tsr_overlap_count_sleep(void) { atomic_fetch_add_explicit(&rests_n, 1, memory_order_relaxed); }

void tsr_overlap_leave(void) {
  atomic_store_explicit(&who, pthread_self(), memory_order_relaxed);
  store(&losses_before, losses());
  store(&rests_before, load(&rests_n));
  uint64_t now = tsr_clock_ns();
  atomic_store_explicit(&started_ns, now, memory_order_relaxed);
  atomic_store_explicit(&tsr_overlap_left_ns, now, memory_order_relaxed);
}

/* Where a core is free the progress thread is seldom in the way; where none is, about each of its looks costs the unit
 * its core. */
static void judge(void) {
  unsigned no_yield = load(&rests_seen) + load(&rests_n) - load(&rests_before);
  unsigned lost = load(&losses_seen) + losses() - load(&losses_before);
  bool enough = no_yield >= ENOUGH_N;
  if (enough) atomic_store_explicit(&oversubscribed, 2 * lost > no_yield, memory_order_relaxed);
  store(&rests_seen, enough ? 0 : no_yield);
  store(&losses_seen, enough ? 0 : lost);
}

void tsr_overlap_return_slow(uint64_t left_ns) {
  bool computed = tsr_clock_ns() - left_ns > AWAY_NS;
  int n = atomic_load_explicit(&computes_n, memory_order_relaxed) + (computed ? 2 : -1);
  atomic_store_explicit(&computes_n, n < 0 ? 0 : n > SURE ? SURE : n, memory_order_relaxed);
  if (computed && atomic_load_explicit(&who, memory_order_relaxed) == pthread_self()) judge();
  atomic_store_explicit(&tsr_overlap_left_ns, 0, memory_order_relaxed);
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
