/* Teams: members and their numbers, ids, life and death, nested and side by side.
 * Group: dart_calls
 */
#include "dart_check.h"

static int32_t sum_of_units(dart_team_t team) {
  int32_t mine = 1 << self, sum = 0;
  OK(dart_allreduce(&mine, &sum, 1, DART_TYPE_INT, DART_OP_SUM, team));
  return sum;
}

/* Numbers in both directions, for members, other units and invalid units. */
static void translation(dart_team_t team, unsigned bits) {
  int n = __builtin_popcount(bits), local = 0;
  dart_global_unit_t global = {77};
  dart_team_unit_t back = {77};
  for (int unit = 0; unit < units_n; unit++) {
    OK(dart_team_unit_g2l(team, DART_GLOBAL_UNIT_ID(unit), &back));
    if (!(bits >> unit & 1)) {
      CHECK(back.id < 0);
      continue;
    }
    CHECK_EQ(back.id, local);
    OK(dart_team_unit_l2g(team, DART_TEAM_UNIT_ID(local++), &global));
    CHECK_EQ(global.id, unit);
  }
  global.id = back.id = 77;
  CHECK_EQ(dart_team_unit_l2g(team, DART_TEAM_UNIT_ID(n), &global), DART_ERR_INVAL);
  CHECK_EQ(dart_team_unit_l2g(team, DART_TEAM_UNIT_ID(-1), &global), DART_ERR_INVAL);
  CHECK_EQ(dart_team_unit_g2l(team, DART_GLOBAL_UNIT_ID(units_n), &back), DART_ERR_INVAL);
  CHECK_EQ(dart_team_unit_g2l(team, DART_GLOBAL_UNIT_ID(-1), &back), DART_ERR_INVAL);
  CHECK(global.id == DART_UNDEFINED_UNIT_ID && back.id == DART_UNDEFINED_UNIT_ID);
}

static void group_of_members(dart_team_t team, unsigned bits) {
  dart_group_t group = DART_GROUP_NULL;
  dart_global_unit_t members[32];
  size_t n = 0;
  OK(dart_team_get_group(team, &group));
  OK(dart_group_size(group, &n));
  CHECK_EQ(n, __builtin_popcount(bits));
  OK(dart_group_getmembers(group, members));
  for (size_t i = 0; i < n; i++) {
    CHECK_EQ(members[i].id, __builtin_ctz(bits));
    bits &= bits - 1;
  }
  OK(dart_group_destroy(&group));
}

/* A member's view of the team. */
static void is_team(dart_team_t team, unsigned bits) {
  CHECK_EQ(team_units_n(team), __builtin_popcount(bits));
  CHECK_EQ(team_self(team), __builtin_popcount(bits & ((1u << self) - 1)));
  translation(team, bits);
  group_of_members(team, bits);
  CHECK_EQ(sum_of_units(team), bits);
  OK(dart_barrier(team));
}

static void is_no_team(dart_team_t team) {
  size_t n = 77;
  dart_team_unit_t local = {77};
  dart_global_unit_t global = {77};
  dart_group_t group = DART_GROUP_NULL;
  CHECK_EQ(dart_team_size(team, &n), DART_ERR_INVAL);
  CHECK_EQ(dart_team_unit_l2g(team, DART_TEAM_UNIT_ID(0), &global), DART_ERR_INVAL);
  CHECK_EQ(dart_team_unit_g2l(team, DART_GLOBAL_UNIT_ID(0), &local), DART_ERR_INVAL);
  CHECK(n == 77 && local.id == DART_UNDEFINED_UNIT_ID && global.id == DART_UNDEFINED_UNIT_ID);
  local.id = 77;
  CHECK_EQ(dart_team_myid(team, &local), DART_ERR_INVAL);
  CHECK_EQ(local.id, DART_UNDEFINED_UNIT_ID);
  CHECK_EQ(dart_team_get_group(team, &group), DART_ERR_INVAL);
  CHECK(group == DART_GROUP_NULL);
  CHECK_EQ(dart_barrier(team), DART_ERR_INVAL);
}

static void destroy(dart_team_t team) {
  dart_team_t gone = team;
  OK(dart_team_destroy(&team));
  CHECK_EQ(team, DART_TEAM_NULL);
  is_no_team(gone);
  CHECK_EQ(dart_team_destroy(&gone), DART_ERR_INVAL);
  OK(dart_team_destroy(&team)); /* the null team */
}

/* Members got one id, and the others the null team; for these the members' id is invalid. */
static void same_id(dart_team_t team, unsigned bits) {
  dart_team_t ids[32];
  OK(dart_allgather(&team, ids, 1, DART_TYPE_SHORT, DART_TEAM_ALL));
  for (int unit = 0; unit < units_n; unit++) {
    CHECK_EQ(ids[unit], bits >> unit & 1 ? ids[__builtin_ctz(bits)] : DART_TEAM_NULL);
  }
  CHECK(ids[__builtin_ctz(bits)] > 0);
  if (team == DART_TEAM_NULL) is_no_team(ids[__builtin_ctz(bits)]);
}

static void subset(unsigned bits) {
  dart_team_t team = team_of(bits);
  CHECK_EQ(team != DART_TEAM_NULL, bits >> self & 1);
  same_id(team, bits);
  if (team == DART_TEAM_NULL) return;
  is_team(team, bits);
  destroy(team);
}

static unsigned all_bits(void) { return (1u << units_n) - 1; }

static void subsets(void) {
  for (unsigned bits = 1; bits <= all_bits(); bits += units_n > 3 ? 9 : 1) subset(bits);
  subset(all_bits());
  barrier();
}

/* One unit alone may ask for an empty team: the call waits for no other unit. */
static void empty(void) {
  dart_group_t group = DART_GROUP_NULL;
  dart_team_t team = 77;
  if (self) return;
  OK(dart_group_create(&group));
  OK(dart_team_create(DART_TEAM_ALL, group, &team));
  CHECK_EQ(team, DART_TEAM_NULL);
  OK(dart_group_destroy(&group));
}

static dart_team_t team_below(dart_team_t parent, unsigned bits) {
  dart_group_t group = DART_GROUP_NULL;
  dart_team_t team = 77;
  OK(dart_group_create(&group));
  for (int unit = 0; unit < units_n; unit++) {
    if (bits >> unit & 1) OK(dart_group_addmember(group, DART_GLOBAL_UNIT_ID(unit)));
  }
  OK(dart_team_create(parent, group, &team));
  OK(dart_group_destroy(&group));
  return team;
}

/* Each team lacks the lowest unit of its parent; parents are destroyed first. */
static void nested(void) {
  dart_team_t teams[32] = {DART_TEAM_ALL};
  int depth = 0;
  for (int lowest = 1; lowest <= self; lowest++) {
    teams[depth + 1] = team_below(teams[depth], all_bits() & ~((1u << lowest) - 1));
    depth++;
  }
  if (self < units_n - 1) CHECK_EQ(team_below(teams[depth], all_bits() & ~((2u << self) - 1)), DART_TEAM_NULL);
  for (int i = 1; i <= depth; i++) {
    is_team(teams[i], all_bits() & ~((1u << i) - 1));
    destroy(teams[i]);
  }
  barrier();
}

static void clones(void) {
  unsigned bits = ODD_UNITS & all_bits();
  dart_team_t team = team_of(bits ? bits : 1), copy = DART_TEAM_NULL, world = DART_TEAM_NULL;
  if (team != DART_TEAM_NULL) {
    dart_gptr_t segment = team_alloc(team, 10, DART_TYPE_INT);
    size_t n = 0;
    OK(dart_team_clone(team, &copy));
    CHECK(copy != team);
    CHECK(copy > 0);
    segment.teamid = copy;
    CHECK_EQ(dart_get_blocking(&n, segment, 1, DART_TYPE_INT, DART_TYPE_INT), DART_ERR_INVAL);
    destroy(team);
    is_team(copy, bits ? bits : 1);
    destroy(copy);
  }
  OK(dart_team_clone(DART_TEAM_ALL, &world));
  CHECK(world > 0);
  is_team(world, all_bits());
  destroy(world);
}

/* One call creates a team of each group: all have the same id, and each its own memory and collectives. If unit 0 is in
 * no group, it names the group of the others, and has no team. */
static void side_by_side(bool with_first) {
  unsigned even = EVEN_UNITS & all_bits() & (with_first ? ~0u : ~1u), odd = ODD_UNITS & all_bits();
  unsigned own = self % 2 ? odd : even;
  dart_team_t ids[32];
  if (!even || !odd) return;
  dart_team_t team = team_of(own);
  OK(dart_allgather(&team, ids, 1, DART_TYPE_SHORT, DART_TEAM_ALL));
  for (int unit = 0; unit < units_n; unit++) CHECK_EQ(ids[unit], unit || with_first ? ids[1] : DART_TEAM_NULL);
  if (team != DART_TEAM_NULL) {
    is_team(team, own);
    dart_gptr_t segment = team_alloc(team, 1, DART_TYPE_INT);
    dart_unit_t me = team_self(team), n = team_units_n(team);
    OK(dart_put_blocking(at(segment, (me + 1) % n, 0), &self, 1, DART_TYPE_INT, DART_TYPE_INT));
    OK(dart_barrier(team));
    dart_global_unit_t left = {-1};
    OK(dart_team_unit_l2g(team, DART_TEAM_UNIT_ID((me + n - 1) % n), &left));
    CHECK_EQ(*(int32_t *)own_part(segment, me), left.id);
    destroy(team);
  }
  barrier();
}

/* Disjoint teams have created different numbers of sub-teams, so that next ids differ; then all units create one. */
static void out_of_step(void) {
  unsigned even = EVEN_UNITS & all_bits(), odd = ODD_UNITS & all_bits();
  dart_team_t mine = self % 2 ? DART_TEAM_NULL : team_of(even), below[8], all;
  if (self % 2) CHECK_EQ(team_of(even), DART_TEAM_NULL);
  dart_team_t other = odd ? team_of(odd) : DART_TEAM_NULL;
  if (self % 2) mine = other;
  int n = self % 2 ? 2 : 7;
  for (int i = 0; i < n; i++) OK(dart_team_clone(mine, &below[i]));
  all = team_of(all_bits());
  same_id(all, all_bits());
  is_team(all, all_bits());
  for (int i = 0; i < n; i++) {
    CHECK(below[i] != all && below[i] != mine && below[i] != DART_TEAM_ALL);
    for (int k = 0; k < i; k++) CHECK(below[i] != below[k]);
    is_team(below[i], self % 2 ? odd : even);
  }
  destroy(all);
  destroy(mine);
  for (int i = 0; i < n; i++) destroy(below[i]);
  barrier();
}

/* The caller's own team; teams created below it cost the others nothing. */
static dart_team_t team_alone(void) {
  dart_team_t alone = DART_TEAM_NULL;
  for (int unit = 0; unit < units_n; unit++) {
    dart_team_t team = team_of(1u << unit);
    if (team != DART_TEAM_NULL) alone = team;
  }
  return alone;
}

/* An id is reused only after very many others. */
static void reuse(void) {
  enum { TIMES = 1000 };
  static bool seen[32768];
  dart_team_t alone = team_alone();
  for (int i = 0; i < TIMES; i++) {
    dart_team_t team = DART_TEAM_NULL;
    OK(dart_team_clone(i % 20 ? alone : DART_TEAM_ALL, &team));
    CHECK(team > 0 && !seen[team]);
    seen[team] = true;
    OK(dart_team_destroy(&team));
  }
  destroy(alone);
}

/* A thousand teams at once: of all units, of the even ones, of one alone; destroyed in another order. */
static void a_thousand(void) {
  enum { N = 1000, STRIDE = 7 };
  static dart_team_t teams[N];
  static bool seen[32768];
  dart_team_t alone = team_alone();
  for (int i = 0; i < N; i++) {
    if (i % 10) OK(dart_team_clone(alone, &teams[i]));
    else teams[i] = team_of(i % 20 ? all_bits() : EVEN_UNITS & all_bits());
    if (teams[i] == DART_TEAM_NULL) continue;
    CHECK(teams[i] > 0 && !seen[teams[i]]);
    seen[teams[i]] = true;
  }
  for (int i = 0; i < N; i += 15) {
    unsigned bits = i % 10 ? 1u << self : i % 20 ? all_bits() : EVEN_UNITS & all_bits();
    CHECK_EQ(teams[i] != DART_TEAM_NULL, bits >> self & 1);
    if (teams[i] != DART_TEAM_NULL) is_team(teams[i], bits);
  }
  for (int i = 0; i < N; i++) {
    OK(dart_team_destroy(&teams[i * STRIDE % N]));
    CHECK_EQ(teams[i * STRIDE % N], DART_TEAM_NULL);
  }
  destroy(alone);
}

static void bad_groups(void) {
  dart_group_t group = DART_GROUP_NULL;
  dart_team_t team = 77;
  OK(dart_group_create(&group));
  OK(dart_group_addmember(group, DART_GLOBAL_UNIT_ID(units_n)));
  CHECK_EQ(dart_team_create(DART_TEAM_ALL, group, &team), DART_ERR_INVAL);
  CHECK_EQ(dart_team_create(DART_TEAM_ALL, NULL, &team), DART_ERR_INVAL);
  OK(dart_group_delmember(group, DART_GLOBAL_UNIT_ID(units_n)));
  OK(dart_group_addmember(group, DART_GLOBAL_UNIT_ID(units_n - 1)));
  CHECK_EQ(dart_team_create(DART_TEAM_ALL, group, NULL), DART_ERR_INVAL);
  CHECK_EQ(dart_team_create(DART_TEAM_NULL, group, &team), DART_ERR_INVAL);
  dart_team_t first = team_of(1);
  if (first != DART_TEAM_NULL && units_n > 1) CHECK_EQ(dart_team_create(first, group, &team), DART_ERR_INVAL);
  CHECK_EQ(team, DART_TEAM_NULL);
  if (first != DART_TEAM_NULL) destroy(first);
  OK(dart_group_destroy(&group));
}

static void bad_calls(void) {
  dart_team_t all = DART_TEAM_ALL;
  CHECK_EQ(dart_team_destroy(NULL), DART_ERR_INVAL);
  CHECK_EQ(dart_team_destroy(&all), DART_ERR_INVAL);
  CHECK_EQ(all, DART_TEAM_ALL);
  CHECK_EQ(dart_team_clone(DART_TEAM_ALL, NULL), DART_ERR_INVAL);
  CHECK_EQ(dart_team_clone(DART_TEAM_NULL, &all), DART_ERR_INVAL);
  CHECK_EQ(dart_team_size(DART_TEAM_ALL, NULL), DART_ERR_INVAL);
  CHECK_EQ(dart_team_myid(DART_TEAM_ALL, NULL), DART_ERR_INVAL);
  CHECK_EQ(dart_team_get_group(DART_TEAM_ALL, NULL), DART_ERR_INVAL);
  CHECK_EQ(dart_team_unit_l2g(DART_TEAM_ALL, DART_TEAM_UNIT_ID(0), NULL), DART_ERR_INVAL);
  CHECK_EQ(dart_team_unit_g2l(DART_TEAM_ALL, DART_GLOBAL_UNIT_ID(0), NULL), DART_ERR_INVAL);
  CHECK_EQ(dart_myid(NULL), DART_ERR_INVAL);
  CHECK_EQ(dart_size(NULL), DART_ERR_INVAL);
  is_no_team(DART_TEAM_NULL);
  is_no_team(32767);
  is_no_team(-32768);
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  is_team(DART_TEAM_ALL, all_bits());
  subsets();
  empty();
  nested();
  side_by_side(true);
  side_by_side(false);
  clones();
  out_of_step();
  reuse();
  a_thousand();
  bad_groups();
  bad_calls();
  is_team(DART_TEAM_ALL, all_bits());
  return finish();
}
