/* Groups of DART: sets of unit numbers, without a runtime. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <dash/dart/if/dart_locality.h>
#include <dash/dart/if/dart_team_group.h>

enum { UNITS_MAX = 64 };

static dart_group_t group_of(int n, const int units[]) {
  dart_group_t group = DART_GROUP_NULL;
  assert_int_equal(dart_group_create(&group), DART_OK);
  for (int i = 0; i < n; i++) assert_int_equal(dart_group_addmember(group, DART_GLOBAL_UNIT_ID(units[i])), DART_OK);
  return group;
}
#define GROUP(...) \
  group_of((int)(sizeof((int[]){__VA_ARGS__}) / sizeof(int)), (int[]){__VA_ARGS__})

static void check(dart_group_t group, int n, const int units[]) {
  size_t size = 99;
  dart_global_unit_t members[UNITS_MAX];
  assert_int_equal(dart_group_size(group, &size), DART_OK);
  assert_int_equal(size, n);
  assert_int_equal(dart_group_getmembers(group, members), DART_OK);
  for (int i = 0; i < n; i++) assert_int_equal(members[i].id, units[i]);
}
#define CHECK(group, ...) \
  check(group, (int)(sizeof((int[]){__VA_ARGS__}) / sizeof(int)), (int[]){__VA_ARGS__})
#define CHECK_EMPTY(group) check(group, 0, NULL)

static void drop(dart_group_t group) {
  assert_int_equal(dart_group_destroy(&group), DART_OK);
  assert_null(group);
}

static void members_come_back_in_ascending_order_and_once(void **state) {
  (void)state;
  dart_group_t group = GROUP(9, 2, 40, 2, 0, 9, 17);
  CHECK(group, 0, 2, 9, 17, 40);
  drop(group);
}

static void members_can_be_taken_out(void **state) {
  (void)state;
  dart_group_t group = GROUP(1, 3, 5);
  int32_t yes = -1;
  assert_int_equal(dart_group_delmember(group, DART_GLOBAL_UNIT_ID(3)), DART_OK);
  assert_int_equal(dart_group_delmember(group, DART_GLOBAL_UNIT_ID(4)), DART_OK);
  assert_int_equal(dart_group_delmember(group, DART_GLOBAL_UNIT_ID(-1)), DART_OK);
  CHECK(group, 1, 5);
  assert_int_equal(dart_group_ismember(group, DART_GLOBAL_UNIT_ID(5), &yes), DART_OK);
  assert_int_equal(yes, 1);
  assert_int_equal(dart_group_ismember(group, DART_GLOBAL_UNIT_ID(3), &yes), DART_OK);
  assert_int_equal(yes, 0);
  assert_int_equal(dart_group_ismember(group, DART_GLOBAL_UNIT_ID(6), &yes), DART_OK);
  assert_int_equal(yes, 0);
  drop(group);
}

static void union_and_intersection_are_sets(void **state) {
  (void)state;
  dart_group_t a = GROUP(0, 1, 4, 6), b = GROUP(1, 2, 6, 7, 8), none = group_of(0, NULL), out;
  assert_int_equal(dart_group_union(a, b, &out), DART_OK);
  CHECK(out, 0, 1, 2, 4, 6, 7, 8);
  drop(out);
  assert_int_equal(dart_group_intersect(a, b, &out), DART_OK);
  CHECK(out, 1, 6);
  drop(out);
  assert_int_equal(dart_group_union(a, none, &out), DART_OK);
  CHECK(out, 0, 1, 4, 6);
  drop(out);
  assert_int_equal(dart_group_intersect(none, b, &out), DART_OK);
  CHECK_EMPTY(out);
  drop(out);
  drop(a);
  drop(b);
  drop(none);
}

static void clone_is_independent(void **state) {
  (void)state;
  dart_group_t group = GROUP(3, 5), clone;
  assert_int_equal(dart_group_clone(group, &clone), DART_OK);
  assert_int_equal(dart_group_addmember(clone, DART_GLOBAL_UNIT_ID(4)), DART_OK);
  CHECK(group, 3, 5);
  CHECK(clone, 3, 4, 5);
  drop(group);
  CHECK(clone, 3, 4, 5);
  drop(clone);
}

static void split_cuts_consecutive_pieces_and_stores_the_group_size(void **state) {
  (void)state;
  dart_group_t group = GROUP(10, 11, 12, 13, 14, 15, 16), pieces[4];
  size_t nout = 0;
  assert_int_equal(dart_group_split(group, 4, &nout, pieces), DART_OK);
  assert_int_equal(nout, 7);
  CHECK(pieces[0], 10, 11);
  CHECK(pieces[1], 12, 13);
  CHECK(pieces[2], 14, 15);
  CHECK(pieces[3], 16);
  for (int i = 0; i < 4; i++) drop(pieces[i]);
  drop(group);
}

static void split_into_more_pieces_than_members_leaves_empty_ones(void **state) {
  (void)state;
  dart_group_t group = GROUP(5, 6), none = group_of(0, NULL), pieces[3];
  size_t nout = 0;
  assert_int_equal(dart_group_split(group, 3, &nout, pieces), DART_OK);
  assert_int_equal(nout, 2);
  CHECK(pieces[0], 5);
  CHECK(pieces[1], 6);
  CHECK_EMPTY(pieces[2]);
  for (int i = 0; i < 3; i++) drop(pieces[i]);
  assert_int_equal(dart_group_split(none, 3, &nout, pieces), DART_OK);
  assert_int_equal(nout, 0);
  for (int i = 0; i < 3; i++) {
    CHECK_EMPTY(pieces[i]);
    drop(pieces[i]);
  }
  drop(group);
  drop(none);
}

/* Compared with a table of flags. */
static void random_changes_agree_with_a_model(void **state) {
  (void)state;
  bool model[UNITS_MAX] = {false};
  dart_group_t group = group_of(0, NULL);
  srand(1);
  for (int step = 0; step < 20000; step++) {
    int unit = rand() % UNITS_MAX;
    model[unit] = rand() % 2;
    if (model[unit]) assert_int_equal(dart_group_addmember(group, DART_GLOBAL_UNIT_ID(unit)), DART_OK);
    else assert_int_equal(dart_group_delmember(group, DART_GLOBAL_UNIT_ID(unit)), DART_OK);
    if (step % 100) continue;
    int expected[UNITS_MAX], n = 0;
    for (int i = 0; i < UNITS_MAX; i++) {
      if (model[i]) expected[n++] = i;
    }
    check(group, n, expected);
  }
  drop(group);
}

/* NULL as each group argument, and as each result, of every function. */
static void null_groups_are_refused(void **state) {
  (void)state;
  const dart_global_unit_t unit = DART_GLOBAL_UNIT_ID(1);
  dart_group_t group = GROUP(1, 2), none = DART_GROUP_NULL, out = group;
  dart_global_unit_t members[1] = {{77}};
  dart_domain_locality_t *domain = NULL;
  size_t size = 77;
  int32_t yes = 77;
  assert_int_equal(dart_group_create(NULL), DART_ERR_INVAL);
  assert_int_equal(dart_group_destroy(NULL), DART_ERR_INVAL);
  assert_int_equal(dart_group_destroy(&none), DART_OK);
  assert_int_equal(dart_group_clone(none, &out), DART_ERR_INVAL);
  assert_int_equal(dart_group_clone(group, NULL), DART_ERR_INVAL);
  assert_int_equal(dart_group_union(none, group, &out), DART_ERR_INVAL);
  assert_int_equal(dart_group_union(group, none, &out), DART_ERR_INVAL);
  assert_int_equal(dart_group_union(group, group, NULL), DART_ERR_INVAL);
  assert_int_equal(dart_group_intersect(none, group, &out), DART_ERR_INVAL);
  assert_int_equal(dart_group_intersect(group, none, &out), DART_ERR_INVAL);
  assert_int_equal(dart_group_intersect(group, group, NULL), DART_ERR_INVAL);
  assert_int_equal(dart_group_addmember(none, unit), DART_ERR_INVAL);
  assert_int_equal(dart_group_delmember(none, unit), DART_ERR_INVAL);
  assert_int_equal(dart_group_ismember(none, unit, &yes), DART_ERR_INVAL);
  assert_int_equal(dart_group_ismember(group, unit, NULL), DART_ERR_INVAL);
  assert_int_equal(dart_group_size(none, &size), DART_ERR_INVAL);
  assert_int_equal(dart_group_size(group, NULL), DART_ERR_INVAL);
  assert_int_equal(dart_group_getmembers(none, members), DART_ERR_INVAL);
  assert_int_equal(dart_group_getmembers(none, NULL), DART_ERR_INVAL);
  assert_int_equal(dart_group_getmembers(group, NULL), DART_ERR_INVAL);
  assert_int_equal(dart_group_split(none, 1, &size, &out), DART_ERR_INVAL);
  assert_int_equal(dart_group_split(group, 1, NULL, &out), DART_ERR_INVAL);
  assert_int_equal(dart_group_split(group, 1, &size, NULL), DART_ERR_INVAL);
  assert_int_equal(dart_group_locality_split(none, domain, DART_LOCALITY_SCOPE_CORE, 1, &size, &out), DART_ERR_INVAL);
  assert_int_equal(dart_group_locality_split(group, domain, DART_LOCALITY_SCOPE_CORE, 1, &size, &out), DART_ERR_INVAL);
  assert_int_equal(size, 77);
  assert_int_equal(yes, 0);
  assert_int_equal(members[0].id, 77);
  assert_null(out);
  check(group, 2, (int[]){1, 2});
  drop(group);
}

static void bad_arguments_are_refused(void **state) {
  (void)state;
  dart_group_t group = GROUP(1), out = DART_GROUP_NULL;
  size_t size = 77;
  assert_int_equal(dart_group_addmember(group, DART_GLOBAL_UNIT_ID(-1)), DART_ERR_INVAL);
  assert_int_equal(dart_group_delmember(group, DART_GLOBAL_UNIT_ID(1)), DART_OK);
  assert_int_equal(dart_group_getmembers(group, NULL), DART_OK); /* std::vector passes NULL for an empty list */
  assert_int_equal(dart_group_split(group, 0, &size, &out), DART_ERR_INVAL);
  assert_int_equal(size, 77);
  assert_null(out);
  drop(group);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(members_come_back_in_ascending_order_and_once),
    cmocka_unit_test(members_can_be_taken_out),
    cmocka_unit_test(union_and_intersection_are_sets),
    cmocka_unit_test(clone_is_independent),
    cmocka_unit_test(split_cuts_consecutive_pieces_and_stores_the_group_size),
    cmocka_unit_test(split_into_more_pieces_than_members_leaves_empty_ones),
    cmocka_unit_test(random_changes_agree_with_a_model),
    cmocka_unit_test(null_groups_are_refused),
    cmocka_unit_test(bad_arguments_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
