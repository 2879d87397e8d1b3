#include "base/stats.h"

#include <inttypes.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include "base/bits.h"
#include "base/config.h"
#include "base/trace.h"
#include "base/write.h"

static const char *const names[TSR_STATS_N] = {
#define NAME(id, name) [TSR_STAT_##id] = name,
  TSR_STATS_TABLE(NAME)
};

/* A line of its own for each operation: threads that do different things do not disturb each other. */
static struct counters {
  TSR_ALIGNED_LINE _Atomic uint64_t calls, bytes, remote_bytes, ns;
} counters[TSR_STATS_N];

bool tsr_stats_on;
static bool traced; /* a timeline is open */

static void count(_Atomic uint64_t *counter, uint64_t more) {
  atomic_fetch_add_explicit(counter, more, memory_order_relaxed);
}

void tsr_stats_add(enum tsr_stat what, uint64_t begun_ns, uint64_t bytes, uint64_t remote_bytes) {
  uint64_t now_ns = tsr_clock_ns();
  struct counters *c = &counters[what];
  count(&c->calls, 1);
  count(&c->bytes, bytes);
  count(&c->remote_bytes, remote_bytes);
  count(&c->ns, now_ns - begun_ns);
  if (traced) tsr_trace_event(names[what], begun_ns, now_ns, bytes, remote_bytes);
}

void tsr_stats_start(int32_t unit) {
  traced = *tsr_config.trace && tsr_trace_open(tsr_config.trace, unit);
  tsr_stats_on = tsr_config.stats || traced;
}

static uint64_t take(_Atomic uint64_t *counter) { return atomic_exchange_explicit(counter, 0, memory_order_relaxed); }

/* Adds a row to a text with room for it; returns its length. */
static int print_row(char *text, size_t room, int32_t unit, enum tsr_stat what) {
  struct counters *c = &counters[what];
  uint64_t calls = take(&c->calls), bytes = take(&c->bytes), remote_bytes = take(&c->remote_bytes), ns = take(&c->ns);
  if (!calls) return 0;
  return snprintf(text, room, "[tessera unit %d] %-16s %12" PRIu64 " %16" PRIu64 " %16" PRIu64 " %14.3f %12.3f\n", unit,
                  names[what], calls, bytes, remote_bytes, (double)ns / 1e6, (double)ns / 1e3 / (double)calls);
}

enum { ROW_BYTES = 192 /* with all numbers at their largest */ };

/* What is written at once is not split by what other units write. */
struct page {
  int length;
  char text[PIPE_BUF];
};

static void flush(struct page *page) {
  if (tsr_config.stats) tsr_write_all(STDERR_FILENO, page->text, (size_t)page->length);
  page->length = 0;
}

/* Takes all counters. Nothing is printed when no operation ran. */
void tsr_stats_finish(int32_t unit) {
  struct page page;
  tsr_stats_on = false;
  int head = page.length = snprintf(page.text, sizeof page.text, "[tessera unit %d] %-16s %12s %16s %16s %14s %12s\n", unit,
                                    "operation", "calls", "bytes", "remote bytes", "total ms", "mean us");
  for (int i = 0; i < TSR_STATS_N; i++) {
    if (sizeof page.text - (size_t)page.length < ROW_BYTES) flush(&page);
    page.length += print_row(page.text + page.length, sizeof page.text - (size_t)page.length, unit, (enum tsr_stat)i);
  }
  if (page.length != head) flush(&page);
  tsr_trace_close();
  traced = false;
}
