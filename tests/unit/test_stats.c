#include <inttypes.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/config.h"
#include "base/stats.h"
#include "unit/capture.h"

static int begin(void **state) {
  tsr_config.stats = true;
  tsr_config.trace = "";
  return capture_begin(state);
}

struct row {
  int unit;
  uint64_t calls, bytes, remote_bytes;
  double total_ms, mean_us;
};

/* Reads the row of an operation from a table; false: there is none. */
static bool find_row(const char *table, const char *name, struct row *row) {
  char found[32];
  for (; *table; table += strcspn(table, "\n") + 1) {
    if (sscanf(table, "[tessera unit %d] %31s %" SCNu64 " %" SCNu64 " %" SCNu64 " %lf %lf\n", &row->unit, found,
               &row->calls, &row->bytes, &row->remote_bytes, &row->total_ms, &row->mean_us) == 7 &&
        strcmp(found, name) == 0)
      return true;
  }
  return false;
}

static int lines_of(const char *text) {
  int n = 0;
  for (; (text = strchr(text, '\n')); text++) n++;
  return n;
}

static void nothing_is_counted_when_off(void **state) {
  (void)state;
  tsr_config.stats = false;
  tsr_stats_start(0);
  assert_false(tsr_stats_on);
  assert_int_equal(tsr_stats_begin(), 0);
  tsr_stats_end(TSR_STAT_PUT, 0, 1, 1);
  tsr_stats_finish(0);
  tsr_config.stats = true;
  tsr_stats_start(0);
  tsr_stats_finish(0);
  assert_string_equal(capture_next(), "");
}

static void table_holds_what_was_counted(void **state) {
  (void)state;
  struct row row;
  tsr_stats_start(5);
  assert_true(tsr_stats_on);
  uint64_t t = tsr_stats_begin();
  assert_int_not_equal(t, 0);
  tsr_stats_end(TSR_STAT_PUT, t, 100, 0);
  tsr_stats_end(TSR_STAT_PUT, t, 28, 28);
  tsr_stats_end(TSR_STAT_ALLREDUCE, t - 3000000000u, 8, 7);
  tsr_stats_finish(5);

  static char table[sizeof capture.record];
  strcpy(table, capture_next());
  assert_string_equal(capture_next(), ""); /* one write */
  assert_int_equal(lines_of(table), 3);
  assert_non_null(strstr(table, "operation"));
  assert_true(find_row(table, "put", &row));
  assert_int_equal(row.unit, 5);
  assert_int_equal(row.calls, 2);
  assert_int_equal(row.bytes, 128);
  assert_int_equal(row.remote_bytes, 28);
  assert_true(find_row(table, "allreduce", &row));
  assert_int_equal(row.calls, 1);
  assert_int_equal(row.remote_bytes, 7);
  assert_true(row.total_ms >= 3000 && row.mean_us >= 3000000);
  assert_false(find_row(table, "get", &row));
}

static void mean_is_total_by_calls(void **state) {
  (void)state;
  struct row row;
  tsr_stats_start(0);
  for (int i = 0; i < 4; i++) tsr_stats_end(TSR_STAT_GET, tsr_clock_ns() - 2000000000u, 0, 0);
  tsr_stats_finish(0);
  assert_true(find_row(capture_next(), "get", &row));
  assert_true(row.total_ms >= 8000);
  double mean = row.total_ms * 1000 / 4;
  assert_true(row.mean_us > mean - 1 && row.mean_us < mean + 1);
}

static void every_operation_has_its_row(void **state) {
  (void)state;
  const char *const names[] = {
#define NAME(id, name) [TSR_STAT_##id] = name,
    TSR_STATS_TABLE(NAME)
  };
  struct row row;
  tsr_stats_start(-2147483647 - 1);
  for (int i = 0; i < TSR_STATS_N; i++) tsr_stats_end((enum tsr_stat)i, 1, UINT64_MAX - (uint64_t)i, UINT64_MAX);
  tsr_stats_finish(-2147483647 - 1);
  const char *table = capture_next();
  assert_int_equal(lines_of(table), TSR_STATS_N + 1);
  for (int i = 0; i < TSR_STATS_N; i++) {
    assert_true(find_row(table, names[i], &row));
    assert_true(row.bytes == UINT64_MAX - (uint64_t)i);
  }
}

static void finishing_resets(void **state) {
  (void)state;
  struct row row;
  tsr_stats_start(0);
  tsr_stats_end(TSR_STAT_PUT, tsr_stats_begin(), 1, 1);
  tsr_stats_finish(0);
  assert_true(find_row(capture_next(), "put", &row));
  assert_false(tsr_stats_on);
  tsr_stats_start(0);
  tsr_stats_end(TSR_STAT_GET, tsr_stats_begin(), 1, 1);
  tsr_stats_finish(0);
  const char *table = capture_next();
  assert_true(find_row(table, "get", &row));
  assert_int_equal(row.calls, 1);
  assert_false(find_row(table, "put", &row));
}

enum { THREADS_N = 4, CALLS_N = 20000 };

static void *count(void *arg) {
  pthread_barrier_wait(arg);
  for (int i = 0; i < CALLS_N; i++) tsr_stats_end(TSR_STAT_FETCH, tsr_stats_begin(), 8, i % 2 ? 8 : 0);
  return NULL;
}

static void threads_lose_nothing(void **state) {
  (void)state;
  struct row row;
  pthread_t threads[THREADS_N];
  pthread_barrier_t together;
  pthread_barrier_init(&together, NULL, THREADS_N);
  tsr_stats_start(0);
  for (int i = 0; i < THREADS_N; i++) assert_int_equal(pthread_create(&threads[i], NULL, count, &together), 0);
  for (int i = 0; i < THREADS_N; i++) pthread_join(threads[i], NULL);
  pthread_barrier_destroy(&together);
  tsr_stats_finish(0);
  assert_true(find_row(capture_next(), "fetch_and_op", &row));
  assert_int_equal(row.calls, THREADS_N * CALLS_N);
  assert_int_equal(row.bytes, 8 * THREADS_N * CALLS_N);
  assert_int_equal(row.remote_bytes, 4 * THREADS_N * CALLS_N);
}

static void timeline_is_fed_without_a_table(void **state) {
  (void)state;
  char folder[] = "/tmp/tessera-test-XXXXXX", path[64], file[80], text[1024] = "";
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/t", folder);
  snprintf(file, sizeof file, "%s.2", path);
  tsr_config.stats = false;
  tsr_config.trace = path;
  tsr_stats_start(2);
  assert_true(tsr_stats_on);
  tsr_stats_end(TSR_STAT_BARRIER, tsr_stats_begin(), 0, 0);
  tsr_stats_finish(2);
  assert_string_equal(capture_next(), "");
  FILE *in = fopen(file, "r");
  assert_non_null(in);
  fread(text, 1, sizeof text - 1, in);
  fclose(in);
  assert_non_null(strstr(text, "\"barrier\""));

  /* Neither the table nor the timeline contains entries of the life before. */
  tsr_config.stats = true;
  tsr_config.trace = "";
  tsr_stats_start(2);
  tsr_stats_finish(2);
  assert_string_equal(capture_next(), "");
  remove(file);
  remove(folder);
}

static void table_comes_without_a_timeline_that_cannot_be(void **state) {
  (void)state;
  struct row row;
  tsr_config.trace = "/nowhere/t";
  tsr_stats_start(0);
  assert_non_null(strstr(capture_next(), "/nowhere/t.0"));
  assert_true(tsr_stats_on);
  tsr_stats_end(TSR_STAT_PUT, tsr_stats_begin(), 1, 1);
  tsr_stats_finish(0);
  assert_true(find_row(capture_next(), "put", &row));

  tsr_config.stats = false;
  tsr_stats_start(0);
  assert_false(tsr_stats_on);
  tsr_stats_finish(0);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, capture_end)
  const struct CMUnitTest tests[] = {
    TEST(nothing_is_counted_when_off),
    TEST(table_holds_what_was_counted),
    TEST(mean_is_total_by_calls),
    TEST(every_operation_has_its_row),
    TEST(finishing_resets),
    TEST(threads_lose_nothing),
    TEST(timeline_is_fed_without_a_table),
    TEST(table_comes_without_a_timeline_that_cannot_be),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
