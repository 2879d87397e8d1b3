#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "random_layout.h"

enum { CASES = 4000 };
static const uint64_t seed = 0x1a70;

/* A layout with only the used fields set; the others are poisoned, to catch reads beyond `dims`. */
static tsr_layout layout_of(size_t elem_bytes, int dims, const size_t *count, const ptrdiff_t *stride) {
  tsr_layout layout;
  memset(&layout, 0x5a, sizeof layout);
  layout.elem_bytes = elem_bytes;
  layout.dims = dims;
  for (int d = 0; d < dims; d++) {
    layout.count[d] = count[d];
    layout.stride[d] = stride[d];
  }
  return layout;
}
#define LAYOUT(elem_bytes, dims, counts, strides) \
  layout_of(elem_bytes, dims, (const size_t[])counts, (const ptrdiff_t[])strides)
#define LIST(...) {__VA_ARGS__}

static void assert_extent(const tsr_layout *layout, ptrdiff_t low, ptrdiff_t high) {
  ptrdiff_t l = 77, h = 77;
  tsr_layout_extent(layout, &l, &h);
  assert_int_equal(l, low);
  assert_int_equal(h, high);
}

static void test_bytes_and_extent(void **state) {
  (void)state;
  tsr_layout line = tsr_layout_contiguous(100), blocks = tsr_layout_strided(24, 5, -40);
  assert_int_equal(tsr_layout_bytes(&line), 100);
  assert_extent(&line, 0, 100);
  assert_int_equal(tsr_layout_bytes(&blocks), 120);
  assert_extent(&blocks, -160, 24);
  tsr_layout both = LAYOUT(8, 3, LIST(3, 1, 4), LIST(-8, 999999, 100));
  assert_int_equal(tsr_layout_bytes(&both), 96);
  assert_extent(&both, -16, 308);
}

static void test_no_elements(void **state) {
  (void)state;
  tsr_layout nothing = tsr_layout_contiguous(0);
  tsr_layout none = LAYOUT(8, 3, LIST(SIZE_MAX, SIZE_MAX, 0), LIST(PTRDIFF_MAX, PTRDIFF_MAX, 1));
  assert_int_equal(tsr_layout_bytes(&nothing), 0);
  assert_extent(&nothing, 0, 0);
  assert_int_equal(tsr_layout_bytes(&none), 0);
  assert_extent(&none, 0, 0);
  assert_true(tsr_layout_simplify(&none));
  assert_int_equal(none.elem_bytes, 0);
  assert_int_equal(none.dims, 0);
}

static void test_overflow_saturates(void **state) {
  (void)state;
  tsr_layout many = LAYOUT(8, 2, LIST(SIZE_MAX / 4, 3), LIST(0, 0));
  assert_int_equal(tsr_layout_bytes(&many), SIZE_MAX);
  tsr_layout wraps_to_zero = LAYOUT(16, 2, LIST((size_t)1 << 60, 16), LIST(0, 0));
  assert_int_equal(tsr_layout_bytes(&wraps_to_zero), SIZE_MAX);
  tsr_layout far = LAYOUT(8, 1, LIST(3), LIST(PTRDIFF_MAX / 2));
  assert_extent(&far, PTRDIFF_MIN, PTRDIFF_MAX);
  tsr_layout deep = LAYOUT(8, 2, LIST(2, 2), LIST(PTRDIFF_MIN, -1));
  assert_extent(&deep, PTRDIFF_MIN, PTRDIFF_MAX);
  tsr_layout wide = LAYOUT(SIZE_MAX, 0, LIST(0), LIST(0));
  assert_extent(&wide, PTRDIFF_MIN, PTRDIFF_MAX);
}

static void test_simplify_by_example(void **state) {
  (void)state;
  tsr_layout dense = LAYOUT(8, 4, LIST(1, 4, 1, 3), LIST(-5, 8, PTRDIFF_MIN, 32));
  assert_true(tsr_layout_simplify(&dense));
  assert_int_equal(dense.elem_bytes, 96);
  tsr_layout merged = LAYOUT(8, 4, LIST(2, 3, 5, 7), LIST(8, 32, 96, -1000));
  assert_false(tsr_layout_simplify(&merged));
  assert_int_equal(merged.elem_bytes, 16);
  assert_int_equal(merged.dims, 2);
  assert_int_equal(merged.count[0], 15);
  assert_int_equal(merged.stride[0], 32);
  assert_int_equal(merged.count[1], 7);
  assert_int_equal(merged.stride[1], -1000);
  tsr_layout backwards = LAYOUT(8, 2, LIST(4, 6), LIST(-8, -32));
  assert_false(tsr_layout_simplify(&backwards));
  assert_int_equal(backwards.dims, 1);
  assert_int_equal(backwards.count[0], 24);
}

/* Every count is 1 but one, in the largest number of dimensions. */
static void test_many_dimensions(void **state) {
  (void)state;
  for (int real = 0; real < TSR_LAYOUT_DIMS; real++) {
    tsr_layout layout = {.elem_bytes = 4, .dims = TSR_LAYOUT_DIMS};
    for (int d = 0; d < TSR_LAYOUT_DIMS; d++) {
      layout.count[d] = d == real ? 9 : 1;
      layout.stride[d] = d == real ? 12 : d * 1000 - 7;
    }
    assert_false(tsr_layout_simplify(&layout));
    assert_int_equal(layout.dims, 1);
    assert_int_equal(layout.count[0], 9);
    assert_int_equal(layout.stride[0], 12);
  }
}

static void random_layout(struct random *random, tsr_layout *layout) {
  random_shape(random, layout);
  random_strides(random, layout);
}

static void test_extent_is_what_is_touched(void **state) {
  (void)state;
  struct random random = {seed};
  for (int i = 0; i < CASES; i++) {
    tsr_layout layout;
    random_layout(&random, &layout);
    ptrdiff_t low = 0, high = 0, said_low, said_high;
    size_t bytes = naive_bytes(&layout);
    for (size_t at = 0; at < bytes; at++) {
      ptrdiff_t off = naive_offset(&layout, at);
      if (off < low) low = off;
      if (off >= high) high = off + 1;
    }
    tsr_layout_extent(&layout, &said_low, &said_high);
    if (said_low != low || said_high != high || tsr_layout_bytes(&layout) != bytes)
      fail_msg("seed %#llx case %d: extent [%td, %td), not [%td, %td)", (unsigned long long)seed, i, said_low,
               said_high, low, high);
  }
}

static void test_simplify_keeps_the_visit(void **state) {
  (void)state;
  struct random random = {seed + 1};
  for (int i = 0; i < CASES; i++) {
    tsr_layout layout, simple;
    random_layout(&random, &layout);
    int contiguous = tsr_layout_simplify_to(&simple, &layout);
    size_t bytes = naive_bytes(&layout);
    bool right = naive_bytes(&simple) == bytes && contiguous == (simple.dims == 0);
    for (size_t at = 0; at < bytes && right; at++) right = naive_offset(&simple, at) == naive_offset(&layout, at);
    for (int d = 0; d < simple.dims; d++) {
      ptrdiff_t end = d ? simple.stride[d - 1] * (ptrdiff_t)simple.count[d - 1] : (ptrdiff_t)simple.elem_bytes;
      if (simple.count[d] < 2 || simple.stride[d] == end) right = false;
    }
    if (!right) fail_msg("seed %#llx case %d: wrong or not simplest", (unsigned long long)seed + 1, i);
  }
}

static bool same(const tsr_layout *a, const tsr_layout *b) {
  if (a->elem_bytes != b->elem_bytes || a->dims != b->dims) return false;
  for (int d = 0; d < a->dims; d++)
    if (a->count[d] != b->count[d] || a->stride[d] != b->stride[d]) return false;
  return true;
}

static void test_wire_round_trip(void **state) {
  (void)state;
  struct random random = {seed + 2};
  char wire[TSR_LAYOUT_WIRE_BYTES + 1];
  for (int i = 0; i < CASES; i++) {
    tsr_layout layout, back;
    random_layout(&random, &layout);
    size_t bytes = tsr_layout_encode(&layout, wire + 1); /* misaligned */
    assert_true(bytes <= TSR_LAYOUT_WIRE_BYTES);
    if (tsr_layout_decode(&back, wire + 1, bytes) != bytes || !same(&back, &layout))
      fail_msg("seed %#llx case %d: the layout came back different", (unsigned long long)seed + 2, i);
    for (size_t less = 0; less < bytes; less++) assert_int_equal(tsr_layout_decode(&back, wire + 1, less), 0);
  }
}

static void assert_refused(const tsr_layout *layout) {
  char wire[TSR_LAYOUT_WIRE_BYTES];
  tsr_layout back = {.elem_bytes = 4711};
  size_t bytes = tsr_layout_encode(layout, wire);
  assert_int_equal(tsr_layout_decode(&back, wire, bytes), 0);
  assert_int_equal(back.elem_bytes, 4711);
}

static void test_wire_refuses_what_overflows(void **state) {
  (void)state;
  tsr_layout many = LAYOUT(8, 2, LIST((size_t)1 << 40, (size_t)1 << 40), LIST(0, 0));
  tsr_layout far = LAYOUT(8, 2, LIST(2, 2), LIST(PTRDIFF_MAX, 8));
  tsr_layout fat = LAYOUT(SIZE_MAX, 0, LIST(0), LIST(0));
  tsr_layout longer = LAYOUT(1, 1, LIST(SIZE_MAX), LIST(-1));
  assert_refused(&many);
  assert_refused(&far);
  assert_refused(&fat);
  assert_refused(&longer);
}

static void test_wire_refuses_a_bad_head(void **state) {
  (void)state;
  char wire[2 * TSR_LAYOUT_WIRE_BYTES] = {0};
  tsr_layout layout = LAYOUT(8, 1, LIST(3), LIST(16)), back;
  size_t bytes = tsr_layout_encode(&layout, wire);
  assert_int_equal(tsr_layout_decode(&back, wire, sizeof wire), bytes);
  for (int dims = 0; dims <= 255; dims++) { /* there are bytes for 65 dimensions */
    wire[8] = (char)dims;
    assert_int_equal(tsr_layout_decode(&back, wire, sizeof wire) > 0, dims <= TSR_LAYOUT_DIMS);
  }
  tsr_layout_encode(&layout, wire);
  wire[12] ^= 1; /* the mark */
  assert_int_equal(tsr_layout_decode(&back, wire, sizeof wire), 0);
}

/* Random bytes are either rejected, or a layout that can be used. */
static void test_wire_garbage(void **state) {
  (void)state;
  struct random random = {seed + 3};
  tsr_layout valid = LAYOUT(8, 3, LIST(3, 4, 5), LIST(16, 64, 512));
  int accepted = 0;
  for (int i = 0; i < 20000; i++) {
    char wire[TSR_LAYOUT_WIRE_BYTES];
    size_t bytes = random_below(&random, sizeof wire + 1);
    for (size_t k = 0; k < sizeof wire; k++) wire[k] = (char)random_next(&random);
    if (i % 2) { /* valid except for a few bytes */
      bytes = tsr_layout_encode(&valid, wire);
      for (int k = 0; k < 3; k++) wire[random_below(&random, bytes)] = (char)random_next(&random);
    }
    tsr_layout back;
    size_t read = tsr_layout_decode(&back, wire, bytes);
    if (read == 0) continue;
    accepted++;
    assert_true(read <= bytes && back.dims >= 0 && back.dims <= TSR_LAYOUT_DIMS);
    ptrdiff_t low, high;
    tsr_layout_extent(&back, &low, &high);
    assert_true(low <= 0 && high >= 0 && (low != PTRDIFF_MIN || high != PTRDIFF_MAX));
    assert_true(tsr_layout_bytes(&back) != SIZE_MAX);
    tsr_layout_simplify(&back);
  }
  assert_true(accepted > 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_bytes_and_extent),
      cmocka_unit_test(test_no_elements),
      cmocka_unit_test(test_overflow_saturates),
      cmocka_unit_test(test_simplify_by_example),
      cmocka_unit_test(test_many_dimensions),
      cmocka_unit_test(test_extent_is_what_is_touched),
      cmocka_unit_test(test_simplify_keeps_the_visit),
      cmocka_unit_test(test_wire_round_trip),
      cmocka_unit_test(test_wire_refuses_what_overflows),
      cmocka_unit_test(test_wire_refuses_a_bad_head),
      cmocka_unit_test(test_wire_garbage),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
