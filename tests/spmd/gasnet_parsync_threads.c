/* GASNet-EX in the mode in which one thread at a time calls it: the threads pass a token, and its holder makes
 * transfers that another thread completes, messages, atomics and collectives. */
#define GASNET_PARSYNC 1
#include "gasnet_am.h"

#include <gasnet_ratomic.h>
#include <gasnet_vis.h>
#include <pthread.h>

enum { ASK = 160, ANSWER, THREADS_N = 4, ROUNDS = 60, BYTES = 700 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turn; /* the thread with this number, modulo the number of threads, has it */
static gex_AD_t domain;
static volatile int answers_n;

/* Passed from one turn to the next, and so from thread to thread. */
static gex_Event_t put, added;
static char source[BYTES];
static int64_t old;

static void ask(gex_Token_t token, void *data, size_t bytes) {
  gex_AM_ReplyMedium0(token, ANSWER, data, bytes, GEX_EVENT_NOW, 0);
}
static void answer(gex_Token_t token, void *data, size_t bytes) {
  (void)token;
  CHECK_EQ(bytes, BYTES);
  CHECK_EQ(memcmp(data, source, bytes), 0);
  answers_n = answers_n + 1;
}

static void begin(int i) {
  gex_Rank_t to = (gex_Rank_t)((self + 1) % units_n);
  const ptrdiff_t apart[] = {14}, dense[] = {7};
  const size_t pieces_n[] = {BYTES / 14};
  fill(source, (unsigned)i, BYTES);
  put = i % 2 ? gex_RMA_PutNB(all, to, segments[to] + PAGE, source, BYTES, GEX_EVENT_DEFER, 0)
              : gex_VIS_StridedPutNB(all, to, segments[to] + PAGE, apart, source, dense, 7, pieces_n, 1, 0);
  added = gex_AD_OpNB_I64(domain, &old, to, (int64_t *)(void *)segments[to], GEX_OP_FADD, 1, 0, 0);
  gex_AM_RequestMedium0(all, to, ASK, source, BYTES, GEX_EVENT_NOW, 0);
}

static void end(int i) {
  gex_Rank_t to = (gex_Rank_t)((self + 1) % units_n);
  gex_Event_Wait(put);
  gex_Event_Wait(added);
  CHECK_EQ(old, i);
  GASNET_BLOCKUNTIL(answers_n == i + 1);
  char got[7];
  gex_RMA_GetBlocking(all, got, to, segments[to] + PAGE, sizeof got, 0);
  CHECK_EQ(memcmp(got, source, sizeof got), 0);
  if (i % 8 == 0) barrier();
}

/* Turn i completes the operations of turn i - 1. */
static void inside(int i) {
  if (i > 0) end(i - 1);
  if (i < ROUNDS) begin(i);
}

static void *work(void *arg) {
  int me = *(const int *)arg;
  for (int i = me; i <= ROUNDS; i += THREADS_N) {
    pthread_mutex_lock(&lock);
    while (turn != i) pthread_cond_wait(&changed, &lock);
    inside(i);
    turn++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t threads[THREADS_N];
  int numbers[THREADS_N];
  gex_AM_Entry_t table[] = {{ASK, (gex_AM_Fn_t)ask, GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REQUEST, 0, NULL, NULL},
                            {ANSWER, (gex_AM_Fn_t)answer, GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REPLY, 0, NULL, NULL}};
  start(&argc, &argv, table, LENGTH(table), 3 * PAGE);
  gex_AD_Create(&domain, all, GEX_DT_I64, GEX_OP_FADD, 0);
  for (int i = 0; i < THREADS_N; i++) {
    numbers[i] = i;
    if (pthread_create(&threads[i], NULL, work, &numbers[i])) abort();
  }
  for (int i = 0; i < THREADS_N; i++) pthread_join(threads[i], NULL);
  gex_AD_Destroy(domain);
  return finish();
}
