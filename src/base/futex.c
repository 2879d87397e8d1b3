#include "base/futex.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

static struct timespec time_of(uint64_t ns) {
  return (struct timespec){.tv_sec = (time_t)(ns / 1000000000u), .tv_nsec = (long)(ns % 1000000000u)};
}

/* By default the kernel lets a thread oversleep by 50 microseconds, which is longer than most backoffs. */
static void be_punctual(uint64_t timeout_ns) {
  static _Thread_local bool is_punctual;
  if (is_punctual || timeout_ns >= 1000000u) return;
  is_punctual = true;
  prctl(PR_SET_TIMERSLACK, 1000ul, 0ul, 0ul, 0ul);
}

void tsr_futex_wait(tsr_word *word, uint32_t expected, uint64_t timeout_ns) {
  be_punctual(timeout_ns);
  struct timespec limit = time_of(timeout_ns);
  int saved = errno;
  syscall(SYS_futex, word, FUTEX_WAIT, expected, timeout_ns == TSR_UNTIMED ? NULL : &limit, NULL, 0);
  errno = saved;
}

int tsr_futex_wake(tsr_word *word, int sleepers_n) {
  int saved = errno;
  long woken_n = syscall(SYS_futex, word, FUTEX_WAKE, sleepers_n, NULL, NULL, 0);
  errno = saved;
  return woken_n < 0 ? 0 : (int)woken_n;
}

#ifdef SYS_futex_waitv
/* `until`: by the monotonic clock; NULL: without end. */
static long wait_pair(tsr_word *const words[2], const uint32_t expected[2], const struct timespec *until) {
  struct futex_waitv pair[2];
  for (int i = 0; i < 2; i++)
    pair[i] = (struct futex_waitv){.val = expected[i], .uaddr = (uintptr_t)words[i], .flags = FUTEX_32};
  return syscall(SYS_futex_waitv, pair, 2, 0, until, CLOCK_MONOTONIC);
}

/* The second word is not as expected: a kernel that has the call returns EAGAIN. */
bool tsr_futex_has_pairs(void) {
  tsr_word words[2] = {0, 0};
  int saved = errno;
  bool has = wait_pair((tsr_word *const[2]){&words[0], &words[1]}, (uint32_t[2]){0, 1}, NULL) < 0 && errno == EAGAIN;
  errno = saved;
  return has;
}

void tsr_futex_wait_pair(tsr_word *const words[2], const uint32_t expected[2], uint64_t timeout_ns) {
  be_punctual(timeout_ns);
  bool is_timed = timeout_ns != TSR_UNTIMED;
  struct timespec until = time_of(is_timed ? tsr_clock_ns() + timeout_ns : 0);
  int saved = errno;
  wait_pair(words, expected, is_timed ? &until : NULL);
  errno = saved;
}
#else
bool tsr_futex_has_pairs(void) { return false; }

void tsr_futex_wait_pair(tsr_word *const words[2], const uint32_t expected[2], uint64_t timeout_ns) {
  tsr_futex_wait(words[0], expected[0], timeout_ns); /* never called */
}
#endif
