/* Notifications of ARMCI: they arrive after the puts before them, each is counted, and every process has its own count.
 * Group: armci_calls
 */
#include <armci.h>

#include "check.h"

#define OK(call) CHECK_EQ(call, 0)

enum { ROUNDS = 40, WORDS = 3000 };

static int me, procs_n;
static void *parts[64];

static long word_of(int round, int i) { return (long)round * WORDS + i; }

/* Around the ring: the data of each round has arrived with its notification; the answer tells that it was read. With
 * one or two processes both go the same way, in turns. */
static void follows_puts(void) {
  static long data[WORDS];
  int next = (me + 1) % procs_n, before = (me + procs_n - 1) % procs_n, number = 0;
  const long *mine = parts[me];
  for (int round = 1; round <= ROUNDS; round++) {
    int n = round % 2 ? 1 : WORDS, expected = before == next ? 2 * round - 1 : round;
    for (int i = 0; i < n; i++) data[i] = word_of(round, i);
    OK(ARMCI_Put(data, parts[next], n * (int)sizeof(long), next));
    CHECK_EQ(armci_notify(next), expected);
    int come = armci_notify_wait(before, &number);
    CHECK_EQ(number, expected);
    CHECK(come >= expected && come <= (before == next ? 2 * round : round));
    int wrong = 0;
    for (int i = 0; i < n; i++) wrong += mine[i] != word_of(round, i);
    CHECK_EQ(wrong, 0);
    parmci_notify(before);
    come = parmci_notify_wait(next, NULL);
    CHECK(come >= (before == next ? 2 * round : round)); /* more, if that process is ahead */
  }
}

/* All processes notify all, some several times before any waits; also themselves. */
static void counts_each(void) {
  int told[64], awaited[64];
  for (int to = 0; to < procs_n; to++) {
    int first = armci_notify(to);
    for (int i = 0; i < to; i++) told[to] = armci_notify(to);
    if (to) CHECK_EQ(told[to], first + to);
  }
  armci_msg_barrier();
  for (int from = procs_n - 1; from >= 0; from--) {
    int first, come = armci_notify_wait(from, &first);
    for (int i = 0; i < me; i++) come = armci_notify_wait(from, &awaited[from]);
    if (me) CHECK_EQ(awaited[from], first + me);
    CHECK_EQ(come, first + me);
  }
}

static void refuses(void) {
  CHECK(armci_notify(-1) < 0);
  CHECK(armci_notify(procs_n) < 0);
  CHECK(armci_notify_wait(procs_n, NULL) < 0);
}

int main(void) {
  OK(ARMCI_Init());
  me = armci_msg_me();
  procs_n = armci_msg_nproc();
  OK(ARMCI_Malloc(parts, WORDS * (armci_size_t)sizeof(long)));
  follows_puts();
  counts_each();
  refuses();
  ARMCI_Barrier();
  OK(ARMCI_Free(parts[me]));
  OK(ARMCI_Finalize());
  return check_result();
}
