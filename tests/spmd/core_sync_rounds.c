/* Rounds of started calls: complete when all members of the node have arrived and no sooner, with the data that they
 * stored; any number of them outstanding.
 * Units: 1 2 3 4 5 7 17
 */
#include "check.h"

#include <unistd.h>

#include "base/wait.h"
#include "coll/nb.h"
#include "core/bootstrap.h"
#include "core/sync.h"
#include "core/place.h"
#include "core/segment.h"
#include "core/team.h"

enum { ROUNDS = 1200, OPEN_N = 100 };

static tsr_segment *steps; /* by unit: the number of barriers at which it has arrived */

static volatile uint64_t *step_of(int32_t unit) {
  return tsr_place_pointer(tsr_segment_address(steps, TSR_MEMBER(unit), 0));
}

struct sync_round {
  tsr_team *team;
  uint64_t number;
};
static bool is_over(const void *arg) {
  const struct sync_round *sync = arg;
  return tsr_sync_is_complete(sync->team, TSR_SYNC_STARTED, sync->number);
}

static void start(tsr_team *team) {
  tsr_sync_start(team, (struct tsr_started_call){"a test", 1, true});
}

static void come(tsr_team *team) {
  ++*step_of(tsr_place.self);
  start(team);
}

/* After the barrier all members on the node have arrived at it, or at later ones. */
static void leave(tsr_team *team, uint64_t number, uint64_t before) {
  struct sync_round sync = {team, number};
  tsr_wait(is_over, &sync, (struct tsr_wait_why){TSR_WAIT_BARRIER, team->id, (int64_t)number});
  int wrong = 0;
  for (int32_t i = 0; i < team->locals_n; i++) {
    tsr_unit unit = tsr_team_unit(team, TSR_MEMBER(team->locals[i]));
    wrong += *step_of(unit.id) < before + number;
  }
  CHECK_EQ(wrong, 0);
}

/* Some members are ahead of others, by one barrier or by many. */
static void run(tsr_team *team, uint64_t before) {
  uint64_t come_n = 0, left_n = 0;
  unsigned random = 12345u + (unsigned)tsr_place.self;
  while (left_n < ROUNDS) {
    random = random * 1103515245u + 12345u;
    bool ahead = come_n < ROUNDS && come_n - left_n < OPEN_N && (random >> 16) % 3;
    if (ahead || come_n == left_n) {
      come(team);
      come_n++;
    } else {
      leave(team, ++left_n, before);
    }
  }
}

/* No barrier is complete while the last member has not arrived. */
static void one_is_late(tsr_team *team) {
  bool late = team->self_local == team->locals_n - 1;
  for (int i = 0; i < 10 && !late; i++) start(team);
  if (!late) CHECK(!tsr_sync_is_complete(team, TSR_SYNC_STARTED, ROUNDS + 1));
  tsr_bootstrap_barrier(team);
  for (int i = 0; i < 10 && late; i++) start(team);
  struct sync_round last = {team, ROUNDS + 10};
  tsr_wait(is_over, &last, (struct tsr_wait_why){TSR_WAIT_BARRIER, team->id, ROUNDS + 10});
}

static void run_on(tsr_team *team, uint64_t before) {
  run(team, before);
  tsr_bootstrap_barrier(team);
  one_is_late(team);
  tsr_bootstrap_barrier(team);
}

/* On one node a started barrier completes without the help of members that have started it, too, and then compute. */
static void nobody_helps(tsr_team *team) {
  tsr_op op = {0};
  bool first = team->self == 0;
  if (team->nodes_n > 1) return;
  uint64_t told = *step_of(tsr_team_unit(team, TSR_MEMBER(0)).id) + 1;
  tsr_bootstrap_barrier(team);
  tsr_schedule_start(tsr_nb_barrier(team), &op, NULL, NULL);
  if (first) tsr_op_wait_remote(&op, TSR_UNIT(-1));
  if (first) *step_of(tsr_place.self) = told;
  while (*step_of(tsr_team_unit(team, TSR_MEMBER(0)).id) != told) usleep(100);
  tsr_op_wait_remote(&op, TSR_UNIT(-1));
  tsr_bootstrap_barrier(team);
}

int main(int argc, char **argv) {
  if (tessera_init(&argc, &argv)) return EXIT_FAILURE;
  CHECK_EQ(tsr_segment_alloc(tsr_team_world, sizeof(uint64_t), &steps), TESSERA_OK);
  *step_of(tsr_place.self) = 0;
  tsr_bootstrap_barrier(tsr_team_world);
  run_on(tsr_team_world, 0);
  tsr_unit backwards[64];
  for (int32_t i = 0; i < tsr_place.units_n; i++) backwards[i] = TSR_UNIT(tsr_place.units_n - 1 - i);
  tsr_team *team = NULL;
  CHECK_EQ(tsr_team_create(tsr_team_world, tsr_place.units_n, backwards, &team), TESSERA_OK);
  run_on(team, ROUNDS);
  nobody_helps(team);
  nobody_helps(tsr_team_world);
  CHECK_EQ(tsr_team_destroy(team), TESSERA_OK);
  CHECK_EQ(tsr_segment_free(steps), TESSERA_OK);
  CHECK_EQ(tessera_exit(), TESSERA_OK);
  return check_result();
}
