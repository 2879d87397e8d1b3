/* Long sequences of small and some large collectives on overlapping teams, without a barrier between them, so that who waits
 * for nobody runs ahead as far as it may. What is passed and what is got is overwritten as soon as a call returns.
 * Units: 1 2 3 4 5 7 8 16
 */
#include "check.h"

#include <stdint.h>
#include <string.h>

#include "coll/coll.h"
#include "core/place.h"
#include "core/team.h"

enum { WORDS_MAX = 6000, UNITS_MAX = 16, ROUNDS_MAX = 3000, TEAMS_N = 4 };

static uint64_t mine[WORDS_MAX * UNITS_MAX], got[WORDS_MAX * UNITS_MAX];

/* The same on all units. */
static uint64_t random_state = 88172645463325252u;
static uint64_t draw(uint64_t below) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (random_state >> 11) % below;
}

static uint64_t word(int round, int from, int to, size_t at) {
  return (uint64_t)round * 1000003u + (uint64_t)from * 4096u + (uint64_t)to * 64u + at * 7919u;
}

static void give(int round, int from, int to, size_t n, size_t at) {
  for (size_t i = 0; i < n; i++) mine[at + i] = word(round, from, to, i);
}
static size_t wrong(int round, int from, int to, size_t n, size_t at) {
  size_t bad = 0;
  for (size_t i = 0; i < n; i++) bad += got[at + i] != word(round, from, to, i);
  return bad;
}
static size_t wrong_sum(const tsr_team *team, int round, size_t n) {
  size_t bad = 0;
  for (size_t i = 0; i < n; i++) {
    uint64_t sum = 0;
    for (int from = 0; from < team->size; from++) sum += word(round, from, 0, i);
    bad += got[i] != sum;
  }
  return bad;
}

enum { BARRIER, BCAST, SCATTER, GATHER, ALLGATHER, ALLTOALL, REDUCE, ALLREDUCE, CALLS_N };

static bool moves_much(int call) { return call == SCATTER || call == GATHER || call == ALLGATHER || call == ALLTOALL; }

/* Wrong words. */
static size_t one_call(tsr_team *team, int call, int round, size_t n, int root) {
  const int self = team->self;
  const bool is_root = self == root;
  const size_t bytes = n * sizeof mine[0];
  tsr_reducer how = tsr_reducer_make(TSR_U64, TSR_SUM);
  size_t bad = 0;
  give(round, self, 0, n, 0);
  switch (call) {
  case BARRIER: return tsr_barrier(team) != TESSERA_OK;
  case BCAST:
    if (is_root) memcpy(got, mine, bytes);
    bad += tsr_bcast(team, got, bytes, TSR_MEMBER(root)) != TESSERA_OK;
    return bad + wrong(round, root, 0, n, 0);
  case SCATTER:
    for (int to = 0; to < team->size; to++) give(round, self, to, n, (size_t)to * n);
    bad += tsr_scatter(team, mine, got, bytes, TSR_MEMBER(root)) != TESSERA_OK;
    return bad + wrong(round, root, self, n, 0);
  case GATHER:
    bad += tsr_gather(team, mine, got, bytes, TSR_MEMBER(root)) != TESSERA_OK;
    for (int from = 0; is_root && from < team->size; from++) bad += wrong(round, from, 0, n, (size_t)from * n);
    return bad;
  case ALLGATHER:
    bad += tsr_allgather(team, mine, got, bytes) != TESSERA_OK;
    for (int from = 0; from < team->size; from++) bad += wrong(round, from, 0, n, (size_t)from * n);
    return bad;
  case ALLTOALL:
    for (int to = 0; to < team->size; to++) give(round, self, to, n, (size_t)to * n);
    bad += tsr_alltoall(team, mine, got, bytes) != TESSERA_OK;
    for (int from = 0; from < team->size; from++) bad += wrong(round, from, self, n, (size_t)from * n);
    return bad;
  case REDUCE:
    bad += tsr_reduce(team, mine, got, n, &how, TSR_MEMBER(root)) != TESSERA_OK;
    return is_root ? bad + wrong_sum(team, round, n) : bad;
  default:
    bad += tsr_allreduce(team, mine, got, n, &how) != TESSERA_OK;
    return bad + wrong_sum(team, round, n);
  }
}

/* Every unit draws the same, whether it is a member or not. A call comes several times, with the same root or others. */
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
      CHECK_EQ(one_call(teams[which], call, round, n, root), 0);
      memset(got, 0xbb, n * sizeof got[0]);
      memset(mine, 0xaa, n * sizeof mine[0]);
    }
  }
}

/* Units from `first` on in steps, backwards. */
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
