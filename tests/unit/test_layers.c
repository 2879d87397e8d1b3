/* The table of layers: each row's functions run, and one row too many ends the process instead of writing out of bounds. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <stdbool.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/layers.h"

static int inits_n, quiesces_n, stops_n, progress_n;
static void init(void) { inits_n++; }
static void quiesce(void) { quiesces_n++; }
static void stop(void) { stops_n++; }
static int progress(void) { return ++progress_n; }
static bool is_needy;
static bool needs_clock(void) { return is_needy; }

static const struct tsr_layer full = {"full", init, quiesce, stop, progress, needs_clock}, empty = {.name = "empty"};

static void each_row_starts_and_stops(void **state) {
  (void)state;
  tsr_layers_register(&full);
  tsr_layers_register(&empty);
  tsr_layers_register(&full);
  tsr_layers_init();
  tsr_layers_quiesce();
  tsr_layers_stop();
  assert_int_equal(inits_n, 2);
  assert_int_equal(quiesces_n, 2);
  assert_int_equal(stops_n, 2);
  assert_int_equal(tsr_layers_progress(), 1 + 2);
  assert_false(tsr_layers_need_clock());
  is_needy = true;
  assert_true(tsr_layers_need_clock());
}

static void one_too_many_ends_the_process(void **state) {
  (void)state;
  int status = 0;
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    signal(SIGABRT, SIG_DFL); /* not cmocka's */
    for (int i = 0; i <= TSR_LAYERS_MAX; i++) tsr_layers_register(&empty);
    _exit(0);
  }
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(each_row_starts_and_stops),
    cmocka_unit_test(one_too_many_ends_the_process),
  };
  return cmocka_run_group_tests_name("layers", tests, NULL, NULL);
}
