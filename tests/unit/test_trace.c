#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <cmocka.h>
#include <unistd.h>

#include "base/trace.h"
#include "unit/capture.h"

static char folder[32], base[64], file[80];

static int begin(void **state) {
  strcpy(folder, "/tmp/tessera-test-XXXXXX");
  if (!mkdtemp(folder)) return -1;
  snprintf(base, sizeof base, "%s/t", folder);
  snprintf(file, sizeof file, "%s.3", base);
  return capture_begin(state);
}

static int end(void **state) {
  tsr_trace_close();
  remove(file);
  remove(folder);
  return capture_end(state);
}

/* ---- a reader of JSON: returns what follows a value; NULL: there is no value ---- */

static const char *space(const char *p) {
  while (p && isspace((unsigned char)*p)) p++;
  return p;
}

static const char *string(const char *p) {
  for (p++; *p != '"'; p++) {
    if ((unsigned char)*p < ' ') return NULL;
    if (*p == '\\' && !strchr("\"\\/bfnrtu", *++p)) return NULL;
  }
  return p + 1;
}

static const char *number(const char *p) {
  char *after;
  if (*p != '-' && !isdigit((unsigned char)*p)) return NULL;
  strtod(p, &after);
  return after;
}

static const char *value(const char *p) {
  p = space(p);
  if (!p || !*p) return NULL;
  if (*p == '"') return string(p);
  if (*p != '{' && *p != '[') return number(p);
  bool object = *p == '{';
  const char close = object ? '}' : ']';
  p = space(p + 1);
  if (*p == close) return p + 1;
  for (;; p++) {
    if (object) {
      p = space(p);
      if (*p != '"' || !(p = space(string(p))) || *p++ != ':') return NULL;
    }
    if (!(p = space(value(p)))) return NULL;
    if (*p == close) return p + 1;
    if (*p != ',') return NULL;
  }
}

static char *content(void) {
  FILE *in = fopen(file, "r");
  assert_non_null(in);
  fseek(in, 0, SEEK_END);
  size_t bytes = (size_t)ftell(in);
  char *text = malloc(bytes + 1);
  rewind(in);
  assert_int_equal(fread(text, 1, bytes, in), bytes);
  fclose(in);
  text[bytes] = '\0';
  return text;
}

/* Counts the occurrences of the words in the file, which is one JSON array. */
static int count_in_file(const char *words) {
  char *text = content();
  int n = 0;
  const char *after = space(value(text));
  if (text[0] != '[' || !after || *after) fail_msg("not one JSON array: %.500s", text);
  for (const char *p = text; (p = strstr(p, words)); p++) n++;
  free(text);
  return n;
}

static void events_have_all_their_fields(void **state) {
  (void)state;
  assert_true(tsr_trace_open(base, 3, 1));
  tsr_trace_event("put", 1002345, 5010349, 64, 8);
  tsr_trace_event("get", 0, UINT64_MAX, UINT64_MAX, INT32_MAX);
  tsr_trace_close();
  char expected[300];
  snprintf(expected, sizeof expected,
           "{\"ph\":\"X\",\"name\":\"put\",\"pid\":3,\"tid\":%d,\"ts\":1002.345,\"dur\":4008.004,"
           "\"args\":{\"bytes\":64,\"unit\":8}}", gettid());
  assert_int_equal(count_in_file(expected), 1);
  assert_int_equal(count_in_file("\"ph\":\"X\""), 2);
  assert_int_equal(count_in_file("\"unit 3\""), 1);
  assert_string_equal(capture_next(), "");
}

/* A later job of the process goes on in the same file, with a line of its own. */
static void jobs_and_gaps_are_lines_of_their_own(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    assert_true(tsr_trace_open(base, 3, 1));
    tsr_trace_job(UINT64_C(18446744073709551614) + (uint64_t)i, 7 + i, 2);
    if (i) tsr_trace_gap();
    tsr_trace_close();
  }
  assert_int_equal(count_in_file(
                       "{\"ph\":\"M\",\"name\":\"job\",\"pid\":3,\"args\":{\"job\":18446744073709551614,\"units\":7,\"nodes\":2}}"),
                   1);
  assert_int_equal(count_in_file("\"name\":\"job\""), 2);
  assert_int_equal(count_in_file("{\"ph\":\"M\",\"name\":\"gap\",\"pid\":3,\"args\":{}}"), 1);
  tsr_trace_gap(); /* no timeline is open */
  assert_string_equal(capture_next(), "");
}

static void timeline_without_events_is_complete(void **state) {
  (void)state;
  assert_true(tsr_trace_open(base, 3, 1));
  tsr_trace_close();
  assert_int_equal(count_in_file("\"ph\":\"X\""), 0);
}

static void nothing_is_recorded_while_closed(void **state) {
  (void)state;
  tsr_trace_event("put", 1, 2, 0, 0);
  tsr_trace_close();
  assert_true(tsr_trace_open(base, 3, 1));
  tsr_trace_close();
  tsr_trace_event("put", 1, 2, 0, 0);
  tsr_trace_close();
  assert_int_equal(count_in_file("\"ph\":\"X\""), 0);
}

static void later_life_continues_the_file(void **state) {
  (void)state;
  for (int life = 0; life < 3; life++) {
    assert_true(tsr_trace_open(base, 3, 1));
    tsr_trace_event("put", 1, 2, 0, 0);
    tsr_trace_close();
    assert_int_equal(count_in_file("\"put\""), life + 1);
  }
  assert_int_equal(count_in_file("process_name"), 3); /* it may be on another node now */
}

static void removed_file_is_made_anew(void **state) {
  (void)state;
  for (int life = 0; life < 2; life++) {
    assert_true(tsr_trace_open(base, 3, 1));
    tsr_trace_event("put", 1, 2, 0, 0);
    tsr_trace_close();
    assert_int_equal(count_in_file("\"put\""), 1);
    remove(file);
  }
}

static void file_of_an_earlier_process_is_replaced(void **state) {
  (void)state;
  FILE *out = fopen(file, "w");
  for (int i = 0; i < 1000; i++) fprintf(out, "what another run left\n");
  fclose(out);
  assert_true(tsr_trace_open(base, 3, 1));
  tsr_trace_close();
  assert_int_equal(count_in_file("another"), 0);
}

/* As does a unit of the same number in a job on other processes. */
static void file_that_another_process_writes_is_left_alone(void **state) {
  (void)state;
  char own[128], text[8] = "";
  FILE *theirs = fopen(file, "w+");
  assert_non_null(theirs);
  assert_int_equal(flock(fileno(theirs), LOCK_EX), 0);
  fputs("theirs", theirs);
  fflush(theirs);
  assert_true(tsr_trace_open(base, 3, 1));
  tsr_trace_close();
  rewind(theirs);
  assert_non_null(fgets(text, sizeof text, theirs));
  assert_string_equal(text, "theirs");
  fclose(theirs);
  snprintf(own, sizeof own, "%s.%d", file, (int)getpid());
  assert_int_equal(remove(own), 0);
}

static void unwritable_file_is_one_warning(void **state) {
  (void)state;
  assert_false(tsr_trace_open("/nowhere/t", 3, 1));
  const char *line = capture_next();
  assert_non_null(strstr(line, "warning: "));
  assert_non_null(strstr(line, "/nowhere/t.3"));
  assert_non_null(strstr(line, strerror(ENOENT)));
  assert_non_null(strstr(line, "TESSERA_TRACE"));
  tsr_trace_event("put", 1, 2, 0, 0);
  tsr_trace_close();
  assert_string_equal(capture_next(), "");
}

/* The name fits, but with the unit's number it does not; no other file is made instead. */
static void name_that_is_too_long_is_refused(void **state) {
  (void)state;
  char name[PATH_MAX];
  memset(name, '/', sizeof name);
  memcpy(name, folder, strlen(folder));
  strcpy(name + sizeof name - 3, "/t");
  assert_false(tsr_trace_open(name, 3, 1));
  assert_non_null(strstr(capture_next(), strerror(ENAMETOOLONG)));
  assert_string_equal(capture_next(), "");
  assert_int_equal(access(name, F_OK), -1);
}

static void full_disk_is_one_warning(void **state) {
  (void)state;
  struct rlimit before, small;
  getrlimit(RLIMIT_FSIZE, &before);
  small = before;
  small.rlim_cur = 100000;
  void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
  assert_true(tsr_trace_open(base, 3, 1));
  setrlimit(RLIMIT_FSIZE, &small);
  for (int i = 0; i < 5000; i++) tsr_trace_event("put", 1, 2, 0, 0);
  tsr_trace_close();
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, handler);
  assert_non_null(strstr(capture_next(), strerror(EFBIG)));
  assert_string_equal(capture_next(), "");
  int written_n = count_in_file("\"put\"");
  assert_in_range(written_n, 100, 4999);
  assert_true(tsr_trace_open(base, 3, 1)); /* not continued */
  tsr_trace_close();
  assert_int_equal(count_in_file("\"put\""), 0);
}

static void forked_child_writes_nothing(void **state) {
  (void)state;
  assert_true(tsr_trace_open(base, 3, 1));
  tsr_trace_event("put", 1, 2, 0, 0);
  pid_t child = fork();
  if (child == 0) {
    fclose(stdout);
    exit(0);
  }
  assert_int_equal(waitpid(child, NULL, 0), child);
  tsr_trace_close();
  assert_int_equal(count_in_file("\"put\""), 1);
}

static void killed_process_leaves_a_whole_file(void **state) {
  (void)state;
  for (int n = 1; n < 5000; n = 7 * n) {
    pid_t child = fork();
    if (child == 0) {
      tsr_trace_open(base, 3, 1);
      for (int i = 0; i < n; i++) tsr_trace_event("put", 1, 2, 0, 0);
      raise(SIGKILL);
    }
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(count_in_file("\"put\""), n);
  }
}

enum { THREADS_N = 4, EVENTS_N = 2000 };

static void *record(void *arg) {
  for (int i = 0; i < EVENTS_N; i++) tsr_trace_event(arg, (uint64_t)i, (uint64_t)i + 1, 0, 0);
  return NULL;
}

static void threads_keep_their_events_whole(void **state) {
  (void)state;
  pthread_t threads[THREADS_N];
  const char *names[THREADS_N] = {"ann", "bob", "cat", "dan"};
  assert_true(tsr_trace_open(base, 3, 1));
  for (int i = 0; i < THREADS_N; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, record, (void *)(uintptr_t)names[i]), 0);
  for (int i = 0; i < THREADS_N; i++) pthread_join(threads[i], NULL);
  tsr_trace_close();
  for (int i = 0; i < THREADS_N; i++) assert_int_equal(count_in_file(names[i]), EVENTS_N);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
  const struct CMUnitTest tests[] = {
    TEST(events_have_all_their_fields),
    TEST(jobs_and_gaps_are_lines_of_their_own),
    TEST(timeline_without_events_is_complete),
    TEST(nothing_is_recorded_while_closed),
    TEST(later_life_continues_the_file),
    TEST(removed_file_is_made_anew),
    TEST(file_of_an_earlier_process_is_replaced),
    TEST(file_that_another_process_writes_is_left_alone), TEST(unwritable_file_is_one_warning),
    TEST(name_that_is_too_long_is_refused),
    TEST(full_disk_is_one_warning),
    TEST(forked_child_writes_nothing),
    TEST(killed_process_leaves_a_whole_file),
    TEST(threads_keep_their_events_whole),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
