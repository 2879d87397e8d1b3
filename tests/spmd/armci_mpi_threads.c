/* ARMCI_Init in a program that has started MPI with MPI_THREAD_MULTIPLE: several threads may call, each with handles of its own, as
 * threads of Global Arrays do. armci_own_mpi has the program that starts MPI by MPI_Init. */
#include "armci_check.h"

#include <mpi.h>
#include <pthread.h>

#include "core/runtime.h"

enum { THREADS = 4, ROUNDS = 200, BYTES = 64 };

static struct shared memory;

static void *get_often(void *arg) {
  const int number = *(int *)arg;
  char expected[BYTES], came[BYTES];
  armci_hdl_t handle;
  for (int round = 0; round < ROUNDS; round++) {
    int unit = (self + number + round) % units_n;
    fill(expected, (unsigned)unit, BYTES);
    memset(came, 0, BYTES);
    ARMCI_INIT_HANDLE(&handle);
    OK(ARMCI_NbGet(memory.of[unit], came, BYTES, unit, &handle));
    OK(ARMCI_Wait(&handle));
    CHECK_EQ(memcmp(came, expected, BYTES), 0);
  }
  return NULL;
}

int main(int argc, char **argv) {
  int level = MPI_THREAD_SINGLE, numbers[THREADS];
  pthread_t threads[THREADS];
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  CHECK_EQ(level, MPI_THREAD_MULTIPLE);
  OK(ARMCI_Init());
  learn_units();
  CHECK(tsr_threads);
  memory = share(BYTES);
  fill(memory.of[self], (unsigned)self, BYTES);
  ARMCI_Barrier();
  for (int i = 0; i < THREADS; i++) {
    numbers[i] = i;
    pthread_create(&threads[i], NULL, get_often, &numbers[i]);
  }
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  free_shared(&memory);
  OK(ARMCI_Finalize());
  MPI_Finalize();
  return check_result();
}
