/* OpenSHMEM at SHMEM_THREAD_MULTIPLE: threads of each PE at once with contexts of their own and shared ones, in waits for other PEs
 * and for each other, with locks, and in collectives of different teams. */
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include "shmem_check.h"

enum { THREADS_N = 4, ROUNDS = 10, LOCKS_N = 4, WORDS_N = 50 };

static shmem_ctx_t common;
static shmem_team_t teams[THREADS_N];
static long *heap; /* WORDS_N words for each thread, twice */
static long arrived[THREADS_N], taken[THREADS_N], turn, counter, guarded, lock_;
static uint64_t signals[THREADS_N];
static int64_t source[THREADS_N][WORDS_N], dest[THREADS_N][WORDS_N];

static long value(int pe, int thread, int round, int i) { return ((pe * 100L + thread) * 100 + round) * 100 + i; }

/* Puts on a context of this thread; the same thread of the next PE sees them, and says so. */
static void use_own_context(int thread, shmem_ctx_t ctx) {
  long words[WORDS_N];
  long *at = heap + thread * WORDS_N;
  for (int round = 1; round <= ROUNDS; round++) {
    for (int i = 0; i < WORDS_N; i++) words[i] = value(me, thread, round, i);
    shmem_ctx_long_put_nbi(ctx, at, words, WORDS_N, next);
    shmem_ctx_fence(ctx);
    shmem_ctx_long_atomic_inc(ctx, &arrived[thread], next);
    shmem_long_wait_until(&arrived[thread], SHMEM_CMP_EQ, round);
    for (int i = 0; i < WORDS_N; i++) CHECK_EQ(at[i], value(previous, thread, round, i));
    shmem_ctx_long_atomic_set(ctx, &taken[thread], round, previous);
    shmem_long_wait_until(&taken[thread], SHMEM_CMP_GE, round);
    shmem_ctx_quiet(ctx);
  }
}

/* All threads use one context, and the default one: quiet completes what this thread has started, too. */
static void use_common_contexts(int thread) {
  long *at = heap + (THREADS_N + thread) * WORDS_N, words[WORDS_N], got[WORDS_N];
  for (int round = 1; round <= ROUNDS; round++) {
    for (int i = 0; i < WORDS_N; i++) words[i] = value(me, thread, round, i);
    if (round % 2) {
      shmem_ctx_long_put(common, at, words, WORDS_N, next);
      shmem_ctx_quiet(common);
    } else {
      shmem_long_put_nbi(at, words, WORDS_N, next);
      shmem_quiet();
    }
    shmem_ctx_long_get_nbi(common, got, at, WORDS_N, next);
    shmem_ctx_quiet(common);
    for (int i = 0; i < WORDS_N; i++) CHECK_EQ(got[i], value(me, thread, round, i));
    shmem_long_atomic_add(&counter, 1, round % pes);
    CHECK(shmem_long_atomic_fetch_add(&counter, 1, round % pes) >= round / pes);
  }
}

/* Data with a signal, for the same thread of the next PE. */
static void use_signals(int thread) {
  for (int round = 1; round <= ROUNDS; round++) {
    const long word = value(me, thread, round, 0);
    shmem_long_put_signal(heap + thread * WORDS_N, &word, 1, &signals[thread], 1, SHMEM_SIGNAL_ADD, next);
    CHECK_EQ(shmem_signal_wait_until(&signals[thread], SHMEM_CMP_EQ, (uint64_t)round), round);
    CHECK_EQ(heap[thread * WORDS_N], value(previous, thread, round, 0));
    shmem_long_atomic_inc(&taken[thread], previous);
    shmem_long_wait_until(&taken[thread], SHMEM_CMP_GE, ROUNDS + round);
  }
}

/* The threads of a PE wait for each other. */
static void take_turns(int thread) {
  for (int round = 0; round < ROUNDS; round++) {
    shmem_long_wait_until(&turn, SHMEM_CMP_EQ, (long)round * THREADS_N + thread);
    shmem_long_atomic_inc(&turn, me);
  }
}

static void use_lock(void) {
  for (int round = 0; round < LOCKS_N; round++) {
    if (round % 2) shmem_set_lock(&lock_);
    else while (shmem_test_lock(&lock_)) sched_yield();
    const long seen = shmem_long_g(&guarded, pes - 1);
    shmem_long_p(&guarded, seen + 1, pes - 1);
    shmem_clear_lock(&lock_);
  }
}

/* A team of this thread, and teams that are made of it meanwhile. */
static void use_team(int thread) {
  shmem_team_t back;
  for (int round = 0; round < ROUNDS; round++) {
    for (int i = 0; i < WORDS_N; i++) source[thread][i] = me + i;
    OK(shmem_int64_sum_reduce(teams[thread], dest[thread], source[thread], WORDS_N));
    for (int i = 0; i < WORDS_N; i++) CHECK_EQ(dest[thread][i], pes * i + pes * (pes - 1) / 2);
    OK(shmem_team_sync(teams[thread]));
    if (round % 5) continue;
    OK(shmem_team_split_strided(teams[thread], pes - 1, -1, pes, NULL, 0, &back));
    source[thread][0] = me;
    OK(shmem_int64_broadcast(back, dest[thread], source[thread], 1, 0));
    CHECK_EQ(dest[thread][0], pes - 1);
    shmem_team_destroy(back);
  }
}

/* A thread waits for a plain store, which rings no doorbell, while another one of its PE sleeps in a call that needs the first. */
static long stored, may_sync;
static void *sync_team(void *arg) {
  OK(shmem_team_sync(teams[0]));
  return arg;
}
static void *await_store(void *arg) {
  shmem_long_wait_until(&stored, SHMEM_CMP_EQ, 1);
  return arg;
}
static void wait_behind(void) {
  enum { TO_SLEEP_US = 20000 /* so that they sleep, as a rule; the result does not depend on it */ };
  pthread_t waits, syncs;
  if (me != 0) {
    shmem_long_wait_until(&may_sync, SHMEM_CMP_EQ, 1);
    sync_team(NULL);
    return;
  }
  CHECK_EQ(pthread_create(&syncs, NULL, sync_team, NULL), 0);
  usleep(TO_SLEEP_US);
  CHECK_EQ(pthread_create(&waits, NULL, await_store, NULL), 0);
  usleep(TO_SLEEP_US);
  __atomic_store_n(&stored, 1, __ATOMIC_RELEASE);
  CHECK_EQ(pthread_join(waits, NULL), 0);
  for (int pe = 1; pe < pes; pe++) shmem_long_atomic_set(&may_sync, 1, pe);
  CHECK_EQ(pthread_join(syncs, NULL), 0);
}

/* Collectives of one active set by several threads, each with a pSync of its own. */
static void use_active_set(int thread) {
  static long syncs[THREADS_N][SHMEM_REDUCE_SYNC_SIZE], works[THREADS_N][SHMEM_REDUCE_MIN_WRKDATA_SIZE], sums[THREADS_N],
      ones[THREADS_N];
  for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; i++) syncs[thread][i] = SHMEM_SYNC_VALUE;
  for (int n = pes; n > 0 && me < n; n--) {
    for (int round = 1; round <= ROUNDS; round++) {
      ones[thread] = round;
      shmem_long_sum_to_all(&sums[thread], &ones[thread], 1, 0, 0, n, works[thread], syncs[thread]);
      CHECK_EQ(sums[thread], n * round);
    }
  }
}

static void *run_thread(void *arg) {
  const int thread = *(const int *)arg;
  shmem_ctx_t ctx;
  OK(shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx));
  use_own_context(thread, ctx);
  use_common_contexts(thread);
  use_signals(thread);
  take_turns(thread);
  use_lock();
  use_team(thread);
  use_active_set(thread);
  shmem_ctx_destroy(ctx);
  return NULL;
}

int main(void) {
  int level = -1, numbers[THREADS_N];
  pthread_t threads[THREADS_N];
  OK(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &level));
  start();
  if (level < SHMEM_THREAD_MULTIPLE) {
    shmem_finalize();
    return finish() ? EXIT_FAILURE : check_skip();
  }
  heap = shmem_calloc(2 * THREADS_N * WORDS_N, sizeof *heap);
  OK(shmem_ctx_create(0, &common));
  for (int i = 0; i < THREADS_N; i++) OK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, pes, NULL, 0, &teams[i]));
  shmem_barrier_all();
  for (int i = 0; i < THREADS_N; i++) {
    numbers[i] = i;
    CHECK_EQ(pthread_create(&threads[i], NULL, run_thread, &numbers[i]), 0);
  }
  for (int i = 0; i < THREADS_N; i++) CHECK_EQ(pthread_join(threads[i], NULL), 0);
  shmem_barrier_all();
  wait_behind();
  for (int pe = 0, all = 0; pe < pes; pe++) {
    all += (int)shmem_long_atomic_fetch(&counter, pe);
    if (pe == pes - 1) CHECK_EQ(all, 2 * ROUNDS * THREADS_N * pes);
  }
  CHECK_EQ(shmem_long_g(&guarded, pes - 1), LOCKS_N * THREADS_N * pes);
  shmem_barrier_all();
  shmem_ctx_destroy(common);
  shmem_free(heap);
  shmem_finalize();
  return finish();
}
