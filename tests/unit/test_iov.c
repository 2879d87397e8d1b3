/* Lists of runs, compared with copies byte by byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "simd_names.h"
#include "vis/iov.h"

enum { ROOM = 1 << 14, IOV_RUNS_MAX = 40, GUARD = 0xee };

static uint64_t seed;
static size_t below(size_t n) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (size_t)(seed >> 33) % n;
}

struct list {
  tsr_iov iov;
  ptrdiff_t offs[IOV_RUNS_MAX];
  size_t bytes[IOV_RUNS_MAX];
};

/* The offset of every byte, in order. Returns their number. */
static size_t places(const tsr_iov *iov, ptrdiff_t *at) {
  size_t n = 0;
  for (size_t t = 0; t < iov->times; t++)
    for (size_t i = 0; i < iov->n; i++)
      for (size_t b = 0; b < tsr_iov_bytes_of(iov, i); b++)
        at[n++] = (ptrdiff_t)t * iov->step + tsr_iov_off_of(iov, i) + (ptrdiff_t)b;
  return n;
}

/* A list of `total` bytes in `times` equal parts (a divisor of total), whose runs lie in a random order with or without
 * gaps. each > 0: runs of that size, as far as possible. */
static void make(struct list *list, size_t total, size_t times, size_t each) {
  size_t n = 0, order[IOV_RUNS_MAX];
  ptrdiff_t end = 0;
  if (each && (total / times % each || total / times / each > IOV_RUNS_MAX)) each = 0;
  for (size_t left = total / times; left > 0; left -= list->bytes[n++])
    list->bytes[n] = each ? each : left < 60 || n == IOV_RUNS_MAX - 1 ? left : 1 + below(60);
  for (size_t i = 0; i < n; i++) order[i] = i;
  for (size_t i = n; i-- > 1;) {
    size_t k = below(3) ? i : below(i + 1), was = order[i];
    order[i] = order[k];
    order[k] = was;
  }
  for (size_t i = 0; i < n; i++) {
    end += (ptrdiff_t)(below(2) * below(9));
    list->offs[order[i]] = end;
    end += (ptrdiff_t)list->bytes[order[i]];
  }
  list->iov = (tsr_iov){list->offs, each ? NULL : list->bytes, each, n, times, end + (ptrdiff_t)below(3) * 4};
}

static unsigned char source[ROOM], dest[ROOM], expected[ROOM], packed[ROOM];
static ptrdiff_t from_at[ROOM], to_at[ROOM];

static void assert_copied(const tsr_iov *to, const tsr_iov *from) {
  size_t n = places(to, to_at);
  assert_int_equal(places(from, from_at), n);
  assert_int_equal(tsr_iov_bytes(to), n);
  for (size_t i = 0; i < ROOM; i++) source[i] = (unsigned char)(i * 7 + (i >> 8));
  memset(dest, GUARD, ROOM);
  memset(expected, GUARD, ROOM);
  for (size_t i = 0; i < n; i++) expected[to_at[i]] = source[from_at[i]];
  tsr_iov_copy(dest, to, source, from);
  assert_memory_equal(dest, expected, ROOM);

  memset(dest, GUARD, ROOM); /* the same through a packed block, in two pieces */
  size_t cut = n ? below(n + 1) : 0;
  tsr_iov_cursor read = tsr_iov_begin(from);
  tsr_iov_pack(packed, source, &read, cut);
  tsr_iov_pack(packed + cut, source, &read, n - cut);
  tsr_iov line = tsr_iov_contiguous(n);
  tsr_iov_copy(dest, to, packed, &line);
  assert_memory_equal(dest, expected, ROOM);
  assert_int_equal(read.left_bytes, 0);
}

static void copies_any_two_lists(void **state) {
  (void)state;
  static const size_t sizes[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 40, 64, 72};
  static struct list a, b;
  for (int round = 0; round < 400; round++) {
    size_t times = 1 + below(3), total = times * 12 * 24 * (1 + below(2) * 2);
    size_t each_a = sizes[below(13)], each_b = below(2) ? each_a : sizes[below(13)];
    make(&a, total, times, each_a);
    make(&b, total, below(2) ? times : 1, below(2) ? each_b : 0);
    assert_copied(&a.iov, &b.iov);
    assert_copied(&b.iov, &a.iov);
    tsr_iov line = tsr_iov_contiguous(total);
    assert_copied(&line, &a.iov);
    assert_copied(&a.iov, &line);
    if (!a.iov.bytes) { /* a strided side with pieces of the same size */
      tsr_iov strided = {.each = a.iov.each, .n = 1, .times = a.iov.n * times, .step = (ptrdiff_t)a.iov.each + 3};
      assert_copied(&strided, &a.iov);
      assert_copied(&a.iov, &strided);
    }
  }
}

/* Long lists, with and without stretches in which one run follows the other, against lists of all kinds. */
enum { LONG_N = 2700, LONG_EACH = 3 };
static ptrdiff_t long_offs[2][LONG_N];
static size_t long_bytes[LONG_N];

static void copies_long_lists(void **state) {
  (void)state;
  for (int round = 0; round < 60; round++) {
    for (int l = 0; l < 2; l++) {
      bool dense = below(2), gaps = below(2);
      ptrdiff_t end = 0;
      for (size_t i = 0; i < LONG_N; i++) {
        if (gaps && below(200) == 0) dense = !dense;
        long_offs[l][i] = end;
        end += LONG_EACH + (dense ? 0 : 1 + (ptrdiff_t)below(2));
        long_bytes[i] = below(LONG_EACH + 1);
      }
    }
    size_t n = LONG_N - below(500);
    tsr_iov a = {long_offs[0], NULL, LONG_EACH, n, 1, 0}, b = {long_offs[1], NULL, LONG_EACH, n, 1, 0};
    assert_copied(&a, &b);
    tsr_iov line = tsr_iov_contiguous(n * LONG_EACH);
    assert_copied(&a, &line);
    assert_copied(&line, &b);
    a.bytes = b.bytes = long_bytes;
    assert_copied(&a, &b);
  }
}

static void adjacent_runs_are_one(void **state) {
  (void)state;
  static const ptrdiff_t offs[] = {10, 14, 99, 18, 40};
  static const size_t bytes[] = {4, 4, 0, 2, 5};
  const tsr_iov iov = {offs, bytes, 0, 5, 2, 35};
  tsr_iov_cursor cursor = tsr_iov_begin(&iov);
  assert_true(cursor.off == 10 && cursor.left_bytes == 10);
  tsr_iov_pass(&cursor, 3);
  assert_true(cursor.off == 13 && cursor.left_bytes == 7);
  tsr_iov_pass(&cursor, 7);
  assert_true(cursor.off == 40 && cursor.left_bytes == 15); /* and the first three of the next repetition */
  tsr_iov_pass(&cursor, 15);
  assert_true(cursor.off == 75 && cursor.left_bytes == 5);
  tsr_iov_pass(&cursor, 5);
  assert_int_equal(cursor.left_bytes, 0);
}

static void sizes_that_overflow_are_told(void **state) {
  (void)state;
  static const ptrdiff_t offs[] = {-8, 100};
  static const size_t bytes[] = {SIZE_MAX / 2, SIZE_MAX / 2}, none[] = {0, 0};
  ptrdiff_t low = 77, high = 77;
  tsr_iov iov = {offs, NULL, 4, 2, 3, -20};
  tsr_iov_extent(&iov, &low, &high);
  assert_true(low == -48 && high == 104);
  iov.bytes = none;
  tsr_iov_extent(&iov, &low, &high);
  assert_true(low == 0 && high == 0 && tsr_iov_bytes(&iov) == 0);
  assert_int_equal(tsr_iov_begin(&iov).left_bytes, 0);
  iov.bytes = bytes;
  assert_int_equal(tsr_iov_bytes(&iov), SIZE_MAX);
  tsr_iov_extent(&iov, &low, &high);
  assert_true(low == PTRDIFF_MIN && high == PTRDIFF_MAX);
  tsr_iov far = {.each = 8, .n = 1, .times = SIZE_MAX / 2, .step = PTRDIFF_MAX};
  assert_int_equal(tsr_iov_bytes(&far), SIZE_MAX);
  tsr_iov_extent(&far, &low, &high);
  assert_true(low == PTRDIFF_MIN && high == PTRDIFF_MAX);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(copies_any_two_lists),
    cmocka_unit_test(copies_long_lists),
    cmocka_unit_test(adjacent_runs_are_one),
    cmocka_unit_test(sizes_that_overflow_are_told),
  };
  int failed = 0;
  for (int most = TSR_SIMD_NONE; simd_use(most); most++)
    failed += cmocka_run_group_tests_name(simd_names[most], tests, NULL, NULL);
  return failed;
}
