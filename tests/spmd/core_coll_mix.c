/* Long sequences of small and some large collectives on overlapping teams, without a barrier between them, so that a
 * member that waits for no other runs ahead as far as it may. Inputs and results are overwritten as soon as a call
 * returns.
 * Units: 1 2 3 4 5 7 8 16
 * Nodes: 3 18
 * Group: core_collectives
 */
#include "coll_moves.h"

#include "coll_reference.h"
#include "core/place.h"
#include "core/team.h"

enum { WORDS_MAX = 6000, UNITS_MAX = 16, ROUNDS_MAX = 3000, TEAMS_N = 4 };

/* The same on all units. */
static uint64_t random_state = 88172645463325252u;
static uint64_t draw(uint64_t below) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (random_state >> 11) % below;
}

enum { BARRIER, BCAST, SCATTER, GATHER, ALLGATHER, ALLTOALL, REDUCE, ALLREDUCE, CALLS_N };

static bool moves_much(int call) { return call == SCATTER || call == GATHER || call == ALLGATHER || call == ALLTOALL; }

static void one_call(int call, size_t n, int root) {
  const tsr_reducer reducer = tsr_reducer_make(TSR_U64, TSR_SUM);
  const struct coll_how how = core_how(&reducer);
  coll.elem_bytes = sizeof(uint64_t);
  switch (call) {
    case BARRIER: CHECK_EQ(tsr_barrier(at_work), TESSERA_OK); break;
    case BCAST: coll_bcast(n, root); break;
    case SCATTER: coll_scatter(n, root, false); break;
    case GATHER: coll_gather(n, root, false); break;
    case ALLGATHER: coll_allgather(n, false); break;
    case ALLTOALL: coll_alltoall(n, false); break;
    case REDUCE: coll_reduce(&how, n, root, false); break;
    default: coll_allreduce(&how, n, false); break;
  }
  coll_check(-1);
}

/* Every unit draws the same call, whether it is a member or not. A call comes several times, with the same root or others. */
static void run(tsr_team *const teams[], const int32_t sizes[], int rounds_n) {
  static const size_t numbers[] = {1, 1, 1, 2, 3, 6, 7, 8, 100, 600, 4096, 4097, WORDS_MAX};
  for (int round = 0; round < rounds_n;) {
    int which = (int)draw(TEAMS_N), call = (int)draw(CALLS_N), repeats_n = 1 + (int)draw(20);
    size_t n = numbers[draw(sizeof numbers / sizeof numbers[0])];
    bool same_root = draw(2);
    int root = sizes[which] ? (int)draw((uint64_t)sizes[which]) : 0;
    if (n > 600) repeats_n = 1;
    if (n > 600 && moves_much(call)) n = 600;
    for (int i = 0; i < repeats_n; i++, round++) {
      if (!same_root && sizes[which]) root = (int)draw((uint64_t)sizes[which]);
      if (!teams[which]) continue;
      work_on(teams[which]);
      coll.first = 2 * (size_t)round;
      one_call(call, n, root);
    }
  }
}

/* Units from `first` on in steps, in reverse. */
static tsr_team *make(int32_t first, int32_t step, int32_t *size) {
  tsr_unit list[UNITS_MAX];
  int32_t n = 0;
  for (int32_t unit = tsr_place.units_n - 1; unit >= first; unit -= step) list[n++] = TSR_UNIT(unit);
  tsr_team *team = NULL;
  CHECK_EQ(tsr_team_create(tsr_team_world, n, list, &team), TESSERA_OK);
  *size = n;
  return team;
}

int main(int argc, char **argv) {
  if (tessera_init(&argc, &argv)) return EXIT_FAILURE;
  tsr_team *teams[TEAMS_N] = {tsr_team_world};
  int32_t sizes[TEAMS_N] = {tsr_place.units_n};
  if (tsr_place.units_n > UNITS_MAX) return 77;
  blocks = true;
  teams[1] = make(0, 1, &sizes[1]);
  teams[2] = make(0, 2, &sizes[2]);
  teams[3] = make(1, 1, &sizes[3]);
  run(teams, sizes, tsr_place.nodes_n > 1 || tsr_place.units_n > 4 ? ROUNDS_MAX / 4 : ROUNDS_MAX);
  for (int i = 1; i < TEAMS_N; i++) {
    if (teams[i]) CHECK_EQ(tsr_team_destroy(teams[i]), TESSERA_OK);
  }
  CHECK_EQ(tessera_exit(), TESSERA_OK);
  return check_result();
}
