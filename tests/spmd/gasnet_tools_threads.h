/* GASNet's tools between threads. The tools belong to the process, and none of them calls GASNet. */
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
static int local_n, guarded, spin_guarded, written, one_more_n;
GASNETT_THREADKEY_DEFINE(own_key);

static inline void meet(void) {
  gasnett_mutex_lock(&mutex);
  if (++local_n == THREADS_N) gasnett_cond_broadcast(&all_here);
  while (local_n < THREADS_N) gasnett_cond_wait(&all_here, &mutex);
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

/* ---- Locks that one thread holds, as another one sees them ---- */

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

/* ---- Each of two threads stores, and then loads the other's word: with a full barrier between, one of them sees the
 * store ---- */

enum { ROUNDS_N = 6000 };
static struct {
  char apart_0[128];
  int come_n;
  char apart_1[128];
  struct {
    gasnett_atomic_t at;
    char apart[128];
  } stored[2];
  int loaded[2];
} crossing;

/* The two threads leave at nearly the same time; the delay of one of them differs in every round. */
static inline void come(int me, int round) {
  int goal = 2 * round;
  __atomic_add_fetch(&crossing.come_n, 1, __ATOMIC_ACQ_REL);
  for (int i = 0; __atomic_load_n(&crossing.come_n, __ATOMIC_ACQUIRE) < goal; i++) {
    if (i < 100) gasnett_spinloop_hint();
    else gasnett_sched_yield();
  }
  for (int i = me ? round % 64 : round / 64 % 64; i > 0; i--) gasnett_compiler_fence();
}

/* In a program of one thread weak barriers have no effect between threads. */
#if GASNETT_THREAD_SAFE
#define BETWEEN_THREADS(kind) gasnett_weak_##kind()
#else
#define BETWEEN_THREADS(kind) gasnett_local_##kind()
#endif

static inline int store_and_load(gasnett_atomic_t *mine, gasnett_atomic_t *other, int value) {
  int in_set = value % 4 == 1 ? GASNETT_ATOMIC_MB_POST : 0, in_read = value % 4 == 2 ? GASNETT_ATOMIC_MB_PRE : 0;
  gasnett_atomic_set(mine, (gasnett_atomic_val_t)value, in_set);
  if (value % 4 == 0) gasnett_local_mb();
  if (value % 4 == 3) BETWEEN_THREADS(mb);
  return (int)gasnett_atomic_read(other, in_read);
}

static inline void *cross(void *arg) {
  int me = arg != NULL, round = 0;
  for (int i = 0; i < ROUNDS_N; i++) {
    come(me, ++round);
    crossing.loaded[me] = store_and_load(&crossing.stored[me].at, &crossing.stored[!me].at, i + 1);
    come(me, ++round);
    CHECK(crossing.loaded[0] == i + 1 || crossing.loaded[1] == i + 1);
  }
  return NULL;
}
static inline void crossings(void) {
  pthread_t thread;
  CHECK_EQ(pthread_create(&thread, NULL, cross, &mutex), 0);
  cross(NULL);
  CHECK_EQ(pthread_join(thread, NULL), 0);
}

/* ---- Stores before a write barrier are visible to a thread that sees a store after it and passes a read barrier ---- */

static int message, message_is_there;

static inline void *receive(void *arg) {
  (void)arg;
  for (int i = 1; i <= ROUNDS_N; i++) {
    while (__atomic_load_n(&message_is_there, __ATOMIC_RELAXED) < i) gasnett_sched_yield();
    if (i % 2) gasnett_local_rmb();
    else BETWEEN_THREADS(rmb);
    CHECK(__atomic_load_n(&message, __ATOMIC_RELAXED) >= i);
  }
  return NULL;
}
static inline void messages(void) {
  pthread_t thread;
  CHECK_EQ(pthread_create(&thread, NULL, receive, NULL), 0);
  for (int i = 1; i <= ROUNDS_N; i++) {
    __atomic_store_n(&message, i, __ATOMIC_RELAXED);
    if (i % 2) gasnett_local_wmb();
    else BETWEEN_THREADS(wmb);
    __atomic_store_n(&message_is_there, i, __ATOMIC_RELAXED);
  }
  CHECK_EQ(pthread_join(thread, NULL), 0);
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
  messages();
}

#endif
