/* GASNet's tools in a program that is no part of any job, with threads. */
#include <pthread.h>
#include <signal.h>

#include <gasnet_tools.h>

#include "gasnet_tools_check.h"

#if !GASNETT_THREAD_SAFE
#error "a program that includes pthread.h has threads"
#endif

enum { THREADS_N = 4, TURNS_N = 1000 };

static gasnett_atomic64_t up = gasnett_atomic64_init(0);
static gasnett_atomic_t turnstile = gasnett_atomic_init(0);
static gasnett_mutex_t mutex = GASNETT_MUTEX_INITIALIZER;
static gasnett_cond_t all_here = GASNETT_COND_INITIALIZER;
static int here_n, guarded, spin_guarded;
GASNETT_THREADKEY_DEFINE(own_key);

static void *run(void *arg) {
  CHECK(gasnett_threadkey_get(own_key) == NULL);
  gasnett_threadkey_set(own_key, arg);
  gasnett_mutex_lock(&mutex);
  if (++here_n == THREADS_N) gasnett_cond_broadcast(&all_here);
  while (here_n < THREADS_N) gasnett_cond_wait(&all_here, &mutex);
  gasnett_mutex_unlock(&mutex);
  for (int i = 0; i < TURNS_N; i++) {
    gasnett_atomic64_add(&up, 3, 0);
    gasnett_atomic64_decrement(&up, GASNETT_ATOMIC_REL);
    gasnett_mutex_lock(&mutex);
    guarded++;
    gasnett_mutex_unlock(&mutex);
    while (!gasnett_atomic_compare_and_swap(&turnstile, 0, 1, GASNETT_ATOMIC_ACQ_IF_TRUE)) gasnett_sched_yield();
    spin_guarded++;
    gasnett_atomic_set(&turnstile, 0, GASNETT_ATOMIC_REL);
  }
  CHECK(gasnett_threadkey_get(own_key) == arg);
  return NULL;
}

int main(void) {
  all_tools();
  pthread_t threads[THREADS_N];
  int own[THREADS_N];
  for (int i = 0; i < THREADS_N; i++) CHECK_EQ(pthread_create(&threads[i], NULL, run, &own[i]), 0);
  for (int i = 0; i < THREADS_N; i++) CHECK_EQ(pthread_join(threads[i], NULL), 0);
  CHECK_EQ(gasnett_atomic64_read(&up, GASNETT_ATOMIC_ACQ), 2 * THREADS_N * TURNS_N);
  CHECK_EQ(guarded, THREADS_N * TURNS_N);
  CHECK_EQ(spin_guarded, THREADS_N * TURNS_N);
  return check_result();
}
