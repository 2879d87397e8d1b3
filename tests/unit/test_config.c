#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/config.h"
#include "base/log.h"
#include "unit/capture.h"

static int begin(void **state) {
  for (char **entry = environ; *entry;) {
    char name[128];
    if (strncmp(*entry, "TESSERA_", 8) == 0 && sscanf(*entry, "%127[^=]", name) == 1)
      unsetenv(name);
    else
      entry++;
  }
  tsr_log_level = TSR_LOG_WARN;
  return capture_begin(state);
}

static void load_with(const char *name, const char *value) {
  setenv(name, value, 1);
  tsr_config_load(true);
  unsetenv(name);
}

static void assert_silent(void) { assert_string_equal(capture_next(), ""); }

/* Checks that there is one warning with all of these words. */
static void assert_warning(const char *first, ...) {
  const char *line = capture_next();
  va_list more;
  va_start(more, first);
  assert_int_equal(strncmp(line, "[tessera] warning: ", 19), 0);
  for (const char *word = first; word; word = va_arg(more, const char *)) {
    if (!strstr(line, word)) fail_msg("'%s' is not in: %s", word, line);
  }
  va_end(more);
  assert_silent();
}

static void defaults_hold_without_environment(void **state) {
  (void)state;
  tsr_config.spin_us = 1;
  tsr_config_load(true);
  assert_silent();
  assert_int_equal(tsr_config.log_level, TSR_LOG_WARN);
  assert_int_equal(tsr_config.heap_size, 0);
  assert_int_equal(tsr_config.heap_keep, 256 << 20);
  assert_int_equal(tsr_config.eager_limit, 0);
  assert_int_equal(tsr_config.spin_us, 50);
  assert_false(tsr_config.check);
  assert_string_equal(tsr_config.trace, "");
}

static void sizes_take_suffixes(void **state) {
  (void)state;
  static const struct {
    const char *text;
    size_t bytes;
  } good[] = {
    {"0", 0},
    {"1", 1},
    {"0007", 7},
    {"4096", 4096},
    {"8K", 8192},
    {"8k", 8192},
    {"3M", 3 << 20},
    {"5g", (size_t)5 << 30},
    {"1T", (size_t)1 << 40},
    {"64T", (size_t)1 << 46},
    {"65536g", (size_t)1 << 46},
    {"70368744177664", (size_t)1 << 46},
  };
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    load_with("TESSERA_HEAP_KEEP", good[i].text);
    assert_silent();
    assert_int_equal(tsr_config.heap_keep, good[i].bytes);
  }
}

static void bad_sizes_keep_the_default(void **state) {
  (void)state;
  static const char *const bad[] = {
    "K",   "12Q", "-1", "0 ", "8 ", " 8", "1.5M", "8KB", "0x10", "many", "65T", "70368744177665",
    "16777217T", "8388608T", "9223372036854775807", "9223372036854775808", "18446744073709551616"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char given[64];
    snprintf(given, sizeof given, "TESSERA_HEAP_KEEP=%s is", bad[i]);
    load_with("TESSERA_HEAP_KEEP", bad[i]);
    assert_warning(given, "256M is used", "from 0 to 64T", NULL);
    assert_int_equal(tsr_config.heap_keep, 256 << 20);
  }
}

static void a_default_outside_the_range_may_be_given(void **state) {
  (void)state;
  load_with("TESSERA_HEAP_SIZE", "0");
  assert_silent();
  load_with("TESSERA_HEAP_SIZE", "1M");
  assert_silent();
  assert_int_equal(tsr_config.heap_size, 1 << 20);
  load_with("TESSERA_HEAP_SIZE", "1023K");
  assert_warning("TESSERA_HEAP_SIZE=1023K", "from 1M to 64T, or 0", NULL);
  assert_int_equal(tsr_config.heap_size, 0);
}

static void numbers_are_whole_and_in_range(void **state) {
  (void)state;
  static const char *const bad[] = {"1", "4097", "-5", "8x", "8K", "", "99999999999", "4294967298"};
  load_with("TESSERA_WIRE_BUFFERS", "2");
  assert_int_equal(tsr_config.wire_buffers, 2);
  load_with("TESSERA_WIRE_BUFFERS", "4096");
  assert_int_equal(tsr_config.wire_buffers, 4096);
  assert_silent();
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    load_with("TESSERA_WIRE_BUFFERS", bad[i]);
    if (*bad[i]) assert_warning("TESSERA_WIRE_BUFFERS=", bad[i], "64 is used", "from 2 to 4096", NULL);
    assert_int_equal(tsr_config.wire_buffers, 64);
  }
  assert_silent();
}

static void switches_take_words(void **state) {
  (void)state;
  static const char *const yes[] = {"1", "yes", "on", "true", "YES", "True"}, *const no[] = {"0", "no", "off", "false"};
  for (size_t i = 0; i < sizeof yes / sizeof *yes; i++) {
    load_with("TESSERA_CHECK", yes[i]);
    assert_true(tsr_config.check);
  }
  for (size_t i = 0; i < sizeof no / sizeof *no; i++) {
    load_with("TESSERA_CHECK", no[i]);
    assert_false(tsr_config.check);
  }
  assert_silent();
  load_with("TESSERA_CHECK", "2");
  assert_warning("TESSERA_CHECK=2", "no is used", "yes", "on", "1", NULL);
  load_with("TESSERA_CHECK", "tru");
  assert_warning("TESSERA_CHECK=tru", NULL);
  assert_false(tsr_config.check);
}

static void words_become_their_index(void **state) {
  (void)state;
  static const char *const words[] = {"error", "warn", "Info", "debug"};
  for (int i = 0; i < 4; i++) {
    load_with("TESSERA_LOG", words[i]);
    assert_int_equal(tsr_config.log_level, i);
  }
  load_with("TESSERA_HEAP_COMMIT", "eager");
  assert_int_equal(tsr_config.heap_commit, TSR_HEAP_COMMIT_EAGER);
  assert_silent();
  load_with("TESSERA_LOG", "loud");
  assert_warning("TESSERA_LOG=loud", "warn is used", "error|warn|info|debug", NULL);
  assert_int_equal(tsr_config.log_level, 1);
  load_with("TESSERA_LOG", "error|warn");
  assert_warning("TESSERA_LOG=error|warn", NULL);
}

static void text_survives_the_environment(void **state) {
  (void)state;
  char entry[] = "TESSERA_TRACE=/tmp/a";
  putenv(entry);
  tsr_config_load(true);
  entry[14] = '!';
  assert_string_equal(tsr_config.trace, "/tmp/a");
  unsetenv("TESSERA_TRACE");
  assert_string_equal(tsr_config.trace, "/tmp/a");
  load_with("TESSERA_TRACE", "b");
  assert_string_equal(tsr_config.trace, "b");
  tsr_config_load(true);
  assert_string_equal(tsr_config.trace, "");
  assert_silent();
}

static void unknown_names_get_the_nearest(void **state) {
  (void)state;
  static const char *const cases[][2] = {
    {"TESSERA_HEAPSIZE", "did you mean TESSERA_HEAP_SIZE?"},
    {"TESSERA_STAT", "did you mean TESSERA_STATS?"},
    {"TESSERA_WATCH_DOG", "did you mean TESSERA_WATCHDOG?"},
    {"TESSERA_LOGS", "did you mean TESSERA_LOG?"},
    {"TESSERA_VIRTUAL_NODE", "did you mean TESSERA_VIRTUAL_NODES?"},
    {"TESSERA_SPIN_MS", "did you mean TESSERA_SPIN_US?"},
    {"TESSERA_UCX_RNA", "did you mean TESSERA_UCX_RMA?"},
    {"TESSERA_XYZ", "tessera-info lists"},
    {"TESSERA_COFFEE_MACHINE", "tessera-info lists"},
    {"TESSERA_", "tessera-info lists"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    load_with(cases[i][0], "1");
    assert_warning(cases[i][0], "ignored", cases[i][1], NULL);
  }
}

static void names_of_any_length_are_safe(void **state) {
  (void)state;
  char name[500] = "TESSERA_";
  memset(name + 8, 'H', sizeof name - 9);
  load_with(name, "1");
  assert_warning("TESSERA_HHHH", "tessera-info lists", NULL);
}

static void other_families_are_left_alone(void **state) {
  (void)state;
  load_with("TESSERACT_LOG", "1");
  load_with("TESSERA", "1");
  load_with("tessera_log", "1");
  load_with("TESSERA_UCX_TLS", "tcp,self");
  load_with("TESSERA_UCX_RNDV_THRESH", "8K");
  assert_silent();
}

static void nothing_is_said_without_report(void **state) {
  (void)state;
  setenv("TESSERA_LOGG", "1", 1);
  setenv("TESSERA_SPIN_US", "soon", 1);
  tsr_config_load(false);
  assert_silent();
  assert_int_equal(tsr_config.spin_us, 50);
}

struct rows {
  int n;
  char name[64][64], value[64][64], standard[64][64];
};

static void collect(const char *name, const char *value, const char *standard, const char *help, void *arg) {
  struct rows *rows = arg;
  assert_in_range(rows->n, 0, 63);
  assert_true(strlen(help) > 10);
  snprintf(rows->name[rows->n], 64, "%s", name);
  snprintf(rows->value[rows->n], 64, "%s", value);
  snprintf(rows->standard[rows->n], 64, "%s", standard);
  rows->n++;
}

static const char *value_of(const struct rows *rows, const char *name) {
  for (int i = 0; i < rows->n; i++) {
    if (strcmp(rows->name[i], name) == 0) return rows->value[i];
  }
  fail_msg("no row %s", name);
  return NULL;
}

static void rows_print_values_and_defaults(void **state) {
  (void)state;
  struct rows rows = {.n = 0};
  tsr_config_load(true);
  tsr_config.heap_size = (size_t)1 << 40;
  tsr_config.heap_keep = 1000;
  tsr_config.eager_limit = 1536;
  tsr_config.wire_buffer_size = 3 << 20;
  tsr_config.check = true;
  tsr_config.log_level = TSR_LOG_DEBUG;
  tsr_config.trace = "out";
  tsr_config_each(collect, &rows);
  assert_string_equal(rows.name[0], "TESSERA_LOG");
  assert_string_equal(value_of(&rows, "TESSERA_LOG"), "debug");
  assert_string_equal(rows.standard[0], "warn");
  assert_string_equal(value_of(&rows, "TESSERA_HEAP_SIZE"), "1T");
  assert_string_equal(value_of(&rows, "TESSERA_HEAP_LIMIT"), "0");
  assert_string_equal(value_of(&rows, "TESSERA_HEAP_KEEP"), "1000");
  assert_string_equal(value_of(&rows, "TESSERA_EAGER_LIMIT"), "1536");
  assert_string_equal(value_of(&rows, "TESSERA_WIRE_BUFFER_SIZE"), "3M");
  assert_string_equal(value_of(&rows, "TESSERA_CHECK"), "yes");
  assert_string_equal(value_of(&rows, "TESSERA_STATS"), "no");
  assert_string_equal(value_of(&rows, "TESSERA_TRACE"), "out");
  assert_string_equal(value_of(&rows, "TESSERA_SPIN_US"), "50");
}

/* Printed values can be set again: each row's default, and the values that rows then print. */
static void printed_defaults_parse(void **state) {
  (void)state;
  struct rows first = {.n = 0}, again = {.n = 0};
  tsr_config_load(true);
  tsr_config_each(collect, &first);
  for (int i = 0; i < first.n; i++) {
    assert_string_equal(first.value[i], first.standard[i]);
    setenv(first.name[i], first.standard[i], 1);
    for (int j = 0; j < i; j++) assert_string_not_equal(first.name[i], first.name[j]);
  }
  tsr_config_load(true);
  assert_silent();
  tsr_config_each(collect, &again);
  assert_memory_equal(&first, &again, sizeof first);
}

static void foreign_variables_are_words(void **state) {
  (void)state;
  assert_int_equal(tsr_config_foreign("OTHER_LEVEL", "low|high", true), -1);
  assert_false(tsr_config_is_set("OTHER_LEVEL"));
  setenv("OTHER_LEVEL", "", 1);
  assert_false(tsr_config_is_set("OTHER_LEVEL"));
  assert_int_equal(tsr_config_foreign("OTHER_LEVEL", "low|high", true), -1);
  setenv("OTHER_LEVEL", "HIGH", 1);
  assert_true(tsr_config_is_set("OTHER_LEVEL"));
  assert_int_equal(tsr_config_foreign("OTHER_LEVEL", "low|high", true), 1);
  assert_silent();
  setenv("OTHER_LEVEL", "higher", 1);
  assert_int_equal(tsr_config_foreign("OTHER_LEVEL", "low|high", false), -1);
  assert_silent();
  assert_int_equal(tsr_config_foreign("OTHER_LEVEL", "low|high", true), -1);
  assert_warning("OTHER_LEVEL", "higher", "low|high", NULL);
  unsetenv("OTHER_LEVEL");
}

static void valgrind_is_known_by_its_libraries(void **state) {
  (void)state;
  const char *before = getenv("LD_PRELOAD");
  char *kept = before ? strdup(before) : NULL;
  setenv("LD_PRELOAD", "/usr/lib/libsomething.so", 1);
  assert_false(tsr_config_under_valgrind());
  setenv("LD_PRELOAD", "/opt/libexec/valgrind/vgpreload_core-arm64-linux.so:/usr/lib/libsomething.so", 1);
  assert_true(tsr_config_under_valgrind());
  unsetenv("LD_PRELOAD");
  assert_false(tsr_config_under_valgrind());
  if (kept) setenv("LD_PRELOAD", kept, 1);
  free(kept);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, capture_end)
  const struct CMUnitTest tests[] = {
    TEST(defaults_hold_without_environment),
    TEST(sizes_take_suffixes),
    TEST(bad_sizes_keep_the_default),
    TEST(a_default_outside_the_range_may_be_given),
    TEST(numbers_are_whole_and_in_range),
    TEST(switches_take_words),
    TEST(words_become_their_index),
    TEST(text_survives_the_environment),
    TEST(unknown_names_get_the_nearest),
    TEST(names_of_any_length_are_safe),
    TEST(other_families_are_left_alone),
    TEST(nothing_is_said_without_report),
    TEST(rows_print_values_and_defaults),
    TEST(printed_defaults_parse),
    TEST(foreign_variables_are_words),
    TEST(valgrind_is_known_by_its_libraries),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
