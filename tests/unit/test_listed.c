/* Lists of pointers as programs pass them: whether all lie in a range and have one length, and copies from list to list. */
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

static bool inside(size_t n) {
  const tsr_bounds bounds = {(uintptr_t)(area + 1), ROOM - PIECE};
  return tsr_list_is_inside(&(tsr_places){(const tsr_off *)list, 1, 0}, n, PIECE, &bounds);
}
static bool even(size_t n) {
  const tsr_bounds bounds = {(uintptr_t)(area + 1), ROOM - PIECE};
  return tsr_list_is_inside(&(tsr_places){(const tsr_off *)(const void *)pairs, 2, 0}, n, PIECE, &bounds);
}

static void fill(size_t n) {
  for (size_t i = 0; i < n; i++) {
    list[i] = area + 1 + (i % 3 == 0 ? 0 : i % 3 == 1 ? ROOM - PIECE : i * 7);
    pairs[i] = (struct pair){list[i], PIECE};
  }
}

/* A wrong entry is found wherever it is in the list. */
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

/* Addresses are offsets from 0, or, in another mapping of the same memory, from the difference of the mappings. */
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
      const tsr_blocks blocks = {{(const tsr_off *)dst, 1, 0}, {(const tsr_off *)src, 1, 0}, n, 1, bytes};
      tsr_listed_copy(&blocks, (char *)shift, (const char *)0);
      assert_memory_equal(mapped, right, sizeof right);
    }
}

/* ---- copies that check their lists ---- */

enum { MANY = 3000, SMALL = 3, WIDE = 16, SPAN = MANY * WIDE };
static char from_area[SPAN], to_area[SPAN], right_area[SPAN];
static struct pair to_pairs[MANY], from_pairs[MANY];
static void *to_pointers[MANY], *from_pointers[MANY];

static void list_piece(size_t i, size_t to_at, size_t from_at) {
  to_pairs[i] = (struct pair){to_pointers[i] = to_area + to_at, SMALL};
  from_pairs[i] = (struct pair){from_pointers[i] = from_area + from_at, SMALL};
}

/* Pieces at constant distances, forwards and backwards; from `bent` on they are one byte further. */
static void fill_lists(size_t n, size_t to_apart, size_t from_apart, bool back, size_t bent) {
  memset(right_area, 0, sizeof right_area);
  memset(to_area, 0, sizeof to_area);
  for (size_t i = 0; i < n; i++) {
    const size_t to_at = i * to_apart + (i >= bent), from_at = (back ? n - 1 - i : i) * from_apart;
    list_piece(i, to_at, from_at);
    memcpy(right_area + to_at, from_area + from_at, SMALL);
  }
}

static size_t copy_lists(size_t n, bool paired) {
  const tsr_off *to = paired ? (const tsr_off *)(const void *)to_pairs : (const tsr_off *)to_pointers;
  const tsr_off *from = paired ? (const tsr_off *)(const void *)from_pairs : (const tsr_off *)from_pointers;
  const tsr_blocks blocks = {{to, paired ? 2 : 1, 0}, {from, paired ? 2 : 1, 0}, n, 1, SMALL};
  const tsr_bounds there = {(uintptr_t)to_area, SPAN - SMALL}, here = {1, PTRDIFF_MAX};
  return tsr_listed_copy_inside(&blocks, (char *)0, &there, (const char *)0, &here);
}

static void lists_at_constant_distances_are_copied(void **state) {
  (void)state;
  for (size_t i = 0; i < SPAN; i++) from_area[i] = (char)(i * 13 + (i >> 8) + 1);
  for (size_t n = 1; n <= MANY; n = n < 40 ? n + 1 : n * 2 + 7)
    for (int way = 0; way < 16; way++) {
      const size_t bent[] = {SIZE_MAX, 1, n / 2, n - 1};
      for (size_t k = 0; k < 4; k++) {
        fill_lists(n, way & 1 ? SMALL : 8, way & 2 ? SMALL : 11, way & 4, (way & 1) && k == 0 ? SIZE_MAX : bent[k]);
        assert_int_equal(copy_lists(n, way & 8), n);
        assert_memory_equal(to_area, right_area, SPAN);
      }
    }
}

/* Pieces outside the range, or of another length, are never copied; all pieces that are reported as copied are copied. */
static void copies_stop_before_what_is_wrong(void **state) {
  (void)state;
  void *const wrong[] = {NULL, (void *)((uintptr_t)to_area - 1), to_area + SPAN - SMALL + 1,
                         (void *)((uintptr_t)to_area + ((uintptr_t)1 << 63))};
  for (size_t n = 1; n <= MANY; n = n < 40 ? n + 1 : n * 3)
    for (size_t i = 0; i < n; i += n / 9 + 1)
      for (size_t k = 0; k <= 4; k++)
        for (int paired = k == 4; paired <= 1; paired++) {
          fill_lists(n, 8, SMALL, false, n / 2);
          if (k < 4) to_pairs[i].at = to_pointers[i] = wrong[k];
          else from_pairs[i].bytes = SMALL + 1;
          const size_t done = copy_lists(n, paired);
          assert_true(done <= i);
          if (done > 0) assert_memory_equal(to_area, right_area, (done - 1) * 8 + SMALL);
        }
  fill_lists(3, 0, SMALL, false, SIZE_MAX); /* 0, half of all memory, 0 */
  to_pointers[1] = wrong[3];
  assert_int_equal(copy_lists(3, false), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_outside_is_found), cmocka_unit_test(other_lengths_are_found),
                                     cmocka_unit_test(lists_of_pointers_are_copied),
                                     cmocka_unit_test(lists_at_constant_distances_are_copied),
                                     cmocka_unit_test(copies_stop_before_what_is_wrong)};
  int failed = 0;
  for (int most = TSR_SIMD_NONE; simd_use(most); most++)
    failed += cmocka_run_group_tests_name(simd_names[most], tests, NULL, NULL);
  return failed;
}
