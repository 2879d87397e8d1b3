/* The replacements of glibc's own functions with other C libraries, compared with glibc's. */
#define TSR_PLAIN_LIBC
#define tsr_libc_signal_name plain_signal_name
#define tsr_libc_keep_loaded plain_keep_loaded
#define tsr_libc_on_exit plain_on_exit
#define tsr_libc_write_calls plain_write_calls
#define tsr_libc_prepare_calls plain_prepare_calls
#include "base/libc.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static void test_signal_names(void **state) {
  (void)state;
  int named_n = 0;
  for (int number = -1; number < 32; number++) {
    const char *name = tsr_libc_signal_name(number);
    if (!name) continue;
    named_n++;
    assert_string_equal(name, sigabbrev_np(number));
  }
  assert_int_equal(named_n, 30);
  assert_null(tsr_libc_signal_name(1000));
}

/* The last hook that was installed runs first, and the first one ends the child with the state that it finds. */
static void double_it(int code, void *arg) {
  if (code == 0) *(int *)arg *= 2;
}
static void end_with_it(int code, void *arg) {
  if (code == 0) _exit(*(int *)arg);
}

static void test_exit_hook(void **state) {
  (void)state;
  int status = 0;
  pid_t child = fork();
  if (child == 0) {
    static int answer = 21;
    tsr_libc_on_exit(end_with_it, &answer);
    tsr_libc_on_exit(double_it, &answer);
    exit(0);
  }
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 42);
}

static void test_calls(void **state) {
  (void)state;
  static char text[1 << 15];
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  tsr_libc_prepare_calls();
  assert_true(tsr_libc_write_calls(ends[1]));
  close(ends[1]);
  ssize_t bytes = read(ends[0], text, sizeof text - 1);
  assert_true(bytes > 0);
  assert_non_null(strstr(text, "test_libc("));
  close(ends[0]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_signal_names),
      cmocka_unit_test(test_exit_hook),
      cmocka_unit_test(test_calls),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
