/* ARMCI: threads with handles of their own, plain and aggregate, while one of them waits for everything again and again. */
#include <armci.h>

#include <pthread.h>
#include <string.h>

#include "check.h"
#include "pattern.h"

#define OK(call) CHECK_EQ(call, 0)

enum { THREADS = 4, ROUNDS = 300, BYTES = 2048, PIECE = 64 };

static int self, units_n;
static char *memory[64];
static _Atomic int working_n;

/* What a thread has at a process. */
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
  }
  working_n--;
  return NULL;
}

int main(void) {
  if (ARMCI_Init_thread(MPI_THREAD_MULTIPLE)) return 77;
  self = armci_msg_me();
  units_n = armci_msg_nproc();
  OK(ARMCI_Malloc((void **)memory, (armci_size_t)units_n * THREADS * BYTES));
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
  OK(ARMCI_Free(memory[self]));
  OK(ARMCI_Finalize());
  return check_result();
}
