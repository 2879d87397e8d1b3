/* Waits in collectives: a non-blocking collective completes before an earlier one of its team that a member has not
 * started, and so does one of another team; the root of a small broadcast waits for no member. The late member
 * continues only after a message that the others have completed, so a call that waits for it would never return.
 * Nodes: 3 18
 * Group: core_collectives
 */
#include <string.h>

#include <tessera/coll.h>
#include <tessera/message.h>

#include "check.h"

#define OK(call) CHECK_EQ(call, TESSERA_OK)

enum { UNITS_MAX = 64, TURNS_N = 20, EARLY_MAX = 2 + 3 * TURNS_N };

static int32_t self, units_n;
static tessera_team_t world;

/* Messages without data, which tell a unit to continue. */
static void tell(int32_t to) { OK(tessera_send(NULL, 0, to, 1)); }
static void hear(int32_t from) { OK(tessera_receive(NULL, 0, from, 1, NULL)); }

static int64_t value(int32_t who, int turn) { return 1000 * (int64_t)who + turn; }

static struct {
  int64_t mine, sum, out[TURNS_N][UNITS_MAX], share[TURNS_N], told[TURNS_N], given[TURNS_N], taken[TURNS_N][UNITS_MAX];
} data;

/* Requests of calls that need all units, and of those in which this unit needs nothing of `late`. */
static tessera_request_t early[EARLY_MAX], later[EARLY_MAX];
static size_t early_n, later_n;
static tessera_request_t *request(bool needs_late) { return needs_late ? &early[early_n++] : &later[later_n++]; }

/* All start in the same order: two that need all units, and then in turns a scatter from a root, a gather to the late
 * unit, and a broadcast, which may pass through the late unit. */
static void start_all(int32_t root, int32_t late) {
  bool is_late = self == late;
  early_n = later_n = 0;
  data.mine = value(self, 0);
  OK(tessera_allreduce_nb(world, &data.mine, &data.sum, 1, tessera_builtin(TESSERA_I64, TESSERA_SUM), request(true)));
  OK(tessera_barrier_nb(world, request(true)));
  for (int i = 0; i < TURNS_N; i++) {
    for (int32_t to = 0; to < units_n; to++) data.out[i][to] = value(to, i);
    data.told[i] = value(self, i);
    data.given[i] = value(self, -i);
    OK(tessera_scatter_nb(world, self == root ? data.out[i] : NULL, &data.share[i], 8, root, request(is_late)));
    OK(tessera_gather_nb(world, &data.given[i], is_late ? data.taken[i] : NULL, 8, late, request(is_late)));
    OK(tessera_bcast_nb(world, &data.told[i], 8, root, request(self != root)));
  }
}

static void complete_all(int32_t root, int32_t late) {
  OK(tessera_wait_all(early, early_n));
  OK(tessera_wait_all(later, later_n));
  CHECK_EQ(data.sum, 500 * (int64_t)units_n * (units_n - 1));
  for (int i = 0; i < TURNS_N; i++) {
    CHECK_EQ(data.share[i], value(self, i));
    CHECK_EQ(data.told[i], value(root, i));
    for (int32_t who = 0; self == late && who < units_n; who++) CHECK_EQ(data.taken[i][who], value(who, -i));
  }
}

/* From the last to the first; the calls that need all units have not completed. */
static void complete_later_ones(void) {
  for (size_t i = later_n; i-- > 0;) {
    bool done = false;
    while (!done) OK(tessera_test(&later[i], &done));
  }
  for (int i = 0; i < TURNS_N; i++) CHECK_EQ(data.share[i], value(self, i));
  for (int i = 0; i < 2; i++) {
    bool done = true;
    OK(tessera_test(&early[i], &done));
    CHECK(!done);
  }
}

/* A call of all except one, while calls of all wait for that one. */
static void others_go_on(tessera_team_t others) {
  int64_t mine = 1, sum = 0;
  tessera_request_t ready;
  OK(tessera_barrier_nb(others, &ready));
  OK(tessera_allreduce(others, &mine, &sum, 1, tessera_builtin(TESSERA_I64, TESSERA_SUM)));
  CHECK_EQ(sum, units_n - 1);
  OK(tessera_wait(&ready));
}

static void later_ones_first(int32_t late) {
  int32_t root = (late + 1) % units_n, list[UNITS_MAX], n = 0;
  tessera_team_t others = {-1};
  for (int32_t unit = 0; unit < units_n; unit++) {
    if (unit != late) list[n++] = unit;
  }
  OK(tessera_team_create(world, list, n, &others));
  for (int32_t unit = 0; self == late && unit < units_n; unit++) {
    if (unit != late) hear(unit);
  }
  start_all(root, late);
  if (self != late) {
    complete_later_ones();
    others_go_on(others);
    complete_later_ones();
    tell(late);
  }
  complete_all(root, late);
  OK(tessera_team_free(&others));
}

/* The others start when the root has left. */
static void root_leaves(tessera_team_t team, size_t bytes, int32_t root) {
  unsigned char buffer[16 << 10];
  int32_t rank = tessera_team_rank(team), size = tessera_team_size(team);
  memset(buffer, rank == root ? 7 : 0, bytes);
  if (rank != root) hear(tessera_team_unit(team, root));
  OK(tessera_bcast(team, buffer, bytes, root));
  for (int32_t other = 0; rank == root && other < size; other++) {
    if (other != root) tell(tessera_team_unit(team, other));
  }
  size_t wrong = 0;
  for (size_t i = 0; i < bytes; i++) wrong += buffer[i] != 7;
  CHECK_EQ(wrong, 0);
}

/* Between nodes the data must be so small that MPI sends it without a receive. */
static void roots_leave(tessera_team_t team, size_t most_bytes) {
  static const size_t sizes[] = {1, 8, 48, 49, 1000, 16 << 10};
  for (int32_t root = 0; root < tessera_team_size(team); root++) {
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
      if (sizes[i] <= most_bytes) root_leaves(team, sizes[i], root);
    }
  }
}

/* The units of a node, or one of each. */
static tessera_team_t of_nodes(bool one_of_each) {
  int32_t node = tessera_node(), nodes[UNITS_MAX], list[UNITS_MAX], n = 0;
  tessera_team_t team = {-1}, mine = {-1};
  OK(tessera_allgather(world, &node, nodes, sizeof node));
  for (int32_t which = 0; which < tessera_nodes(); which++) {
    if (!one_of_each) n = 0;
    for (int32_t unit = 0; unit < units_n; unit++) {
      if (nodes[unit] != which) continue;
      list[n++] = unit;
      if (one_of_each) break;
    }
    if (one_of_each && which + 1 < tessera_nodes()) continue;
    OK(tessera_team_create(world, list, n, &team));
    if (team.id >= 0) mine = team;
  }
  return mine;
}

int main(int argc, char **argv) {
  OK(tessera_init(&argc, &argv));
  self = tessera_unit();
  units_n = tessera_units();
  world = tessera_team_world();
  for (int32_t late = 0; units_n > 1 && late < units_n; late++) later_ones_first(late);
  tessera_team_t on_node = of_nodes(false), between_nodes = of_nodes(true);
  roots_leave(on_node, 16 << 10);
  if (between_nodes.id >= 0) roots_leave(between_nodes, 1000);
  OK(tessera_exit());
  return check_result();
}
