/* GASNet-EX with threads: VIS transfers by all of them at once, with events that other threads complete, implicit ones,
 * and puts that run a handler at their peer; each thread sets its own handler.
 * Group: gasnet_all_threads
 */
#define GASNET_PAR 1
#include "gasnet_am.h"

#include <gasnet_vis.h>
#include <pthread.h>
#include <stdatomic.h>

enum { ARRIVED = 180, THREADS_N = 4, ROUNDS = 24, PIECES = 60, ELEM = 12, PITCH = 20, BYTES = PIECES * PITCH };

static gex_Event_t handed[THREADS_N][ROUNDS];
static pthread_barrier_t meet;
static atomic_int arrived_n[THREADS_N];

/* The data to send has a place for each round, since another thread completes the put. */
static char here[THREADS_N][ROUNDS][PIECES * ELEM];

static char *place(int unit, int sender_thread, int round) {
  return segments[unit] + (size_t)(sender_thread * ROUNDS + round) * BYTES;
}

static void arrived(gex_Token_t token, void *data, size_t bytes) {
  int thread = -1;
  (void)token;
  CHECK_EQ(bytes, sizeof thread);
  memcpy(&thread, data, sizeof thread);
  atomic_fetch_add(&arrived_n[thread], 1);
}

static gex_Event_t put_listed(int to, int me, int round, bool vector) {
  void *list[PIECES], *one[] = {here[me][round]};
  gex_Memvec_t pieces[PIECES], whole[] = {{here[me][round], sizeof here[me][round]}};
  for (int i = 0; i < PIECES; i++) {
    list[i] = pieces[i].gex_addr = place(to, me, round) + i * PITCH;
    pieces[i].gex_len = ELEM;
  }
  if (vector) return gex_VIS_VectorPutNB(all, (gex_Rank_t)to, PIECES, pieces, 1, whole, 0);
  return gex_VIS_IndexedPutNB(all, (gex_Rank_t)to, PIECES, list, ELEM, 1, one, sizeof here[me][round], 0);
}

static const ptrdiff_t apart[] = {PITCH}, dense[] = {ELEM};
static const size_t pieces_n[] = {PIECES};

static gex_Event_t put(int to, int me, int round) {
  gex_Rank_t rank = (gex_Rank_t)to;
  switch (round % 4) {
  case 0: return gex_VIS_StridedPutNB(all, rank, place(to, me, round), apart, here[me][round], dense, ELEM, pieces_n, 1, 0);
  case 1: return put_listed(to, me, round, false);
  case 2: return put_listed(to, me, round, true);
  default:
    gex_VIS_SetPeerCompletionHandler(ARRIVED, &me, sizeof me, 0);
    CHECK_EQ(gex_VIS_StridedPutNBI(all, rank, place(to, me, round), apart, here[me][round], dense, ELEM, pieces_n, 1, 0), 0);
    gex_NBI_Wait(GEX_EC_PUT, 0);
    return GEX_EVENT_INVALID;
  }
}

static void get_back(int from, int me, int round) {
  char got[PIECES * ELEM];
  memset(got, 0, sizeof got);
  CHECK_EQ(gex_VIS_StridedGetNBI(all, got, dense, (gex_Rank_t)from, place(from, me, round), apart, ELEM, pieces_n, 1, 0), 0);
  gex_NBI_Wait(GEX_EC_GET, 0);
  CHECK_EQ(memcmp(got, here[me][round], sizeof got), 0);
}

static void *work(void *arg) {
  int me = *(const int *)arg, other = (me + 1) % THREADS_N, to = (self + 1) % units_n;
  for (int round = 0; round < ROUNDS; round++) {
    fill(here[me][round], (unsigned)(me * 100 + round), sizeof here[me][round]);
    handed[me][round] = put(to, me, round);
    if (round % 3 == 0) {
      gex_Event_Wait(handed[me][round]);
      handed[me][round] = GEX_EVENT_INVALID;
      get_back(to, me, round);
    }
  }
  pthread_barrier_wait(&meet);
  gex_Event_WaitAll(handed[other], ROUNDS, 0);
  pthread_barrier_wait(&meet);
  for (int round = 0; round < ROUNDS; round++) get_back(to, me, round);
  GASNET_BLOCKUNTIL(atomic_load(&arrived_n[me]) == ROUNDS / 4);
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t threads[THREADS_N];
  int numbers[THREADS_N];
  gex_AM_Entry_t table[] = {{ARRIVED, (gex_AM_Fn_t)arrived, GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REPLY, 0, NULL, NULL}};
  start(&argc, &argv, table, LENGTH(table), (size_t)THREADS_N * ROUNDS * BYTES);
  pthread_barrier_init(&meet, NULL, THREADS_N);
  for (int i = 0; i < THREADS_N; i++) {
    numbers[i] = i;
    if (pthread_create(&threads[i], NULL, work, &numbers[i])) abort();
  }
  for (int i = 0; i < THREADS_N; i++) pthread_join(threads[i], NULL);
  pthread_barrier_destroy(&meet);
  return finish();
}
