/* Copies of any length, also of those that are copied in parts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/copy.h"

enum { PAGE = 4096 };

static void try_lengths(size_t dest_shift, size_t src_shift) {
  const size_t ends[] = {4, 8, 64, TSR_COPY_BY_VECTORS, 2 * TSR_COPY_BY_VECTORS, TSR_COPY_PART, TSR_COPY_PARTS_FROM,
                         TSR_COPY_PARTS_FROM + TSR_COPY_PART, TSR_COPY_PARTS_TO};
  const size_t room = TSR_COPY_PARTS_TO + PAGE;
  unsigned char *from = aligned_alloc(PAGE, room), *to = aligned_alloc(PAGE, room), *right = malloc(room);
  for (size_t i = 0; i < room; i++) from[i] = (unsigned char)(i * 7 + (i >> 8) * 3 + (i >> 17));
  for (size_t k = 0; k < sizeof ends / sizeof *ends; k++)
    for (size_t bytes = ends[k] - 1; bytes <= ends[k] + 1; bytes++) {
      memset(to, 0xee, room);
      memset(right, 0xee, room);
      memcpy(right + dest_shift, from + src_shift, bytes);
      tsr_copy(to + dest_shift, from + src_shift, bytes);
      assert_memory_equal(to, right, room);
    }
  free(from);
  free(to);
  free(right);
}

static void every_length_is_copied_whole(void **state) {
  (void)state;
  try_lengths(3, 5);
}

/* Where the CPU's string copy would stall. */
static void every_length_is_copied_by_vectors(void **state) {
  (void)state;
  try_lengths(21, 5);
  try_lengths(8, PAGE - 8);
}

/* No byte beside the copied ones is read or written, wherever they lie. */
static void short_copies_touch_nothing_else(void **state) {
  (void)state;
  for (size_t bytes = 0; bytes <= 2 * TSR_COPY_SHORT_TO; bytes++)
    for (size_t shift = 0; shift < 17; shift++) {
      unsigned char *from = malloc(bytes + shift + 1), *to = malloc(bytes + shift + 1);
      for (size_t i = 0; i <= bytes + shift; i++) from[i] = (unsigned char)(i * 7 + 1), to[i] = 0xee;
      tsr_copy(to + shift, from + shift, bytes);
      for (size_t i = 0; i <= bytes + shift; i++)
        assert_int_equal(to[i], i >= shift && i < shift + bytes ? from[i] : 0xee);
      free(from);
      free(to);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_length_is_copied_whole),
                                     cmocka_unit_test(every_length_is_copied_by_vectors),
                                     cmocka_unit_test(short_copies_touch_nothing_else)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
