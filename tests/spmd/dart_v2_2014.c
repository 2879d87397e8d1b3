/* A program as written in 2014, on dart_v2.h: the differences from 2016. */
#define DART_V2_2014
#define DART_V2_TEAM_STRUCT
#include <dash/dart/if/dart_v2.h>

#include "check.h"

#define OK(call) CHECK_EQ(call, DART_OK)

static dart_unit_t me;
static size_t units;

/* A test that returns "not yet" is repeated; any other result is the last. */
static dart_ret_t test_until_done(dart_handle_t handle) {
  dart_ret_t answer;
  do answer = dart_test(handle);
  while (answer == DART_PENDING);
  return answer;
}

static void put_and_get(dart_team_t team, dart_unit_t next) {
  dart_gptr_t base, there;
  dart_handle_t handle1, handle2, handles[2];
  int values[4], back[4] = {0};
  for (int i = 0; i < 4; i++) values[i] = me * 4 + i;
  OK(dart_team_memalloc_aligned(team, sizeof values, &base));
  CHECK_EQ(base.flags, team.team_id);
  DART_GPTR_COPY(there, base);
  OK(dart_gptr_setunit(&there, next));
  OK(dart_put(there, values, 2 * sizeof(int), &handle1));
  OK(dart_wait(handle1));
  there.addr_or_offs.offset += 2 * sizeof(int);
  OK(dart_put(there, values + 2, 2 * sizeof(int), &handle2));
  OK(test_until_done(handle2));
  OK(dart_wait(handle2));
  OK(dart_get(back + 2, there, 2 * sizeof(int), &handles[0]));
  there.addr_or_offs.offset = 0;
  OK(dart_get(back, there, 2 * sizeof(int), &handles[1]));
  dart_ret_t answer = dart_testall(handles, 2);
  CHECK(answer == DART_OK || answer == DART_PENDING);
  OK(dart_waitall(handles, 2));
  OK(dart_testall(handles, 2));
  for (int i = 0; i < 4; i++) CHECK_EQ(back[i], values[i]);
  OK(dart_barrier(team));
  OK(dart_team_memfree(team, base));
}

/* One unit has the lock; the others fail and try again. */
static void lock_in_turns(void) {
  dart_lock_t lock;
  OK(dart_team_lock_init(DART_TEAM_ALL, &lock));
  if (me == 0) OK(dart_lock_try_acquire(lock));
  OK(dart_barrier(DART_TEAM_ALL));
  if (me != 0) CHECK_EQ(dart_lock_try_acquire(lock), DART_PENDING);
  OK(dart_barrier(DART_TEAM_ALL));
  if (me != 0) OK(dart_lock_acquire(lock));
  OK(dart_lock_release(lock));
  OK(dart_team_lock_free(DART_TEAM_ALL, &lock));
}

/* Two halves, made of an array of groups; each is a team with a parent. */
static void halves(void) {
  dart_group_t all, half[2];
  dart_team_t team = DART_TEAM_NULL, mine = DART_TEAM_NULL;
  size_t first_n = 0;
  OK(dart_team_get_group(DART_TEAM_ALL, &all));
  OK(dart_group_split(&all, 2, half));
  OK(dart_group_size(&half[0], &first_n));
  CHECK_EQ(first_n, (units + 1) / 2);
  for (int i = 0; i < 2; i++) {
    OK(dart_team_create(DART_TEAM_ALL, &half[i], &team));
    if (team.team_id != DART_TEAM_NULL.team_id) mine = team;
    OK(dart_group_fini(&half[i]));
  }
  OK(dart_group_fini(&all));
  CHECK_EQ(mine.parent_id, 0);
  CHECK_EQ(mine.level, 1);
  dart_unit_t self = -7;
  size_t n = 0;
  OK(dart_team_myid(mine, &self));
  OK(dart_team_size(mine, &n));
  dart_unit_t first = (size_t)me < first_n ? 0 : (dart_unit_t)first_n;
  CHECK_EQ(self, me - first);
  put_and_get(mine, first + (self + 1) % (dart_unit_t)n);
  OK(dart_team_destroy(mine));
}

int main(int argc, char **argv) {
  OK(dart_init(&argc, &argv));
  OK(dart_myid(&me));
  OK(dart_size(&units));
  put_and_get(DART_TEAM_ALL, (me + 1) % (dart_unit_t)units);
  lock_in_turns();
  halves();
  OK(dart_exit());
  return check_result();
}
