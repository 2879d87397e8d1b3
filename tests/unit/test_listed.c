/* Lists of pointers as programs pass them: what is inside a range, what has one length, and copies from list to list. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "simd_names.h"
#include "vis/listed.h"

enum { N_MAX = 70, ROOM = 4096, PIECE = 24 };

static char area[ROOM + 2];
static void *list[N_MAX];
struct pair {
  void *at;
  size_t bytes;
};
static struct pair pairs[N_MAX];

static bool inside(size_t n) { return tsr_list_is_inside(list, n, (uintptr_t)(area + 1), ROOM - PIECE); }
static bool even(size_t n) {
  return tsr_list_is_even((const tsr_off *)(const void *)pairs, n, PIECE, (uintptr_t)(area + 1), ROOM - PIECE);
}

static void fill(size_t n) {
  for (size_t i = 0; i < n; i++) {
    list[i] = area + 1 + (i % 3 == 0 ? 0 : i % 3 == 1 ? ROOM - PIECE : i * 7);
    pairs[i] = (struct pair){list[i], PIECE};
  }
}

/* One that is wrong is found wherever it is in the list. */
static void what_is_outside_is_found(void **state) {
  (void)state;
  void *const wrong[] = {NULL, area, area + 2 + ROOM - PIECE, area + ROOM + 1, (void *)UINTPTR_MAX, (void *)(UINTPTR_MAX / 2)};
  for (size_t n = 0; n <= N_MAX; n++) {
    fill(n);
    assert_true(inside(n) && even(n));
    for (size_t i = 0; i < n; i++)
      for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        fill(n);
        list[i] = pairs[i].at = wrong[k];
        assert_false(inside(n));
        assert_false(even(n));
      }
  }
}

static void other_lengths_are_found(void **state) {
  (void)state;
  const size_t wrong[] = {0, 1, PIECE - 1, PIECE + 1, SIZE_MAX, (size_t)1 << 63, ((size_t)1 << 63) + PIECE};
  for (size_t n = 1; n <= N_MAX; n++)
    for (size_t i = 0; i < n; i++)
      for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        fill(n);
        pairs[i].bytes = wrong[k];
        assert_false(even(n));
      }
}

/* Addresses are offsets from 0, or in another mapping of the same memory from their difference. */
static void lists_of_pointers_are_copied(void **state) {
  (void)state;
  static char from[1 << 15], to[1 << 15], right[1 << 15], mapped[1 << 15];
  static void *src[1000], *dst[1000];
  const uintptr_t shift = (uintptr_t)mapped - (uintptr_t)to;
  for (size_t i = 0; i < sizeof from; i++) from[i] = (char)(i * 11 + (i >> 8));
  for (size_t bytes = 1; bytes <= 30; bytes++)
    for (size_t n = 1; n <= 1000; n = n * 3 + 1) {
      memset(mapped, 0, sizeof mapped);
      memset(right, 0, sizeof right);
      for (size_t i = 0; i < n; i++) {
        const size_t to_at = (i * 7 % n) * (bytes + (n < 300)), from_at = (n - 1 - i) * bytes;
        src[i] = from + from_at;
        dst[i] = to + to_at;
        memcpy(right + to_at, from + from_at, bytes);
      }
      const tsr_blocks blocks = {{(const tsr_off *)dst, 0, 0}, {(const tsr_off *)src, 0, 0}, n, 1, bytes};
      tsr_listed_copy(&blocks, (char *)shift, (const char *)0);
      assert_memory_equal(mapped, right, sizeof right);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_outside_is_found), cmocka_unit_test(other_lengths_are_found),
                                     cmocka_unit_test(lists_of_pointers_are_copied)};
  int failed = 0;
  for (int most = TSR_SIMD_NONE; simd_use(most); most++)
    failed += cmocka_run_group_tests_name(simd_names[most], tests, NULL, NULL);
  return failed;
}
