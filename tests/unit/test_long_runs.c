/* One run of 1 to 4 MiB is copied in parts, whatever describes it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/copy.h"
#include "vis/layout.h"
#include "vis/listed.h"
#include "vis/row.h"
#include "vis/iov.h"

/* Replaces the library's function. */
static size_t calls_n;
void tsr_copy_parts(void *dest, const void *src, size_t bytes, size_t part) {
  calls_n++;
  for (size_t at = 0; at < bytes; at += part) memcpy((char *)dest + at, (const char *)src + at, part);
}

enum { LONG = 2 << 20, PIECES_N = 1024, PIECE = LONG / PIECES_N };
static char *from, *to;

static int set_up(void **state) {
  (void)state;
  from = malloc(LONG);
  to = calloc(LONG, 1);
  for (size_t i = 0; i < LONG; i++) from[i] = (char)(i * 7 + (i >> 8) * 3 + (i >> 17));
  calls_n = 0;
  return from && to ? 0 : -1;
}
static int tear_down(void **state) {
  (void)state;
  free(from);
  free(to);
  return 0;
}
static void expect_parts(void) {
  assert_memory_equal(to, from, LONG);
  assert_int_equal(calls_n, 1);
}

/* Where the CPU's string copy would stall, a shorter copy is made in parts, too. */
static void a_copy_that_would_stall(void **state) {
  (void)state;
  enum { PAGE = 4096, BYTES = 2 * TSR_COPY_BY_VECTORS };
  char *dest = to + ((uintptr_t)from - (uintptr_t)to + 16) % PAGE;
  tsr_copy(dest, from, BYTES);
  assert_memory_equal(dest, from, BYTES);
  assert_int_equal(calls_n, tsr_copy_stalls(dest, from));
#ifdef __x86_64__
  assert_int_equal(calls_n, 1);
#endif
}

static void one_piece(void **state) {
  (void)state;
  const tsr_layout layout = tsr_layout_contiguous(LONG);
  tsr_layout_copy(to, &layout, from, &layout);
  expect_parts();
}

static void dense_layout(void **state) {
  (void)state;
  const tsr_layout dense = tsr_layout_strided(PIECE, PIECES_N, PIECE);
  tsr_layout_copy(to, &dense, from, &dense);
  expect_parts();
}

/* From two nests of which no row can be made. */
static void plan_of_one_run(void **state) {
  (void)state;
  const tsr_layout dense = tsr_layout_strided(PIECE, PIECES_N, PIECE);
  const tsr_layout other = tsr_layout_strided(PIECE * 2, PIECES_N / 2, PIECE * 2);
  tsr_layout_copy(to, &dense, from, &other);
  expect_parts();
}

static void run_of_a_list(void **state) {
  (void)state;
  const tsr_iov one = tsr_iov_contiguous(LONG);
  tsr_iov_copy(to, &one, from, &one);
  expect_parts();
}

static void dense_list(void **state) {
  (void)state;
  static void *dst[PIECES_N], *src[PIECES_N];
  for (size_t i = 0; i < PIECES_N; i++) dst[i] = to + i * PIECE, src[i] = from + i * PIECE;
  const tsr_blocks blocks = {{(const tsr_off *)dst, 1, 0}, {(const tsr_off *)src, 1, 0}, PIECES_N, 1, PIECE};
  tsr_listed_copy(&blocks, (char *)0, (const char *)0);
  expect_parts();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(a_copy_that_would_stall, set_up, tear_down),
      cmocka_unit_test_setup_teardown(one_piece, set_up, tear_down),
      cmocka_unit_test_setup_teardown(dense_layout, set_up, tear_down),
      cmocka_unit_test_setup_teardown(plan_of_one_run, set_up, tear_down),
      cmocka_unit_test_setup_teardown(run_of_a_list, set_up, tear_down),
      cmocka_unit_test_setup_teardown(dense_list, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
