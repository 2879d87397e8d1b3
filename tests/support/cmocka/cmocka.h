/* As much of cmocka's interface as the unit tests use, for machines without that library: scripts/check-portable compiles them
 * with it for another processor. Include it where cmocka.h is included. */
#ifndef TSR_TESTS_SUPPORT_CMOCKA_H
#define TSR_TESTS_SUPPORT_CMOCKA_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct CMUnitTest {
  const char *name;
  void (*test)(void **state);
  int (*setup)(void **state), (*teardown)(void **state);
  void *initial_state;
};

#define cmocka_unit_test(f) {#f, f, NULL, NULL, NULL}
#define cmocka_unit_test_setup(f, setup) {#f, f, setup, NULL, NULL}
#define cmocka_unit_test_setup_teardown(f, setup, teardown) {#f, f, setup, teardown, NULL}

enum { CMOCKA_PASSED, CMOCKA_FAILED, CMOCKA_SKIPPED };
static jmp_buf cmocka_end_of_test;

_Noreturn static inline void cmocka_end_failed(const char *what, const char *file, int line) {
  fprintf(stderr, "%s:%d: error: %s\n", file, line, what);
  longjmp(cmocka_end_of_test, CMOCKA_FAILED);
}
static inline void cmocka_assert(bool holds, const char *what, const char *file, int line) {
  if (!holds) cmocka_end_failed(what, file, line);
}
static inline void cmocka_assert_number(uintmax_t a, uintmax_t b, bool equal, const char *what, const char *file, int line) {
  if ((a == b) == equal) return;
  fprintf(stderr, "%#jx, %#jx: ", a, b);
  cmocka_end_failed(what, file, line);
}
/* Of any scalar type, as cmocka has it. */
#define cmocka_number(x) ((uintmax_t)(uintptr_t)(x))

#define print_message(...) fprintf(stderr, __VA_ARGS__)
#define fail() cmocka_end_failed("fail()", __FILE__, __LINE__)
#define fail_msg(...) (fprintf(stderr, __VA_ARGS__), cmocka_end_failed("", __FILE__, __LINE__))
#define skip() longjmp(cmocka_end_of_test, CMOCKA_SKIPPED)
#define assert_true(x) cmocka_assert((x) ? true : false, #x, __FILE__, __LINE__)
#define assert_false(x) cmocka_assert((x) ? false : true, "!(" #x ")", __FILE__, __LINE__)
#define assert_non_null(x) cmocka_assert((x) != NULL, #x " is NULL", __FILE__, __LINE__)
#define assert_null(x) cmocka_assert((x) == NULL, #x " is not NULL", __FILE__, __LINE__)
#define assert_int_equal(a, b) \
  cmocka_assert_number(cmocka_number(a), cmocka_number(b), true, #a " == " #b, __FILE__, __LINE__)
#define assert_int_not_equal(a, b) \
  cmocka_assert_number(cmocka_number(a), cmocka_number(b), false, #a " != " #b, __FILE__, __LINE__)
#define assert_ptr_equal assert_int_equal
#define assert_ptr_not_equal assert_int_not_equal
#define assert_in_range(x, least, most)                                                                             \
  cmocka_assert(cmocka_number(x) >= cmocka_number(least) && cmocka_number(x) <= cmocka_number(most), #x " in range", \
                __FILE__, __LINE__)
#define assert_string_equal(a, b) cmocka_assert(strcmp(a, b) == 0, #a " is " #b, __FILE__, __LINE__)
#define assert_string_not_equal(a, b) cmocka_assert(strcmp(a, b) != 0, #a " is not " #b, __FILE__, __LINE__)
#define assert_memory_equal(a, b, bytes) cmocka_assert(memcmp(a, b, bytes) == 0, #a " equals " #b, __FILE__, __LINE__)
#define assert_memory_not_equal(a, b, bytes) cmocka_assert(memcmp(a, b, bytes) != 0, #a " differs from " #b, __FILE__, __LINE__)

static inline int cmocka_run_test(const struct CMUnitTest *test, void **state) {
  int ended = setjmp(cmocka_end_of_test);
  if (ended) return ended;
  if (test->setup && test->setup(state)) cmocka_end_failed("setup", test->name, 0);
  test->test(state);
  return CMOCKA_PASSED;
}

static inline int cmocka_run_group(const char *group, const struct CMUnitTest *tests, size_t n, int (*setup)(void **),
                                   int (*teardown)(void **)) {
  static const char *const ends[] = {"passed", "FAILED", "skipped"};
  void *group_state = NULL;
  int failed = setup && setup(&group_state) != 0;
  for (size_t i = 0; i < n && !failed; i++) {
    void *state = tests[i].initial_state ? tests[i].initial_state : group_state;
    int ended = cmocka_run_test(&tests[i], &state);
    if (tests[i].teardown && tests[i].teardown(&state)) ended = CMOCKA_FAILED;
    if (ended != CMOCKA_PASSED) fprintf(stderr, "%s: %s: %s\n", group, tests[i].name, ends[ended]);
    failed += ended == CMOCKA_FAILED;
  }
  return failed + (teardown && teardown(&group_state) != 0);
}
#define cmocka_run_group_tests_name(name, tests, setup, teardown) \
  cmocka_run_group(name, tests, sizeof(tests) / sizeof((tests)[0]), setup, teardown)
#define cmocka_run_group_tests(tests, setup, teardown) cmocka_run_group_tests_name(#tests, tests, setup, teardown)

#endif
