#include "core/stats.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/bits.h"
#include "base/config.h"
#include "base/log.h"
#include "base/status.h"
#include "base/text.h"
#include "base/trace.h"
#include "core/bootstrap.h"
#include "core/launch.h"
#include "core/place.h"

const char *const tsr_stats_names[TSR_STATS_N] = {
#define NAME(id, name) [TSR_STAT_##id] = name,
  TSR_STATS_TABLE(NAME)
};

/* Lines of its own for each operation: threads that do different things do not disturb each other. */
struct tsr_stats_counters tsr_stats_counters[TSR_STATS_N];
struct tsr_stats_traffic *tsr_stats_traffic;

_Atomic bool tsr_stats_on;
bool tsr_stats_wanted;
static bool is_traced; /* a timeline is open */
static struct {
  bool is_counted_anywhere, is_traced_everywhere;
} job; /* what the units have agreed on */

static bool is_counted(void) { return TSR_INSTRUMENTS && (tsr_config.stats || *tsr_config.stats_file); }

static void add_count(_Atomic uint64_t *counter, uint64_t more) {
  atomic_fetch_add_explicit(counter, more, memory_order_relaxed);
}

static void raise_to(_Atomic uint64_t *counter, uint64_t value) {
  uint64_t seen = atomic_load_explicit(counter, memory_order_relaxed);
  while (seen < value && !atomic_compare_exchange_weak_explicit(counter, &seen, value, memory_order_relaxed, memory_order_relaxed))
    continue;
}

static int size_class(uint64_t bytes) {
  int class = bytes ? 1 + (63 - __builtin_clzll(bytes)) / 3 : 0;
  return class < TSR_STATS_SIZES_N ? class : TSR_STATS_SIZES_N - 1;
}

uint64_t tsr_stats_size_least(int size_class) { return size_class ? UINT64_C(1) << 3 * (size_class - 1) : 0; }

/* What a unit receives is traffic of the sender. */
static bool is_received(enum tsr_stat what) { return what == TSR_STAT_RECEIVE || what == TSR_STAT_AM_HANDLER; }

void tsr_stats_add(enum tsr_stat what, uint64_t begun_ns, uint64_t bytes, tsr_unit unit) {
  uint64_t now_ns = tsr_clock_ns(), took_ns = now_ns - begun_ns;
  struct tsr_stats_counters *c = &tsr_stats_counters[what];
  uint64_t remote_bytes = unit.id < 0 || tsr_place_is_local(unit) ? 0 : bytes;
  add_count(&c->calls, 1);
  add_count(&c->bytes, bytes);
  add_count(&c->remote_bytes, remote_bytes);
  add_count(&c->ns, took_ns);
  raise_to(&c->longest_ns, took_ns);
  add_count(&c->sizes[size_class(bytes)], 1);
  if (tsr_stats_traffic && unit.id >= 0 && !is_received(what)) {
    struct tsr_stats_traffic *to = &tsr_stats_traffic[tsr_place_node(unit)];
    add_count(&to->calls, 1);
    add_count(&to->bytes, bytes);
  }
  if (is_traced) tsr_trace_event(tsr_stats_names[what], begun_ns, now_ns, bytes, unit.id);
}

void tsr_stats_take(struct tsr_stats_counts *to, enum tsr_stat what) {
  struct tsr_stats_counters *from = &tsr_stats_counters[what];
  *to = (struct tsr_stats_counts){tsr_stats_take_count(&from->calls), tsr_stats_take_count(&from->bytes),
                                  tsr_stats_take_count(&from->remote_bytes), tsr_stats_take_count(&from->ns),
                                  tsr_stats_take_count(&from->longest_ns), {0}};
  for (int i = 0; i < TSR_STATS_SIZES_N; i++) to->sizes[i] = tsr_stats_take_count(&from->sizes[i]);
}

static void switch_on(bool on) { atomic_store_explicit(&tsr_stats_on, tsr_stats_wanted && on, memory_order_relaxed); }

void tsr_stats_pause(bool pauses) {
  switch_on(!pauses);
  if (is_traced && pauses) tsr_trace_gap();
}

void tsr_stats_name(char path[PATH_MAX], const char *name) {
  int32_t first = tsr_launch_first();
  if (first) snprintf(path, PATH_MAX, "%s.%d", name, first);
  else snprintf(path, PATH_MAX, "%s", name);
}

static bool open_timeline(void) {
  char name[PATH_MAX];
  if (!TSR_INSTRUMENTS || !*tsr_config.trace) return false;
  tsr_stats_name(name, tsr_config.trace);
  return tsr_trace_open(name, tsr_place.self, tsr_place.node);
}

/* Empties the counters: until now other threads may have counted for the job before. */
static void forget_job_before(void) {
  struct tsr_stats_counts counts;
  for (int what = 0; what < TSR_STATS_N; what++) tsr_stats_take(&counts, (enum tsr_stat)what);
  free(tsr_stats_traffic);
}

void tsr_stats_start(void) {
  is_traced = open_timeline();
  tsr_stats_wanted = is_counted() || is_traced;
  forget_job_before();
  tsr_stats_traffic = NULL;
  if (is_counted() && !(tsr_stats_traffic = calloc((size_t)tsr_place.nodes_n, sizeof *tsr_stats_traffic)))
    tsr_warn("TSR-0417 no private memory to count the traffic with %d nodes; " TSR_REMEDY_MEMORY, tsr_place.nodes_n);
  switch_on(true);
}

/* No unit leaves a barrier before the last unit has entered it, so every time of leaving is later than every time of entering. In a
 * series of barriers all units enter at nearly the same time, so the bounds are close. */
static void add_sync_points(tsr_team *team) {
  if (tsr_place.nodes_n == 1 || !job.is_traced_everywhere) return;
  for (int i = 0; i < TSR_TRACE_SYNC_N; i++) {
    uint64_t begun_ns = tsr_clock_ns();
    tsr_bootstrap_barrier(team);
    tsr_trace_event(TSR_TRACE_SYNC, begun_ns, tsr_clock_ns(), 0, -1);
  }
}

void tsr_stats_begin_job(tsr_team *team) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  int64_t agreed[] = {is_counted(), !is_traced, (int64_t)now.tv_sec * 1000000000 + now.tv_nsec};
  tsr_bootstrap_max(team, agreed, 3);
  job.is_counted_anywhere = agreed[0];
  job.is_traced_everywhere = !agreed[1];
  if (is_traced) tsr_trace_job((uint64_t)agreed[2], tsr_place.units_n, tsr_place.nodes_n);
  add_sync_points(team);
}

void tsr_stats_end_job(tsr_team *team) {
  add_sync_points(team);
  if (job.is_counted_anywhere) tsr_stats_report(team);
}

/* ---- the table of one unit ---- */

static void add_unit(struct tsr_text *text) {
  tsr_text_add(text, "[tessera unit ");
  tsr_text_add_decimal(text, (uint64_t)tsr_place.self);
  tsr_text_add(text, "] ");
}

/* Adds a blank, and the number in `width` columns. */
static void add_number(struct tsr_text *text, uint64_t number, int width) {
  tsr_text_add(text, " ");
  tsr_text_add_number(text, number, 10, 1, width);
}

/* The same with three decimals. */
static void add_thousandths(struct tsr_text *text, uint64_t thousandths, int width) {
  add_number(text, thousandths / 1000, width - 4);
  tsr_text_add(text, ".");
  tsr_text_add_number(text, thousandths % 1000, 10, 3, 0);
}

static void add_row(struct tsr_text *text, enum tsr_stat what) {
  enum { NAME_COLUMNS = 16 };
  struct tsr_stats_counts counts;
  tsr_stats_take(&counts, what);
  if (!counts.calls) return;
  add_unit(text);
  size_t from = text->n;
  tsr_text_add(text, tsr_stats_names[what]);
  tsr_text_pad(text, from, NAME_COLUMNS);
  add_number(text, counts.calls, 12);
  add_number(text, counts.bytes, 16);
  add_number(text, counts.remote_bytes, 16);
  add_thousandths(text, counts.ns / 1000, 14); /* milliseconds */
  add_thousandths(text, counts.ns / counts.calls, 12);
  tsr_text_add(text, "\n");
}

static void flush_page(struct tsr_text *page) {
  if (is_counted()) tsr_write_all(STDERR_FILENO, page->data, page->n);
  page->n = 0;
}

/* Takes all counters. Nothing is printed when no operation ran. What is written at once is not split by what other units
 * write. */
void tsr_stats_print(void) {
  enum { ROW_BYTES = 192 /* with all numbers at their largest */ };
  static char data[PIPE_BUF]; /* not on the stack, which may be a signal's */
  static atomic_flag is_printing = ATOMIC_FLAG_INIT;
  if (atomic_flag_test_and_set(&is_printing)) return; /* the signal came while this was at work */
  struct tsr_text page = {.data = data, .room = sizeof data};
  add_unit(&page);
  tsr_text_add(&page, "operation               calls            bytes     remote bytes       total ms      mean us\n");
  size_t head_bytes = page.n;
  for (int i = 0; i < TSR_STATS_N; i++) {
    if (page.room - page.n < ROW_BYTES) flush_page(&page);
    add_row(&page, (enum tsr_stat)i);
  }
  if (page.n != head_bytes) flush_page(&page);
  atomic_flag_clear(&is_printing);
}

void tsr_stats_stop(void) {
  tsr_stats_wanted = false;
  switch_on(false);
  tsr_trace_close();
  is_traced = false;
}
