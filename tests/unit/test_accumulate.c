/* target += scale * source on memory of this node, compared with a loop over the elements. Floating-point numbers have
 * integer values, so that all sums are exact in any order. */
#include <complex.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/scale.h"
#include "node/heap.h"
#include "random_layout.h"
#include "rma/atomic.h"
#include "rma/stripe.h"
#include "simd_names.h"
#include "vis/adder.h"

enum { STRIPE = TSR_STRIPE_BYTES, HEAP_BYTES = 8 * STRIPE, CASES = 200, WIDEST = 16 };

/* ---- elements ---- */

#define EACH_TYPE(ROW)                                                                                          \
  ROW(I8, int8_t) ROW(U8, uint8_t) ROW(I16, int16_t) ROW(U16, uint16_t) ROW(I32, int32_t) ROW(U32, uint32_t)     \
  ROW(I64, int64_t) ROW(U64, uint64_t) ROW(F32, float) ROW(F64, double) ROW(F80, long double)                    \
  ROW(C64, float complex) ROW(C128, double complex)

static uint64_t wrap(uint64_t target, uint64_t by, uint64_t source) { return target + by * source; }

/* *target += *scale * *source. */
static void naive_add(tsr_type type, void *target, const void *source, const void *scale) {
  switch (type) {
#define INTEGER(element) { element t, s, by = 1; memcpy(&t, target, sizeof t); memcpy(&s, source, sizeof s); \
    if (scale) memcpy(&by, scale, sizeof by); \
    t = (element)wrap((uint64_t)t, (uint64_t)by, (uint64_t)s); memcpy(target, &t, sizeof t); break; }
#define FLOATING(element) { element t, s, by = 1; memcpy(&t, target, sizeof t); memcpy(&s, source, sizeof s); \
    if (scale) memcpy(&by, scale, sizeof by); \
    t = t + by * s; memcpy(target, &t, sizeof t); break; }
    case TSR_I8: INTEGER(int8_t)
    case TSR_U8: INTEGER(uint8_t)
    case TSR_I16: INTEGER(int16_t)
    case TSR_U16: INTEGER(uint16_t)
    case TSR_I32: INTEGER(int32_t)
    case TSR_U32: INTEGER(uint32_t)
    case TSR_I64: INTEGER(int64_t)
    case TSR_U64: INTEGER(uint64_t)
    case TSR_F32: FLOATING(float)
    case TSR_F64: FLOATING(double)
    case TSR_F80: FLOATING(long double)
    case TSR_C64: FLOATING(float complex)
    case TSR_C128: FLOATING(double complex)
    default: fail();
  }
}

static void write_number(tsr_type type, void *x, int re, int im) {
  memset(x, 0, tsr_type_bytes(type)); /* a long double has bytes that mean nothing */
  switch (type) {
#define WRITE(type, element) \
    case TSR_##type: memcpy(x, &(element){(element)re}, TSR_##type == TSR_F80 ? 10 : sizeof(element)); break;
    EACH_TYPE(WRITE)
    default: fail();
  }
  if (type == TSR_C64) memcpy((float *)x + 1, &(float){(float)im}, sizeof(float));
  if (type == TSR_C128) memcpy((double *)x + 1, &(double){(double)im}, sizeof(double));
}

static void assert_numbers_equal(tsr_type type, const char *got, const char *expected) {
  assert_memory_equal(got, expected, type == TSR_F80 ? 10 : tsr_type_bytes(type));
}

static struct random rng;
static int small(void) { return (int)random_below(&rng, 19) - 9; }

static void fill(tsr_type type, void *memory, size_t bytes) {
  size_t size = tsr_type_bytes(type);
  char number[WIDEST];
  for (size_t at = 0; at + size <= bytes; at += size) {
    write_number(type, number, small(), small());
    memcpy((char *)memory + at, number, size);
  }
}

/* NULL now and then. */
static const void *any_scale(tsr_type type, char *place) {
  write_number(type, place, small(), small());
  return random_chance(&rng, 30) ? NULL : place;
}

/* ---- a node ---- */

static int set_up(void **state) {
  (void)state;
  rng.state = 0xacc;
  size_t bytes = sizeof(struct tsr_node_memory) / STRIPE * STRIPE + STRIPE;
  char *memory = aligned_alloc(STRIPE, bytes + HEAP_BYTES);
  if (!memory) return -1;
  memset(memory, 0, bytes + HEAP_BYTES);
  tsr_heap.memory = (struct tsr_node_memory *)memory;
  tsr_heap.base = memory + bytes;
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  free(tsr_heap.memory);
  tsr_heap = (struct tsr_heap){0};
  return 0;
}

static void assert_no_lock_held(void) {
  for (int i = 0; i < TSR_STRIPES_N; i++) assert_int_equal(tsr_heap.memory->stripes[i], 0);
}

/* ---- kernels ---- */

static void check_kernels(tsr_type type, size_t n, size_t shift) {
  enum { MOST = 70, ROOM = (MOST + 2) * WIDEST * 3 };
  static char target[ROOM], expected[ROOM], source[ROOM];
  char place[WIDEST + 1];
  const size_t size = tsr_type_bytes(type);
  const void *scale = any_scale(type, place + 1);
  char *t = target + shift, *e = expected + shift, *s = source + 1;
  fill(type, t, 2 * (MOST + 1) * size);
  fill(type, s, (MOST + 1) * size);
  memcpy(expected, target, ROOM);
  if (scale) tsr_scale(type, t, scale, n);
  for (size_t i = 0; scale && i < n; i++) { /* products may be zeros of either sign; sums of them with 1 are never zeros */
    char sum[WIDEST], other[WIDEST];
    write_number(type, sum, 1, 0);
    write_number(type, other, 1, 0);
    naive_add(type, sum, e + i * size, scale);
    naive_add(type, other, t + i * size, NULL);
    assert_numbers_equal(type, sum, other);
  }
  assert_memory_equal(e + n * size, t + n * size, size);
  if (tsr_type_is_integer(type)) return;
  memcpy(expected, target, ROOM);
  for (size_t i = 0; i < n; i++) naive_add(type, e + i * size, s + i * size, scale);
  tsr_scale_add(type, t, s, scale, n);
  for (size_t i = 0; i < n; i++) naive_add(type, e + 2 * i * size, s + (n - 1 - i) * size, scale);
  tsr_scale_add_apart(type, t, (ptrdiff_t)(2 * size), n ? s + (n - 1) * size : s, -(ptrdiff_t)size, scale, n);
  for (size_t i = 0; i <= 2 * n; i++) assert_numbers_equal(type, t + i * size, e + i * size);
}

static void test_kernels(void **state) {
  (void)state;
  for (int most = TSR_SIMD_NONE; simd_use(most); most++)
    for (tsr_type type = 0; type < TSR_TYPES_N; type++)
      for (size_t n = 0; n <= 70; n++) check_kernels(type, n, n % 5);
}

/* ---- one run ---- */

/* Elements that begin `before` bytes before the end of a stripe. */
static void check_run(tsr_type type, size_t before, size_t n) {
  static char expected[HEAP_BYTES], source[HEAP_BYTES + 1];
  const size_t size = tsr_type_bytes(type), off = STRIPE - before;
  char place[WIDEST + 1];
  const void *scale = any_scale(type, place + 1);
  fill(type, tsr_heap.base + off % size, HEAP_BYTES - WIDEST);
  fill(type, source + 1, HEAP_BYTES);
  memcpy(expected, tsr_heap.base, HEAP_BYTES);
  for (size_t i = 0; i < n; i++) naive_add(type, expected + off + i * size, source + 1 + i * size, scale);
  tsr_adder adder = tsr_adder_open(type, TSR_SUM, scale);
  tsr_adder_run(&adder, tsr_heap.base + off, source + 1, n * size);
  tsr_adder_close(&adder);
  assert_no_lock_held();
  for (size_t at = off % size; at + WIDEST <= HEAP_BYTES; at += size)
    assert_numbers_equal(type, tsr_heap.base + at, expected + at);
}

static void test_runs_at_stripes(void **state) {
  (void)state;
  for (tsr_type type = 0; type < TSR_TYPES_N; type++) {
    size_t size = tsr_type_bytes(type), counts[] = {0, 1, 2, 7, STRIPE / size - 1, STRIPE / size + 3, 3 * STRIPE / size + 5};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
      for (size_t elements = 0; elements < 4; elements++) check_run(type, elements * size, counts[i]);
  }
  check_run(TSR_C64, 4, 1000); /* an element that lies in two stripes */
  check_run(TSR_C128, 8, 1000);
}

/* ---- layouts ---- */

static void stretch(tsr_layout *layout, size_t size) {
  layout->elem_bytes *= size;
  for (int d = 0; d < layout->dims; d++) layout->stride[d] = (ptrdiff_t)((size_t)layout->stride[d] * size);
}

/* Random bytes could be NaNs or denormal numbers. */
static struct arena numbers(tsr_type type, const tsr_layout *layout) {
  struct arena arena = arena_new(&rng, layout);
  fill(type, arena.memory, arena.bytes);
  return arena;
}

static void assert_equal(tsr_type type, const struct arena *got, const struct arena *expected) {
  size_t size = tsr_type_bytes(type);
  for (size_t at = 0; at + size <= got->bytes; at += size)
    assert_numbers_equal(type, got->memory + at, expected->memory + at);
}

static void check_layouts(tsr_type type, const tsr_layout *to, const tsr_layout *from) {
  char place[WIDEST];
  size_t size = tsr_type_bytes(type), bytes = tsr_layout_bytes(to);
  const void *scale = any_scale(type, place);
  struct arena got = numbers(type, to), source = numbers(type, from), expected = arena_copy(&got);
  for (size_t at = 0; at < bytes; at += size)
    naive_add(type, expected.base + naive_offset(to, at), source.base + naive_offset(from, at), scale);
  tsr_adder adder = tsr_adder_open(type, TSR_SUM, scale);
  tsr_adder_layout(&adder, got.base, to, source.base, from);
  tsr_adder_close(&adder);
  assert_equal(type, &got, &expected);
  free(got.memory);
  free(source.memory);
  free(expected.memory);
}

static void test_layouts(void **state) {
  (void)state;
  for (int i = 0; i < CASES; i++) {
    tsr_type type = (tsr_type)(i % TSR_TYPES_N);
    tsr_layout to, from;
    random_shape(&rng, &to);
    random_strides(&rng, &to);
    from = to;
    size_t n = naive_bytes(&to);
    if (n > 0 && random_chance(&rng, 60)) random_reshape(&rng, &from, n);
    random_strides(&rng, &from);
    stretch(&to, tsr_type_bytes(type));
    stretch(&from, tsr_type_bytes(type));
    check_layouts(type, &to, &from);
  }
  assert_no_lock_held();
}

/* Columns of a matrix, which change one stripe after another; reversed rows; blocks without a common refinement. */
static void test_shapes(void **state) {
  (void)state;
  tsr_layout column = tsr_layout_strided(8, 3000, 24), line = tsr_layout_contiguous(24000);
  tsr_layout wide = tsr_layout_strided(8, 20, 5000), back = tsr_layout_strided(8, 20, -8);
  tsr_layout threes = tsr_layout_strided(24, 50, 64), fives = tsr_layout_strided(40, 30, -48);
  check_layouts(TSR_F64, &column, &line);
  check_layouts(TSR_I64, &line, &column);
  check_layouts(TSR_F64, &wide, &back);
  check_layouts(TSR_F64, &back, &wide);
  check_layouts(TSR_F64, &threes, &fives);
  tsr_layout repeated = {.elem_bytes = 8, .dims = 2, .count = {7, 5}, .stride = {0, 8}}, flat = tsr_layout_contiguous(280);
  check_layouts(TSR_F64, &repeated, &flat); /* each addition must count */
  check_layouts(TSR_I64, &repeated, &flat);
  tsr_layout overlapping = tsr_layout_strided(16, 9, 8), plain = tsr_layout_contiguous(144);
  check_layouts(TSR_F64, &overlapping, &plain);
  assert_no_lock_held();
}

/* ---- lists of runs ---- */

enum { RUNS_N = 60, ROOM = 20000 };

/* Runs of `n` elements in all, in any order; they may overlap. */
static tsr_iov any_iov(ptrdiff_t offs[RUNS_N], size_t bytes[RUNS_N], size_t n, size_t size) {
  for (size_t i = 0; i < RUNS_N; i++) {
    size_t now = i == RUNS_N - 1 || n == 0 ? n : random_below(&rng, n < 12 ? n + 1 : 12);
    offs[i] = (ptrdiff_t)(random_below(&rng, (ROOM - now * size) / size) * size);
    bytes[i] = now * size;
    n -= now;
  }
  return (tsr_iov){.offs = offs, .bytes = bytes, .n = RUNS_N, .times = 1};
}

static void check_iov(tsr_type type) {
  static _Alignas(WIDEST) char target[ROOM], expected[ROOM], source[ROOM];
  ptrdiff_t to_offs[RUNS_N], from_offs[RUNS_N];
  size_t to_bytes[RUNS_N], from_bytes[RUNS_N], size = tsr_type_bytes(type), n = random_below(&rng, 400);
  char place[WIDEST];
  const void *scale = any_scale(type, place);
  tsr_iov to = any_iov(to_offs, to_bytes, n, size), from = any_iov(from_offs, from_bytes, n, size);
  fill(type, target, ROOM);
  fill(type, source, ROOM);
  memcpy(expected, target, ROOM);
  tsr_iov_cursor t = tsr_iov_begin(&to), s = tsr_iov_begin(&from);
  for (; t.left_bytes; tsr_iov_pass(&t, size), tsr_iov_pass(&s, size))
    naive_add(type, expected + t.off, source + s.off, scale);
  tsr_adder adder = tsr_adder_open(type, TSR_SUM, scale);
  tsr_adder_iov(&adder, target, &to, source, &from);
  tsr_adder_close(&adder);
  for (size_t at = 0; at + size <= ROOM; at += size)
    assert_numbers_equal(type, target + at, expected + at);
}

static void test_lists(void **state) {
  (void)state;
  for (int i = 0; i < CASES; i++) check_iov((tsr_type)(i % TSR_TYPES_N));
  assert_no_lock_held();
}

/* ---- together with the other atomics ---- */

enum { THREADS = 4, ROUNDS = 99, WORDS = 1500 };

static void *add_along(void *type_at) {
  const tsr_type type = *(tsr_type *)type_at;
  char two_at[WIDEST], one_at[WIDEST], ones[WORDS * 8];
  tsr_layout apart = tsr_layout_strided(8, WORDS / 3, 24), line = tsr_layout_contiguous(WORDS / 3 * 8);
  write_number(type, two_at, 2, 0);
  write_number(type, one_at, 1, 0);
  for (size_t i = 0; i < WORDS; i++) memcpy(ones + 8 * i, one_at, 8);
  for (int round = 0; round < ROUNDS; round++) {
    char old[8];
    tsr_adder adder = tsr_adder_open(type, TSR_SUM, two_at);
    tsr_adder_run(&adder, tsr_heap.base, ones, sizeof ones);
    tsr_adder_layout(&adder, tsr_heap.base, &apart, ones, &line);
    tsr_adder_close(&adder);
    tsr_atomic_apply(type, TSR_SUM, tsr_heap.base + 8 * (round % 3), one_at, old);
    tsr_atomic_accumulate(type, TSR_SUM, tsr_heap.base, ones, WORDS);
  }
  return NULL;
}

static void check_together(tsr_type type) {
  pthread_t threads[THREADS];
  memset(tsr_heap.base, 0, HEAP_BYTES);
  for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_create(&threads[i], NULL, add_along, &type), 0);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < WORDS; i++) {
    char expected[WIDEST];
    int sum = THREADS * ROUNDS * (i % 3 ? 3 : 5) + (i < 3 ? THREADS * ROUNDS / 3 : 0);
    write_number(type, expected, sum, 0);
    assert_numbers_equal(type, tsr_heap.base + 8 * i, expected);
  }
  assert_no_lock_held();
}

static void test_together(void **state) {
  (void)state;
  check_together(TSR_F64);
  check_together(TSR_C64);
  check_together(TSR_I64);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_kernels), cmocka_unit_test(test_runs_at_stripes), cmocka_unit_test(test_layouts),
    cmocka_unit_test(test_shapes),  cmocka_unit_test(test_lists),           cmocka_unit_test(test_together),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
