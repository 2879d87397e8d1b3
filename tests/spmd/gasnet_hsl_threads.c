/* Handler-safe locks between threads, and between them and handlers, which any of the threads may run. */
#define GASNET_PAR 1
#include "gasnet_am.h"

#include <pthread.h>

enum { INCREMENT = 200, DONE, THREADS = 4, LOCAL = 2000, REMOTE = 100 };

static gex_HSL_t lock = GEX_HSL_INITIALIZER, answers_lock = GEX_HSL_INITIALIZER;
static long counter, answers; /* behind their locks */

static long read_behind(gex_HSL_t *behind, const long *value) {
  gex_HSL_Lock(behind);
  long now = *value;
  gex_HSL_Unlock(behind);
  return now;
}

static void increment(gex_Token_t token) {
  gex_HSL_Lock(&lock);
  counter++;
  gex_HSL_Unlock(&lock);
  gex_AM_ReplyShort0(token, DONE, 0);
}
static void done(gex_Token_t token) {
  (void)token;
  gex_HSL_Lock(&answers_lock);
  answers++;
  gex_HSL_Unlock(&answers_lock);
}

/* Not everywhere by waiting. */
static void increment_here(int i) {
  if (i % 2) gex_HSL_Lock(&lock);
  else
    for (int code; (code = gex_HSL_Trylock(&lock)) != GASNET_OK;) CHECK_EQ(code, GASNET_ERR_NOT_READY);
  counter++;
  gex_HSL_Unlock(&lock);
}

static void *alone(void *arg) {
  for (int i = 0; i < LOCAL; i++) increment_here(i);
  return arg;
}
static void *with_handlers(void *arg) {
  for (int i = 0; i < REMOTE; i++) {
    gex_AM_RequestShort0(all, (gex_Rank_t)((self + i) % units_n), INCREMENT, 0);
    increment_here(i);
  }
  GASNET_BLOCKUNTIL(read_behind(&answers_lock, &answers) == (long)THREADS * REMOTE);
  return arg;
}

static void run(void *(*work)(void *)) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
}

int main(int argc, char **argv) {
  gex_AM_Entry_t table[] = {
      {INCREMENT, (gex_AM_Fn_t)increment, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, 0, NULL, NULL},
      {DONE, (gex_AM_Fn_t)done, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REPLY, 0, NULL, NULL},
  };
  start(&argc, &argv, table, LENGTH(table), 0);
  run(alone);
  CHECK_EQ(counter, (long)THREADS * LOCAL);
  counter = 0;
  barrier();
  run(with_handlers);
  barrier();
  CHECK_EQ(counter, (long)THREADS * (REMOTE + (long)REMOTE));
  CHECK_EQ(answers, (long)THREADS * REMOTE);
  return finish();
}
