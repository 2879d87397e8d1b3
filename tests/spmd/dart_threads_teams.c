/* The first collectives of several teams at the same time, each in its own thread: several pairs of leaders of nodes
 * set up their communication at once.
 *
 * Units: 2 4
 */
#include "dart_check.h"

#include <pthread.h>

enum { THREADS_N = 4, ROUNDS = 25 };

struct worker {
  int number, round;
  dart_team_t team;
};

static void *first_calls(void *arg) {
  const struct worker *w = arg;
  int64_t value = self == 0 ? 1000 * w->round + w->number : -1, sum = 0, one = 1;
  OK(dart_bcast(&value, 1, DART_TYPE_LONGLONG, DART_TEAM_UNIT_ID(0), w->team));
  CHECK_EQ(value, 1000 * w->round + w->number);
  OK(dart_allreduce(&one, &sum, 1, DART_TYPE_LONGLONG, DART_OP_SUM, w->team));
  CHECK_EQ(sum, units_n);
  return NULL;
}

static void one_round(int round) {
  struct worker workers[THREADS_N];
  pthread_t threads[THREADS_N];
  dart_group_t all;
  OK(dart_team_get_group(DART_TEAM_ALL, &all));
  for (int i = 0; i < THREADS_N; i++) {
    workers[i] = (struct worker){.number = i, .round = round};
    OK(dart_team_create(DART_TEAM_ALL, all, &workers[i].team));
  }
  OK(dart_group_destroy(&all));
  /* In opposite orders, so that the teams' calls cross. */
  for (int i = 0; i < THREADS_N; i++) {
    int which = self * 2 / units_n ? THREADS_N - 1 - i : i;
    CHECK(pthread_create(&threads[which], NULL, first_calls, &workers[which]) == 0);
  }
  for (int i = 0; i < THREADS_N; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < THREADS_N; i++) OK(dart_team_destroy(&workers[i].team));
}

int main(int argc, char **argv) {
  dart_thread_support_level_t level = DART_THREAD_SINGLE;
  OK(dart_init_thread(&argc, &argv, &level));
  if (level != DART_THREAD_MULTIPLE) {
    dart_exit();
    return 77;
  }
  learn_units();
  for (int round = 0; round < ROUNDS; round++) one_round(round);
  OK(dart_exit());
  return check_result();
}
