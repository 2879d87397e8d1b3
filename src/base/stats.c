#include "base/stats.h"

#include <limits.h>
#include <stdatomic.h>
#include <unistd.h>

#include "base/bits.h"
#include "base/config.h"
#include "base/text.h"
#include "base/trace.h"

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

static void add_count(_Atomic uint64_t *counter, uint64_t more) {
  atomic_fetch_add_explicit(counter, more, memory_order_relaxed);
}

void tsr_stats_add(enum tsr_stat what, uint64_t begun_ns, uint64_t bytes, uint64_t remote_bytes) {
  uint64_t now_ns = tsr_clock_ns();
  struct counters *c = &counters[what];
  add_count(&c->calls, 1);
  add_count(&c->bytes, bytes);
  add_count(&c->remote_bytes, remote_bytes);
  add_count(&c->ns, now_ns - begun_ns);
  if (traced) tsr_trace_event(names[what], begun_ns, now_ns, bytes, remote_bytes);
}

void tsr_stats_start(int32_t unit) {
  traced = *tsr_config.trace && tsr_trace_open(tsr_config.trace, unit);
  tsr_stats_on = tsr_config.stats || traced;
}

static void add_unit(struct tsr_text *text, int32_t unit) {
  tsr_text_add(text, unit < 0 ? "[tessera unit -" : "[tessera unit ");
  tsr_text_add_decimal(text, unit < 0 ? -(uint64_t)unit : (uint64_t)unit);
  tsr_text_add(text, "] ");
}

/* A blank, and the number in so many columns. */
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

enum { NAME_COLUMNS = 16, ROW_BYTES = 192 /* with all numbers at their largest */ };

static void add_row(struct tsr_text *text, int32_t unit, enum tsr_stat what) {
  struct counters *c = &counters[what];
  uint64_t calls = atomic_exchange(&c->calls, 0), bytes = atomic_exchange(&c->bytes, 0),
           remote_bytes = atomic_exchange(&c->remote_bytes, 0), ns = atomic_exchange(&c->ns, 0);
  if (!calls) return;
  add_unit(text, unit);
  size_t from = text->n;
  tsr_text_add(text, names[what]);
  tsr_text_pad(text, from, NAME_COLUMNS);
  add_number(text, calls, 12);
  add_number(text, bytes, 16);
  add_number(text, remote_bytes, 16);
  add_thousandths(text, ns / 1000, 14); /* milliseconds */
  add_thousandths(text, ns / calls, 12);
  tsr_text_add(text, "\n");
}

static void flush_page(struct tsr_text *page) {
  if (tsr_config.stats) tsr_write_all(STDERR_FILENO, page->data, page->n);
  page->n = 0;
}

/* Takes all counters. Nothing is printed when no operation ran. What is written at once is not split by what other units
 * write. */
void tsr_stats_print(int32_t unit) {
  static char data[PIPE_BUF]; /* not on the stack, which may be a signal's */
  static atomic_flag is_printing = ATOMIC_FLAG_INIT;
  if (atomic_flag_test_and_set(&is_printing)) return; /* the signal came while this was at work */
  struct tsr_text page = {.data = data, .room = sizeof data};
  add_unit(&page, unit);
  tsr_text_add(&page, "operation               calls            bytes     remote bytes       total ms      mean us\n");
  size_t head_bytes = page.n;
  for (int i = 0; i < TSR_STATS_N; i++) {
    if (page.room - page.n < ROW_BYTES) flush_page(&page);
    add_row(&page, unit, (enum tsr_stat)i);
  }
  if (page.n != head_bytes) flush_page(&page);
  atomic_flag_clear(&is_printing);
}

void tsr_stats_finish(int32_t unit) {
  tsr_stats_on = false;
  tsr_stats_print(unit);
  tsr_trace_close();
  traced = false;
}
