/* OpenSHMEM: threads that change static variables before, during and after shmem_init. The argument says which PEs have such
 * threads: all, or the last. mpi: MPI is up before, and no PE has threads. */
#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <shmem.h>

#include "../spmd/check.h"

enum { THREADS_N = 2, ROUNDS = 1000, REMOTE_N = 100 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long counted; /* as touched with the lock */
static atomic_long added;
static atomic_bool ends;
static unsigned char touched[1 << 20]; /* pages whose copy takes a while */

static void *count(void *result) {
  long n = 0;
  for (; !atomic_load(&ends); n++) {
    pthread_mutex_lock(&lock);
    counted++;
    touched[n * 4096 % (long)sizeof touched]++;
    pthread_mutex_unlock(&lock);
    atomic_fetch_add(&added, 1);
  }
  *(long *)result = n;
  return NULL;
}

/* The threads have come this far since the call began. */
static void await_rounds(void) {
  const long begin = atomic_load(&added);
  while (atomic_load(&added) < begin + ROUNDS) sched_yield();
}

/* Before the start the launcher's variables tell. */
static bool is_last(void) {
  const char *rank = getenv("PMI_RANK"), *size = getenv("PMI_SIZE");
  if (!rank) rank = getenv("OMPI_COMM_WORLD_RANK");
  if (!size) size = getenv("OMPI_COMM_WORLD_SIZE");
  return rank && size && atoi(rank) == atoi(size) - 1;
}

/* Atomics of another PE on a variable that the threads change. */
static void add_to_next(int next) {
  for (int i = 0; i < REMOTE_N; i++) shmem_long_atomic_inc((long *)&added, next);
  shmem_barrier_all();
}

int main(int argc, char **argv) {
  const char *which = argc > 1 ? argv[1] : "all";
  const bool mpi = !strcmp(which, "mpi"), counts = !strcmp(which, "all") || (!mpi && is_last());
  pthread_t threads[THREADS_N];
  long results[THREADS_N] = {0}, sum = 0;
  if (mpi) MPI_Init(&argc, &argv);
  for (int i = 0; counts && i < THREADS_N; i++) CHECK_EQ(pthread_create(&threads[i], NULL, count, &results[i]), 0);
  if (counts) await_rounds();
  shmem_init();
  const int next = (shmem_my_pe() + 1) % shmem_n_pes();
  if (counts) await_rounds();
  if (shmem_n_pes() > 1 && !getenv("TESSERA_VIRTUAL_NODES")) CHECK_EQ(shmem_ptr(&counted, next) != NULL, mpi);
  add_to_next(next);
  atomic_store(&ends, true);
  for (int i = 0; counts && i < THREADS_N; i++) CHECK_EQ(pthread_join(threads[i], NULL), 0);
  for (int i = 0; i < THREADS_N; i++) sum += results[i];
  CHECK_EQ(counted, sum);
  CHECK_EQ(atomic_load(&added), sum + REMOTE_N);
  shmem_finalize();
  if (mpi) MPI_Finalize();
  return check_result();
}
