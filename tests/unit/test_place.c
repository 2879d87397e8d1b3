/* The roles of ranks, units and agents, and the agent that serves each unit's requests, for nodes of every shape. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/place.h"

static void fill(int32_t self, int32_t ranks_n, const int32_t first_of[], int32_t agents_n, bool first_serves) {
  tsr_place_forget();
  struct tsr_place_plan plan = {ranks_n, self, first_of, agents_n, first_serves};
  assert_int_equal(tsr_place_fill(&plan), TESSERA_OK);
}

static const int32_t blocks[] = {0, 0, 0, 3, 3, 3, 3}, turns[] = {0, 1, 0, 1, 0, 1};

static void units_only(void **state) {
  (void)state;
  fill(4, 7, blocks, 0, false);
  assert_int_equal(tsr_place.self, 4);
  assert_int_equal(tsr_place.units_n, 7);
  assert_int_equal(tsr_place.nodes_n, 2);
  assert_int_equal(tsr_place.node, 1);
  assert_int_equal(tsr_place_local(TSR_UNIT(6)), 3);
  assert_true(tsr_place_local(TSR_UNIT(2)) < 0);
  for (int32_t unit = 0; unit < 7; unit++) assert_int_equal(tsr_place_endpoint((tsr_addr){TSR_UNIT(unit), 0}), unit);
}

static void first_serves(void **state) {
  (void)state;
  fill(1, 7, blocks, 0, true);
  for (int32_t unit = 0; unit < 7; unit++)
    assert_int_equal(tsr_place_endpoint((tsr_addr){TSR_UNIT(unit), 0}), unit < 3 ? 0 : 3);
  assert_int_equal(tsr_place_endpoint(tsr_addr_outside(TSR_UNIT(5), &blocks)), 5);
  assert_false(tsr_place_is_agent());
}

/* Ranks 1, 2 and 5, 6 are agents: the units are ranks 0, 3, 4. */
static void agents_in_blocks(void **state) {
  (void)state;
  static const int32_t unit_of[] = {0, 3, 4, 1, 2, 5, 6};
  for (int32_t rank = 0; rank < 7; rank++) {
    fill(rank, 7, blocks, 2, false);
    assert_int_equal(tsr_place.self, unit_of[rank]);
    assert_int_equal(tsr_place.units_n, 3);
    assert_int_equal(tsr_place.node, rank >= 3);
    assert_int_equal(tsr_place_is_agent(), unit_of[rank] >= 3);
  }
  assert_int_equal(tsr_place_local(TSR_UNIT(2)), 1);
  assert_int_equal(tsr_place_endpoint((tsr_addr){TSR_UNIT(0), 0}), 3);
  assert_int_equal(tsr_place_endpoint((tsr_addr){TSR_UNIT(1), 0}), 5);
  assert_int_equal(tsr_place_endpoint((tsr_addr){TSR_UNIT(2), 0}), 6);
}

/* Interleaved nodes: the last rank of each is its agent, and the units of a node are not consecutive. */
static void agents_in_turns(void **state) {
  (void)state;
  fill(2, 6, turns, 1, false);
  assert_int_equal(tsr_place.self, 2);
  assert_int_equal(tsr_place_local(TSR_UNIT(0)), 0);
  assert_int_equal(tsr_place_local(TSR_UNIT(2)), 1);
  assert_true(tsr_place_local(TSR_UNIT(1)) < 0);
  assert_int_equal(tsr_place_endpoint((tsr_addr){TSR_UNIT(3), 0}), 5);
  fill(5, 6, turns, 1, false);
  assert_int_equal(tsr_place.self, 5);
  assert_true(tsr_place_is_agent());
}

static void no_unit_left(void **state) {
  (void)state;
  struct tsr_place_plan plan = {7, 3, blocks, 3, false};
  assert_int_equal(tsr_place_fill(&plan), TESSERA_ERR_ARG);
}

/* Each rank's description of each unit, against a count over all ranks. */
static void check_all(int32_t ranks_n, const int32_t first_of[]) {
  int32_t node_of[16], index_of[16], nodes_n = 0;
  for (int32_t rank = 0; rank < ranks_n; rank++) {
    bool is_first = first_of[rank] == rank;
    node_of[rank] = is_first ? nodes_n++ : node_of[first_of[rank]];
    index_of[rank] = 0;
    for (int32_t before = 0; before < rank; before++) index_of[rank] += first_of[before] == first_of[rank];
  }
  for (int32_t self = 0; self < ranks_n; self++) {
    fill(self, ranks_n, first_of, 0, true);
    assert_int_equal(tsr_place.nodes_n, nodes_n);
    for (int32_t rank = 0; rank < ranks_n; rank++) {
      bool is_local_unit = first_of[rank] == first_of[self];
      assert_int_equal(tsr_place_node(TSR_UNIT(rank)), node_of[rank]);
      assert_int_equal(tsr_place_index(TSR_UNIT(rank)), index_of[rank]);
      assert_int_equal(tsr_place_first(node_of[rank]).id, first_of[rank]);
      assert_int_equal(tsr_place_local(TSR_UNIT(rank)), is_local_unit ? index_of[rank] : -1);
      assert_int_equal(tsr_place_endpoint((tsr_addr){TSR_UNIT(rank), 0}), nodes_n > 1 ? first_of[rank] : rank);
    }
  }
}

static void nodes_of_every_shape(void **state) {
  (void)state;
  static const int32_t even[] = {0, 0, 0, 3, 3, 3, 6, 6, 6}, one[] = {0, 0, 0}, back[] = {0, 0, 2, 2, 0, 5, 5, 5, 5};
  check_all(9, even);
  assert_int_equal(tsr_place.per_node, 3);
  assert_null(tsr_place.node_of);
  check_all(7, blocks);
  assert_int_equal(tsr_place.per_node, 0);
  assert_null(tsr_place.node_of);
  check_all(6, turns);
  check_all(9, back);
  check_all(3, one);
}

/* Units of one node are counted in 16 bits, and their shared tables have room for that many. */
static void no_more_than_a_node_holds(void **state) {
  (void)state;
  static int32_t first_of[TSR_NODE_UNITS_MAX + 1];
  struct tsr_place_plan plan = {TSR_NODE_UNITS_MAX, TSR_NODE_UNITS_MAX - 1, first_of, 0, true};
  assert_int_equal(tsr_place_fill(&plan), TESSERA_OK);
  assert_int_equal(tsr_place_local(TSR_UNIT(TSR_NODE_UNITS_MAX - 1)), TSR_NODE_UNITS_MAX - 1);
  tsr_place_forget();
  plan.ranks_n++;
  assert_int_equal(tsr_place_fill(&plan), TESSERA_ERR_ARG);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(nodes_of_every_shape), cmocka_unit_test(no_more_than_a_node_holds),
                                     cmocka_unit_test(units_only), cmocka_unit_test(first_serves),
                                     cmocka_unit_test(agents_in_blocks), cmocka_unit_test(agents_in_turns),
                                     cmocka_unit_test(no_unit_left)};
  int failed_n = cmocka_run_group_tests(tests, NULL, NULL);
  tsr_place_forget();
  return failed_n;
}
