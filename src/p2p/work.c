#include "p2p/work.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/progress.h"
#include "node/heap.h"

/* New works, which a step may also add. */
static struct {
  pthread_mutex_t lock;
  struct tsr_work *first, **last;
} fresh = {PTHREAD_MUTEX_INITIALIZER, NULL, &fresh.first};

/* All other works; the thread that steps owns the list. */
static struct tsr_work *works, **works_last = &works;
static _Atomic uint32_t turn;        /* odd while a thread steps */
static _Atomic bool turned_away;     /* another thread came meanwhile, and may sleep now */
static _Atomic bool wanted;          /* steps are to run without a signal */
static _Atomic uint32_t moves_seen;  /* signals for which steps have run */

void tsr_work_poll(void) { atomic_store(&wanted, true); }

void tsr_work_add(struct tsr_work *work) {
  work->next = NULL;
  pthread_mutex_lock(&fresh.lock);
  *fresh.last = work;
  fresh.last = &work->next;
  pthread_mutex_unlock(&fresh.lock);
  tsr_work_poll();
}

void tsr_work_signal(uint32_t local) {
  struct tsr_node_unit *unit = tsr_heap_unit(local);
  atomic_fetch_add(&unit->moves, 1); /* partner: the loads in is_due */
  tsr_bell_ring_fenced(&unit->bell);
}

static bool has_fresh(void) {
  pthread_mutex_lock(&fresh.lock);
  bool has = fresh.first != NULL;
  pthread_mutex_unlock(&fresh.lock);
  return has;
}

static void take_fresh(void) {
  pthread_mutex_lock(&fresh.lock);
  if (fresh.first) {
    *works_last = fresh.first;
    works_last = fresh.last;
    fresh.first = NULL;
    fresh.last = &fresh.first;
  }
  pthread_mutex_unlock(&fresh.lock);
}

/* Runs one step of each work; returns how many steps did something. */
static int step_all(void) {
  int done = 0;
  struct tsr_work **link = &works;
  while (*link) {
    struct tsr_work *work = *link, *next = work->next;
    enum tsr_work_result result = work->step(work);
    if (result == TSR_WORK_RETRY || result == TSR_WORK_MORE) tsr_work_poll();
    if (result >= TSR_WORK_MOVED) done++;
    if (result == TSR_WORK_OVER) *link = next;
    else link = &work->next;
  }
  works_last = link;
  return done;
}

static uint32_t count_moves(void) { return atomic_load(&tsr_heap_unit(tsr_heap.self)->moves); }

static bool is_due(void) { return atomic_load(&wanted) || count_moves() != atomic_load(&moves_seen); }

/* Whether steps are due and this thread may run them. False while another thread steps, too: that thread wakes this one. What is
 * due is known only between turns, because a turn first takes the signals, and its steps may then wait for them again. */
static bool begin_turn(void) {
  uint32_t now = atomic_load(&turn);
  for (;;) {
    const bool steps = now % 2;
    if (!steps && is_due()) {
      if (atomic_compare_exchange_strong(&turn, &now, now + 1)) return true;
      continue;
    }
    if (steps) atomic_store(&turned_away, true); /* partner: end_turn */
    const uint32_t after = atomic_load(&turn);
    if (after == now) return false;
    now = after;
  }
}

static void end_turn(void) {
  atomic_fetch_add(&turn, 1);
  if (atomic_load(&turned_away) && atomic_exchange(&turned_away, false)) tsr_wait_nudge(); /* partner: begin_turn */
}

/* If steps remain to be run without a signal, the thread returns, so that other progress can run, and wakes the thread that polls
 * for all waiters. */
int tsr_work_progress(void) {
  int done = 0;
  while (begin_turn()) {
    atomic_store(&moves_seen, count_moves());
    atomic_store(&wanted, false);
    take_fresh();
    int now = step_all();
    end_turn();
    done += now;
    if (!atomic_load(&wanted)) continue;
    if (now || count_moves() != atomic_load(&moves_seen) || has_fresh()) tsr_wait_nudge();
    break;
  }
  return done;
}

void tsr_work_drop(void) {
  fresh.first = works = NULL;
  fresh.last = &fresh.first;
  works_last = &works;
}
