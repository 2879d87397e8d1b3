/* The shape of teams whose members are on some of the nodes: which nodes, in which order, and the numbers of these. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/place.h"
#include "core/team_shape.h"

enum { NODES_N = 6, EACH_N = 2, UNITS_N = NODES_N * EACH_N };

/* Makes the caller a unit of EACH_N on each of NODES_N nodes, and shapes a team. */
static tsr_team shape(int32_t self, int32_t n, const int32_t numbers[]) {
  int32_t first_of[UNITS_N];
  tsr_unit units[UNITS_N];
  tsr_team team = {0};
  for (int32_t unit = 0; unit < UNITS_N; unit++) first_of[unit] = unit / EACH_N * EACH_N;
  for (int32_t i = 0; i < n; i++) units[i] = TSR_UNIT(numbers[i]);
  tsr_place_forget();
  assert_int_equal(tsr_place_fill(&(struct tsr_place_plan){UNITS_N, self, first_of, 0, false}), TESSERA_OK);
  assert_int_equal(tsr_team_shape(&team, n, units), TESSERA_OK);
  return team;
}

/* `nodes`: the nodes of the world that have members, in the order of the team. */
static void expect_nodes(const tsr_team *team, int32_t n, const int32_t nodes[], const int32_t leaders[]) {
  assert_int_equal(team->nodes_n, n);
  int32_t found_n = 0;
  for (int32_t node = 0; node < NODES_N; node++) found_n += tsr_team_find_node(team, node) != NULL;
  assert_int_equal(found_n, n);
  for (int32_t i = 0; i < n; i++) {
    const struct tsr_team_node *found = tsr_team_find_node(team, nodes[i]);
    assert_non_null(found);
    assert_int_equal(found->node, nodes[i]);
    assert_int_equal(found->number, i);
    assert_int_equal(team->leaders[i], leaders[i]);
    if (i) assert_true(team->nodes[i - 1].node < team->nodes[i].node);
  }
}

static void all_nodes(void **state) {
  (void)state;
  static const int32_t units[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, nodes[] = {0, 1, 2, 3, 4, 5},
                       leaders[] = {0, 2, 4, 6, 8, 10};
  tsr_team team = shape(7, UNITS_N, units);
  expect_nodes(&team, NODES_N, nodes, leaders);
  assert_int_equal(team.self_node, 3);
  assert_int_equal(team.each_n, EACH_N);
  tsr_team_shape_free(&team);
}

static void nodes_with_gaps(void **state) {
  (void)state;
  static const int32_t units[] = {2, 3, 6, 10}, nodes[] = {1, 3, 5}, leaders[] = {0, 2, 3};
  tsr_team team = shape(10, 4, units);
  expect_nodes(&team, 3, nodes, leaders);
  assert_int_equal(team.self_node, 2);
  assert_int_equal(team.largest_n, 2);
  assert_true(team.is_in_order);
  assert_int_equal(team.each_n, 0);
  tsr_team_shape_free(&team);
}

/* The order of the nodes is that of the team's first members on them. */
static void nodes_in_any_order(void **state) {
  (void)state;
  static const int32_t units[] = {9, 0, 8, 5, 1, 4}, nodes[] = {4, 0, 2}, leaders[] = {0, 1, 3};
  tsr_team team = shape(4, 6, units);
  expect_nodes(&team, 3, nodes, leaders);
  assert_false(team.is_in_order);
  assert_int_equal(team.self_node, 2);
  assert_int_equal(team.self_local, 1);
  tsr_team_shape_free(&team);
}

static void one_node(void **state) {
  (void)state;
  static const int32_t units[] = {11}, nodes[] = {5}, leaders[] = {0};
  tsr_team team = shape(11, 1, units);
  expect_nodes(&team, 1, nodes, leaders);
  tsr_team_shape_free(&team);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_nodes), cmocka_unit_test(nodes_with_gaps),
                                     cmocka_unit_test(nodes_in_any_order), cmocka_unit_test(one_node)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
