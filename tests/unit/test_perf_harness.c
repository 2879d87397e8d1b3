/* The check of a measured copy: it ends the program if the pattern does not arrive. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static jmp_buf ended;
_Noreturn static void end_program(int code) { longjmp(ended, code); }

#define exit end_program
#include "../../tools/tessera-perf/harness.c"
#undef exit

enum { BYTES = 3000 };
static unsigned char source[BYTES], dest[BYTES];
static size_t copied_bytes, barriers_n;

static void copy(void *arg, uint64_t n) {
  (void)arg, (void)n;
  memcpy(dest, source, copied_bytes);
}
static void barrier(void) { barriers_n++; }

/* Whether the check lets a copy of so many bytes pass. */
static bool passes(size_t bytes) {
  const struct perf p = {.program = "test", .barrier = barrier};
  const struct perf_op op = {copy, NULL, 1, false};
  copied_bytes = bytes;
  if (setjmp(ended)) return false;
  perf_check_copy(&p, "a test of the check", &op, source, dest, BYTES);
  return true;
}

static void a_whole_copy_passes(void **state) {
  (void)state;
  assert_true(passes(BYTES));
  assert_int_equal(barriers_n, 3); /* the last one keeps the next operation away from the check */
}

static void a_short_copy_does_not(void **state) {
  (void)state;
  assert_false(passes(BYTES - 1));
  assert_false(passes(0));
}

static void a_unit_that_copies_to_itself_has_nothing_to_check(void **state) {
  (void)state;
  const struct perf p = {.program = "test", .barrier = barrier};
  barriers_n = 0;
  perf_check_copy(&p, "a test of the check", NULL, source, source, BYTES);
  assert_int_equal(barriers_n, 3); /* for the other units, which have nothing to check, either */
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_whole_copy_passes), cmocka_unit_test(a_short_copy_does_not),
                                     cmocka_unit_test(a_unit_that_copies_to_itself_has_nothing_to_check)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
