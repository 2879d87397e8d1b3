/* The hardware of other nodes: a unit that is asked for it has read it before, and a unit that asks delays no other
 * thread.
 * Units: 2 4 7
 */
#include "dart_check.h"

#include <dash/dart/if/dart_locality.h>
#include <dash/dart/if/dart_mpi.h>
#include <pthread.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

/* A reader of the hardware asks for the host's name, too. */
static _Atomic int readings_n;

int gethostname(char *name, size_t bytes) {
  struct utsname host;
  readings_n++;
  if (uname(&host)) return -1;
  snprintf(name, bytes, "%s", host.nodename);
  return 0;
}

static bool asks_all(dart_team_t team) {
  dart_domain_locality_t *domain = NULL;
  OK(dart_domain_team_locality(team, ".", &domain));
  return domain != NULL;
}

/* Unit 0 alone asks, while the others wait and serve it. */
static void serving_reads_nothing(void) {
  int before = readings_n;
  barrier();
  if (self == 0) CHECK(asks_all(DART_TEAM_ALL));
  barrier();
  if (self > 0) CHECK_EQ(readings_n, before);
}

static _Atomic bool is_asking;
static MPI_Comm comm;

static void *ask(void *team) {
  is_asking = true;
  CHECK(asks_all(*(const dart_team_t *)team));
  return NULL;
}

/* No unit answers before another thread of the asking unit has completed a call on another team. */
static void asking_holds_up_nobody(void) {
  enum { LAST_IS_OUTSIDE = 17 };
  dart_team_t team = team_of(~0u);
  barrier();
  if (self == units_n - 1) {
    pthread_t asker;
    CHECK_EQ(pthread_create(&asker, NULL, ask, &team), 0);
    while (!is_asking) sched_yield();
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL); /* most likely it waits by then */
    OK(dart_team_locality_finalize(DART_TEAM_ALL));
    for (int unit = 0; unit < units_n - 1; unit++) MPI_Send(NULL, 0, MPI_BYTE, unit, LAST_IS_OUTSIDE, comm);
    pthread_join(asker, NULL);
  } else {
    MPI_Recv(NULL, 0, MPI_BYTE, units_n - 1, LAST_IS_OUTSIDE, comm, MPI_STATUS_IGNORE);
  }
  barrier();
  OK(dart_team_destroy(&team));
}

/* All threads of all units describe the same two teams, delete the descriptions, and repeat. */
static void *describe(void *teams) {
  dart_team_t *team = teams;
  for (int round = 0; round < 20; round++) {
    dart_unit_locality_t *record = NULL;
    OK(dart_team_locality_init(team[round % 2]));
    OK(dart_unit_locality(team[round % 2], DART_TEAM_UNIT_ID(units_n - 1), &record));
    CHECK(record != NULL);
  }
  return NULL;
}

static void threads_describe_the_same_teams(void) {
  enum { THREADS_N = 4 };
  pthread_t threads[THREADS_N];
  dart_team_t teams[2] = {team_of(~0u), team_of(~0u)};
  for (int i = 0; i < THREADS_N; i++) CHECK_EQ(pthread_create(&threads[i], NULL, describe, teams), 0);
  for (int i = 0; i < THREADS_N; i++) pthread_join(threads[i], NULL);
  barrier();
  OK(dart_team_destroy(&teams[0]));
  OK(dart_team_destroy(&teams[1]));
}

int main(int argc, char **argv) {
  dart_thread_support_level_t level = DART_THREAD_SINGLE;
  dart_global_unit_t me = {-1};
  size_t n = 0;
  if (dart_init_thread(&argc, &argv, &level) != DART_OK) return EXIT_FAILURE;
  OK(dart_myid(&me));
  OK(dart_size(&n));
  self = me.id, units_n = (dart_unit_t)n;
  comm = dart_get_user_commworld();
  serving_reads_nothing();
  if (level == DART_THREAD_MULTIPLE) {
    asking_holds_up_nobody();
    threads_describe_the_same_teams();
  }
  return finish();
}
