/* Rows folded from two nests: compared with the nests, element by element; and nests that are rejected. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "vis/row.h"

enum { DIMS = 4, ROOM = 1 << 14, MIDDLE = ROOM / 2, ROUNDS = 20000 };

static uint64_t seed = 5;
static size_t below(size_t n) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (size_t)(seed >> 33) % n;
}

/* Two nests of the same counts. */
struct nests {
  size_t elem_bytes, dims, count[DIMS];
  ptrdiff_t dest[DIMS], src[DIMS];
};

static unsigned char source[ROOM], dest[ROOM], expected[ROOM];

static bool fold(struct tsr_row *row, const struct nests *nests) {
  return tsr_row_make(row, nests->elem_bytes, nests->dims, nests->count, nests->dest, nests->src);
}

/* Calls `at` with the offsets of each element. */
static void visit(const struct nests *nests, void (*at)(ptrdiff_t dest_off, ptrdiff_t src_off, size_t bytes)) {
  size_t all = 1;
  for (size_t d = 0; d < nests->dims; d++) all *= nests->count[d];
  for (size_t i = 0; i < all; i++) {
    ptrdiff_t to = 0, from = 0;
    for (size_t d = 0, left = i; d < nests->dims; left /= nests->count[d++]) {
      const ptrdiff_t index = (ptrdiff_t)(left % nests->count[d]);
      to += index ? index * nests->dest[d] : 0;
      from += index ? index * nests->src[d] : 0;
    }
    at(to, from, nests->elem_bytes);
  }
}

static void copy_element(ptrdiff_t to, ptrdiff_t from, size_t bytes) {
  memcpy(expected + MIDDLE + to, source + MIDDLE + from, bytes);
}

static ptrdiff_t lowest, highest;
static void widen(ptrdiff_t to, ptrdiff_t from, size_t bytes) {
  (void)from;
  if (to < lowest) lowest = to;
  if (to + (ptrdiff_t)bytes > highest) highest = to + (ptrdiff_t)bytes;
}

/* Each dimension continues the one before, or leaves a gap, on either side; sources may go backwards or repeat. The
 * stride of a dimension with one element is arbitrary. */
static void make(struct nests *nests) {
  ptrdiff_t to = (ptrdiff_t)(nests->elem_bytes = 1 + below(20)), from = to;
  nests->dims = below(DIMS + 1);
  for (size_t d = 0; d < nests->dims; d++) {
    nests->count[d] = below(3) ? 2 + below(3) : 1;
    nests->dest[d] = nests->src[d] = PTRDIFF_MAX - (ptrdiff_t)below(5);
    if (nests->count[d] == 1) continue;
    nests->dest[d] = to + (below(4) ? 0 : 1 + (ptrdiff_t)below(7));
    nests->src[d] = below(9) ? from + (below(4) ? 0 : 1 + (ptrdiff_t)below(7)) : below(2) ? -from : 0;
    to = (ptrdiff_t)nests->count[d] * nests->dest[d];
    from = (ptrdiff_t)nests->count[d] * nests->src[d];
  }
}

static void rows_copy_what_the_nests_say(void **state) {
  (void)state;
  size_t rows_n = 0, iov_n = 0;
  for (size_t i = 0; i < ROOM; i++) source[i] = (unsigned char)(i * 7 + (i >> 8) * 3 + 1);
  for (int round = 0; round < ROUNDS; round++) {
    struct nests nests;
    struct tsr_row row;
    ptrdiff_t low, high;
    make(&nests);
    if (!fold(&row, &nests)) continue;
    row.n == 1 ? iov_n++ : rows_n++;
    memset(dest, 0, sizeof dest);
    memset(expected, 0, sizeof expected);
    visit(&nests, copy_element);
    tsr_row_copy(dest + MIDDLE, source + MIDDLE, &row);
    assert_memory_equal(dest, expected, sizeof dest);
    lowest = highest = 0;
    visit(&nests, widen);
    tsr_row_extent(&row, row.dest_stride, &low, &high);
    assert_int_equal(low, lowest);
    assert_int_equal(high, highest);
  }
  assert_true(rows_n > ROUNDS / 20 && iov_n > ROUNDS / 20);
}

static void dense_nests_are_one_run(void **state) {
  (void)state;
  const struct nests dense = {8, 3, {4, 1, 16}, {8, -5, 32}, {8, 99, 32}};
  struct tsr_row row;
  assert_true(fold(&row, &dense));
  assert_int_equal(row.n, 1);
  assert_int_equal(row.run_bytes, 512);
  const struct nests nothing = {24, 0, {0}, {0}, {0}};
  assert_true(fold(&row, &nothing));
  assert_int_equal(row.n, 1);
  assert_int_equal(row.run_bytes, 24);
}

static void what_is_no_row_is_refused(void **state) {
  (void)state;
  const ptrdiff_t half = PTRDIFF_MAX / 2 + 1;
  const struct nests others[] = {
      {0, 1, {4}, {8}, {8}},                              /* no bytes */
      {8, 2, {4, 0}, {16, 64}, {8, 32}},                  /* no elements */
      {8, 2, {0, 4}, {8, 8}, {8, 8}},
      {8, 2, {4, 4}, {16, 100}, {8, 32}},                 /* two dimensions */
      {8, 2, {4, 4}, {16, 64}, {8, 40}},
      {8, 1, {SIZE_MAX / 4}, {8}, {8}},                   /* more bytes than memory */
      {1, 1, {SIZE_MAX / 2}, {1}, {1}},
      {SIZE_MAX, 0, {0}, {0}, {0}},
      {8, 1, {3}, {half}, {8}},                           /* further than memory */
      {8, 1, {3}, {16}, {-half}},
      {8, 1, {2}, {16}, {half / 2}},
      {8, 1, {2}, {PTRDIFF_MIN}, {8}},
      {8, 2, {2, SIZE_MAX / 8}, {16, 32}, {8, 16}},
      {4096, 1, {4096}, {8192}, {4096}},                  /* for copies that bypass the caches */
  };
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    struct tsr_row row;
    if (fold(&row, &others[i])) fail_msg("nest %zu was taken for a row", i);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows_copy_what_the_nests_say), cmocka_unit_test(dense_nests_are_one_run),
                                     cmocka_unit_test(what_is_no_row_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
