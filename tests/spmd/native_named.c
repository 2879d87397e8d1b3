/* Split-phase barriers with names: no member passes before all have arrived, and the arrival never waits. A member
 * without a name matches all names. All members learn that names differ, and the next barrier works. Wrong order of
 * calls.
 * Group: core_calls
 */
#include <tessera/coll.h>

#include "check.h"
#include "says.h"

#define OK(call) CHECK_EQ(call, TESSERA_OK)

static tessera_team_t world, odd_ones_last;
static int32_t self, n;

/* Another collective, outstanding at the same time, counts the members that have arrived. */
static void all_have_come(tessera_team_t team, int64_t round) {
  tessera_request_t told;
  int64_t mine = round, least = -1;
  OK(tessera_allreduce_nb(team, &mine, &least, 1, tessera_builtin(TESSERA_I64, TESSERA_MIN), &told));
  OK(tessera_barrier_wait(team));
  OK(tessera_wait(&told));
  CHECK_EQ(least, round);
}

static void rounds(tessera_team_t team) {
  for (int64_t round = 0; round < 50; round++) {
    bool has_name = round % 3 == 0 || (round % 3 == 1 && self % 2);
    OK(tessera_barrier_notify(team, has_name ? round - 25 : TESSERA_UNNAMED));
    if (round % 2) {
      all_have_come(team, round);
      continue;
    }
    bool over = false;
    while (!over) OK(tessera_barrier_try(team, &over));
  }
}

/* The last unit arrives when all others have found that it has not. */
static void nobody_passes_alone(void) {
  bool over = false;
  if (self != n - 1) OK(tessera_barrier_notify(world, 7));
  if (n > 1 && self != n - 1) {
    OK(tessera_barrier_try(world, &over));
    CHECK(!over);
  }
  OK(tessera_barrier(world));
  if (self == n - 1) OK(tessera_barrier_notify(world, 7));
  OK(tessera_barrier_wait(world));
}

/* Blocking calls on the same team have rounds of their own, whichever member is the root. */
static void beside_broadcasts(void) {
  for (int i = 0; i < 24; i++) {
    for (int root = i % n; root <= i % n + i % 2; root++) {
      int64_t number = self == root % n ? i : -1;
      OK(tessera_bcast(world, &number, sizeof number, root % n));
      CHECK_EQ(number, i);
    }
    nobody_passes_alone();
  }
}

static void names_that_differ(int64_t own) {
  OK(tessera_barrier_notify(world, own));
  if (n == 1) OK(tessera_barrier_wait(world));
  else BAD(TESSERA_ERR_ARG, tessera_barrier_wait(world));
  OK(tessera_barrier_notify(world, 3));
  OK(tessera_barrier_wait(world));
}

static void wrong_order(void) {
  bool over;
  tessera_team_t unknown = {12345}, none = {-1};
  BAD(TESSERA_ERR_STATE, tessera_barrier_wait(world));
  BAD(TESSERA_ERR_STATE, tessera_barrier_try(world, &over));
  BAD(TESSERA_ERR_NOT_FOUND, tessera_barrier_notify(unknown, 1));
  BAD(TESSERA_ERR_ARG, tessera_barrier_notify(world, INT64_MAX));
  BAD(TESSERA_ERR_ARG, tessera_barrier_notify(world, INT64_MIN + 1));
  BAD(TESSERA_ERR_NOT_FOUND, tessera_barrier_wait(none));
  OK(tessera_barrier_notify(world, 1));
  BAD(TESSERA_ERR_ARG, tessera_barrier_try(world, NULL));
  BAD(TESSERA_ERR_STATE, tessera_barrier_notify(world, 1));
  OK(tessera_barrier_wait(world));
}

int main(int argc, char **argv) {
  if (!open_ears() || tessera_init(&argc, &argv)) return EXIT_FAILURE;
  world = tessera_team_world();
  self = tessera_unit();
  n = tessera_units();
  int32_t order[64];
  for (int32_t i = 0, at = 0; i < 2; i++) {
    for (int32_t unit = i; unit < n; unit += 2) order[at++] = unit;
  }
  OK(tessera_team_create(world, order, n, &odd_ones_last));
  rounds(world);
  rounds(odd_ones_last);
  nobody_passes_alone();
  beside_broadcasts();
  names_that_differ(self == n - 1 ? -5 : 5);
  names_that_differ(self % 2 ? INT64_MAX - 1 : INT64_MIN + 2);
  wrong_order();
  OK(tessera_barrier_notify(odd_ones_last, 1)); /* its exit waits for it */
  OK(tessera_team_free(&odd_ones_last));
  OK(tessera_exit());
  return check_result();
}
