#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <unistd.h>

#include "node/heap.h"

enum { UNITS_N = 8, PAGE = 4096 };

static void map(uint32_t units_n, unsigned slice_order) {
  int fd = tsr_heap_make(units_n, slice_order);
  assert_true(fd >= 0);
  assert_int_equal(tsr_heap_map(fd, units_n, slice_order, 0, NULL), TESSERA_OK);
  close(fd);
}

static void assert_found(uint32_t local, uint64_t off) {
  uint32_t found_local = UINT32_MAX;
  uint64_t found_off = UINT64_MAX;
  assert_true(tsr_heap_contains(tsr_heap_at(local, off), &found_local, &found_off));
  assert_int_equal(found_local, local);
  assert_int_equal(found_off, off);
}

static void assert_outside(const char *address) {
  uint32_t local = 7;
  uint64_t off = 7;
  assert_false(tsr_heap_contains(address, &local, &off));
  assert_true(local == 7 && off == 7); /* only written when found */
}

static void assert_all_found(void) {
  const uint64_t bytes = tsr_heap_slice_bytes(), offs[] = {0, 1, PAGE, bytes / 2, bytes - PAGE, bytes - 1};
  for (uint32_t local = 0; local < tsr_heap.units_n; local++)
    for (size_t i = 0; i < sizeof offs / sizeof offs[0]; i++) assert_found(local, offs[i]);
  assert_outside(tsr_heap.base - 1);
  assert_outside(tsr_heap.base + tsr_heap.units_n * tsr_heap.stride);
  assert_outside(NULL);
}

/* Where caches and TLBs tell lines by the address bits from 4 KiB to 128 MiB, equal offsets of two heaps never agree in all. */
static void equal_offsets_differ_in_their_low_bits(void **state) {
  (void)state;
  const uintptr_t low_bits = ((uintptr_t)1 << 27) - 1;
  map(UNITS_N, 27);
  assert_true(tsr_heap.stride > tsr_heap_slice_bytes());
  assert_int_equal(tsr_heap.stride % PAGE, 0);
  for (uint32_t a = 0; a < UNITS_N; a++)
    for (uint32_t b = 0; b < a; b++)
      assert_int_not_equal((uintptr_t)tsr_heap_at(a, 0) & low_bits, (uintptr_t)tsr_heap_at(b, 0) & low_bits);
  tsr_heap_unmap();
}

static void gaps_belong_to_no_heap(void **state) {
  (void)state;
  map(UNITS_N, 27);
  assert_all_found();
  for (uint32_t local = 0; local < UNITS_N; local++) {
    assert_outside(tsr_heap_at(local, tsr_heap_slice_bytes()));
    assert_outside(tsr_heap_at(local, tsr_heap.stride - 1));
  }
  tsr_heap_unmap();
}

/* Beside short slices gaps would be most of the address space. */
static void short_slices_have_no_gaps(void **state) {
  (void)state;
  for (uint32_t units_n = 1; units_n <= 64; units_n *= 2) {
    map(units_n, TSR_HEAP_SLICE_ORDER_MIN);
    assert_int_equal(tsr_heap.stride, tsr_heap_slice_bytes());
    assert_all_found();
    tsr_heap_unmap();
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equal_offsets_differ_in_their_low_bits),
      cmocka_unit_test(gaps_belong_to_no_heap),
      cmocka_unit_test(short_slices_have_no_gaps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
