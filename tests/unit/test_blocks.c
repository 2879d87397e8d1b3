/* Blocks of one size: every kernel, with every arrangement on either side. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "simd_names.h"

#include "vis/blocks.h"

enum { N_MAX = 9, TIMES_MAX = 2, BYTES_MAX = 80, GAP = 5, ROOM = 2 * (N_MAX + 1) * (TIMES_MAX + 1) * (BYTES_MAX + GAP) };
static unsigned char source[ROOM], dest[ROOM], expected[ROOM];
enum { LIST_APART = 2 /* pairs; the second number is not used */ };
static ptrdiff_t to_list[N_MAX * LIST_APART], from_list[N_MAX * LIST_APART];

enum kind { LINE, APART, BACKWARDS, LISTED, KINDS_N };

/* Fills the list if there is one. */
static tsr_places places_of(enum kind kind, size_t n, size_t bytes, ptrdiff_t list[]) {
  const ptrdiff_t apart = (ptrdiff_t)bytes + (kind == LINE ? 0 : GAP);
  for (size_t i = 0; i < n; i++) list[i * LIST_APART] = (ptrdiff_t)(i * 4 % n) * apart + (ptrdiff_t)i % GAP; /* coprime */
  if (kind == LISTED && n % 2) return (tsr_places){list, LIST_APART, (ptrdiff_t)n * apart + GAP};
  return (tsr_places){NULL, kind == BACKWARDS ? -apart : apart, (ptrdiff_t)n * apart};
}

static ptrdiff_t off_of(const tsr_places *places, size_t t, size_t i) {
  return (ptrdiff_t)t * places->step + (places->offs ? places->offs[(ptrdiff_t)i * places->apart] : (ptrdiff_t)i * places->apart);
}

static void check(enum kind to, enum kind from, size_t bytes, size_t n, size_t times) {
  const tsr_blocks blocks = {places_of(to, n, bytes, to_list), places_of(from, n, bytes, from_list), n, times, bytes};
  const size_t middle = ROOM / 2;
  memset(dest, 0, sizeof dest);
  memset(expected, 0, sizeof expected);
  for (size_t t = 0; t < times; t++)
    for (size_t i = 0; i < n; i++)
      for (size_t k = 0; k < bytes; k++)
        expected[(ptrdiff_t)(middle + k) + off_of(&blocks.to, t, i)] =
            source[(ptrdiff_t)(middle + k) + off_of(&blocks.from, t, i)];
  tsr_blocks_kernel(bytes)(&blocks, (char *)dest + middle, (const char *)source + middle);
  assert_memory_equal(dest, expected, sizeof dest);
}

static void every_kernel_copies_what_it_is_told(void **state) {
  (void)state;
  for (size_t i = 0; i < ROOM; i++) source[i] = (unsigned char)(i * 7 + (i >> 8) * 3 + 1);
  for (int way = 0; way < KINDS_N * KINDS_N; way++)
    for (size_t bytes = 1; bytes <= BYTES_MAX; bytes++)
      for (size_t n = 0; n <= N_MAX; n++)
        for (size_t times = 0; times <= TIMES_MAX; times++)
          check((enum kind)(way / KINDS_N), (enum kind)(way % KINDS_N), bytes, n, times);
}

/* Many small blocks with small gaps, in memory that ends with the last block; the other bytes do not change. */
enum { MANY_BYTES = 40, FURTHEST = 66, MANY_N = 700 };

static void check_many(size_t bytes, size_t apart, size_t n, size_t times) {
  const size_t row_bytes = (n - 1) * apart + bytes, all = n * times * bytes, span = row_bytes * times;
  const tsr_places places = {NULL, (ptrdiff_t)apart, (ptrdiff_t)row_bytes};
  const tsr_places line = {NULL, (ptrdiff_t)bytes, (ptrdiff_t)(n * bytes)};
  const tsr_blocks gather = {line, places, n, times, bytes}, scatter = {places, line, n, times, bytes};
  unsigned char *spread = malloc(span), *packed = malloc(all), *right = malloc(span), *back = malloc(span);
  for (size_t i = 0; i < span; i++) spread[i] = (unsigned char)(i * 7 + (i >> 8) * 3 + 1);
  for (size_t i = 0; i < span; i++) right[i] = back[i] = (unsigned char)(i * 5);
  tsr_blocks_kernel(bytes)(&gather, (char *)packed, (const char *)spread);
  for (size_t i = 0; i < n * times; i++) {
    const size_t at = i / n * row_bytes + i % n * apart;
    assert_memory_equal(packed + i * bytes, spread + at, bytes);
    memcpy(right + at, spread + at, bytes);
  }
  tsr_blocks_kernel(bytes)(&scatter, (char *)back, (const char *)packed);
  assert_memory_equal(back, right, span);
  free(spread);
  free(packed);
  free(right);
  free(back);
}

static void small_blocks_move_many_at_a_time(void **state) {
  (void)state;
  for (size_t bytes = 1; bytes <= MANY_BYTES; bytes++)
    for (size_t apart = bytes + 1; apart <= FURTHEST; apart++) {
      check_many(bytes, apart, 512 + (bytes * apart) % (MANY_N - 512), 1);
      check_many(bytes, apart, 64 + (bytes * apart) % 64, 8);
    }
}

static void blocks_stream(void **state) {
  (void)state;
  for (size_t bytes = 1; bytes <= 300; bytes += 23) {
    const ptrdiff_t apart = (ptrdiff_t)bytes + GAP, line = (ptrdiff_t)bytes;
    const tsr_blocks blocks = {{NULL, apart, 4 * apart}, {NULL, line, 4 * line}, 4, 3, bytes};
    memset(dest, 0, sizeof dest);
    memset(expected, 0, sizeof expected);
    for (ptrdiff_t i = 0; i < 12; i++) memcpy(expected + i * apart, source + i * line, bytes);
    tsr_blocks_stream(&blocks, (char *)dest, (const char *)source);
    assert_memory_equal(dest, expected, sizeof dest);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_kernel_copies_what_it_is_told),
                                     cmocka_unit_test(small_blocks_move_many_at_a_time), cmocka_unit_test(blocks_stream)};
  int failed = 0;
  for (int most = TSR_SIMD_NONE; simd_use(most); most++)
    failed += cmocka_run_group_tests_name(simd_names[most], tests, NULL, NULL);
  return failed;
}
