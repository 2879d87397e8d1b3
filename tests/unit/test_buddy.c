#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/bits.h"
#include "node/buddy.h"

static uint64_t random_state;

static uint64_t draw(uint64_t below) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state % below;
}

/* The reference: 256 cells of a kilobyte, 64 in a chunk, with the owner of each (0: free, else 1 + first cell of the
 * block) and the requested size. It examines every cell for every result. */
enum { CELL_ORDER = 10, CELL_BYTES = 1 << CELL_ORDER, CELLS_N = 256, RANGE_ORDER = 18 };
enum { CHUNK_CELLS_N = 1 << (TSR_BUDDY_CHUNK_ORDER - CELL_ORDER) };

struct model {
  int owner[CELLS_N];
  uint64_t asked[CELLS_N];
};

static int cells_for(uint64_t bytes) {
  int cells = 1;
  while ((uint64_t)cells * CELL_BYTES < bytes) cells *= 2;
  return cells;
}

static bool model_is_free(const struct model *model, int first, int cells) {
  for (int i = first; i < first + cells; i++) {
    if (i >= CELLS_N || model->owner[i]) return false;
  }
  return true;
}

static int model_find(const struct model *model, int cells, enum tsr_buddy_end end) {
  int found = -1;
  for (int first = 0; first + cells <= CELLS_N; first += cells) {
    if (!model_is_free(model, first, cells)) continue;
    if (end == TSR_BUDDY_LOW) return first;
    if (found < 0 || first / CHUNK_CELLS_N > found / CHUNK_CELLS_N) found = first;
  }
  return found;
}

static void model_set(struct model *model, int first, int cells, uint64_t asked) {
  for (int i = first; i < first + cells; i++) model->owner[i] = asked ? first + 1 : 0;
  model->asked[first] = asked;
}

static uint64_t model_largest(const struct model *model) {
  for (int cells = CELLS_N; cells; cells /= 2) {
    if (model_find(model, cells, TSR_BUDDY_LOW) >= 0) return (uint64_t)cells * CELL_BYTES;
  }
  return 0;
}

struct free_list {
  uint64_t next, bytes;
  const struct model *model;
};

/* Free blocks are listed in order, do not overlap, are aligned, and no two of them are halves of one block. */
static void visit_free(uint64_t offset, uint64_t bytes, void *arg) {
  struct free_list *list = arg;
  assert_true(offset >= list->next);
  assert_true(tsr_is_pow2(bytes) && offset % bytes == 0);
  int first = (int)(offset / CELL_BYTES), cells = (int)(bytes / CELL_BYTES);
  assert_true(model_is_free(list->model, first, cells));
  if (cells < CELLS_N) assert_false(model_is_free(list->model, first ^ cells, cells));
  list->next = offset + bytes;
  list->bytes += bytes;
}

static void add_bytes(uint64_t offset, uint64_t bytes, void *sum) {
  (void)offset;
  *(uint64_t *)sum += bytes;
}

static uint64_t used_bytes(tsr_buddy *buddy, uint64_t range) {
  uint64_t free_bytes = 0;
  tsr_buddy_each_free(buddy, add_bytes, &free_bytes);
  return range - free_bytes;
}

static void check_against(tsr_buddy *buddy, const struct model *model) {
  uint64_t used = 0;
  for (int i = 0; i < CELLS_N; i++) {
    uint64_t asked = 7;
    bool starts = model->owner[i] == i + 1;
    assert_int_equal(tsr_buddy_tag(buddy, (uint64_t)i * CELL_BYTES, &asked) >= 0, starts);
    assert_int_equal(asked, starts ? model->asked[i] : 7);
    assert_int_equal(tsr_buddy_tag(buddy, (uint64_t)i * CELL_BYTES + 1 + draw(CELL_BYTES - 1), NULL), -1);
    uint64_t start = 7;
    assert_int_equal(tsr_buddy_find(buddy, (uint64_t)i * CELL_BYTES + draw(CELL_BYTES), &start) >= 0, model->owner[i] > 0);
    assert_int_equal(start, model->owner[i] ? (uint64_t)(model->owner[i] - 1) * CELL_BYTES : 7);
    used += model->owner[i] ? CELL_BYTES : 0;
  }
  struct free_list list = {.model = model};
  tsr_buddy_each_free(buddy, visit_free, &list);
  assert_int_equal(list.bytes, CELLS_N * CELL_BYTES - used);
  assert_int_equal(tsr_buddy_largest(buddy), model_largest(model));
}

static void step_take(tsr_buddy *buddy, struct model *model, uint64_t bytes) {
  enum tsr_buddy_end end = draw(2) ? TSR_BUDDY_LOW : TSR_BUDDY_HIGH;
  uint64_t offset = 1;
  int cells = cells_for(bytes), first = model_find(model, cells, end);
  assert_int_equal(tsr_buddy_take(buddy, bytes, end, &offset), first >= 0);
  assert_int_equal(offset, first >= 0 ? (uint64_t)first * CELL_BYTES : 1);
  if (first >= 0) model_set(model, first, cells, bytes);
}

static void step_take_at(tsr_buddy *buddy, struct model *model, uint64_t bytes) {
  int cells = cells_for(bytes), first = (int)draw(CELLS_N + 16);
  if (draw(2)) first -= first % cells;
  bool fits = first % cells == 0 && model_is_free(model, first, cells);
  assert_int_equal(tsr_buddy_take_at(buddy, (uint64_t)first * CELL_BYTES, bytes), fits);
  if (fits) model_set(model, first, cells, bytes);
}

static void step_take_from(tsr_buddy *buddy, struct model *model, uint64_t bytes) {
  const uint64_t from = draw((CELLS_N + 16) * CELL_BYTES);
  uint64_t offset = 1;
  int cells = cells_for(bytes), first = (int)(tsr_round_up(from, (uint64_t)cells * CELL_BYTES) / CELL_BYTES);
  while (first < CELLS_N && !model_is_free(model, first, cells)) first += cells;
  assert_int_equal(tsr_buddy_take_from(buddy, from, bytes, &offset), first < CELLS_N);
  assert_int_equal(offset, first < CELLS_N ? (uint64_t)first * CELL_BYTES : 1);
  if (first < CELLS_N) model_set(model, first, cells, bytes);
}

static void step_give(tsr_buddy *buddy, struct model *model) {
  int first = (int)draw(CELLS_N);
  if (model->owner[first] && draw(4)) first = model->owner[first] - 1;
  uint64_t asked = model->owner[first] == first + 1 ? model->asked[first] : 0;
  assert_int_equal(tsr_buddy_give(buddy, (uint64_t)first * CELL_BYTES), asked);
  if (asked) model_set(model, first, cells_for(asked), 0);
}

/* One block is allocated, freed at once, and allocated again, while others are allocated and freed. */
static void step_again(tsr_buddy *buddy, struct model *model, uint64_t bytes) {
  int cells = cells_for(bytes);
  for (int i = (int)draw(4); i >= 0; i--) {
    uint64_t offset = 1;
    int first = model_find(model, cells, TSR_BUDDY_LOW);
    assert_int_equal(tsr_buddy_take(buddy, bytes, TSR_BUDDY_LOW, &offset), first >= 0);
    if (first < 0) return;
    assert_int_equal(offset, (uint64_t)first * CELL_BYTES);
    model_set(model, first, cells, bytes);
    tsr_buddy_set_tag(buddy, offset, 7);
    assert_int_equal(tsr_buddy_tag(buddy, offset, NULL), 7);
    if (draw(4) == 0) step_give(buddy, model);
    if (model->owner[first] != first + 1) return;
    assert_int_equal(tsr_buddy_give(buddy, offset), bytes);
    model_set(model, first, cells, 0);
    assert_int_equal(tsr_buddy_tag(buddy, offset, NULL), -1);
    assert_int_equal(tsr_buddy_give(buddy, offset), 0);
    assert_false(tsr_buddy_next(buddy, 7, &offset));
    if (draw(8) == 0) step_take(buddy, model, bytes);
    if (draw(8) == 0) step_take_at(buddy, model, bytes);
  }
}

static void agrees_with_a_naive_model(void **state) {
  (void)state;
  random_state = 0x9e3779b97f4a7c15;
  tsr_buddy *buddy = tsr_buddy_create(RANGE_ORDER, CELL_ORDER);
  static struct model model;
  for (int i = 0; i < 20000; i++) {
    uint64_t bytes = 1 + draw((uint64_t)1 << draw(RANGE_ORDER + 1));
    switch (draw(7)) {
      case 0: case 1: step_take(buddy, &model, bytes); break;
      case 2: step_take_at(buddy, &model, bytes); break;
      case 3: step_again(buddy, &model, bytes); break;
      case 4: step_take_from(buddy, &model, bytes); break;
      default: step_give(buddy, &model);
    }
    if (i % 16 == 0) check_against(buddy, &model);
  }
  for (int i = 0; i < CELLS_N; i++) {
    if (model.owner[i] == i + 1) assert_true(tsr_buddy_give(buddy, (uint64_t)i * CELL_BYTES) > 0);
  }
  assert_int_equal(tsr_buddy_largest(buddy), 1 << RANGE_ORDER);
  assert_int_equal(used_bytes(buddy, UINT64_C(1) << RANGE_ORDER), 0);
  assert_int_equal(tsr_buddy_nodes(buddy), 1);
  tsr_buddy_destroy(buddy);
}

/* Staggered blocks: where each begins and ends. No two overlap, and those at multiples of their size are few. */
enum { STAGGERED_N = 200, PAGE = 4096 };
struct taken {
  uint64_t offset, bytes;
};

static void check_staggered(const tsr_buddy *buddy, const struct taken *taken, int n) {
  for (int i = 0; i < n; i++) {
    uint64_t bytes = 0, start = 0, next = taken[i].offset;
    assert_true(tsr_buddy_tag(buddy, taken[i].offset, &bytes) >= 0);
    assert_int_equal(bytes, taken[i].bytes);
    assert_true(tsr_buddy_find(buddy, taken[i].offset + taken[i].bytes - 1, &start) >= 0);
    assert_int_equal(start, taken[i].offset);
    assert_true(tsr_buddy_next(buddy, 0, &next));
    assert_int_equal(next, taken[i].offset);
    for (int k = 0; k < i; k++)
      assert_true(taken[k].offset + taken[k].bytes <= taken[i].offset || taken[i].offset + taken[i].bytes <= taken[k].offset);
  }
}

static void staggered_blocks_are_not_powers_of_two_apart(void **state) {
  (void)state;
  tsr_buddy *buddy = tsr_buddy_create(40, 6);
  tsr_buddy_stagger(buddy, true);
  uint64_t offset[4], apart_n = 0;
  assert_true(tsr_buddy_take(buddy, UINT64_C(1) << 39, TSR_BUDDY_LOW, &offset[0])); /* half of the range */
  assert_int_equal(offset[0], 0);
  assert_int_equal(tsr_buddy_give(buddy, offset[0]), UINT64_C(1) << 39);
  for (int i = 0; i < 4; i++) assert_true(tsr_buddy_take(buddy, UINT64_C(32) << 20, TSR_BUDDY_LOW, &offset[i]));
  for (int i = 0; i < 4; i++) {
    assert_int_equal(offset[i] % PAGE, 0);
    for (int k = 0; k < i; k++) apart_n += (offset[i] - offset[k]) % (1 << 20) != 0;
  }
  assert_int_equal(apart_n, 6);
  for (int i = 0; i < 4; i++) assert_int_equal(tsr_buddy_give(buddy, offset[i]), UINT64_C(32) << 20);
  assert_int_equal(tsr_buddy_nodes(buddy), 1);
  tsr_buddy_destroy(buddy);
}

/* Two allocators with the same history agree, and a third one takes the same places when it is told them. */
static void try_staggered_places(bool has_space) {
  random_state = 0x853c49e6748fea9b;
  tsr_buddy *one = tsr_buddy_create(40, 6), *same = tsr_buddy_create(40, 6), *told = tsr_buddy_create(40, 6);
  tsr_buddy_stagger(one, has_space), tsr_buddy_stagger(same, has_space), tsr_buddy_stagger(told, has_space);
  static struct taken taken[STAGGERED_N];
  int n = 0;
  for (int i = 0; i < 4000; i++) {
    if (n == STAGGERED_N || (n && draw(5) < 2)) {
      const int which = (int)draw((uint64_t)n);
      for (int k = 0; k < 3; k++)
        assert_int_equal(tsr_buddy_give(k == 0 ? one : k == 1 ? same : told, taken[which].offset), taken[which].bytes);
      taken[which] = taken[--n];
    } else {
      const uint64_t most = UINT64_C(1) << draw(27), bytes = draw(2) ? most : 1 + draw(most), from = draw(2) ? draw(1 << 28) : 0;
      uint64_t offset = 0, other = 1, again = 2;
      assert_true(from ? tsr_buddy_take_from(one, from, bytes, &offset) : tsr_buddy_take(one, bytes, TSR_BUDDY_LOW, &offset));
      assert_true(from ? tsr_buddy_take_from(same, from, bytes, &other) : tsr_buddy_take(same, bytes, TSR_BUDDY_LOW, &other));
      assert_int_equal(other, offset);
      assert_true(offset >= from);
      assert_int_equal(tsr_buddy_give(same, offset), bytes);
      assert_true(tsr_buddy_take_from(same, offset, bytes, &again));
      assert_int_equal(again, offset);
      assert_true(tsr_buddy_take_at(told, offset, bytes));
      taken[n++] = (struct taken){offset, bytes};
    }
    if (i % 64 == 0) check_staggered(told, taken, n);
  }
  while (n--) {
    for (int k = 0; k < 3; k++)
      assert_int_equal(tsr_buddy_give(k == 0 ? one : k == 1 ? same : told, taken[n].offset), taken[n].bytes);
  }
  assert_int_equal(tsr_buddy_nodes(one), 1);
  assert_int_equal(tsr_buddy_nodes(told), 1);
  tsr_buddy_destroy(one);
  tsr_buddy_destroy(same);
  tsr_buddy_destroy(told);
}

static void staggered_blocks_can_be_taken_at_a_place(void **state) {
  (void)state;
  try_staggered_places(true);
  try_staggered_places(false);
}

/* As many blocks fit into a short range as if they were not staggered. */
static void staggered_blocks_take_no_space(void **state) {
  (void)state;
  tsr_buddy *buddy = tsr_buddy_create(26, 6);
  tsr_buddy_stagger(buddy, false);
  uint64_t offset;
  for (int i = 0; i < 3; i++) assert_true(tsr_buddy_take(buddy, 1 << 24, TSR_BUDDY_LOW, &offset));
  for (int i = 0; i < 2; i++) assert_true(tsr_buddy_take(buddy, (1 << 23) - PAGE, TSR_BUDDY_LOW, &offset));
  assert_false(tsr_buddy_take(buddy, 1, TSR_BUDDY_LOW, &offset));
  tsr_buddy_destroy(buddy);
}

static void is_exhausted_and_comes_back(void **state) {
  (void)state;
  tsr_buddy *buddy = tsr_buddy_create(RANGE_ORDER, CELL_ORDER);
  uint64_t offset = 1;
  for (int i = 0; i < CELLS_N; i++) {
    assert_true(tsr_buddy_take(buddy, 1, TSR_BUDDY_LOW, &offset));
    assert_int_equal(offset, i * CELL_BYTES);
  }
  offset = 1;
  assert_false(tsr_buddy_take(buddy, 1, TSR_BUDDY_LOW, &offset));
  assert_false(tsr_buddy_take(buddy, 1, TSR_BUDDY_HIGH, &offset));
  assert_false(tsr_buddy_take_at(buddy, 0, 1));
  assert_int_equal(offset, 1);
  assert_int_equal(tsr_buddy_largest(buddy), 0);
  for (int i = 0; i < CELLS_N; i++) assert_int_equal(tsr_buddy_give(buddy, (uint64_t)i * CELL_BYTES), 1);
  assert_true(tsr_buddy_take(buddy, 1 << RANGE_ORDER, TSR_BUDDY_HIGH, &offset));
  assert_int_equal(offset, 0);
  assert_int_equal(tsr_buddy_largest(buddy), 0);
  assert_int_equal(tsr_buddy_give(buddy, 0), 1 << RANGE_ORDER);
  tsr_buddy_destroy(buddy);
}

static void refuses_wrong_requests(void **state) {
  (void)state;
  tsr_buddy *buddy = tsr_buddy_create(RANGE_ORDER, 6);
  uint64_t offset = 1;
  assert_int_equal(tsr_buddy_give(buddy, 0), 0); /* nothing was allocated */
  assert_true(tsr_buddy_take(buddy, 1000, TSR_BUDDY_LOW, &offset));
  assert_int_equal(tsr_buddy_rounded(buddy, 1000), 1024);
  assert_int_equal(tsr_buddy_rounded(buddy, 1), 64);
  assert_int_equal(used_bytes(buddy, UINT64_C(1) << RANGE_ORDER), 1024);
  assert_int_equal(tsr_buddy_give(buddy, offset + 64), 0);
  assert_int_equal(tsr_buddy_give(buddy, offset + 1), 0);
  assert_int_equal(tsr_buddy_give(buddy, 1 << RANGE_ORDER), 0);
  assert_int_equal(tsr_buddy_give(buddy, UINT64_MAX), 0);
  assert_int_equal(tsr_buddy_tag(buddy, UINT64_MAX, NULL), -1);
  assert_int_equal(used_bytes(buddy, UINT64_C(1) << RANGE_ORDER), 1024);
  assert_int_equal(tsr_buddy_tag(buddy, offset, NULL), 0);
  tsr_buddy_set_tag(buddy, offset, 7);
  tsr_buddy_set_tag(buddy, offset + 64, 9); /* no block starts here */
  assert_int_equal(tsr_buddy_tag(buddy, offset, NULL), 7);
  assert_int_equal(tsr_buddy_tag(buddy, offset + 64, NULL), -1);
  uint64_t bytes = 0;
  tsr_buddy_shrink(buddy, offset + 64, 10); /* nor here */
  tsr_buddy_shrink(buddy, offset, 1001); /* not shorter */
  assert_true(tsr_buddy_tag(buddy, offset, &bytes) == 7 && bytes == 1000);
  tsr_buddy_shrink(buddy, offset, 100);
  assert_true(tsr_buddy_tag(buddy, offset, &bytes) == 7 && bytes == 100);
  assert_int_equal(used_bytes(buddy, UINT64_C(1) << RANGE_ORDER), 1024); /* it keeps its place */
  assert_int_equal(tsr_buddy_give(buddy, offset), 100);
  assert_int_equal(tsr_buddy_tag(buddy, offset, NULL), -1);
  assert_int_equal(tsr_buddy_give(buddy, offset), 0); /* freed twice */
  assert_false(tsr_buddy_take(buddy, (1 << RANGE_ORDER) + 1, TSR_BUDDY_LOW, &offset));
  assert_false(tsr_buddy_take(buddy, UINT64_MAX, TSR_BUDDY_LOW, &offset));
  assert_false(tsr_buddy_take_at(buddy, 0, UINT64_MAX));
  assert_false(tsr_buddy_take_at(buddy, 64, 128));
  assert_false(tsr_buddy_take_at(buddy, 1 << RANGE_ORDER, 1));
  assert_int_equal(tsr_buddy_nodes(buddy), 1);
  tsr_buddy_destroy(buddy);
  tsr_buddy_destroy(NULL);
}

/* Allocations at the high end must not change those at the low end: units whose local allocations differ still agree on
 * the offsets of collective ones. */
static void low_end_does_not_see_the_high_end(void **state) {
  (void)state;
  enum { LIVE_N = 64, STEPS_N = 20000 };
  random_state = 88172645463325252;
  tsr_buddy *quiet = tsr_buddy_create(30, 6), *busy = tsr_buddy_create(30, 6);
  uint64_t low[LIVE_N], high[LIVE_N];
  memset(low, 0xff, sizeof low);
  memset(high, 0xff, sizeof high);
  for (int i = 0; i < STEPS_N; i++) {
    uint64_t which = draw(LIVE_N), bytes = 1 + draw((uint64_t)1 << draw(20)), seen;
    if (low[which] == UINT64_MAX) {
      assert_true(tsr_buddy_take(quiet, bytes, TSR_BUDDY_LOW, &low[which]));
      assert_true(tsr_buddy_take(busy, bytes, TSR_BUDDY_LOW, &seen));
      assert_int_equal(low[which], seen);
    } else {
      assert_int_equal(tsr_buddy_give(quiet, low[which]), tsr_buddy_give(busy, low[which]));
      low[which] = UINT64_MAX;
    }
    which = draw(LIVE_N);
    bytes = 1 + draw((uint64_t)1 << draw(20));
    if (high[which] == UINT64_MAX) {
      assert_true(tsr_buddy_take(busy, bytes, TSR_BUDDY_HIGH, &high[which]));
      assert_true(high[which] >= 1 << 29);
    } else {
      assert_true(tsr_buddy_give(busy, high[which]) > 0);
      high[which] = UINT64_MAX;
    }
  }
  tsr_buddy_destroy(quiet);
  tsr_buddy_destroy(busy);
}

static void a_million_operations_leave_no_nodes(void **state) {
  (void)state;
  enum { LIVE_N = 512, STEPS_N = 1000000 };
  random_state = 1442695040888963407;
  tsr_buddy *buddy = tsr_buddy_create(40, 6);
  static uint64_t live[LIVE_N];
  memset(live, 0xff, sizeof live);
  for (int i = 0; i < STEPS_N; i++) {
    uint64_t *offset = &live[draw(LIVE_N)];
    if (*offset == UINT64_MAX) {
      assert_true(tsr_buddy_take(buddy, 1 + draw((uint64_t)1 << draw(24)), draw(2) ? TSR_BUDDY_HIGH : TSR_BUDDY_LOW,
                                 offset));
    } else {
      if (!tsr_buddy_give(buddy, *offset)) fail_msg("block at %llx was lost", (unsigned long long)*offset);
      *offset = UINT64_MAX;
    }
    if (tsr_buddy_nodes(buddy) > 1 + LIVE_N * 2 * (40 - 6)) fail_msg("%u nodes", tsr_buddy_nodes(buddy));
  }
  for (int i = 0; i < LIVE_N; i++) {
    if (live[i] != UINT64_MAX) assert_true(tsr_buddy_give(buddy, live[i]) > 0);
  }
  assert_int_equal(tsr_buddy_nodes(buddy), 1);
  assert_true(tsr_buddy_largest(buddy) == (uint64_t)1 << 40);
  tsr_buddy_destroy(buddy);
}

/* A take may need more splits than one doubling of the table of nodes makes room for. */
static void splits_a_large_range_at_both_ends(void **state) {
  (void)state;
  for (unsigned order = 30; order <= 47; order++) {
    for (uint64_t bytes = 64; bytes <= 4096; bytes *= 2) {
      tsr_buddy *buddy = tsr_buddy_create(order, 6);
      uint64_t low, high;
      assert_true(tsr_buddy_take(buddy, bytes, TSR_BUDDY_LOW, &low));
      assert_true(tsr_buddy_take(buddy, 64, TSR_BUDDY_HIGH, &high));
      assert_true(low == 0 && high >= (uint64_t)1 << (order - 1));
      assert_true(tsr_buddy_give(buddy, high) == 64 && tsr_buddy_give(buddy, low) == bytes);
      assert_true(tsr_buddy_largest(buddy) == (uint64_t)1 << order);
      tsr_buddy_destroy(buddy);
    }
  }
}

static void serves_the_largest_range(void **state) {
  (void)state;
  const uint64_t range = (uint64_t)1 << 47;
  tsr_buddy *buddy = tsr_buddy_create(47, 6);
  uint64_t low, high, half;
  assert_true(tsr_buddy_take(buddy, 64, TSR_BUDDY_LOW, &low));
  assert_true(tsr_buddy_take(buddy, 64, TSR_BUDDY_HIGH, &high));
  assert_true(low == 0 && high == range - ((uint64_t)1 << TSR_BUDDY_CHUNK_ORDER));
  assert_true(tsr_buddy_take(buddy, 64, TSR_BUDDY_HIGH, &half)); /* in a chunk addresses ascend */
  assert_true(half == high + 64);
  assert_true(tsr_buddy_largest(buddy) == range / 4);
  assert_true(tsr_buddy_take(buddy, range / 4, TSR_BUDDY_HIGH, &half));
  assert_true(half == range / 2);
  assert_true(tsr_buddy_take_at(buddy, range / 4, range / 4 - 1));
  assert_true(tsr_buddy_tag(buddy, range / 4, &half) == 0 && half == range / 4 - 1);
  assert_true(used_bytes(buddy, range) == range / 2 + 192);
  tsr_buddy_destroy(buddy);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(agrees_with_a_naive_model),
      cmocka_unit_test(staggered_blocks_are_not_powers_of_two_apart), cmocka_unit_test(staggered_blocks_can_be_taken_at_a_place),
      cmocka_unit_test(staggered_blocks_take_no_space),
      cmocka_unit_test(is_exhausted_and_comes_back),
      cmocka_unit_test(refuses_wrong_requests),
      cmocka_unit_test(low_end_does_not_see_the_high_end),
      cmocka_unit_test(a_million_operations_leave_no_nodes),
      cmocka_unit_test(splits_a_large_range_at_both_ends),
      cmocka_unit_test(serves_the_largest_range),
  };
  return cmocka_run_group_tests_name("buddy", tests, NULL, NULL);
}
