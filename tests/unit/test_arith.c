#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arith.h"
#include "simd_names.h"

static uint64_t random_state;

static uint64_t draw(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state;
}

static int begin(void **state) {
  (void)state;
  random_state = UINT64_C(0x2545f4914f6cdd1d);
  return 0;
}

static bool is_signed(tsr_type type) { return type % 2 == 0; } /* of the integers */

/* ---- the reference for integers: one element at a time, in 128 bits ---- */

static __int128 widen(tsr_type type, const void *element) {
  size_t bytes = tsr_type_bytes(type);
  uint64_t bits = 0;
  memcpy(&bits, element, bytes);
  __int128 value = bits;
  if (is_signed(type) && bits >> (8 * bytes - 1)) value -= (__int128)1 << (8 * bytes);
  return value;
}

static void expect(tsr_type type, tsr_arith op, void *out, const void *in) {
  __int128 a = widen(type, out), b = widen(type, in);
  unsigned __int128 ua = (unsigned __int128)a, ub = (unsigned __int128)b, result = 0;
  switch (op) {
    case TSR_MIN: result = a < b ? ua : ub; break;
    case TSR_MAX: result = a < b ? ub : ua; break;
    case TSR_SUM: result = ua + ub; break;
    case TSR_PROD: result = ua * ub; break;
    case TSR_BAND: result = ua & ub; break;
    case TSR_BOR: result = ua | ub; break;
    case TSR_BXOR: result = ua ^ ub; break;
    case TSR_LAND: result = a != 0 && b != 0; break;
    case TSR_LOR: result = a != 0 || b != 0; break;
    case TSR_LXOR: result = (a != 0) != (b != 0); break;
    case TSR_REPLACE: result = ub; break;
    default: result = ua; break;
  }
  memcpy(out, &result, tsr_type_bytes(type)); /* little-endian: the low bytes */
}

/* Random, with many zeros, ones, all bits, and largest and smallest numbers. */
static void draw_element(tsr_type type, void *element) {
  size_t bytes = tsr_type_bytes(type);
  uint64_t value = draw(), top = UINT64_C(1) << (8 * bytes - 1);
  const uint64_t special[] = {0, 1, UINT64_MAX, top, top - 1};
  if (value % 3 == 0) value = special[draw() % 5];
  memcpy(element, &value, bytes);
}

enum { N_MAX = 70, OFFSETS = 9, SPACE = N_MAX * 8 + OFFSETS + 16 };

static void check_integers(tsr_type type, tsr_arith op, size_t n, size_t off) {
  unsigned char inout[SPACE], in[SPACE], expected[SPACE];
  size_t bytes = tsr_type_bytes(type);
  memset(inout, 0x5a, sizeof inout);
  memset(in, 0xa5, sizeof in);
  for (size_t i = 0; i < n; i++) {
    draw_element(type, inout + off + i * bytes);
    draw_element(type, in + OFFSETS - off + i * bytes);
  }
  memcpy(expected, inout, sizeof inout);
  for (size_t i = 0; i < n; i++) expect(type, op, expected + off + i * bytes, in + OFFSETS - off + i * bytes);
  tsr_arith_apply(type, op, inout + off, in + OFFSETS - off, n);
  if (memcmp(inout, expected, sizeof inout) != 0)
    fail_msg("type %d, operation %d, n %zu, offset %zu", (int)type, (int)op, n, off);
}

static void integers_agree_with_wide_arithmetic(void **state) {
  (void)state;
  for (tsr_type type = 0; tsr_type_is_integer(type); type++) {
    for (tsr_arith op = 0; op < TSR_ARITH_N; op++) {
      for (size_t n = 0; n <= N_MAX; n += n < 20 ? 1 : 5) {
        for (size_t off = 0; off < OFFSETS; off++) check_integers(type, op, n, off);
      }
    }
  }
}

static void sizes_are_those_of_the_types(void **state) {
  (void)state;
  const size_t bytes[TSR_TYPES_N] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 16, 8, 16};
  for (tsr_type type = 0; type < TSR_TYPES_N; type++) assert_int_equal(tsr_type_bytes(type), bytes[type]);
}

static void defined_is_what_has_a_meaning(void **state) {
  (void)state;
  for (tsr_type type = 0; type < TSR_TYPES_N; type++) {
    bool ordered = type <= TSR_F80, integer = type <= TSR_U64;
    for (tsr_arith op = 0; op < TSR_ARITH_N; op++) {
      bool order = op == TSR_MIN || op == TSR_MAX, bits = op >= TSR_BAND && op <= TSR_LXOR;
      assert_int_equal(tsr_arith_defined(type, op), bits ? integer : order ? ordered : true);
    }
  }
}

/* ---- floating point ---- */

#define FLOATS_TEST(name, element, type)                                                  \
  static void name(void **state) {                                                        \
    (void)state;                                                                          \
    enum { N = 37 };                                                                      \
    char inout[N * sizeof(element) + 1], in[N * sizeof(element) + 1];                     \
    for (tsr_arith op = TSR_MIN; op <= TSR_PROD; op++) {                                  \
      element a[N], b[N], got;                                                            \
      for (int i = 0; i < N; i++) {                                                       \
        a[i] = (element)(int64_t)(draw() % 2000001 - 1000000) / 64;                       \
        b[i] = i % 5 ? (element)(int64_t)(draw() % 2000001 - 1000000) / 64 : a[i];        \
      }                                                                                   \
      memcpy(inout + 1, a, sizeof a);                                                     \
      memcpy(in + 1, b, sizeof b);                                                        \
      tsr_arith_apply(type, op, inout + 1, in + 1, N);                                    \
      for (int i = 0; i < N; i++) {                                                       \
        element smaller = a[i] < b[i] ? a[i] : b[i], larger = a[i] < b[i] ? b[i] : a[i];  \
        element sum = a[i] + b[i], product = a[i] * b[i];                                 \
        memcpy(&got, inout + 1 + i * sizeof got, sizeof got);                             \
        assert_true(got == (op == TSR_MIN   ? smaller                                     \
                            : op == TSR_MAX ? larger                                      \
                            : op == TSR_SUM ? sum                                         \
                                            : product));                                  \
      }                                                                                   \
    }                                                                                     \
  }
FLOATS_TEST(floats_are_computed, float, TSR_F32)
FLOATS_TEST(doubles_are_computed, double, TSR_F64)
FLOATS_TEST(long_doubles_are_computed, long double, TSR_F80)

/* At both places, for minimum and maximum, and at every position of a vector. */
#define NAN_TEST(name, element, type)                            \
  static void name(void **state) {                               \
    (void)state;                                                 \
    enum { N = 11 };                                             \
    for (tsr_arith op = TSR_MIN; op <= TSR_MAX; op++) {          \
      for (int at = 0; at < N; at++) {                           \
        element a[N], b[N];                                      \
        for (int i = 0; i < N; i++) a[i] = i, b[i] = -i;         \
        a[at] = (element)NAN;                                    \
        b[(at + 5) % N] = (element)NAN;                          \
        tsr_arith_apply(type, op, a, b, N);                      \
        for (int i = 0; i < N; i++) {                            \
          bool wanted = i == at || i == (at + 5) % N;            \
          assert_int_equal(isnan(a[i]) != 0, wanted);            \
        }                                                        \
      }                                                          \
      element x = (element)INFINITY, y = -(element)INFINITY;     \
      tsr_arith_apply(type, op, &x, &y, 1);                      \
      assert_true(isinf(x) && (x < 0) == (op == TSR_MIN));       \
    }                                                            \
  }
NAN_TEST(no_nan_of_floats_gets_lost, float, TSR_F32)
NAN_TEST(no_nan_of_doubles_gets_lost, double, TSR_F64)
NAN_TEST(no_nan_of_long_doubles_gets_lost, long double, TSR_F80)

static void long_doubles_keep_their_precision(void **state) {
  (void)state;
  long double a = 1, b = 0x1p-63L;
  tsr_arith_apply(TSR_F80, TSR_SUM, &a, &b, 1);
  assert_true(a > 1 && a - 1 == b);
}

static void complex_numbers_add_and_multiply(void **state) {
  (void)state;
  float complex a[3] = {1 + 2 * I, -3 + 0.5f * I, I}, b[3] = {3 - 1 * I, 2 - 4 * I, I}, sum[3], product[3];
  memcpy(sum, a, sizeof a);
  memcpy(product, a, sizeof a);
  tsr_arith_apply(TSR_C64, TSR_SUM, sum, b, 3);
  tsr_arith_apply(TSR_C64, TSR_PROD, product, b, 3);
  assert_true(sum[0] == 4 + 1 * I && sum[1] == -1 - 3.5f * I && sum[2] == 2 * I);
  assert_true(product[0] == 5 + 5 * I && product[1] == -4 + 13 * I && product[2] == -1);

  char at[sizeof(double complex) + 1], by[sizeof(double complex) + 3];
  double complex c = 1.5 - 2 * I, d = 4 + 8 * I, got;
  memcpy(at + 1, &c, sizeof c);
  memcpy(by + 3, &d, sizeof d);
  tsr_arith_apply(TSR_C128, TSR_PROD, at + 1, by + 3, 1);
  memcpy(&got, at + 1, sizeof got);
  assert_true(got == 22 + 4 * I);
  tsr_arith_apply(TSR_C128, TSR_SUM, at + 1, by + 3, 1);
  memcpy(&got, at + 1, sizeof got);
  assert_true(got == 26 + 12 * I);
}

/* Bitwise, whatever the type, also for NaNs with a payload. */
static void replace_copies_and_no_op_does_nothing(void **state) {
  (void)state;
  for (tsr_type type = 0; type < TSR_TYPES_N; type++) {
    unsigned char inout[5 * 16], in[5 * 16], before[5 * 16];
    size_t bytes = 5 * tsr_type_bytes(type);
    for (size_t i = 0; i < sizeof in; i++) inout[i] = (unsigned char)draw(), in[i] = (unsigned char)draw();
    memcpy(before, inout, sizeof before);
    tsr_arith_apply(type, TSR_NO_OP, inout, NULL, 5);
    assert_memory_equal(inout, before, sizeof inout);
    tsr_arith_apply(type, TSR_REPLACE, inout, in, 5);
    assert_memory_equal(inout, in, bytes);
    assert_memory_equal(inout + bytes, before + bytes, sizeof inout - bytes);
  }
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup(name, begin)
  const struct CMUnitTest tests[] = {
    TEST(sizes_are_those_of_the_types),
    TEST(defined_is_what_has_a_meaning),
    TEST(integers_agree_with_wide_arithmetic),
    TEST(floats_are_computed),
    TEST(doubles_are_computed),
    TEST(long_doubles_are_computed),
    TEST(no_nan_of_floats_gets_lost),
    TEST(no_nan_of_doubles_gets_lost),
    TEST(no_nan_of_long_doubles_gets_lost),
    TEST(long_doubles_keep_their_precision),
    TEST(complex_numbers_add_and_multiply),
    TEST(replace_copies_and_no_op_does_nothing),
  };
  int failed = 0;
  for (int most = TSR_SIMD_NONE; simd_use(most); most++)
    failed += cmocka_run_group_tests_name(simd_names[most], tests, NULL, NULL);
  return failed;
}
