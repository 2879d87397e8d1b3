/* ARMCI: threads with handles of their own, plain and aggregate, while one of them repeatedly waits for all operations;
 * and numbers to which all threads of all units add.
 * Group: armci_demanding
 */
#include <armci.h>

#include <pthread.h>
#include <string.h>

#include "check.h"
#include "pattern.h"

#define OK(call) CHECK_EQ(call, 0)

enum { THREADS = 4, ROUNDS = 150, BYTES = 2048, PIECE = 64 };

static int self, units_n;
enum { SUMS = 40, COUNTER = SUMS * sizeof(double), COMMON_BYTES = COUNTER + sizeof(long) };
static char *memory[64], *common[64];
static _Atomic int working_n;

/* A thread's area at a process. */
static char *place(int number, int unit) { return memory[unit] + (self * THREADS + number) * BYTES; }

static void put(const char *data, char *there, int unit, armci_hdl_t *plain, armci_hdl_t *aggregate, int round) {
  int stride = 2 * PIECE, count[2] = {PIECE, BYTES / (2 * PIECE)};
  if (round % 3 == 0) OK(ARMCI_NbPut((void *)data, there, BYTES, unit, plain));
  if (round % 3 == 1) {
    OK(ARMCI_NbPutS((void *)data, &stride, there, &stride, count, 1, unit, plain));
    OK(ARMCI_NbPutS((void *)(data + PIECE), &stride, there + PIECE, &stride, count, 1, unit, plain));
  }
  for (int at = 0; round % 3 == 2 && at < BYTES; at += PIECE)
    OK(ARMCI_NbPut((void *)(data + at), there + at, PIECE, unit, aggregate));
  OK(ARMCI_Wait(round % 3 == 2 ? aggregate : plain));
}

static void get(char *data, char *there, int unit, armci_hdl_t *plain) {
  OK(ARMCI_NbGet(there, data, BYTES, unit, plain));
  while (ARMCI_Test(plain)) continue;
}

/* Adds 2 to each sum of a process in one of three shapes, with all kinds of completion, and 1 to its counter. */
static void add(int unit, int round, armci_hdl_t *plain) {
  double ones[SUMS], two = 2, *sums = (double *)(void *)common[unit];
  int stride = 2 * sizeof(double), count[2] = {sizeof(double), SUMS / 2};
  void *from[SUMS], *to[SUMS];
  armci_giov_t giov = {.src_ptr_array = from, .dst_ptr_array = to, .bytes = sizeof(double), .ptr_array_len = SUMS};
  for (int i = 0; i < SUMS; i++) ones[i] = 1, from[i] = &ones[i], to[i] = &sums[SUMS - 1 - i];
  if (round % 3 == 0) OK(ARMCI_Acc(ARMCI_ACC_DBL, &two, ones, sums, sizeof ones, unit));
  for (int i = 0; round % 3 == 1 && i < 2; i++)
    OK(ARMCI_NbAccS(ARMCI_ACC_DBL, &two, ones + i, &stride, sums + i, &stride, count, 1, unit, plain));
  if (round % 3 == 2) OK(ARMCI_NbAccV(ARMCI_ACC_DBL, &two, &giov, 1, unit, NULL));
  long old, now, *counter = (long *)(void *)(common[unit] + COUNTER);
  OK(ARMCI_Rmw(ARMCI_FETCH_AND_ADD_LONG, &old, counter, 1, unit));
  OK(ARMCI_Rmw(ARMCI_FETCH_AND_ADD_LONG, &now, counter, 0, unit));
  CHECK(old < now);
  OK(round % 3 == 1 ? ARMCI_Wait(plain) : ARMCI_WaitProc(unit)); /* then `ones` may be freed */
}

static void *work(void *arg) {
  int number = *(int *)arg;
  char data[BYTES], back[BYTES];
  armci_hdl_t plain, aggregate;
  ARMCI_INIT_HANDLE(&plain);
  ARMCI_INIT_HANDLE(&aggregate);
  ARMCI_SET_AGGREGATE_HANDLE(&aggregate);
  for (int round = 0; round < ROUNDS; round++) {
    int unit = (self + number + round) % units_n;
    fill(data, (unsigned)(self + THREADS * round + number), BYTES);
    put(data, place(number, unit), unit, &plain, &aggregate, round);
    ARMCI_Fence(unit);
    get(back, place(number, unit), unit, &plain);
    CHECK_EQ(memcmp(data, back, BYTES), 0);
    add(unit, round, &plain);
  }
  working_n--;
  return NULL;
}

/* Every thread of each unit has added this often to the sums of this unit. */
static void check_sums(void) {
  long rounds_n = 0;
  const double *sums = (const double *)(void *)common[self];
  for (int unit = 0; unit < units_n; unit++)
    for (int number = 0; number < THREADS; number++)
      for (int round = 0; round < ROUNDS; round++) rounds_n += (unit + number + round) % units_n == self;
  for (int i = 0; i < SUMS; i++) CHECK_EQ((long)sums[i], 2 * rounds_n);
  CHECK_EQ(*(const long *)(const void *)(common[self] + COUNTER), rounds_n);
}

int main(void) {
  if (ARMCI_Init_thread(MPI_THREAD_MULTIPLE)) return 77;
  self = armci_msg_me();
  units_n = armci_msg_nproc();
  OK(ARMCI_Malloc((void **)memory, (armci_size_t)units_n * THREADS * BYTES));
  OK(ARMCI_Malloc((void **)common, COMMON_BYTES));
  memset(common[self], 0, COMMON_BYTES);
  ARMCI_Barrier();
  pthread_t threads[THREADS];
  int numbers[THREADS];
  working_n = THREADS;
  for (int i = 0; i < THREADS; i++) {
    numbers[i] = i;
    pthread_create(&threads[i], NULL, work, &numbers[i]);
  }
  for (int i = 0; working_n > 0; i++) OK(i % 2 ? ARMCI_WaitAll() : ARMCI_WaitProc(i / 2 % units_n));
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  ARMCI_Barrier();
  check_sums();
  OK(ARMCI_Free(common[self]));
  OK(ARMCI_Free(memory[self]));
  OK(ARMCI_Finalize());
  return check_result();
}
