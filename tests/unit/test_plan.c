#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "random_layout.h"
#include "simd_names.h"

enum { CASES = 300 }; /* with each set of vector instructions */
static const uint64_t seed = 0x91a9;

static void print_layout(const char *what, const tsr_layout *layout) {
  fprintf(stderr, "%s: element %zu", what, layout->elem_bytes);
  for (int d = 0; d < layout->dims; d++) fprintf(stderr, ", %zu x %td", layout->count[d], layout->stride[d]);
  fprintf(stderr, "\n");
}

/* Copies between arenas of the two layouts, and compares all bytes, including guards and gaps, with the naive copy. */
static void check_copy(struct random *random, const tsr_layout *dest, const tsr_layout *src, const char *group, int i) {
  struct arena from = arena_new(random, src), to = arena_new(random, dest);
  struct arena from_before = arena_copy(&from), expected = arena_copy(&to);
  size_t bytes = naive_bytes(dest);
  for (size_t at = 0; at < bytes; at++)
    expected.base[naive_offset(dest, at)] = from.base[naive_offset(src, at)];
  tsr_layout_copy(to.base, dest, from.base, src);
  bool right = memcmp(to.memory, expected.memory, to.bytes) == 0;
  bool source_kept = memcmp(from.memory, from_before.memory, from.bytes) == 0;
  if (!right || !source_kept) {
    print_layout("destination", dest);
    print_layout("source", src);
    fail_msg("%s, seed %#llx, case %d: the copy differs", group, (unsigned long long)seed, i);
  }
  free(from.memory);
  free(to.memory);
  free(from_before.memory);
  free(expected.memory);
}

static void test_same_shape(void **state) {
  (void)state;
  struct random random = {seed};
  for (int i = 0; i < CASES; i++) {
    tsr_layout dest, src;
    random_shape(&random, &dest);
    src = dest;
    random_strides(&random, &dest);
    random_strides(&random, &src);
    check_copy(&random, &dest, &src, "same shape", i);
  }
}

static void test_one_side_contiguous(void **state) {
  (void)state;
  struct random random = {seed + 1};
  for (int i = 0; i < CASES; i++) {
    tsr_layout layout;
    random_shape(&random, &layout);
    random_strides(&random, &layout);
    tsr_layout line = tsr_layout_contiguous(tsr_layout_bytes(&layout));
    check_copy(&random, &layout, &line, "from contiguous", i);
    check_copy(&random, &line, &layout, "to contiguous", i);
  }
}

static void test_different_shapes(void **state) {
  (void)state;
  struct random random = {seed + 2};
  for (int i = 0; i < CASES; i++) {
    static const size_t totals[] = {1, 7, 24, 64, 120, 360, 720, 1000, 1024, 2310, 2520, 5040};
    size_t bytes = totals[random_below(&random, sizeof totals / sizeof *totals)];
    tsr_layout dest, src;
    random_reshape(&random, &dest, bytes);
    random_reshape(&random, &src, bytes);
    random_strides(&random, &dest);
    random_strides(&random, &src);
    check_copy(&random, &dest, &src, "different shapes", i);
  }
}

/* The source may repeat elements. */
static void test_repeating_source(void **state) {
  (void)state;
  struct random random = {seed + 3};
  for (int i = 0; i < CASES / 4; i++) {
    tsr_layout dest, src;
    random_shape(&random, &dest);
    src = dest;
    random_strides(&random, &dest);
    random_strides(&random, &src);
    for (int d = 0; d < src.dims; d++)
      if (random_chance(&random, 40)) src.stride[d] = (ptrdiff_t)random_below(&random, 2) * 3;
    check_copy(&random, &dest, &src, "repeating source", i);
  }
}

/* Element sizes around the limit of each kernel, in one, two and three dimensions, transposed or not, with extents
 * around that of a tile. */
static void test_every_kernel(void **state) {
  (void)state;
  static const size_t counts[][3] = {{1, 1, 1}, {5, 1, 1}, {7, 8, 1}, {16, 17, 2}, {33, 15, 3}, {2, 50, 2}};
  struct random random = {seed + 4};
  for (size_t elem = 1; elem <= 70; elem++) {
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
      ptrdiff_t e = (ptrdiff_t)elem, n0 = (ptrdiff_t)counts[c][0], n1 = (ptrdiff_t)counts[c][1];
      tsr_layout dest = {.elem_bytes = elem, .dims = 3}, src;
      memcpy(dest.count, counts[c], sizeof counts[c]);
      src = dest;
      dest.stride[0] = e;
      dest.stride[1] = (n0 + 1) * e;
      src.stride[0] = (n1 + 1) * e;
      src.stride[1] = e;
      dest.stride[2] = src.stride[2] = (n0 + 1) * (n1 + 1) * e;
      check_copy(&random, &dest, &src, "transposed", (int)elem);
      check_copy(&random, &src, &dest, "transposed back", (int)elem);
      src.stride[0] = 3 * e;
      src.stride[1] = -3 * e * n0;
      check_copy(&random, &dest, &src, "strided", (int)elem);
    }
  }
}

/* Transpositions of more than one strip, with tiles that are cut off at both edges. */
static void test_large_transposition(void **state) {
  (void)state;
  static const size_t counts[][2] = {{1100, 18}, {19, 1100}, {16, 16}, {17, 31}, {64, 15}};
  struct random random = {seed + 7};
  for (size_t elem = 1; elem <= 16; elem *= 2) {
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
      const ptrdiff_t e = (ptrdiff_t)elem, n = (ptrdiff_t)counts[c][0], rows_n = (ptrdiff_t)counts[c][1];
      tsr_layout dest = {.elem_bytes = elem, .dims = 2, .count = {(size_t)n, (size_t)rows_n}, .stride = {e, (n + 3) * e}},
                 src = dest;
      src.stride[0] = rows_n * e;
      src.stride[1] = e;
      check_copy(&random, &dest, &src, "large transposition", (int)elem);
      src.stride[0] = -rows_n * e;
      check_copy(&random, &dest, &src, "large transposition, mirrored", (int)elem);
    }
  }
}

/* Copies that bypass the caches: runs that begin and end anywhere in their lines. */
static void test_large_scatter(void **state) {
  (void)state;
  struct random random = {seed + 8};
  for (size_t run = 64; run <= 1024; run += 960 - 7) {
    tsr_layout dest = tsr_layout_strided(run, ((size_t)8 << 20) / run + 1, (ptrdiff_t)run + 9);
    tsr_layout src = tsr_layout_contiguous(tsr_layout_bytes(&dest));
    check_copy(&random, &dest, &src, "large scatter", (int)run);
  }
}

/* More dimensions than one kernel takes: 2 x 2 x ... in random order, 10 real ones among 22 of count 1. */
static void test_many_dimensions(void **state) {
  (void)state;
  struct random random = {seed + 5};
  for (int i = 0; i < 200; i++) {
    tsr_layout dest = {.elem_bytes = 4, .dims = TSR_LAYOUT_DIMS}, src;
    for (int d = 0; d < TSR_LAYOUT_DIMS; d++) dest.count[d] = 1;
    for (int real = 0; real < 10;) {
      size_t d = random_below(&random, TSR_LAYOUT_DIMS);
      if (dest.count[d] == 1) dest.count[d] = 2, real++;
    }
    src = dest;
    random_strides(&random, &dest);
    random_strides(&random, &src);
    check_copy(&random, &dest, &src, "many dimensions", i);
  }
}

/* The same bytes in n dimensions of 2, and in dimensions of 4 (with one of 2 first if n is odd), with gaps. */
static void powers_of_two(tsr_layout *twos, tsr_layout *fours, int n) {
  *twos = *fours = (tsr_layout){.elem_bytes = 1};
  for (int k = 0; k < n; k++) {
    twos->count[twos->dims] = 2;
    twos->stride[twos->dims++] = ((ptrdiff_t)3 << k) + k;
  }
  for (int k = 0; k < n; k += k % 2 == n % 2 ? 2 : 1) {
    fours->count[fours->dims] = k % 2 == n % 2 ? 4 : 2;
    fours->stride[fours->dims++] = ((ptrdiff_t)3 << k) + k;
  }
}

static void test_refinement(void **state) {
  (void)state;
  struct random random = {seed + 6};
  for (int n = 1; n <= 12; n++) {
    tsr_layout twos, fours;
    powers_of_two(&twos, &fours, n);
    check_copy(&random, &twos, &fours, "powers of two", n);
    check_copy(&random, &fours, &twos, "powers of two", n);
  }
}

/* A refinement of more dimensions than a plan holds: of 34 here, in 17 of 4, and in 18 of which all but the first and
 * the last are of 4. It is too large to run; address checkers see whether the plan stays within its arrays. */
static void test_refinement_too_long(void **state) {
  (void)state;
  tsr_layout dest = {.elem_bytes = 1, .dims = 17}, src = {.elem_bytes = 1, .dims = 18};
  for (int d = 0; d < 18; d++) {
    dest.count[d] = 4;
    src.count[d] = d == 0 || d == 17 ? 2 : 4;
    dest.stride[d] = src.stride[d] = ((ptrdiff_t)3 << (2 * d)) + d;
  }
  assert_int_equal(tsr_layout_bytes(&dest), tsr_layout_bytes(&src));
  struct {
    tsr_plan plan;
    char guard[64];
  } room;
  memset(&room, 0x11, sizeof room);
  tsr_plan_make(&room.plan, &dest, &src);
  for (size_t i = 0; i < sizeof room.guard; i++) assert_int_equal(room.guard[i], 0x11);
  assert_ptr_equal(room.plan.dest, &dest);
  assert_ptr_equal(room.plan.src, &src);
}

static void assert_plan(const tsr_layout *dest, const tsr_layout *src, size_t run_bytes, int dims) {
  tsr_plan plan;
  tsr_plan_make(&plan, dest, src);
  assert_int_equal(plan.run_bytes, run_bytes);
  assert_int_equal(plan.dims, dims);
}

/* The normal form, not only the right bytes. */
static void test_normal_form(void **state) {
  (void)state;
  tsr_layout line = tsr_layout_contiguous(4096), rows = tsr_layout_strided(64, 64, 256);
  assert_plan(&line, &line, 4096, 0);
  assert_plan(&line, &rows, 64, 1);
  assert_plan(&rows, &line, 64, 1);
  /* reversed on both sides: contiguous */
  tsr_layout reversed = {.elem_bytes = 8, .dims = 2, .count = {16, 32}, .stride = {-8, -128}};
  assert_plan(&reversed, &reversed, 4096, 0);
  /* the same permutation on both sides: contiguous */
  tsr_layout permuted = {.elem_bytes = 8, .dims = 3, .count = {4, 8, 16}, .stride = {1024, 8, 64}};
  assert_plan(&permuted, &permuted, 4096, 0);
  /* eight dimensions that fold into one */
  tsr_layout one = tsr_layout_strided(8, 256, 32), eight = {.elem_bytes = 8, .dims = 8};
  for (int d = 0; d < 8; d++) {
    eight.count[d] = 2;
    eight.stride[d] = (ptrdiff_t)32 << d;
  }
  tsr_layout packed = tsr_layout_contiguous(2048);
  assert_plan(&packed, &one, 8, 1);
  assert_plan(&packed, &eight, 8, 1);
  assert_plan(&one, &eight, 8, 1);
  /* a real transposition stays two-dimensional */
  tsr_layout across = {.elem_bytes = 8, .dims = 2, .count = {16, 32}, .stride = {256, 8}};
  assert_plan(&line, &across, 8, 2);
  /* blocks of 2 to blocks of 4 */
  tsr_layout by_2 = tsr_layout_strided(16, 8, 100), by_4 = tsr_layout_strided(32, 4, 100);
  assert_plan(&by_2, &by_4, 16, 2);
}

/* The densest dimension of the source becomes the second, for the tiles. A copy that is dense on both sides in one
 * dimension needs no tiles. */
static void test_transposition_is_tiled(void **state) {
  (void)state;
  tsr_layout dest = {.elem_bytes = 8, .dims = 4, .count = {5, 6, 7, 9}, .stride = {8, 48, 400, 4000}};
  tsr_layout src = {.elem_bytes = 8, .dims = 4, .count = {5, 6, 7, 9}, .stride = {4000, 400, 48, -8}};
  tsr_plan tiled, straight;
  tsr_plan_make(&tiled, &dest, &src);
  assert_int_equal(tiled.dims, 4);
  assert_int_equal(tiled.dest_stride[0], 8);
  assert_int_equal(tiled.src_stride[1], -8);
  src.stride[0] = 16;
  src.stride[3] = 40000;
  tsr_plan_make(&straight, &dest, &src);
  assert_int_equal(straight.dims, 4);
  assert_int_equal(straight.dest_stride[1], 48);
  assert_true(tiled.inner != straight.inner);
}

/* One plan, many bases. */
static void test_plan_is_reusable(void **state) {
  (void)state;
  int source[4][6], rows[4][3];
  for (int i = 0; i < 24; i++) source[i / 6][i % 6] = i;
  tsr_layout dest = tsr_layout_contiguous(3 * sizeof(int));
  tsr_layout src = tsr_layout_strided(sizeof(int), 3, -2 * (ptrdiff_t)sizeof(int));
  tsr_plan plan;
  tsr_plan_make(&plan, &dest, &src);
  for (int i = 0; i < 4; i++) tsr_plan_run(&plan, rows[i], &source[i][5]);
  for (int i = 0; i < 12; i++) assert_int_equal(rows[i / 3][i % 3], i / 3 * 6 + 5 - i % 3 * 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_same_shape),
      cmocka_unit_test(test_one_side_contiguous),
      cmocka_unit_test(test_different_shapes),
      cmocka_unit_test(test_repeating_source),
      cmocka_unit_test(test_every_kernel),
      cmocka_unit_test(test_large_transposition),
      cmocka_unit_test(test_many_dimensions),
      cmocka_unit_test(test_refinement),
      cmocka_unit_test(test_refinement_too_long),
      cmocka_unit_test(test_normal_form),
      cmocka_unit_test(test_transposition_is_tiled),
      cmocka_unit_test(test_plan_is_reusable),
  };
  const struct CMUnitTest once[] = {cmocka_unit_test(test_large_scatter)};
  int failed = cmocka_run_group_tests_name("plan", once, NULL, NULL);
  for (int most = TSR_SIMD_NONE; simd_use(most); most++)
    failed += cmocka_run_group_tests_name(simd_names[most], tests, NULL, NULL);
  return failed;
}
