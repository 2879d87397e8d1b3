/* A hundred lives of DART in one process, and the results of calls outside them. DART starts and ends MPI. */
#include "dart_check.h"

enum { LIVES = 100 };

static void not_alive(void) {
  dart_global_unit_t me = {5};
  size_t n = 5;
  CHECK(!dart_initialized());
  CHECK_EQ(dart_myid(&me), DART_ERR_OTHER);
  CHECK_EQ(me.id, DART_UNDEFINED_UNIT_ID);
  CHECK_EQ(dart_size(&n), DART_ERR_OTHER);
  CHECK_EQ(n, 0);
  CHECK_EQ(dart_barrier(DART_TEAM_ALL), DART_ERR_NOTINIT);
  CHECK_EQ(dart_exit(), DART_ERR_NOTINIT);
  CHECK_EQ(tessera_unit(), -1);
}

/* A type that exists in all lives. */
static dart_datatype_t every_second;

/* Memory of an earlier life, not freed there. */
static struct {
  dart_team_t team;
  dart_gptr_t segment, local;
} relic;

static void nothing_is_left_of_the_last_life(void) {
  size_t n = 0;
  void *address = NULL;
  CHECK_EQ(dart_team_size(relic.team, &n), DART_ERR_INVAL);
  CHECK_EQ(dart_gptr_getaddr(relic.segment, &address), DART_ERR_INVAL);
  CHECK_EQ(dart_memfree(relic.local), DART_ERR_INVAL);
}

/* Every unit writes to its right neighbour through a segment and through a local allocation. */
static void work(int life) {
  enum { N = 16 };
  int values[N], back[2 * N] = {0};
  for (int i = 0; i < N; i++) values[i] = life * 1000 + self * 100 + i;
  dart_gptr_t base = team_alloc(DART_TEAM_ALL, 2 * N, DART_TYPE_INT);
  int *mine = own_part(base, self);
  int right = (self + 1) % units_n, left = (self + units_n - 1) % units_n;
  OK(dart_put_blocking(at(base, right, 0), values, N, DART_TYPE_INT, every_second));
  barrier();
  for (int i = 0; i < N; i++) CHECK_EQ(mine[2 * i], life * 1000 + left * 100 + i);
  OK(dart_get_blocking(back, at(base, right, 0), N, every_second, every_second));
  for (int i = 0; i < N; i++) CHECK_EQ(back[2 * i], values[i]);
  barrier();
  OK(dart_team_memfree(base));
}

static void leave_things_behind(void) {
  relic.team = team_of(~0u);
  relic.segment = team_alloc(DART_TEAM_ALL, 64 << 20, DART_TYPE_BYTE);
  OK(dart_memalloc(1000, DART_TYPE_DOUBLE, &relic.local));
  memset(own_part(relic.segment, self), 1, 100);
}

static void live(int life) {
  start(NULL, NULL);
  CHECK(dart_initialized());
  CHECK_EQ(tessera_unit(), self);
  CHECK_EQ(tessera_units(), units_n);
  CHECK_EQ(dart_init(NULL, NULL), DART_ERR_OTHER);
  CHECK(dart_initialized());
  if (life) nothing_is_left_of_the_last_life();
  work(life);
  leave_things_behind();
  OK(dart_exit());
}

/* Descriptors and threads do not add up from life to life; nor does memory: all lives together leave more behind than
 * there is. */
static void lives(void) {
  dart_group_t lasting_group = DART_GROUP_NULL;
  OK(dart_group_create(&lasting_group));
  OK(dart_group_addmember(lasting_group, DART_GLOBAL_UNIT_ID(3)));
  int files = 0, threads = 0;
  for (int life = 0; life < LIVES; life++) {
    live(life);
    if (life == LIVES / 2) {
      files = entries("/proc/self/fd");
      threads = entries("/proc/self/task");
    }
  }
  CHECK_EQ(entries("/proc/self/fd"), files);
  CHECK_EQ(entries("/proc/self/task"), threads);
  int32_t is_member = 0;
  OK(dart_group_ismember(lasting_group, DART_GLOBAL_UNIT_ID(3), &is_member));
  CHECK_EQ(is_member, 1);
  OK(dart_group_destroy(&lasting_group));
}

static void with_threads(void) {
  dart_thread_support_level_t level = 77;
  CHECK_EQ(dart_init_thread(NULL, NULL, NULL), DART_ERR_INVAL);
  CHECK(!dart_initialized());
  OK(dart_init_thread(NULL, NULL, &level));
  CHECK(level == DART_THREAD_SINGLE || level == DART_THREAD_MULTIPLE);
  CHECK_EQ(dart_init_thread(NULL, NULL, &level), DART_ERR_OTHER);
  work(0);
  OK(dart_exit());
}

/* The native interface and DART, each with its own start and end. */
static void with_another_api(void) {
  CHECK_EQ(tessera_init(NULL, NULL), TESSERA_OK);
  CHECK(!dart_initialized());
  CHECK_EQ(dart_barrier(DART_TEAM_ALL), DART_ERR_NOTINIT);
  start(NULL, NULL);
  CHECK_EQ(tessera_exit(), TESSERA_OK);
  CHECK(dart_initialized());
  CHECK_EQ(tessera_unit(), self);
  work(1);
  OK(dart_exit());
}

int main(int argc, char **argv) {
  not_alive();
  OK(dart_type_create_strided(DART_TYPE_INT, 2, 1, &every_second));
  int argc_before = argc;
  char **argv_before = argv;
  start(&argc, &argv);
  CHECK(argc == argc_before && argv == argv_before);
  OK(dart_exit());
  not_alive();
  lives();
  not_alive();
  with_threads();
  with_another_api();
  not_alive();
  OK(dart_type_destroy(&every_second));
  return check_result();
}
