/* What GASNet's tools do between threads. They are the process's own, and none of them calls GASNet. */
#ifndef GASNET_TOOLS_THREADS_H
#define GASNET_TOOLS_THREADS_H

#include <pthread.h>
#include <string.h>

#include "check.h"

enum { THREADS_N = 4, TURNS_N = 1000 };

static gasnett_atomic64_t up = gasnett_atomic64_init(0);
static gasnett_atomic_t turnstile = gasnett_atomic_init(0);
static gasnett_mutex_t mutex = GASNETT_MUTEX_INITIALIZER;
static gasnett_rwlock_t rwlock = GASNETT_RWLOCK_INITIALIZER;
static gasnett_cond_t all_here = GASNETT_COND_INITIALIZER, one_more;
static int here_n, guarded, spin_guarded, written, one_more_n;
GASNETT_THREADKEY_DEFINE(own_key);

static inline void meet(void) {
  gasnett_mutex_lock(&mutex);
  if (++here_n == THREADS_N) gasnett_cond_broadcast(&all_here);
  while (here_n < THREADS_N) gasnett_cond_wait(&all_here, &mutex);
  gasnett_mutex_unlock(&mutex);
}

static inline void take_turns(int turn) {
  gasnett_atomic64_add(&up, 3, 0);
  gasnett_atomic64_decrement(&up, GASNETT_ATOMIC_REL);
  gasnett_mutex_lock(&mutex);
  guarded++;
  gasnett_mutex_unlock(&mutex);
  while (!gasnett_atomic_compare_and_swap(&turnstile, 0, 1, GASNETT_ATOMIC_ACQ_IF_TRUE)) gasnett_sched_yield();
  spin_guarded++;
  gasnett_atomic_set(&turnstile, 0, GASNETT_ATOMIC_REL);
  if (turn % 4) {
    gasnett_rwlock_rdlock(&rwlock);
    CHECK_EQ(written % 2, 0);
  } else {
    gasnett_rwlock_wrlock(&rwlock);
    written++;
    written++;
  }
  gasnett_rwlock_unlock(&rwlock);
}

static inline void *run(void *arg) {
  CHECK(gasnett_threadkey_get(own_key) == NULL);
  gasnett_threadkey_set(own_key, arg);
  meet();
  for (int i = 0; i < TURNS_N; i++) take_turns(i);
  CHECK(gasnett_threadkey_get(own_key) == arg);
  return NULL;
}

/* ---- What one thread holds, as another one sees it ---- */

static inline void *try_held(void *arg) {
  (void)arg;
  CHECK(gasnett_mutex_trylock(&mutex) != 0);
  CHECK(gasnett_rwlock_tryrdlock(&rwlock) != 0);
  CHECK(gasnett_rwlock_trywrlock(&rwlock) != 0);
  gasnett_mutex_assertunlocked(&mutex);
  gasnett_rwlock_assertunlocked(&rwlock);
  return NULL;
}
static inline void *try_read(void *arg) {
  (void)arg;
  gasnett_rwlock_assertunlocked(&rwlock);
  CHECK(gasnett_rwlock_trywrlock(&rwlock) != 0);
  CHECK_EQ(gasnett_rwlock_tryrdlock(&rwlock), 0);
  gasnett_rwlock_unlock(&rwlock);
  return NULL;
}
static inline void in_a_thread(void *(*work)(void *)) {
  pthread_t thread;
  CHECK_EQ(pthread_create(&thread, NULL, work, NULL), 0);
  CHECK_EQ(pthread_join(thread, NULL), 0);
}
static inline void holding(void) {
  gasnett_mutex_lock(&mutex);
  gasnett_rwlock_wrlock(&rwlock);
  in_a_thread(try_held);
  gasnett_rwlock_unlock(&rwlock);
  gasnett_mutex_unlock(&mutex);
  gasnett_rwlock_rdlock(&rwlock);
  in_a_thread(try_read);
  gasnett_rwlock_unlock(&rwlock);
}

/* ---- Two threads wake each other, one at a time ---- */

static inline void *go_on(void *arg) {
  int parity = arg != NULL;
  gasnett_mutex_lock(&mutex);
  while (one_more_n < TURNS_N) {
    if (one_more_n % 2 == parity) {
      one_more_n++;
      gasnett_cond_signal(&one_more);
    } else {
      gasnett_cond_wait(&one_more, &mutex);
      gasnett_mutex_assertlocked(&mutex);
    }
  }
  gasnett_mutex_unlock(&mutex);
  return NULL;
}
static inline void signals(void) {
  pthread_t thread;
  memset(&one_more, 0xff, sizeof one_more);
  gasnett_cond_init(&one_more);
  CHECK_EQ(pthread_create(&thread, NULL, go_on, &mutex), 0);
  go_on(NULL);
  CHECK_EQ(pthread_join(thread, NULL), 0);
  CHECK_EQ(one_more_n, TURNS_N);
  gasnett_cond_destroy(&one_more);
}

/* ---- Peterson's lock of two threads: without a full barrier both see the other one outside ---- */

enum { CROSSINGS_N = 20000 };
static volatile int wants[2], last_to_come;
static volatile long crossings_n;

static inline void *cross(void *arg) {
  int me = arg != NULL;
  for (int i = 0; i < CROSSINGS_N; i++) {
    __atomic_store_n(&wants[me], 1, __ATOMIC_RELAXED);
    __atomic_store_n(&last_to_come, me, __ATOMIC_RELAXED);
    if (i % 2) gasnett_local_mb();
    else gasnett_local_wmb(), gasnett_local_rmb(), gasnett_local_mb();
    while (__atomic_load_n(&wants[!me], __ATOMIC_RELAXED) && __atomic_load_n(&last_to_come, __ATOMIC_RELAXED) == me)
      gasnett_sched_yield();
    gasnett_local_rmb();
    long n = __atomic_load_n(&crossings_n, __ATOMIC_RELAXED);
    gasnett_spinloop_hint();
    __atomic_store_n(&crossings_n, n + 1, __ATOMIC_RELAXED);
    gasnett_local_wmb();
    __atomic_store_n(&wants[me], 0, __ATOMIC_RELAXED);
  }
  return NULL;
}
static inline void crossings(void) {
  pthread_t thread;
  CHECK_EQ(pthread_create(&thread, NULL, cross, &mutex), 0);
  cross(NULL);
  CHECK_EQ(pthread_join(thread, NULL), 0);
  CHECK_EQ(crossings_n, 2 * CROSSINGS_N);
}

static inline void between_threads(void) {
  pthread_t threads[THREADS_N];
  int own[THREADS_N];
  for (int i = 0; i < THREADS_N; i++) CHECK_EQ(pthread_create(&threads[i], NULL, run, &own[i]), 0);
  for (int i = 0; i < THREADS_N; i++) CHECK_EQ(pthread_join(threads[i], NULL), 0);
  CHECK_EQ(gasnett_atomic64_read(&up, GASNETT_ATOMIC_ACQ), 2 * THREADS_N * TURNS_N);
  CHECK_EQ(guarded, THREADS_N * TURNS_N);
  CHECK_EQ(spin_guarded, THREADS_N * TURNS_N);
  CHECK_EQ(written, THREADS_N * TURNS_N / 2);
  holding();
  signals();
  crossings();
}

#endif
