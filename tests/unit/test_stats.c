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
#include "core/place.h"
#include "core/stats.h"
#include "unit/capture.h"

/* Eight units on two nodes; this one is on the first. */
static int begin(void **state) {
  tsr_config.stats = true;
  tsr_config.stats_file = tsr_config.trace = "";
  tsr_place = (struct tsr_place){.units_n = 8, .nodes_n = 2, .count = 4, .per_node = 4};
  return capture_begin(state);
}

static void start_as(int32_t unit) {
  tsr_place.self = unit;
  tsr_stats_start();
}

static void end_life(void) {
  tsr_stats_print();
  tsr_stats_stop();
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
  start_as(0);
  assert_false(tsr_stats_on);
  assert_int_equal(tsr_stats_begin(), 0);
  tsr_stats_end(TSR_STAT_PUT, 0, 1);
  end_life();
  tsr_config.stats = true;
  start_as(0);
  end_life();
  assert_string_equal(capture_next(), "");
}

static void table_holds_what_was_counted(void **state) {
  (void)state;
  struct row row;
  start_as(5);
  assert_true(tsr_stats_on);
  uint64_t t = tsr_stats_begin();
  assert_int_not_equal(t, 0);
  tsr_stats_end(TSR_STAT_PUT, t, 100);
  tsr_stats_end_at(TSR_STAT_PUT, t, 28, TSR_UNIT(4));
  tsr_stats_end_at(TSR_STAT_PUT, t, 2, TSR_UNIT(3));
  tsr_stats_end(TSR_STAT_ALLREDUCE, t - 3000000000u, 8);
  end_life();

  static char table[sizeof capture.record];
  strcpy(table, capture_next());
  assert_string_equal(capture_next(), ""); /* one write */
  assert_int_equal(lines_of(table), 3);
  assert_non_null(strstr(table, "operation"));
  assert_true(find_row(table, "put", &row));
  assert_int_equal(row.unit, 5);
  assert_int_equal(row.calls, 3);
  assert_int_equal(row.bytes, 130);
  assert_int_equal(row.remote_bytes, 28);
  assert_true(find_row(table, "allreduce", &row));
  assert_int_equal(row.calls, 1);
  assert_int_equal(row.remote_bytes, 0);
  assert_true(row.total_ms >= 3000 && row.mean_us >= 3000000);
  assert_false(find_row(table, "get", &row));
}

static void mean_is_total_by_calls(void **state) {
  (void)state;
  struct row row;
  start_as(0);
  for (int i = 0; i < 4; i++) tsr_stats_end(TSR_STAT_GET, tsr_clock_ns() - 2000000000u, 0);
  end_life();
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
  start_as(INT32_MAX);
  for (int i = 0; i < TSR_STATS_N; i++) tsr_stats_end_at((enum tsr_stat)i, 1, UINT64_MAX - (uint64_t)i, TSR_UNIT(7));
  end_life();
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
  start_as(0);
  tsr_stats_end(TSR_STAT_PUT, tsr_stats_begin(), 1);
  end_life();
  assert_true(find_row(capture_next(), "put", &row));
  assert_false(tsr_stats_on);
  start_as(0);
  tsr_stats_end(TSR_STAT_GET, tsr_stats_begin(), 1);
  end_life();
  const char *table = capture_next();
  assert_true(find_row(table, "get", &row));
  assert_int_equal(row.calls, 1);
  assert_false(find_row(table, "put", &row));
}

enum { THREADS_N = 4, CALLS_N = 20000 };

static void *count(void *arg) {
  pthread_barrier_wait(arg);
  for (int i = 0; i < CALLS_N; i++) tsr_stats_end_at(TSR_STAT_FETCH, tsr_stats_begin(), 8, TSR_UNIT(i % 2 ? 7 : 0));
  return NULL;
}

static void threads_lose_nothing(void **state) {
  (void)state;
  struct row row;
  pthread_t threads[THREADS_N];
  pthread_barrier_t together;
  pthread_barrier_init(&together, NULL, THREADS_N);
  start_as(0);
  for (int i = 0; i < THREADS_N; i++) assert_int_equal(pthread_create(&threads[i], NULL, count, &together), 0);
  for (int i = 0; i < THREADS_N; i++) pthread_join(threads[i], NULL);
  pthread_barrier_destroy(&together);
  end_life();
  assert_true(find_row(capture_next(), "fetch_and_op", &row));
  assert_int_equal(row.calls, THREADS_N * CALLS_N);
  assert_int_equal(row.bytes, 8 * THREADS_N * CALLS_N);
  assert_int_equal(row.remote_bytes, 4 * THREADS_N * CALLS_N);
}

static void a_pause_is_left_out(void **state) {
  (void)state;
  struct row row;
  start_as(0);
  tsr_stats_end(TSR_STAT_PUT, tsr_stats_begin(), 1);
  uint64_t begun_before = tsr_stats_begin();
  tsr_stats_pause(true);
  tsr_stats_end(TSR_STAT_PUT, tsr_stats_begin(), 10);
  tsr_stats_end(TSR_STAT_PUT, begun_before, 1000);
  uint64_t begun_within = tsr_stats_begin();
  tsr_stats_pause(false);
  tsr_stats_end(TSR_STAT_PUT, begun_within, 10000);
  tsr_stats_end(TSR_STAT_PUT, tsr_stats_begin(), 100);
  tsr_stats_pause(true);
  end_life();
  assert_true(find_row(capture_next(), "put", &row));
  assert_int_equal(row.bytes, 1101); /* what began outside the pause */

  /* The next life counts. */
  start_as(0);
  tsr_stats_end(TSR_STAT_PUT, tsr_stats_begin(), 7);
  end_life();
  assert_true(find_row(capture_next(), "put", &row));
  assert_int_equal(row.bytes, 7);
}

static void sizes_and_nodes_are_counted(void **state) {
  (void)state;
  static const uint64_t sizes[] = {0, 1, 7, 8, 63, 64, 511, UINT64_C(1) << 24, UINT64_MAX};
  static const uint64_t expected[TSR_STATS_SIZES_N] = {1, 2, 2, 2, 0, 0, 0, 0, 0, 2};
  start_as(0);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) tsr_stats_end(TSR_STAT_PUT, tsr_stats_begin(), sizes[i]);
  tsr_stats_end_at(TSR_STAT_GET, tsr_stats_begin(), 5, TSR_UNIT(1));
  tsr_stats_end_at(TSR_STAT_GET, tsr_stats_begin() - 1000, 6, TSR_UNIT(7));
  tsr_stats_end_at(TSR_STAT_GET, tsr_stats_begin(), 7, TSR_UNIT(4));
  for (int i = 0; i < TSR_STATS_SIZES_N; i++) {
    assert_int_equal(atomic_load(&tsr_stats_counters[TSR_STAT_PUT].sizes[i]), expected[i]);
    assert_true(i == 0 ? tsr_stats_size_least(i) == 0 : tsr_stats_size_least(i) == UINT64_C(1) << 3 * (i - 1));
  }
  assert_true(atomic_load(&tsr_stats_counters[TSR_STAT_GET].longest_ns) >= 1000);
  assert_int_equal(atomic_load(&tsr_stats_traffic[0].bytes), 5);
  assert_int_equal(atomic_load(&tsr_stats_traffic[1].bytes), 13);
  assert_int_equal(atomic_load(&tsr_stats_traffic[1].calls), 2);
  /* What is received is traffic of its sender. */
  tsr_stats_end_at(TSR_STAT_RECEIVE, tsr_stats_begin(), 9, TSR_UNIT(7));
  tsr_stats_end_at(TSR_STAT_AM_HANDLER, tsr_stats_begin(), 9, TSR_UNIT(7));
  assert_int_equal(atomic_load(&tsr_stats_traffic[1].calls), 2);
  end_life();
  capture_next();
}

static void timeline_is_fed_without_a_table(void **state) {
  (void)state;
  char folder[] = "/tmp/tessera-test-XXXXXX", path[64], file[80], text[1024] = "";
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/t", folder);
  snprintf(file, sizeof file, "%s.2", path);
  tsr_config.stats = false;
  tsr_config.trace = path;
  start_as(2);
  assert_true(tsr_stats_on);
  tsr_stats_end(TSR_STAT_BARRIER, tsr_stats_begin(), 0);
  tsr_stats_stop();
  assert_string_equal(capture_next(), "");
  FILE *in = fopen(file, "r");
  assert_non_null(in);
  fread(text, 1, sizeof text - 1, in);
  fclose(in);
  assert_non_null(strstr(text, "\"barrier\""));
  assert_null(strstr(text, "\"gap\"")); /* the end leaves nothing out */

  /* Neither the table nor the timeline contains entries of the life before. */
  tsr_config.stats = true;
  tsr_config.trace = "";
  start_as(2);
  end_life();
  assert_string_equal(capture_next(), "");
  remove(file);
  remove(folder);
}

static void table_comes_without_a_timeline_that_cannot_be(void **state) {
  (void)state;
  struct row row;
  tsr_config.trace = "/nowhere/t";
  start_as(0);
  assert_non_null(strstr(capture_next(), "/nowhere/t.0"));
  assert_true(tsr_stats_on);
  tsr_stats_end(TSR_STAT_PUT, tsr_stats_begin(), 1);
  end_life();
  assert_true(find_row(capture_next(), "put", &row));

  tsr_config.stats = false;
  start_as(0);
  assert_false(tsr_stats_on);
  end_life();
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
    TEST(a_pause_is_left_out),
    TEST(sizes_and_nodes_are_counted),
    TEST(timeline_is_fed_without_a_table),
    TEST(table_comes_without_a_timeline_that_cannot_be),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
