#include "core/agent.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "base/clock.h"
#include "base/config.h"
#include "base/log.h"
#include "base/wait.h"
#include "core/habit.h"
#include "core/place.h"
#include "core/post.h"
#include "core/progress.h"
#include "core/runtime.h"
#include "core/watch.h"
#include "net/net.h"
#include "node/attach.h"

/* The one that this process drives. */
static struct {
  bool runs;
  pthread_t thread;
  _Atomic bool over;
  unsigned seen_n; /* calls of the unit whose rank it shares, when it looked last */
} helper;

static struct tsr_node_agent *post(uint32_t agent) { return &tsr_heap.memory->agents[agent]; }

/* Asking for "process:N": N, 0 when that is not what the text says. */
static int32_t parse_processes(const char *text) {
  static const char word[] = "process:";
  char *end = NULL;
  if (strncmp(text, word, sizeof word - 1) != 0) return 0;
  long n = strtol(text + sizeof word - 1, &end, 10);
  return *end || n < 1 || n > TSR_NODE_AGENTS_MAX ? 0 : (int32_t)n;
}

struct tsr_progress_plan tsr_agent_plan(bool may_have_threads, bool report) {
  const char *text = tsr_config.progress;
  int32_t processes_n = parse_processes(text);
  if (processes_n > 0) return (struct tsr_progress_plan){TSR_PROGRESS_PROCESS, processes_n};
  if (strcmp(text, "none") == 0) return (struct tsr_progress_plan){TSR_PROGRESS_NONE, 0};
  if (strcmp(text, "thread") != 0 && report)
    tsr_warn("TESSERA_PROGRESS=%s is unknown; thread is used (allowed: none, thread, process:N with N from 1 to %d)", text,
             TSR_NODE_AGENTS_MAX);
  return (struct tsr_progress_plan){may_have_threads ? TSR_PROGRESS_THREAD : TSR_PROGRESS_NONE, 0};
}

/* How one agent rests: nothing wakes it but its bell, so it looks now and then whether a message has come. */
struct rest {
  struct tsr_nap nap;
  tsr_word *bell;
  tsr_ready_fn has_work;
};

static void rest(struct rest *r, uint64_t least_ns) {
  uint64_t ns = tsr_nap_next(&r->nap);
  tsr_habit_count_rest();
  tsr_wait_rest(r->bell, ns > least_ns ? ns : least_ns, r->has_work, NULL);
}

/* The helper thread. While its unit calls in often, that serves the rank as well as a second one could, which would only
 * be in its way. It naps rather than gives way: beside a unit that computes, who yields gets the core back a whole time
 * slice later, and who sleeps gets it as soon as he wakes. With nothing under way it looks now and then only, since its
 * looks cost that unit time; nor more often where each of them takes the unit's core. */
enum {
  LATELY_NS = 400000,
  SOON_NS = 150000, /* in which the next part of what came last follows */
  HOT_NS = 400000   /* in which the unit's next transfer follows; waking for it would take as long as a short one */
};

/* Nothing, in a program that is linked statically with no transfers. */
static void start_nothing(void) {}
static void take_nothing(const struct tsr_ring_record *record) { (void)record; }
static bool has_nothing(void) { return false; }
static int do_nothing(void) { return 0; }
static struct tsr_agent_work work = {start_nothing, take_nothing, has_nothing, do_nothing};
void tsr_agent_register(const struct tsr_agent_work *what) { work = *what; }

/* A unit asks whether its private memory can be reached. */
static void probe(const struct tsr_ring_record *record) {
  uint32_t local;
  memcpy(&local, record->payload, sizeof local);
  atomic_store(&tsr_heap_unit(local)->agent_reach, tsr_attach_works_now(local) ? TSR_REACH_GIVEN : TSR_REACH_REFUSED);
}

static int take_records(uint32_t agent) {
  tsr_ring *ring = tsr_memory_agent_ring(tsr_heap.memory, agent);
  struct tsr_ring_record record;
  int n = 0;
  for (; tsr_ring_peek(ring, &record); n++) {
    if (record.kind == TSR_RECORD_PROBE) probe(&record);
    else work.take(&record);
    tsr_ring_release(ring, &record);
  }
  if (n) tsr_progress_call_waiters(ring);
  return n;
}

static bool unit_calls_in(void) {
  unsigned calls_n = atomic_load_explicit(&tsr_progress_calls_n, memory_order_relaxed);
  bool called = calls_n != helper.seen_n;
  helper.seen_n = calls_n;
  return called;
}

static bool help_is_wanted(const void *unused) {
  (void)unused;
  return atomic_load_explicit(&helper.over, memory_order_acquire) ||
         !tsr_ring_is_empty(tsr_memory_agent_ring(tsr_heap.memory, 0));
}

static bool unit_serves(void) { return unit_calls_in() || tsr_wait_goes_on(); }

static bool is_quiet(const struct tsr_nap *nap) {
  return nap->begun_ns && tsr_clock_ns() - nap->begun_ns > SOON_NS && tsr_net->outstanding(-1) == 0;
}

/* The one case in which it gives way: for a bounded time, and where there is a core that it takes from nobody. */
static void stay_awake(struct rest *r) {
  tsr_habit_count_rest();
  tsr_wait_rest(r->bell, 0, r->has_work, NULL);
}

static void *help(void *arg) {
  struct rest r = {.bell = arg, .has_work = help_is_wanted};
  prctl(PR_SET_NAME, "tessera-agent");
  tsr_topology_use_cpus(&tsr_heap.memory->cpus);
  while (!atomic_load_explicit(&helper.over, memory_order_acquire)) {
    tsr_watch_check();
    int taken_n = take_records(0);
    if (taken_n) unit_calls_in(); /* only what it does from now on tells whether it computes */
    int done = taken_n + work.go_on();
    bool steps_back = unit_serves() && !work.busy();
    if (!steps_back) done += tsr_progress_aside();
    if (done) tsr_nap_begin(&r.nap, 0);
    else if (tsr_habit_goes_on(HOT_NS)) stay_awake(&r);
    else rest(&r, steps_back || tsr_habit_crowded() || is_quiet(&r.nap) ? LATELY_NS : 0);
  }
  return NULL;
}

static bool has_helper(void) {
  return tsr_place.endpoint_of && !tsr_place.agents_n && tsr_place.endpoint_of[tsr_place.self] == tsr_place_rank(TSR_UNIT(tsr_place.self));
}

static void start_helper(void) {
  sigset_t all, before;
  sigfillset(&all);
  atomic_store(&helper.over, false);
  pthread_sigmask(SIG_SETMASK, &all, &before); /* the program's handlers run in its own threads */
  atomic_fetch_add(&tsr_heap.memory->awake_n, 1);
  int refused = pthread_create(&helper.thread, NULL, help, &post(0)->bell);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  helper.runs = !refused;
  if (!refused) atomic_store(&post(0)->state, TSR_UNIT_UP);
  if (!refused) return;
  atomic_fetch_sub(&tsr_heap.memory->awake_n, 1);
  tsr_warn("no helper thread (%s): requests of other nodes wait until this unit calls in", strerror(refused));
}

void tsr_agent_start(void) {
  if (has_helper()) start_helper();
}

void tsr_agent_started(void) {
  atomic_store(&tsr_heap_unit(tsr_heap.self)->agent_reach, TSR_REACH_UNKNOWN);
  work.start();
}

void tsr_agent_stop(void) {
  if (!helper.runs) return;
  atomic_store(&post(0)->state, TSR_UNIT_DOWN);
  atomic_store_explicit(&helper.over, true, memory_order_release);
  tsr_bell_ring(&post(0)->bell);
  pthread_join(helper.thread, NULL);
  atomic_fetch_sub(&tsr_heap.memory->awake_n, 1);
  helper.runs = false;
}

/* Agent processes. */
enum { AGENT_YIELDS_N = 32 };
static uint32_t own_number(void) { return tsr_heap.self - tsr_place_units_here(); }

static bool all_have_left(void) {
  return atomic_load_explicit(&tsr_heap.memory->left_n, memory_order_acquire) >= (int32_t)tsr_place_units_here();
}

static bool agent_is_wanted(const void *unused) {
  (void)unused;
  return all_have_left() || !tsr_ring_is_empty(tsr_memory_agent_ring(tsr_heap.memory, own_number()));
}

void tsr_agent_serve(void) {
  struct rest r = {.bell = &post(own_number())->bell, .has_work = agent_is_wanted};
  tsr_progress_start();
  if (tsr_heap_reset() || tsr_attach_start()) tsr_abort(EXIT_FAILURE, "an agent could not start: see the line above");
  tsr_topology_use_cpus(&tsr_heap.memory->cpus);
  tsr_nap_begin(&r.nap, AGENT_YIELDS_N);
  while (!all_have_left()) {
    if (take_records(own_number()) + work.go_on() + tsr_progress()) tsr_nap_begin(&r.nap, AGENT_YIELDS_N);
    else rest(&r, 0);
  }
  tsr_attach_stop();
  tsr_progress_stop();
}

/* The agent of this process, or of this unit. */
static uint32_t agent_here(void) {
  if (!tsr_place.agents_n) return 0;
  return tsr_place_is_agent() ? own_number() : tsr_heap.self % (uint32_t)tsr_place.agents_n;
}

void tsr_agent_nudge(void) { tsr_bell_ring(&post(agent_here())->bell); }

bool tsr_agent_is_beside_us(void) { return helper.runs; }

bool tsr_agent_exists(void) { return tsr_place.agents_n > 0 || (tsr_place.endpoint_of && atomic_load(&post(0)->state) == TSR_UNIT_UP); }

void tsr_agent_give(enum tsr_record_kind kind, const void *data, uint32_t bytes) {
  tsr_ring *ring = tsr_memory_agent_ring(tsr_heap.memory, agent_here());
  struct tsr_post out;
  struct tsr_post_box box = {ring, &post(agent_here())->bell};
  if (tsr_post_try(&out, box, kind, bytes)) tsr_post_open_slow(&out, box, tsr_place.self, kind, bytes);
  memcpy(out.record.payload, data, bytes);
  tsr_post_send(&out);
}

bool tsr_agent_reaches_us(void) {
  if (helper.runs) return true;
  _Atomic int32_t *reach = &tsr_heap_unit(tsr_heap.self)->agent_reach;
  int32_t unknown = TSR_REACH_UNKNOWN;
  if (atomic_compare_exchange_strong(reach, &unknown, TSR_REACH_ASKED))
    tsr_agent_give(TSR_RECORD_PROBE, &tsr_heap.self, sizeof tsr_heap.self);
  return atomic_load_explicit(reach, memory_order_acquire) == TSR_REACH_GIVEN;
}

void tsr_agent_leave(void) {
  static bool has_left;
  if (!tsr_place.agents_n || tsr_place_is_agent() || has_left) return;
  has_left = true;
  atomic_fetch_add(&tsr_heap.memory->left_n, 1);
  for (int32_t agent = 0; agent < tsr_place.agents_n; agent++) tsr_bell_ring(&post((uint32_t)agent)->bell);
}
