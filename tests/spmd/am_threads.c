/* Four threads per unit send active messages of all kinds to all units; any of the threads runs the handlers.
 * Group: core_calls
 */
#include <dash/dart/if/dart.h>
#include <tessera/am.h>
#include <tessera/coll.h>

#include "check.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#define OK(call) CHECK_EQ(call, TESSERA_OK)

enum { ASK, ANSWER, THREADS_N = 4, EACH = 80, LONGEST = 20000 };

static int32_t units_n;
static _Atomic long asked_n, answered_n, answered_by_thread[THREADS_N];
static _Atomic bool over;

static void ask(const tessera_am_t *message, void *context) {
  (void)context;
  const unsigned char *data = message->data;
  size_t wrong = 0;
  for (size_t i = 0; i < message->bytes; i++) wrong += data[i] != (unsigned char)(message->args[1] + message->args[0]);
  CHECK_EQ(wrong, 0);
  atomic_fetch_add(&asked_n, 1);
  if (message->args[1] % 2) OK(tessera_am_reply_short(message, ANSWER, message->args, 1, 0));
  else OK(tessera_am_reply_medium(message, ANSWER, message->data, message->bytes, message->args, 1, 0));
}

static void answer(const tessera_am_t *message, void *context) {
  (void)context;
  atomic_fetch_add(&answered_n, 1);
  atomic_fetch_add(&answered_by_thread[message->args[0]], 1);
}

static bool thread_is_answered(const void *arg) {
  int thread = *(const int *)arg;
  return atomic_load(&answered_by_thread[thread]) == (long)EACH * units_n;
}

static void send(int thread, int i, int32_t to, unsigned char *data) {
  size_t n = i % 5 == 0 ? LONGEST : i % 5 == 1 ? 600 : (size_t)(i % 64);
  int32_t args[2] = {thread, i};
  memset(data, i + thread, n);
  if (i % 3 == 0) {
    tessera_am_room_t room;
    OK(tessera_am_prepare_medium(&room, to, n, n, 0));
    memcpy(room.data, data, n);
    OK(tessera_am_commit(&room, ASK, n, args, 2, 0));
  } else if (i % 3 == 1) {
    while (tessera_am_request_medium(to, ASK, data, n, args, 2, TESSERA_AM_IMMEDIATE)) OK(tessera_am_poll());
  } else {
    OK(tessera_am_request_medium(to, ASK, data, n, args, 2, 0));
  }
}

static void *work(void *arg) {
  int thread = *(int *)arg;
  unsigned char *data = malloc(LONGEST);
  for (int i = 0; i < EACH; i++) {
    for (int32_t to = 0; to < units_n; to++) send(thread, i, to, data);
  }
  OK(tessera_am_wait(thread_is_answered, &thread));
  free(data);
  return NULL;
}

static void *poll_always(void *unused) {
  (void)unused;
  while (!atomic_load(&over)) OK(tessera_am_poll());
  return NULL;
}

static void round_of(bool with_poller) {
  pthread_t threads[THREADS_N], poller;
  int numbers[THREADS_N];
  for (int i = 0; i < THREADS_N; i++) atomic_store(&answered_by_thread[i], 0);
  asked_n = answered_n = 0;
  atomic_store(&over, false);
  OK(tessera_barrier(tessera_team_world()));
  if (with_poller) CHECK_EQ(pthread_create(&poller, NULL, poll_always, NULL), 0);
  for (int i = 0; i < THREADS_N; i++) {
    numbers[i] = i;
    CHECK_EQ(pthread_create(&threads[i], NULL, work, &numbers[i]), 0);
  }
  for (int i = 0; i < THREADS_N; i++) pthread_join(threads[i], NULL);
  OK(tessera_barrier(tessera_team_world()));
  atomic_store(&over, true);
  if (with_poller) pthread_join(poller, NULL);
  CHECK_EQ(asked_n, (long)THREADS_N * EACH * units_n);
  CHECK_EQ(answered_n, (long)THREADS_N * EACH * units_n);
}

int main(int argc, char **argv) {
  dart_thread_support_level_t provided = DART_THREAD_SINGLE;
  if (dart_init_thread(&argc, &argv, &provided) != DART_OK || tessera_init(&argc, &argv)) return EXIT_FAILURE;
  units_n = tessera_units();
  OK(tessera_am_register(ASK, ask, NULL));
  OK(tessera_am_register(ANSWER, answer, NULL));
  OK(tessera_barrier(tessera_team_world()));
  if (provided == DART_THREAD_MULTIPLE) {
    round_of(false);
    round_of(true);
  }
  OK(tessera_exit());
  CHECK_EQ(dart_exit(), DART_OK);
  return check_result();
}
