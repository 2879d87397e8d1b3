#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "base/log.h"
#include "base/status.h"
#include "unit/capture.h"

static enum tsr_log_level first_level;

static int begin(void **state) {
  tsr_log_identity(-1, NULL);
  tsr_log_level = TSR_LOG_WARN;
  return capture_begin(state);
}

static void levels_have_their_labels(void **state) {
  (void)state;
  tsr_log_level = TSR_LOG_DEBUG;
  tsr_error("a%d", 1);
  assert_string_equal(capture_next(), "[tessera] error: a1\n");
  tsr_warn("b%s", "2");
  assert_string_equal(capture_next(), "[tessera] warning: b2\n");
  tsr_info("c");
  assert_string_equal(capture_next(), "[tessera] info: c\n");
  tsr_debug("d");
  assert_string_equal(capture_next(), "[tessera] debug: d\n");
}

static void warnings_are_the_default(void **state) {
  (void)state;
  assert_int_equal(first_level, TSR_LOG_WARN);
}

static int evaluated;
static int evaluate(void) { return ++evaluated; }

static void level_silences_what_lies_above(void **state) {
  (void)state;
  tsr_info("not this %d", evaluate());
  tsr_debug("nor this %d", evaluate());
  tsr_warn("this");
  assert_string_equal(capture_next(), "[tessera] warning: this\n");
  tsr_log_level = TSR_LOG_ERROR;
  tsr_warn("no longer %d", evaluate());
  tsr_error("still this");
  assert_string_equal(capture_next(), "[tessera] error: still this\n");
  assert_string_equal(capture_next(), "");
  assert_int_equal(evaluated, 0);
}

static void identity_is_copied_and_can_be_taken_back(void **state) {
  (void)state;
  char node[] = "east";
  tsr_log_identity(3, node);
  node[0] = 'w';
  tsr_error("x");
  assert_string_equal(capture_next(), "[tessera unit 3 @east] error: x\n");
  tsr_log_identity(-1, "north");
  tsr_error("y");
  assert_string_equal(capture_next(), "[tessera @north] error: y\n");
  tsr_log_identity(-1, NULL);
  tsr_error("z");
  assert_string_equal(capture_next(), "[tessera] error: z\n");
}

static void long_names_and_lines_stay_within_one_line(void **state) {
  (void)state;
  static char text[6000];
  memset(text, 'n', sizeof text - 1);
  tsr_log_identity(2147483647, text);
  tsr_error("%s", text);
  const char *line = capture_next();
  size_t length = strlen(line);
  assert_in_range(length, 1000, 4096);
  assert_non_null(strstr(line, "] error: n"));
  assert_string_equal(line + length - 5, "n...\n");
  tsr_log_signal_safe("error: ", text);
  line = capture_next();
  assert_in_range(strlen(line), 1000, 4096);
  assert_ptr_equal(strchr(line, '\n'), line + strlen(line) - 1);
  assert_string_equal(capture_next(), "");
}

static void longest_line_that_fits_is_not_cut(void **state) {
  (void)state;
  static char text[4096];
  size_t fits = 0;
  for (size_t length = 1900; length < 2100; length++) {
    memset(text, 'z', length);
    text[length] = '\0';
    tsr_report("%s", text);
    const char *line = capture_next();
    size_t head = strlen("[tessera] error: ");
    assert_int_equal(line[strlen(line) - 1], '\n');
    if (strstr(line, "...")) {
      assert_int_equal(strlen(line), head + fits + 1); /* no room was left over */
      return;
    }
    assert_int_equal(strlen(line), head + length + 1);
    assert_memory_equal(line + head, text, length);
    fits = length;
  }
  fail_msg("no line was cut");
}

static void text_of_several_lines_becomes_one(void **state) {
  (void)state;
  tsr_error("one\ntwo\tthree\r");
  assert_string_equal(capture_next(), "[tessera] error: one two three \n");
}

static void numbers_and_nouns_agree(void **state) {
  (void)state;
  tsr_error("%d units on %d nodes, %d bytes are not, (%d bytes have) %d processes", 1, 1, 1, 1, 1);
  assert_string_equal(capture_next(), "[tessera] error: 1 unit on 1 node, 1 byte is not, (1 byte has) 1 process\n");
  tsr_error("%d messages wait, %d messages wait, unit %d waits for %d members", 1, 2, 1, 1);
  assert_string_equal(capture_next(), "[tessera] error: 1 message waits, 2 messages wait, unit 1 waits for 1 member\n");
  tsr_error("%d units of %d, %d bytes, 0x%x bytes, unit %d calls, v1 units, %d units", 11, 1, 21, 1, 1, 1);
  assert_string_equal(capture_next(),
                      "[tessera] error: 11 units of 1, 21 bytes, 0x1 bytes, unit 1 calls, v1 units, 1 unit\n");
  tsr_error("pass %d counts, none of the %d ranks, a list of %d addresses, %d functions", 1, 1, 1, 2);
  assert_string_equal(capture_next(), "[tessera] error: pass 1 count, none of the 1 rank, a list of 1 address, 2 functions\n");
  tsr_error("%d unitsless, 1 , 1", 1);
  assert_string_equal(capture_next(), "[tessera] error: 1 unitsless, 1 , 1\n");
}

static void null_is_named(void **state) {
  (void)state;
  tsr_error("%p and %p, (nil", NULL, NULL);
  assert_string_equal(capture_next(), "[tessera] error: NULL and NULL, (nil\n");
}

static void errno_is_printed_and_preserved(void **state) {
  (void)state;
  char expected[200];
  errno = ENOENT;
  snprintf(expected, sizeof expected, "[tessera] error: open: %s\n", strerror(ENOENT));
  errno = ENOENT;
  tsr_error("open: %m");
  assert_int_equal(errno, ENOENT);
  assert_string_equal(capture_next(), expected);

  int kept = dup(STDERR_FILENO);
  close(STDERR_FILENO);
  errno = ENOENT;
  tsr_error("no reader");
  int after_error = errno;
  tsr_log_signal_safe("error: ", "no reader");
  int after_signal = errno;
  dup2(kept, STDERR_FILENO);
  close(kept);
  assert_int_equal(after_error, ENOENT);
  assert_int_equal(after_signal, ENOENT);
}

static void signal_text_is_written_as_it_is(void **state) {
  (void)state;
  tsr_log_identity(0, "h");
  tsr_log_signal_safe("error: ", "dies of %s");
  assert_string_equal(capture_next(), "[tessera unit 0 @h] error: dies of %s\n");
}

static void once_is_once(void **state) {
  (void)state;
  for (int i = 0; i < 3; i++) TSR_ONCE(tsr_warn("first %d", i));
  assert_string_equal(capture_next(), "[tessera] warning: first 0\n");
  assert_string_equal(capture_next(), "");
}

static void expect_lines(const char *format, int n) {
  char expected[100];
  for (int i = 0; i < n; i++) {
    snprintf(expected, sizeof expected, format, i);
    assert_string_equal(capture_next(), expected);
  }
}

static void ten_of_a_kind_are_printed_and_the_rest_is_counted(void **state) {
  (void)state;
  for (int i = 0; i < 1000; i++) tsr_error("wrong %d", i);
  for (int i = 0; i < 11; i++) tsr_warn("odd %d\n", i);
  for (int i = 0; i < 10; i++) tsr_error("ten %d", i);
  for (int i = 0; i < 12; i++) tsr_fail(TESSERA_ERR_ARG, "status %d", i);
  expect_lines("[tessera] error: wrong %d\n", 10);
  expect_lines("[tessera] warning: odd %d \n", 10);
  expect_lines("[tessera] error: ten %d\n", 10);
  expect_lines("[tessera] error: status %d\n", 10);
  assert_string_equal(capture_next(), "");
  tsr_log_counts();
  char all[1024] = "";
  for (const char *line = capture_next(); *line; line = capture_next()) strcat(all, line);
  assert_non_null(strstr(all, "[tessera] 990 more of this kind were not printed: wrong 10\n"));
  assert_non_null(strstr(all, "[tessera] 1 more of this kind was not printed: odd 10 \n"));
  assert_non_null(strstr(all, "[tessera] 2 more of this kind were not printed: status 10\n"));
  assert_null(strstr(all, "ten"));
  tsr_log_counts();
  assert_string_equal(capture_next(), "");
}

static void what_must_be_seen_is_not_limited(void **state) {
  (void)state;
  tsr_log_level = TSR_LOG_INFO;
  for (int i = 0; i < 30; i++) tsr_info("told %d", i);
  expect_lines("[tessera] info: told %d\n", 30);
  for (int i = 0; i < 30; i++) tsr_report("dead %d", i);
  expect_lines("[tessera] error: dead %d\n", 30);
}

static void child_leaves_the_counts_to_its_parent(void **state) {
  (void)state;
  for (int i = 0; i < 12; i++) tsr_error("family %d", i);
  expect_lines("[tessera] error: family %d\n", 10);
  pid_t child = fork();
  if (child == 0) {
    tsr_log_counts();
    _exit(0);
  }
  assert_int_equal(waitpid(child, NULL, 0), child);
  assert_string_equal(capture_next(), "");
  tsr_log_counts();
  assert_string_equal(capture_next(), "[tessera] 2 more of this kind were not printed: family 10\n");
}

static int calls_n;
static void count_call(void) { calls_n++; }

static void errors_call_who_asked(void **state) {
  (void)state;
  void (*before)(void) = tsr_log_at_error;
  tsr_log_at_error = count_call;
  tsr_warn("no error");
  tsr_report("the last one");
  assert_int_equal(calls_n, 0);
  tsr_error("an error");
  assert_int_equal(calls_n, 1);
  tsr_log_at_error = before;
  while (*capture_next()) continue;
}

enum { THREADS_N = 4, LINES_N = 100 };

static void *write_same_error(void *arg) {
  (void)arg;
  for (int i = 0; i < LINES_N; i++) tsr_error("same error");
  return NULL;
}

static void threads_share_a_count(void **state) {
  (void)state;
  pthread_t threads[THREADS_N];
  for (int i = 0; i < THREADS_N; i++) assert_int_equal(pthread_create(&threads[i], NULL, write_same_error, NULL), 0);
  for (int i = 0; i < THREADS_N; i++) pthread_join(threads[i], NULL);
  expect_lines("[tessera] error: same error\n", 10);
  assert_string_equal(capture_next(), "");
  tsr_log_counts();
  assert_string_equal(capture_next(), "[tessera] 390 more of this kind were not printed: same error\n");
}

static void *write_lines(void *arg) {
  for (int i = 0; i < LINES_N; i++) tsr_report("thread %d line %d end", (int)(intptr_t)arg, i);
  return NULL;
}

static void lines_of_threads_do_not_mix(void **state) {
  (void)state;
  pthread_t threads[THREADS_N];
  int next[THREADS_N] = {0};
  for (intptr_t i = 0; i < THREADS_N; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, write_lines, (void *)i), 0);
  for (int n = 0; n < THREADS_N * LINES_N;) {
    int thread, line, end = 0;
    const char *text = capture_next();
    if (!*text) continue;
    sscanf(text, "[tessera] error: thread %d line %d end\n%n", &thread, &line, &end);
    assert_int_equal(end, strlen(text));
    assert_in_range(thread, 0, THREADS_N - 1);
    assert_int_equal(line, next[thread]++);
    n++;
  }
  for (int i = 0; i < THREADS_N; i++) pthread_join(threads[i], NULL);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, capture_end)
  const struct CMUnitTest tests[] = {
    TEST(warnings_are_the_default),
    TEST(levels_have_their_labels),
    TEST(level_silences_what_lies_above),
    TEST(identity_is_copied_and_can_be_taken_back),
    TEST(long_names_and_lines_stay_within_one_line),
    TEST(longest_line_that_fits_is_not_cut),
    TEST(text_of_several_lines_becomes_one),
    TEST(numbers_and_nouns_agree),
    TEST(null_is_named),
    TEST(errno_is_printed_and_preserved),
    TEST(signal_text_is_written_as_it_is),
    TEST(once_is_once),
    TEST(ten_of_a_kind_are_printed_and_the_rest_is_counted),
    TEST(what_must_be_seen_is_not_limited),
    TEST(child_leaves_the_counts_to_its_parent),
    TEST(errors_call_who_asked),
    TEST(threads_share_a_count),
    TEST(lines_of_threads_do_not_mix),
  };
  first_level = tsr_log_level;
  return cmocka_run_group_tests(tests, NULL, NULL);
}
