/* Mutexes of ARMCI among threads of several units: at any time one thread of all units holds a mutex.
 * Group: armci_demanding
 */
#include <armci.h>

#include <pthread.h>

#include "check.h"

enum { THREADS = 3, MUTEXES = 4, ROUNDS = 40 };

static int procs_n;
static void *counters[64];

static void *work(void *arg) {
  int number = *(int *)arg;
  for (int round = 0; round < ROUNDS; round++) {
    int proc = (number + round) % procs_n, mutex = round % MUTEXES;
    long *counter = (long *)counters[proc] + mutex, value = -1;
    ARMCI_Lock(mutex, proc);
    ARMCI_Get(counter, &value, sizeof value, proc);
    value++;
    ARMCI_Put(&value, counter, sizeof value, proc);
    ARMCI_Unlock(mutex, proc);
  }
  return NULL;
}

int main(void) {
  if (ARMCI_Init_thread(MPI_THREAD_MULTIPLE) != 0) return 77;
  int me = armci_msg_me(), numbers[THREADS];
  procs_n = armci_msg_nproc();
  CHECK_EQ(ARMCI_Malloc(counters, MUTEXES * (armci_size_t)sizeof(long)), 0);
  for (int i = 0; i < MUTEXES; i++) ((long *)counters[me])[i] = 0;
  CHECK_EQ(ARMCI_Create_mutexes(MUTEXES), 0);
  ARMCI_Barrier();
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) {
    numbers[i] = me + i;
    pthread_create(&threads[i], NULL, work, &numbers[i]);
  }
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  ARMCI_Barrier();
  long sum = 0;
  for (int i = 0; i < MUTEXES; i++) sum += ((long *)counters[me])[i];
  armci_msg_lgop(&sum, 1, "+");
  CHECK_EQ(sum, (long)procs_n * THREADS * ROUNDS);
  CHECK_EQ(ARMCI_Destroy_mutexes(), 0);
  CHECK_EQ(ARMCI_Free(counters[me]), 0);
  CHECK_EQ(ARMCI_Finalize(), 0);
  return check_result();
}
