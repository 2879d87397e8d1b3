/* Groups, compared with sets of bits. They are local; two units show that nothing is shared.
 * Units: 1 2
 */
#include "dart_check.h"

enum { HIGHEST = 40 };

static dart_group_t group_of(uint64_t bits) {
  dart_group_t group = DART_GROUP_NULL;
  OK(dart_group_create(&group));
  CHECK(group != DART_GROUP_NULL);
  for (int i = HIGHEST; i >= 0; i--) { /* descending, and every third twice */
    if (bits >> i & 1) OK(dart_group_addmember(group, DART_GLOBAL_UNIT_ID(i)));
    if (bits >> i & 1 && i % 3 == 0) OK(dart_group_addmember(group, DART_GLOBAL_UNIT_ID(i)));
  }
  return group;
}

/* The group contains exactly these units, in ascending order. */
static void holds(dart_group_t group, uint64_t bits) {
  dart_global_unit_t members[HIGHEST + 2];
  size_t size = 99, n = 0;
  members[__builtin_popcountll(bits)].id = -5;
  OK(dart_group_size(group, &size));
  CHECK_EQ(size, __builtin_popcountll(bits));
  OK(dart_group_getmembers(group, members));
  CHECK_EQ(members[size].id, -5);
  for (int i = 0; i <= HIGHEST; i++) {
    int32_t is_member = 77;
    OK(dart_group_ismember(group, DART_GLOBAL_UNIT_ID(i), &is_member));
    CHECK_EQ(is_member, bits >> i & 1);
    if (bits >> i & 1) CHECK_EQ(members[n++].id, i);
  }
}

static void drop(dart_group_t group) {
  OK(dart_group_destroy(&group));
  CHECK(group == DART_GROUP_NULL);
}

static uint64_t some_bits(void) {
  static uint64_t state = 88172645463325252u;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state >> (64 - HIGHEST - 1);
}

static void members(void) {
  uint64_t bits = some_bits();
  dart_group_t group = group_of(bits);
  holds(group, bits);
  for (int i = 0; i < 100; i++) {
    int unit = (int)(some_bits() % (HIGHEST + 1));
    if (i % 2) OK(dart_group_addmember(group, DART_GLOBAL_UNIT_ID(unit)));
    else OK(dart_group_delmember(group, DART_GLOBAL_UNIT_ID(unit)));
    bits = i % 2 ? bits | (uint64_t)1 << unit : bits & ~((uint64_t)1 << unit);
    if (i % 10 == 0) holds(group, bits);
  }
  holds(group, bits);
  for (int i = 0; i <= HIGHEST; i++) OK(dart_group_delmember(group, DART_GLOBAL_UNIT_ID(i)));
  holds(group, 0);
  drop(group);
}

static void sets(uint64_t a, uint64_t b) {
  dart_group_t one = group_of(a), other = group_of(b), both = DART_GROUP_NULL, either = DART_GROUP_NULL;
  OK(dart_group_intersect(one, other, &both));
  OK(dart_group_union(one, other, &either));
  holds(both, a & b);
  holds(either, a | b);
  OK(dart_group_addmember(either, DART_GLOBAL_UNIT_ID(0)));
  OK(dart_group_delmember(both, DART_GLOBAL_UNIT_ID(0)));
  holds(one, a);
  holds(other, b);
  drop(one);
  drop(other);
  drop(both);
  drop(either);
}

static void with_itself(uint64_t bits) {
  dart_group_t group = group_of(bits), both = DART_GROUP_NULL, either = DART_GROUP_NULL;
  OK(dart_group_intersect(group, group, &both));
  OK(dart_group_union(group, group, &either));
  holds(both, bits);
  holds(either, bits);
  drop(group);
  drop(both);
  drop(either);
}

static void clone(uint64_t bits) {
  dart_group_t group = group_of(bits), copy = DART_GROUP_NULL;
  OK(dart_group_clone(group, &copy));
  CHECK(copy != group);
  OK(dart_group_addmember(group, DART_GLOBAL_UNIT_ID(0)));
  OK(dart_group_delmember(copy, DART_GLOBAL_UNIT_ID(HIGHEST)));
  holds(group, bits | 1);
  drop(group);
  holds(copy, bits & ~((uint64_t)1 << HIGHEST));
  drop(copy);
}

/* Pieces of ceil(size / n) members; the number stored with them is the group's size, as in upstream. */
static void split(uint64_t bits, size_t n) {
  size_t size = (size_t)__builtin_popcountll(bits), share = (size + n - 1) / n, stored = 99;
  dart_group_t group = group_of(bits), pieces[64] = {DART_GROUP_NULL};
  OK(dart_group_split(group, n, &stored, pieces));
  CHECK_EQ(stored, size);
  for (size_t i = 0; i < n; i++) {
    uint64_t piece = 0;
    for (size_t k = 0; k < share && bits; k++) {
      piece |= bits & -bits;
      bits &= bits - 1;
    }
    CHECK(pieces[i] != DART_GROUP_NULL);
    holds(pieces[i], piece);
    drop(pieces[i]);
  }
  CHECK(pieces[n] == DART_GROUP_NULL);
  drop(group);
}

static void far_apart(void) {
  dart_group_t group = DART_GROUP_NULL;
  dart_global_unit_t got[3];
  OK(dart_group_create(&group));
  OK(dart_group_addmember(group, DART_GLOBAL_UNIT_ID(8388607)));
  OK(dart_group_addmember(group, DART_GLOBAL_UNIT_ID(0)));
  OK(dart_group_addmember(group, DART_GLOBAL_UNIT_ID(70000)));
  OK(dart_group_getmembers(group, got));
  CHECK(got[0].id == 0 && got[1].id == 70000 && got[2].id == 8388607);
  drop(group);
}

static void bad_calls(void) {
  dart_group_t group = group_of(6), out = DART_GROUP_NULL, pieces[2] = {DART_GROUP_NULL};
  dart_global_unit_t one = {1}, negative = {-1}, ids[2];
  size_t n = 99;
  int32_t is_member = 77;
  CHECK_EQ(dart_group_create(NULL), DART_ERR_INVAL);
  CHECK_EQ(dart_group_destroy(NULL), DART_ERR_INVAL);
  OK(dart_group_destroy(&out));
  CHECK_EQ(dart_group_clone(NULL, &out), DART_ERR_INVAL);
  CHECK_EQ(dart_group_clone(group, NULL), DART_ERR_INVAL);
  CHECK_EQ(dart_group_union(NULL, group, &out), DART_ERR_INVAL);
  CHECK_EQ(dart_group_union(group, NULL, &out), DART_ERR_INVAL);
  CHECK_EQ(dart_group_union(group, group, NULL), DART_ERR_INVAL);
  CHECK_EQ(dart_group_intersect(NULL, group, &out), DART_ERR_INVAL);
  CHECK_EQ(dart_group_intersect(group, NULL, &out), DART_ERR_INVAL);
  CHECK_EQ(dart_group_intersect(group, group, NULL), DART_ERR_INVAL);
  CHECK_EQ(dart_group_addmember(NULL, one), DART_ERR_INVAL);
  CHECK_EQ(dart_group_addmember(group, negative), DART_ERR_INVAL);
  CHECK_EQ(dart_group_delmember(NULL, one), DART_ERR_INVAL);
  CHECK_EQ(dart_group_ismember(NULL, one, &is_member), DART_ERR_INVAL);
  CHECK_EQ(dart_group_ismember(group, one, NULL), DART_ERR_INVAL);
  CHECK_EQ(dart_group_size(NULL, &n), DART_ERR_INVAL);
  CHECK_EQ(dart_group_size(group, NULL), DART_ERR_INVAL);
  CHECK_EQ(dart_group_getmembers(NULL, ids), DART_ERR_INVAL);
  CHECK_EQ(dart_group_getmembers(group, NULL), DART_ERR_INVAL);
  CHECK_EQ(dart_group_split(NULL, 2, &n, pieces), DART_ERR_INVAL);
  CHECK_EQ(dart_group_split(group, 0, &n, pieces), DART_ERR_INVAL);
  CHECK_EQ(dart_group_split(group, 2, NULL, pieces), DART_ERR_INVAL);
  CHECK_EQ(dart_group_split(group, 2, &n, NULL), DART_ERR_INVAL);
  CHECK(!out && !pieces[0] && !pieces[1] && n == 99 && is_member == 0);
  holds(group, 6);
  drop(group);
}

static void everything(void) {
  for (int i = 0; i < 20; i++) {
    members();
    sets(some_bits(), some_bits());
    clone(some_bits());
    with_itself(some_bits());
    for (size_t n = 1; n < 50; n += 3) split(some_bits(), n);
  }
  sets(0, some_bits());
  sets(some_bits(), 0);
  sets(0, 0);
  clone(0);
  split(0, 3);
  for (size_t n = 1; n < 12; n++) split(0x3fe, n); /* nine members */
  far_apart();
  bad_calls();
}

int main(int argc, char **argv) {
  everything(); /* works without DART */
  start(&argc, &argv);
  everything();
  return finish();
}
