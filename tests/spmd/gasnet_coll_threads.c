/* GASNet-EX with threads, each with its own team of all units: barriers, broadcasts and reductions, and teams that are
 * split from it, used and destroyed, while the other threads do the same.
 * Group: gasnet_all_threads
 */
#define GASNET_PAR 1
#include "gasnet_am.h"

#include <pthread.h>

enum { THREADS_N = 4, ROUNDS = 12, NUMBERS = 40 };

static gex_TM_t own[THREADS_N];

static void together(gex_TM_t team, int key) {
  gex_Rank_t me = gex_TM_QueryRank(team), n = gex_TM_QuerySize(team), root = (gex_Rank_t)key % n;
  int64_t in[NUMBERS], out[NUMBERS], least = -1, mine = (int64_t)me + key;
  for (int i = 0; i < NUMBERS; i++) in[i] = me == root ? key + i : -1;
  gex_Event_t events[3];
  events[0] = gex_Coll_BroadcastNB(team, root, out, in, sizeof in, 0);
  events[1] = gex_Coll_ReduceToAllNB(team, &least, &mine, GEX_DT_I64, sizeof mine, 1, GEX_OP_MIN, NULL, NULL, 0);
  events[2] = gex_Coll_BarrierNB(team, 0);
  gex_Event_WaitAll(events, 3, 0);
  for (int i = 0; i < NUMBERS; i++) CHECK_EQ(out[i], key + i);
  CHECK_EQ(least, key);
}

static void *work(void *arg) {
  int thread = *(const int *)arg;
  gex_TM_t team = own[thread];
  for (int round = 0; round < ROUNDS; round++) {
    gex_TM_t part = GEX_TM_INVALID;
    together(team, thread * 100 + round);
    gex_TM_Split(&part, team, self % 2, -self, NULL, 0, GEX_FLAG_TM_NO_SCRATCH);
    CHECK_EQ(gex_TM_QuerySize(part), (gex_Rank_t)(units_n + (self % 2 == 0)) / 2);
    CHECK_EQ(gex_TM_TranslateRankToJobrank(part, gex_TM_QueryRank(part)), (gex_Rank_t)self);
    together(part, thread * 100 + round);
    CHECK_EQ(gex_TM_Destroy(part, NULL, 0), 0);
  }
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t threads[THREADS_N];
  int numbers[THREADS_N];
  start(&argc, &argv, NULL, 0, PAGE);
  for (int i = 0; i < THREADS_N; i++) {
    numbers[i] = i;
    gex_TM_Split(&own[i], all, 0, self, NULL, 0, GEX_FLAG_TM_NO_SCRATCH);
  }
  for (int i = 0; i < THREADS_N; i++) {
    if (pthread_create(&threads[i], NULL, work, &numbers[i])) abort();
  }
  for (int i = 0; i < THREADS_N; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < THREADS_N; i++) CHECK_EQ(gex_TM_Destroy(own[i], NULL, 0), 0);
  return finish();
}
