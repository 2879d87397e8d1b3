/* Handler-safe locks between threads, and between them and handlers, which any of the threads may run; one of them by
 * its old name.
 * Group: gasnet_all_threads
 */
#define GASNET_PAR 1
#include "gasnet_am.h"

#include <pthread.h>

enum { INCREMENT = 200, DONE, THREADS = 4, LOCAL = 2000, REMOTE = 100 };

static gex_HSL_t lock = GEX_HSL_INITIALIZER;
static gasnet_hsl_t answers_lock = GASNET_HSL_INITIALIZER;
static long counter, answers; /* guarded by their locks */

static long read_answers(void) {
  gasnet_hsl_lock(&answers_lock);
  long now = answers;
  gasnet_hsl_unlock(&answers_lock);
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
  gasnet_hsl_lock(&answers_lock);
  answers++;
  gasnet_hsl_unlock(&answers_lock);
}

/* Some threads try instead of waiting. */
static void increment_here(int i) {
  if (i % 2) gex_HSL_Lock(&lock);
  else
    for (int code; (code = gex_HSL_Trylock(&lock)) != GASNET_OK;) CHECK_EQ(code, GASNET_ERR_NOT_READY);
  counter++;
  gex_HSL_Unlock(&lock);
}
static void answer_here(int i) {
  if (i % 2) gasnet_hsl_lock(&answers_lock);
  else
    for (int code; (code = gasnet_hsl_trylock(&answers_lock)) != GASNET_OK;) CHECK_EQ(code, GASNET_ERR_NOT_READY);
  answers++;
  gasnet_hsl_unlock(&answers_lock);
}

static void *alone(void *arg) {
  for (int i = 0; i < LOCAL; i++) increment_here(i), answer_here(i);
  return arg;
}
static void *with_handlers(void *arg) {
  for (int i = 0; i < REMOTE; i++) {
    gex_AM_RequestShort0(all, (gex_Rank_t)((self + i) % units_n), INCREMENT, 0);
    increment_here(i);
  }
  GASNET_BLOCKUNTIL(read_answers() == (long)THREADS * REMOTE);
  return arg;
}

/* Locks that another thread holds. */
static gex_HSL_t held;
static gasnet_hsl_t old_held;
static void *try_held(void *arg) {
  CHECK_EQ(gex_HSL_Trylock(&held), GASNET_ERR_NOT_READY);
  CHECK_EQ(gasnet_hsl_trylock(&old_held), GASNET_ERR_NOT_READY);
  return arg;
}
static void *try_free(void *arg) {
  CHECK_EQ(gex_HSL_Trylock(&held), GASNET_OK);
  gex_HSL_Unlock(&held);
  CHECK_EQ(gasnet_hsl_trylock(&old_held), GASNET_OK);
  gasnet_hsl_unlock(&old_held);
  return arg;
}

static void run(void *(*work)(void *)) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
}

static void hold(void) {
  gex_HSL_Init(&held);
  gasnet_hsl_init(&old_held);
  gex_HSL_Lock(&held);
  gasnet_hsl_lock(&old_held);
  run(try_held);
  gasnet_hsl_unlock(&old_held);
  gex_HSL_Unlock(&held);
  pthread_t thread;
  pthread_create(&thread, NULL, try_free, NULL);
  pthread_join(thread, NULL);
  gasnet_hsl_destroy(&old_held);
  gex_HSL_Destroy(&held);
}

int main(int argc, char **argv) {
  gex_AM_Entry_t table[] = {
      {INCREMENT, (gex_AM_Fn_t)increment, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, 0, NULL, NULL},
      {DONE, (gex_AM_Fn_t)done, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REPLY, 0, NULL, NULL},
  };
  start(&argc, &argv, table, LENGTH(table), 0);
  hold();
  run(alone);
  CHECK_EQ(counter, (long)THREADS * LOCAL);
  CHECK_EQ(answers, (long)THREADS * LOCAL);
  counter = answers = 0;
  barrier();
  run(with_handlers);
  barrier();
  CHECK_EQ(counter, (long)THREADS * (REMOTE + (long)REMOTE));
  CHECK_EQ(answers, (long)THREADS * REMOTE);
  return finish();
}
