/* The table of message algorithms, read from a file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "coll/select.h"

enum { ROWS_N = 4 };
static struct tsr_select_row rows[ROWS_N];
static const char *fault;

static int parse(const char *text) {
  fault = NULL;
  return tsr_select_parse(text, rows, ROWS_N, &fault);
}

static void rows_are_read_in_their_order(void **state) {
  (void)state;
  assert_int_equal(parse("# a comment\n\nbcast node 8 4096 tree\n  reduce\tany any any ring # and another"), 2);
  assert_null(fault);
  assert_int_equal(rows[0].kind, TSR_COLL_BCAST);
  assert_int_equal(rows[0].where, TSR_ONE_NODE);
  assert_int_equal(rows[0].most_members, 8);
  assert_int_equal(rows[0].most_bytes, 4096);
  assert_int_equal(rows[0].algorithm, TSR_BY_TREE);
  assert_false(rows[0].commutes);
  assert_int_equal(rows[1].kind, TSR_COLL_REDUCE);
  assert_int_equal(rows[1].where, TSR_ANYWHERE);
  assert_int_equal(rows[1].most_members, TSR_ANY_TEAM);
  assert_true(rows[1].most_bytes == TSR_ANY_SIZE);
  assert_true(rows[1].commutes); /* a ring combines out of order */
}

static void an_empty_table_has_no_rows(void **state) {
  (void)state;
  assert_int_equal(parse(""), 0);
  assert_int_equal(parse("\n# nothing\n"), 0);
}

static void what_is_wrong_is_told_with_its_line(void **state) {
  (void)state;
  static const char *const wrong[] = {"\nbroadcast node 8 4096 tree",
                                      "\nbcast here 8 4096 tree",
                                      "\nbcast node 0 4096 tree",
                                      "\nbcast node -1 4096 tree",
                                      "\nbcast node 8 4k tree",
                                      "\nbcast node 8 tree",
                                      "\nbcast node 8 9 tree ring",
                                      "\nbcast node 8 4096 doubling",
                                      "\nbarrier any any any ring",
                                      "\nbcast node 8 4096 nodes",
                                      "\nreduce any 8 4096 nodes",
                                      "\nbcast leaders 8 9 nodes",
                                      "\nreduce_scatter leaders 8 9 tree",
                                      "\nbcast node 8 4096 best",
                                      "\nbcast node 99999999999 4096 tree",
                                      "\nbcast node 8 18446744073709551616 tree"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    assert_int_equal(parse(wrong[i]), -2);
    assert_non_null(fault);
  }
}

static void more_rows_than_there_is_room_for_are_refused(void **state) {
  (void)state;
  assert_int_equal(parse("barrier any 1 any tree\nbarrier any 2 any tree\nbarrier any 3 any tree\nbarrier any 4 any tree\n"), 4);
  assert_int_equal(parse("barrier any 1 any tree\nbarrier any 2 any tree\nbarrier any 3 any tree\nbarrier any 4 any tree\n"
                         "barrier any 5 any tree\n"), -5);
}

/* Without a file: the built-in table. */
static enum tsr_algorithm leaders(enum tsr_coll_kind kind, int32_t nodes_n, size_t bytes) {
  return tsr_select_leaders(kind, &(tsr_team){.nodes_n = nodes_n}, bytes);
}

static void short_data_among_leaders_goes_the_same_way_however_many_there_are(void **state) {
  (void)state;
  for (int32_t nodes_n = 2; nodes_n < 1 << 20; nodes_n *= 2) {
    assert_int_equal(leaders(TSR_COLL_BCAST, nodes_n, 8 << 10), TSR_BY_TREE);
    assert_int_equal(leaders(TSR_COLL_REDUCE, nodes_n, 16 << 10), TSR_BY_TREE);
    assert_int_equal(leaders(TSR_COLL_ALLREDUCE, nodes_n, 16 << 10), TSR_BY_DOUBLING);
  }
}

/* A ring has as many steps as leaders; a line has as many as leaders and pieces. */
static void long_data_takes_no_step_for_each_of_many_leaders(void **state) {
  (void)state;
  for (int32_t nodes_n = 3; nodes_n <= 4; nodes_n++) {
    assert_int_equal(leaders(TSR_COLL_BCAST, nodes_n, 64 << 10), TSR_BY_TREE);
    assert_int_equal(leaders(TSR_COLL_BCAST, nodes_n, 1 << 20), TSR_BY_RING);
    assert_int_equal(leaders(TSR_COLL_REDUCE, nodes_n, 1 << 20), TSR_BY_RING);
    assert_int_equal(leaders(TSR_COLL_ALLREDUCE, nodes_n, 1 << 20), TSR_BY_RING);
  }
  for (int32_t nodes_n = 5; nodes_n < 1 << 20; nodes_n *= 2) {
    assert_int_equal(leaders(TSR_COLL_BCAST, nodes_n, 1 << 20), TSR_BY_HALVING);
    assert_int_equal(leaders(TSR_COLL_REDUCE, nodes_n, 1 << 20), TSR_BY_HALVING);
    assert_int_equal(leaders(TSR_COLL_ALLREDUCE, nodes_n, 64 << 20), TSR_BY_HALVING);
  }
  assert_int_equal(leaders(TSR_COLL_BCAST, 64, 64 << 20), TSR_BY_RING); /* more pieces than nodes */
  assert_int_equal(leaders(TSR_COLL_BCAST, 65, 64 << 20), TSR_BY_HALVING);
}

/* A root sends to hundreds of nodes through other nodes. */
static void small_shares_of_many_nodes_take_a_tree(void **state) {
  (void)state;
  static const enum tsr_coll_kind kinds[] = {TSR_COLL_SCATTER, TSR_COLL_GATHER};
  for (int i = 0; i < 2; i++) {
    assert_int_equal(leaders(kinds[i], 8, 64), TSR_BY_DIRECT);
    assert_int_equal(leaders(kinds[i], 400, 64), TSR_BY_TREE);
    assert_int_equal(leaders(kinds[i], 400, 1 << 20), TSR_BY_DIRECT);
  }
}

static enum tsr_algorithm units(enum tsr_coll_kind kind, int32_t n, size_t bytes, bool commutes) {
  return tsr_select(kind, &(tsr_team){.size = n, .nodes_n = n / 2}, bytes, commutes);
}

static void short_data_on_several_nodes_goes_by_nodes(void **state) {
  (void)state;
  static const enum tsr_coll_kind kinds[] = {TSR_COLL_BARRIER, TSR_COLL_BCAST,  TSR_COLL_SCATTER,  TSR_COLL_GATHER,
                                             TSR_COLL_ALLGATHER, TSR_COLL_REDUCE, TSR_COLL_ALLREDUCE};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    for (int32_t n = 4; n < 1 << 20; n *= 2) assert_int_equal(units(kinds[i], n, 8, true), TSR_BY_NODES);
  }
  assert_int_equal(units(TSR_COLL_REDUCE, 8, 8, false), TSR_BY_TREE); /* in the order of members, wherever they are */
  assert_int_equal(units(TSR_COLL_ALLREDUCE, 8, 8, false), TSR_BY_DOUBLING);
  tsr_team team = {.size = 64, .nodes_n = 16, .locals_n = 4};
  assert_int_equal(tsr_select_locals(TSR_COLL_BCAST, &team, 8), TSR_BY_TREE);
  assert_int_equal(tsr_select_locals(TSR_COLL_BCAST, &team, 1 << 20), TSR_BY_DIRECT);
}

static void a_ring_of_many_units_is_not_taken(void **state) {
  (void)state;
  assert_int_equal(units(TSR_COLL_ALLREDUCE, 256, 1 << 20, true), TSR_BY_RING);
  assert_int_equal(units(TSR_COLL_ALLREDUCE, 257, 1 << 20, true), TSR_BY_NODES);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_are_read_in_their_order), cmocka_unit_test(an_empty_table_has_no_rows),
      cmocka_unit_test(what_is_wrong_is_told_with_its_line),
      cmocka_unit_test(more_rows_than_there_is_room_for_are_refused),
      cmocka_unit_test(short_data_among_leaders_goes_the_same_way_however_many_there_are),
      cmocka_unit_test(long_data_takes_no_step_for_each_of_many_leaders),
      cmocka_unit_test(small_shares_of_many_nodes_take_a_tree), cmocka_unit_test(short_data_on_several_nodes_goes_by_nodes),
      cmocka_unit_test(a_ring_of_many_units_is_not_taken)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
