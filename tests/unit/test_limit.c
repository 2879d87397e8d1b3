/* Limits of the system, as monitors raise them and as messages tell of them. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/limit.h"

enum { FEW = 40, MANY = 100 };

/* Opens descriptors; returns how many. Closes them. */
static int open_many(void) {
  int fds[MANY], n = 0, error = 0;
  while (n < MANY && (fds[n] = dup(STDERR_FILENO)) >= 0) n++;
  if (n < MANY) error = errno;
  for (int i = 0; i < n; i++) close(fds[i]);
  errno = error;
  return n;
}

static void descriptors_are_raised_to_what_is_allowed(void **state) {
  (void)state;
  struct rlimit before, now;
  assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
  if (before.rlim_max < 2 * MANY) skip();
  assert_int_equal(setrlimit(RLIMIT_NOFILE, &(struct rlimit){FEW, before.rlim_max}), 0);
  assert_true(open_many() < MANY);
  assert_int_equal(errno, EMFILE);
  tsr_limit_raise_descriptors();
  assert_int_equal(getrlimit(RLIMIT_NOFILE, &now), 0);
  assert_true(now.rlim_cur == before.rlim_max && now.rlim_max == before.rlim_max);
  assert_int_equal(open_many(), MANY);
  assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
}

/* An emulator of another processor keeps its own limit, and sets none. */
static void address_space_is_limited_or_not(void **state) {
  (void)state;
  struct rlimit before, now;
  assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
  if (before.rlim_max != RLIM_INFINITY) skip();
  assert_int_equal(setrlimit(RLIMIT_AS, &(struct rlimit){RLIM_INFINITY, RLIM_INFINITY}), 0);
  assert_false(tsr_limit_has_address_space());
  assert_int_equal(setrlimit(RLIMIT_AS, &(struct rlimit){(rlim_t)1 << 45, RLIM_INFINITY}), 0);
  if (getrlimit(RLIMIT_AS, &now) == 0 && now.rlim_cur == RLIM_INFINITY) skip();
  assert_true(tsr_limit_has_address_space());
  assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(descriptors_are_raised_to_what_is_allowed),
    cmocka_unit_test(address_space_is_limited_or_not),
  };
  return cmocka_run_group_tests_name("limit", tests, NULL, NULL);
}
