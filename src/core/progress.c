#include "core/progress.h"

#include <stdatomic.h>

#include "base/wait.h"
#include "core/listener.h"
#include "core/proxied.h"
#include "core/overlap.h"
#include "core/layers.h"
#include "core/hang_query.h"
#include "core/hang_report.h"
#include "core/place.h"
#include "core/runtime.h"
#include "core/monitor.h"
#include "net/net.h"

_Atomic bool tsr_progress_required;
_Atomic unsigned tsr_progress_calls_n;
static tsr_record_fn owners[TSR_RECORD_KINDS_N];

/* One thread at a time consumes each ring; a second one leaves it to the first. */
static atomic_bool draining[TSR_RING_CLASSES_N];

void tsr_progress_register(enum tsr_record_kind kind, tsr_record_fn function) { owners[kind] = function; }

/* After a full fence. */
static void call_waiters(tsr_ring *ring) {
  uint64_t waiters = tsr_ring_take_waiters(ring);
  for (uint32_t local = 0; waiters && local < tsr_heap.units_n; local++) {
    if (waiters >> local % 64 & 1) tsr_bell_ring(&tsr_heap_unit(local)->bell);
  }
}

/* Records per batch. A unit that waits for room is woken after a batch, not when the ring is empty, which it may never be. */
enum { BATCH_N = TSR_RING_SLOTS / 4 };

static int drain_batch(tsr_ring *ring, int most_n) {
  struct tsr_ring_record record;
  int done = 0;
  for (; done < most_n && tsr_ring_peek(ring, &record); done++) {
    owners[record.kind](&record);
    tsr_ring_release(ring, &record);
  }
  return done;
}

int tsr_progress_drain(tsr_ring *ring) {
  int done = drain_batch(ring, BATCH_N);
  if (!done) return 0;
  atomic_thread_fence(memory_order_seq_cst); /* partner: the fence in sleep_once, before the check for room */
  call_waiters(ring);
  return done;
}

/* Whether another thread drains it already; if not, this thread does until `draining` is false. */
static bool begin_draining(enum tsr_ring_class which) {
  if (!tsr_alone()) return atomic_exchange(&draining[which], true);
  bool before = atomic_load_explicit(&draining[which], memory_order_relaxed);
  atomic_store_explicit(&draining[which], true, memory_order_relaxed);
  return before;
}

static void end_draining(enum tsr_ring_class which, tsr_ring *ring) {
  atomic_exchange(&draining[which], false);
  tsr_fence_exchanged(); /* partner: the fence in sleep_once, before the check for room */
  call_waiters(ring);
}

/* Drains one batch. Records that are left, or came meanwhile, are drained by another thread, or by the next call of this one. */
static int drain_some(enum tsr_ring_class which, int most_n) {
  tsr_ring *ring = tsr_memory_ring(tsr_heap.memory, tsr_heap.self, which);
  if (tsr_ring_is_empty(ring) || begin_draining(which)) return 0;
  int done = drain_batch(ring, most_n);
  end_draining(which, ring);
  if (!tsr_alone() && !tsr_ring_is_empty(ring)) tsr_wait_nudge();
  return done;
}

/* While long data moves, each poll of the transport moves a part of it, so polls follow each other without the rest of the progress
 * in between. If a listener runs, waits sleep until they are woken, and the thread that polls here may be any thread. */
enum { MOVING_POLLS_N = 4 };
static int poll_net(void) {
  int done = tsr_net->poll();
  for (int i = 1; i < MOVING_POLLS_N && !done && tsr_net->moves(); i++) done = tsr_net->poll();
  if (!done || !tsr_listener_runs()) return done;
  tsr_wait_nudge_others();
  tsr_listener_overtaken();
  return done;
}

int tsr_progress_aside(void) {
  tsr_ring *ring = tsr_memory_ring(tsr_heap.memory, tsr_heap.self, TSR_RING_REQUESTS);
  int done = 0;
  /* Again after `draining` is false: a thread that came second meanwhile has left its record to this one. */
  while (!tsr_ring_is_empty(ring) && !begin_draining(TSR_RING_REQUESTS)) {
    done += drain_batch(ring, BATCH_N);
    end_draining(TSR_RING_REQUESTS, ring);
  }
  done += tsr_proxied_poll();
  if (tsr_place.nodes_n > 1) done += poll_net();
  return done + tsr_layers_progress();
}

static int drain_messages(int most_n) { return drain_some(TSR_RING_AM_REPLIES, most_n) + drain_some(TSR_RING_AM_REQUESTS, most_n); }

static _Atomic int row_n; /* polls in a row that found messages, since the last full progress; threads may lose a count */

/* Takes none after 15 polls in a row that found some, until the caller has made full progress. */
static int messages_in_turn(int most_n) {
  enum { ROW_N = 15 };
  int row = atomic_load_explicit(&row_n, memory_order_relaxed);
  if (row >= ROW_N) return 0;
  int done = drain_messages(most_n);
  atomic_store_explicit(&row_n, done ? row + 1 : 0, memory_order_relaxed);
  return done;
}

int tsr_progress_messages(void) { return messages_in_turn(BATCH_N); }

int tsr_progress(void) {
  tsr_monitor_check();
  tsr_overlap_return();
  unsigned n = atomic_load_explicit(&tsr_progress_calls_n, memory_order_relaxed); /* threads may lose a count */
  atomic_store_explicit(&tsr_progress_calls_n, n + 1, memory_order_relaxed);
  atomic_store_explicit(&row_n, 0, memory_order_relaxed);
  int done = tsr_progress_aside();
  return done + drain_messages(BATCH_N); /* one batch, since senders may keep up with the handlers for ever */
}

void tsr_progress_if_required(void) {
  if (atomic_load_explicit(&tsr_progress_required, memory_order_relaxed)) tsr_progress();
}

/* Threads may lose a count to each other. */
void tsr_progress_throttled_slow(void) {
  enum { POLL_EVERY = 32 };
  static _Atomic unsigned calls_n;
  unsigned n = atomic_load_explicit(&calls_n, memory_order_relaxed) + 1;
  atomic_store_explicit(&calls_n, n, memory_order_relaxed);
  if (n % POLL_EVERY == 0) tsr_progress();
}

void tsr_progress_require(void) { atomic_store_explicit(&tsr_progress_required, true, memory_order_relaxed); }

/* One record, so that what waits for it goes on at once: to check for another would fetch one more line from a
 * producer's cache. */
static int poll_ring(void) { return drain_some(TSR_RING_REQUESTS, 1); }
static int poll_messages(void) { return messages_in_turn(1); }

void tsr_progress_install_waits(void) {
  struct tsr_node_unit *unit = tsr_heap_unit(tsr_heap.self);
  int cores_n = tsr_topology_count(&tsr_heap.memory->cpus);
  bool is_woken = tsr_place.nodes_n == 1 || tsr_listener_runs();
  tsr_wait_install(&(struct tsr_wait_env){.bell = &unit->bell,
                                          .awake_n = &tsr_heap.memory->awake_n,
                                          .no_yield = &tsr_heap.memory->no_yield,
                                          .why = &unit->why,
                                          .ticks = &tsr_heap.memory->watch_ticks,
                                          .attends_monitor = tsr_heap.self == 0,
                                          .cores_n = cores_n,
                                          .oversubscribed = (int)tsr_heap.units_n > cores_n,
                                          .polls_net = !is_woken,
                                          .arm = tsr_listener_runs() ? tsr_listener_arm : NULL,
                                          .needs_clock = tsr_listener_runs() ? tsr_layers_need_clock : NULL,
                                          .poll = tsr_progress,
                                          .poll_ring = poll_ring,
                                          .poll_messages = poll_messages,
                                          .moves = tsr_net->moves,
                                          .prepares_report = tsr_hang_report_prepare,
                                          .awaits_answer = tsr_hang_query_is_open,
                                          .reports_hangs = tsr_hang_report_is_due,
                                          .hang_report = tsr_hang_report_describe});
}

void tsr_progress_start(void) {
  if (tsr_place.nodes_n > 1 || tsr_place.agents_n > 0) tsr_progress_require();
  tsr_progress_install_waits();
}

void tsr_progress_stop(void) {
  tsr_wait_install(NULL);
  atomic_store_explicit(&tsr_progress_required, false, memory_order_relaxed);
}
