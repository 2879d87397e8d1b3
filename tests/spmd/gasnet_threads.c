/* GASNet-EX with threads: each has its own implicit operations and access regions; events are passed from thread to
 * thread.
 * Group: gasnet_all_threads
 */
#define GASNET_PAR 1
#include "gasnet_check.h"

#include <pthread.h>

enum { THREADS_N = 4, ROUNDS = 50, BYTES = 48, N = 20 };

static gex_Event_t handed[THREADS_N][ROUNDS];
static gasnet_threadinfo_t infos[THREADS_N];
static pthread_barrier_t meet;

static char *place(gex_Rank_t rank, long thread, int round, int i) {
  return base(rank) + (((size_t)thread * ROUNDS + (size_t)round) * N + (size_t)i) * BYTES;
}

static void *work(void *arg) {
  long me = (long)arg, next = (me + 1) % THREADS_N;
  gex_Rank_t to = right_of(self);
  infos[me] = GASNET_GET_THREADINFO();
  static _Thread_local char here[ROUNDS][N][BYTES];
  for (int round = 0; round < ROUNDS; round++) {
    bool region = round % 3 == 0;
    if (region) gex_NBI_BeginAccessRegion(0);
    for (int i = 0; i < N - 1; i++) {
      fill(here[round][i], (unsigned)(me * 1000 + round * 10 + i), BYTES);
      gex_RMA_PutNBI(tm, to, place(to, me, round, i), here[round][i], BYTES, GEX_EVENT_DEFER, 0);
    }
    if (region) {
      gex_Event_t event = gex_NBI_EndAccessRegion(0);
      OK(gex_NBI_Test(GEX_EC_ALL, 0));
      gex_Event_Wait(event);
    } else {
      gex_NBI_Wait(GEX_EC_PUT, 0);
    }
    fill(here[round][N - 1], (unsigned)(me * 1000 + round * 10 + N - 1), BYTES);
    handed[me][round] = gex_RMA_PutNB(tm, to, place(to, me, round, N - 1), here[round][N - 1], BYTES, GEX_EVENT_DEFER, 0);
  }
  pthread_barrier_wait(&meet);
  gex_Event_WaitAll(handed[next], ROUNDS, 0);
  for (int i = 0; i < THREADS_N; i++) CHECK_EQ(infos[i] == GASNET_GET_THREADINFO(), i == me);
  pthread_barrier_wait(&meet);
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t threads[THREADS_N];
  start(&argc, &argv);
  attach((size_t)THREADS_N * ROUNDS * N * BYTES);
  pthread_barrier_init(&meet, NULL, THREADS_N);
  for (long i = 0; i < THREADS_N; i++) {
    if (pthread_create(&threads[i], NULL, work, (void *)i)) abort();
  }
  for (int i = 0; i < THREADS_N; i++) pthread_join(threads[i], NULL);
  pthread_barrier_destroy(&meet);
  barrier();
  for (long thread = 0; thread < THREADS_N; thread++)
    for (int round = 0; round < ROUNDS; round++)
      for (int i = 0; i < N; i++)
        CHECK_EQ(wrong(place(self, thread, round, i), (unsigned)(thread * 1000 + round * 10 + i), BYTES), 0);
  barrier();
  return finish();
}
