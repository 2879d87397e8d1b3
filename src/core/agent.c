#include "core/agent.h"

#include <stdlib.h>
#include <string.h>

#include "base/config.h"
#include "base/log.h"
#include "base/wait.h"
#include "core/progress_thread.h"
#include "core/place.h"
#include "core/post.h"
#include "core/progress.h"
#include "core/runtime.h"
#include "node/attach.h"

static struct tsr_node_agent *node_agent(uint32_t agent) { return &tsr_heap.memory->agents[agent]; }

struct tsr_progress_plan tsr_agent_plan(bool may_have_threads, bool report) {
  static const char process[] = "process:";
  const char *text = tsr_config.progress;
  if (strncmp(text, process, sizeof process - 1) == 0) {
    char *end;
    long n = strtol(text + sizeof process - 1, &end, 10);
    if (!*end && n >= 1 && n <= TSR_NODE_AGENTS_MAX) return (struct tsr_progress_plan){TSR_PROGRESS_PROCESS, (int32_t)n};
  }
  if (strcmp(text, "none") == 0) return (struct tsr_progress_plan){TSR_PROGRESS_NONE, 0};
  if (strcmp(text, "thread") != 0 && report)
    tsr_warn("TSR-0300 TESSERA_PROGRESS=%s is unknown; thread is used (allowed: none, thread, process:N with N from 1 to %d)",
             text, TSR_NODE_AGENTS_MAX);
  return (struct tsr_progress_plan){may_have_threads ? TSR_PROGRESS_THREAD : TSR_PROGRESS_NONE, 0};
}

/* NULL in a program that is linked statically with no transfers. */
static const struct tsr_agent_work *work;
void tsr_agent_register(const struct tsr_agent_work *what) { work = what; }

/* A unit asks whether its private memory can be reached. */
static void serve_probe(const struct tsr_ring_record *record) {
  uint32_t local;
  memcpy(&local, record->payload, sizeof local);
  atomic_store(&tsr_heap_unit(local)->agent_reach, tsr_attach_works_now(local) ? TSR_REACH_GIVEN : TSR_REACH_DENIED);
}

__attribute__((constructor)) static void register_probe(void) { tsr_progress_register(TSR_RECORD_PROBE, serve_probe); }

static int serve_agent(uint32_t agent) {
  int taken_n = tsr_progress_drain(tsr_memory_agent_ring(tsr_heap.memory, agent));
  return taken_n + (work ? work->go_on() : 0);
}

/* Whether this process has the progress thread that serves the node: that of the node's first unit. */
static bool helps;

static bool is_called(void) { return !tsr_ring_is_empty(tsr_memory_agent_ring(tsr_heap.memory, 0)); }
static int serve_first_agent(void) { return serve_agent(0); }
static bool is_busy(void) { return work && work->busy(); }

void tsr_agent_start(void) {
  static const struct tsr_progress_thread_task task = {is_called, serve_first_agent, is_busy};
  if (!tsr_place.shared_endpoints || tsr_place.agents_n || tsr_place_first(tsr_place.node).id != tsr_place.self) return;
  helps = tsr_progress_thread_start(&node_agent(0)->bell, &task);
  if (helps) atomic_store(&node_agent(0)->state, TSR_UNIT_UP);
}

void tsr_agent_started(void) {
  atomic_store(&tsr_heap_unit(tsr_heap.self)->agent_reach, TSR_REACH_UNKNOWN);
  if (work) work->start();
}

void tsr_agent_stop(void) {
  if (helps) atomic_store(&node_agent(0)->state, TSR_UNIT_DOWN);
  tsr_progress_thread_stop();
  helps = false;
}

/* Progress processes. */
enum { AGENT_YIELDS_N = 32 };
static uint32_t own_number(void) { return tsr_heap.self - tsr_place_local_units(); }

static bool all_have_left(void) {
  return atomic_load_explicit(&tsr_heap.memory->left_n, memory_order_acquire) >= (int32_t)tsr_place_local_units();
}

static bool agent_is_wanted(const void *unused) {
  (void)unused;
  return all_have_left() || !tsr_ring_is_empty(tsr_memory_agent_ring(tsr_heap.memory, own_number()));
}

void tsr_agent_serve(void) {
  struct tsr_backoff backoff;
  tsr_progress_start();
  if (tsr_heap_reset() || tsr_attach_start()) tsr_abort(EXIT_FAILURE, "TSR-0301 an agent could not start: see the line above");
  tsr_topology_use_cpus(&tsr_heap.memory->cpus);
  tsr_backoff_begin(&backoff, AGENT_YIELDS_N);
  while (!all_have_left()) {
    if (serve_agent(own_number()) + tsr_progress()) tsr_backoff_begin(&backoff, AGENT_YIELDS_N);
    else tsr_wait_thread_sleep(&node_agent(own_number())->bell, tsr_backoff_next(&backoff), agent_is_wanted, NULL);
  }
  tsr_attach_stop();
  tsr_progress_stop();
}

/* The agent of this process, or of this unit. */
static uint32_t agent_of_node(void) {
  if (!tsr_place.agents_n) return 0;
  return tsr_place_is_agent() ? own_number() : tsr_heap.self % (uint32_t)tsr_place.agents_n;
}

void tsr_agent_wake(void) { tsr_bell_ring(&node_agent(agent_of_node())->bell); }

void tsr_agent_count(unsigned transfers_n) {
  atomic_fetch_add_explicit(&node_agent(agent_of_node())->requests_n, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&node_agent(agent_of_node())->transfers_n, transfers_n, memory_order_relaxed);
}

bool tsr_agent_is_own_thread(void) { return helps; }

bool tsr_agent_exists(void) {
  return tsr_place.agents_n > 0 || (tsr_place.shared_endpoints && atomic_load(&node_agent(0)->state) == TSR_UNIT_UP);
}

void tsr_agent_give(enum tsr_record_kind kind, const void *data, uint32_t bytes) {
  tsr_ring *ring = tsr_memory_agent_ring(tsr_heap.memory, agent_of_node());
  struct tsr_post out;
  struct tsr_post_box box = {ring, &node_agent(agent_of_node())->bell};
  if (tsr_post_try(&out, box, kind, bytes)) tsr_post_open_slow(&out, box, tsr_place.self, kind, bytes);
  memcpy(out.record.payload, data, bytes);
  tsr_post_send(&out);
}

bool tsr_agent_reaches_us(void) {
  if (helps) return true;
  _Atomic int32_t *reach = &tsr_heap_unit(tsr_heap.self)->agent_reach;
  int32_t unknown = TSR_REACH_UNKNOWN;
  if (atomic_compare_exchange_strong(reach, &unknown, TSR_REACH_ASKED))
    tsr_agent_give(TSR_RECORD_PROBE, &tsr_heap.self, sizeof tsr_heap.self);
  return atomic_load_explicit(reach, memory_order_acquire) == TSR_REACH_GIVEN;
}

void tsr_agent_leave(void) {
  if (!tsr_place.agents_n || tsr_place_is_agent() || atomic_exchange(&tsr_heap_unit(tsr_heap.self)->has_left, true)) return;
  atomic_fetch_add(&tsr_heap.memory->left_n, 1);
  for (int32_t agent = 0; agent < tsr_place.agents_n; agent++) tsr_bell_ring(&node_agent((uint32_t)agent)->bell);
}
