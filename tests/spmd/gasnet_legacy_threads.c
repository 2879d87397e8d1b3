/* GASNet-1 with threads: transfers of all kinds by each, handles that others complete, requests with replies, and
 * barriers whose halves are called by different threads while all continue. */
#define GASNET_PAR 1
#include "gasnet_legacy_check.h"

#include <pthread.h>
#include <stdatomic.h>

#include "pattern.h"

enum { ASK = 200, ANSWER, THREADS_N = 4, ROUNDS = 40, BYTES = 300, PARTS = 6 };

static pthread_barrier_t meet;
static gasnet_handle_t handed[THREADS_N];
static atomic_int answers_n[THREADS_N];

static char *place(int unit, int thread, int part) { return segment_of(unit) + (size_t)(thread * PARTS + part) * BYTES; }

static void ask(gasnet_token_t token, gasnet_handlerarg_t thread) {
  OK(gasnet_AMReplyShort1(token, ANSWER, thread));
}
static void answer(gasnet_token_t token, gasnet_handlerarg_t thread) {
  (void)token;
  atomic_fetch_add(&answers_n[thread], 1);
}

static void expect(int from, int me, int part, const char *data) {
  char got[BYTES];
  gasnet_get(got, (gasnet_node_t)from, place(from, me, part), BYTES);
  CHECK_EQ(memcmp(got, data, BYTES), 0);
}

static void transfer(int to, int me, int round, char *data) {
  gasnet_node_t node = (gasnet_node_t)to;
  fill(data, (unsigned)(me * 50 + round), BYTES);
  gasnet_put(node, place(to, me, 0), data, BYTES);
  gasnet_put_nbi(node, place(to, me, 1), data, BYTES);
  gasnet_put_nbi_bulk(node, place(to, me, 2), data, BYTES);
  gasnet_memset_nbi(node, place(to, me, 3), round, BYTES);
  gasnet_put_nbi_val(node, place(to, me, 4), (gasnet_register_value_t)round, 4);
  gasnet_wait_syncnbi_puts();
  for (int part = 0; part < 3; part++) expect(to, me, part, data);
  CHECK_EQ(gasnet_get_val(node, place(to, me, 4), 4), (gasnet_register_value_t)round);
  gasnet_valget_handle_t value = gasnet_get_nb_val(node, place(to, me, 3), 1);
  CHECK_EQ(gasnet_wait_syncnb_valget(value), (gasnet_register_value_t)round);
}

/* One thread notifies a barrier, and another one waits for its end. */
static void meet_all(int me, int round) {
  pthread_barrier_wait(&meet);
  if (me == round % THREADS_N) gasnet_barrier_notify(round, 0);
  pthread_barrier_wait(&meet);
  if (me == (round + 1) % THREADS_N) OK(gasnet_barrier_wait(round, 0));
}

static void *work(void *arg) {
  int me = *(const int *)arg, to = right_of(self);
  static char source[THREADS_N][BYTES];
  char data[BYTES];
  for (int round = 0; round < ROUNDS; round++) {
    OK(gasnet_AMRequestShort1((gasnet_node_t)to, ASK, (gasnet_handlerarg_t)me));
    transfer(to, me, round, data);
    fill(source[me], (unsigned)(me * 50 + round + 7), BYTES);
    handed[me] = gasnet_put_nb_bulk((gasnet_node_t)to, place(to, me, 5), source[me], BYTES);
    meet_all(me, round);
    gasnet_wait_syncnb(handed[(me + 1) % THREADS_N]);
    pthread_barrier_wait(&meet);
    expect(to, me, 5, source[me]);
  }
  GASNET_BLOCKUNTIL(atomic_load(&answers_n[me]) == ROUNDS);
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t threads[THREADS_N];
  int numbers[THREADS_N];
  gasnet_handlerentry_t table[] = {{ASK, (void (*)(void))ask}, {ANSWER, (void (*)(void))answer}};
  start(&argc, &argv, table, LENGTH(table), (size_t)THREADS_N * PARTS * BYTES);
  pthread_barrier_init(&meet, NULL, THREADS_N);
  for (int i = 0; i < THREADS_N; i++) {
    numbers[i] = i;
    if (pthread_create(&threads[i], NULL, work, &numbers[i])) abort();
  }
  for (int i = 0; i < THREADS_N; i++) pthread_join(threads[i], NULL);
  pthread_barrier_destroy(&meet);
  return finish();
}
