#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/status.h"
#include "unit/capture.h"

static const struct {
  tessera_status_t status;
  const char *name;
} known[] = {
  {0, "TESSERA_OK"},
  {1, "TESSERA_ERR_ARG"},
  {2, "TESSERA_ERR_RANGE"},
  {3, "TESSERA_ERR_NOT_FOUND"},
  {4, "TESSERA_ERR_STATE"},
  {5, "TESSERA_ERR_UNSUPPORTED"},
  {16, "TESSERA_ERR_MEMORY"},
  {17, "TESSERA_ERR_LIMIT"},
  {18, "TESSERA_ERR_AGAIN"},
  {32, "TESSERA_ERR_SYSTEM"},
  {33, "TESSERA_ERR_NET"},
  {34, "TESSERA_ERR_PEER"},
};
enum { KNOWN_N = sizeof known / sizeof *known };

static void every_status_has_its_name(void **state) {
  (void)state;
  for (int i = 0; i < KNOWN_N; i++) assert_string_equal(tessera_status_name(known[i].status), known[i].name);
}

static void every_status_has_words_of_its_own(void **state) {
  (void)state;
  for (int i = 0; i < KNOWN_N; i++) {
    assert_true(strlen(tessera_status_text(known[i].status)) > 10);
    assert_true(strlen(tessera_status_remedy(known[i].status)) > 10);
    for (int j = 0; j < i; j++) {
      assert_string_not_equal(tessera_status_text(known[i].status), tessera_status_text(known[j].status));
      assert_string_not_equal(tessera_status_remedy(known[i].status), tessera_status_remedy(known[j].status));
    }
  }
}

static void other_numbers_are_called_so(void **state) {
  (void)state;
  const int numbers[] = {-1, 6, 15, 19, 31, 35, 1 << 20};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    tessera_status_t status = (tessera_status_t)numbers[i];
    assert_non_null(strstr(tessera_status_name(status), "not a status"));
    assert_non_null(strstr(tessera_status_text(status), "not a status"));
    assert_non_null(strstr(tessera_status_remedy(status), "tessera_version"));
  }
}

static void version_is_that_of_the_header(void **state) {
  (void)state;
  char version[32];
  snprintf(version, sizeof version, "%d.%d.%d", TESSERA_VERSION_MAJOR, TESSERA_VERSION_MINOR, TESSERA_VERSION_PATCH);
  assert_string_equal(tessera_version(), version);
}

static void failing_logs_one_line_and_passes_the_status(void **state) {
  (void)state;
  assert_int_equal(tsr_fail(TESSERA_ERR_RANGE, "dart_put: unit %d; use %s", 7, "0 to 3"), TESSERA_ERR_RANGE);
  assert_string_equal(capture_next(), "[tessera] error: dart_put: unit 7; use 0 to 3\n");
  assert_string_equal(capture_next(), "");
}

static void failing_marks_what_it_cuts(void **state) {
  (void)state;
  static char text[5000];
  memset(text, 'x', sizeof text - 1);
  tsr_fail(TESSERA_ERR_ARG, "%s", text);
  assert_non_null(strstr(capture_next(), "xxx...\n"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_status_has_its_name),
    cmocka_unit_test(every_status_has_words_of_its_own),
    cmocka_unit_test(other_numbers_are_called_so),
    cmocka_unit_test(version_is_that_of_the_header),
    cmocka_unit_test_setup_teardown(failing_logs_one_line_and_passes_the_status, capture_begin, capture_end),
    cmocka_unit_test_setup_teardown(failing_marks_what_it_cuts, capture_begin, capture_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
