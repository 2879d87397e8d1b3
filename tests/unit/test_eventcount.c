/* An eventcount wakes its listeners in a tree. The listeners are processes that sleep as units do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/config.h"
#include "base/wait.h"
#include "spmd/process_state.h"

enum { LISTENERS_N = 22, WOKEN_BY_EACH = 4, STRIKER = LISTENERS_N, PROCESSES_N };

static struct shared {
  tsr_eventcount eventcount;
  _Atomic uint32_t news_n;
  _Atomic int32_t awake_n;
  tsr_word bells[PROCESSES_N];
  struct tsr_wait_why whys[PROCESSES_N];
  _Atomic int wakes_n[PROCESSES_N], woken_n[PROCESSES_N]; /* the eventcount calls of each listener, and their results */
  _Atomic int woken_most;
  _Atomic uint32_t acked[PROCESSES_N]; /* last sequence number of each listener */
} *shared;
static int self = STRIKER;

/* The linker puts this function between the waits and the kernel. */
int __real_tsr_futex_wake(tsr_word *word, int sleepers_n);
int __wrap_tsr_futex_wake(tsr_word *word, int sleepers_n);
int __wrap_tsr_futex_wake(tsr_word *word, int sleepers_n) {
  int woken_n = __real_tsr_futex_wake(word, sleepers_n);
  if (shared && word == &shared->eventcount.sequence) {
    atomic_fetch_add(&shared->wakes_n[self], 1);
    atomic_fetch_add(&shared->woken_n[self], woken_n);
    if (woken_n > atomic_load(&shared->woken_most)) atomic_store(&shared->woken_most, woken_n);
  }
  return woken_n;
}

static void be(int process) {
  self = process;
  tsr_wait_install(&(struct tsr_wait_env){.bell = &shared->bells[self], .awake_n = &shared->awake_n, .why = &shared->whys[self],
                                          .cores_n = 1 /* no listener spins */});
}

static bool has_come(const void *goal) { return atomic_load(&shared->news_n) >= *(const uint32_t *)goal; }

_Noreturn static void listen(int process, uint32_t rounds_n) {
  be(process);
  for (uint32_t round = 1; round <= rounds_n; round++) {
    tsr_wait_slow(has_come, &round, (struct tsr_wait_why){TSR_WAIT_BARRIER, 0, round}, &shared->eventcount);
    atomic_store(&shared->acked[self], round);
  }
  _exit(0);
}

static pid_t pids[LISTENERS_N];

static void begin(uint32_t rounds_n) {
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert_ptr_not_equal(shared, MAP_FAILED);
  atomic_store(&shared->awake_n, PROCESSES_N);
  be(STRIKER);
  for (int i = 0; i < LISTENERS_N; i++) {
    pids[i] = fork();
    assert_true(pids[i] >= 0);
    if (pids[i] == 0) listen(i, rounds_n);
  }
}

static void end(void) {
  for (int i = 0; i < LISTENERS_N; i++) {
    int status = -1;
    assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
    assert_int_equal(status, 0);
  }
  assert_int_equal(atomic_load(&shared->awake_n), PROCESSES_N);
  assert_int_equal(atomic_load(&shared->eventcount.waiters_n), 0);
  assert_int_equal(munmap(shared, sizeof *shared), 0);
  shared = NULL;
  tsr_wait_install(NULL);
}

static void await_all_asleep(void) {
  while (atomic_load(&shared->eventcount.waiters_n) != LISTENERS_N) usleep(1000);
  for (int i = 0; i < LISTENERS_N; i++)
    while (process_state(pids[i]) != 'S') usleep(1000);
}

static void await_acked(uint32_t round) {
  for (int i = 0; i < LISTENERS_N; i++)
    while (atomic_load(&shared->acked[i]) < round) usleep(100);
}

static void tell(void) {
  atomic_fetch_add(&shared->news_n, 1);
  assert_false(tsr_eventcount_signal_fenced(&shared->eventcount));
}

static bool kernel_has_pairs(void) {
  if (tsr_futex_has_pairs()) return true;
  print_message("this kernel has no futex_waitv: nobody listens to an eventcount\n");
  return false;
}

static void who_is_woken_wakes_others(void **state) {
  (void)state;
  if (!kernel_has_pairs()) skip();
  begin(1);
  await_all_asleep();
  tell();
  assert_int_equal(atomic_load(&shared->wakes_n[STRIKER]), 1);
  await_acked(1);
  int woken_n = 0, wakers_n = 0;
  for (int i = 0; i < PROCESSES_N; i++) {
    woken_n += atomic_load(&shared->woken_n[i]);
    wakers_n += atomic_load(&shared->woken_n[i]) > 0;
  }
  assert_int_equal(woken_n, LISTENERS_N);
  assert_int_equal(atomic_load(&shared->woken_n[STRIKER]), WOKEN_BY_EACH);
  assert_int_equal(atomic_load(&shared->woken_most), WOKEN_BY_EACH);
  assert_true(wakers_n >= (LISTENERS_N + WOKEN_BY_EACH - 1) / WOKEN_BY_EACH);
  end();
}

/* A doorbell may wake a listener that should pass the signal on. */
static void nobody_is_forgotten(void **state) {
  (void)state;
  enum { ROUNDS_N = 300 };
  if (!kernel_has_pairs()) skip();
  begin(ROUNDS_N);
  unsigned seed = 1;
  for (uint32_t round = 1; round <= ROUNDS_N; round++) {
    if (round % 8 == 0) await_all_asleep();
    for (int rings_n = rand_r(&seed) % (2 * WOKEN_BY_EACH); rings_n > 0; rings_n--)
      tsr_bell_ring(&shared->bells[rand_r(&seed) % LISTENERS_N]);
    tell();
    await_acked(round);
  }
  end();
}

int main(void) {
  tsr_config.watchdog_s = 0; /* no listener times out with an error */
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(who_is_woken_wakes_others),
      cmocka_unit_test(nobody_is_forgotten),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
