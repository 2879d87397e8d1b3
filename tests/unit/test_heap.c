#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/config.h"
#include "node/heap.h"

enum { UNITS_N = 8, PAGE = 4096 };

static void map(uint32_t units_n, unsigned slice_order) {
  const struct tsr_heap_shape shape = {units_n, slice_order, units_n};
  int fd = tsr_heap_make(&shape);
  assert_true(fd >= 0);
  assert_int_equal(tsr_heap_map(fd, &shape, 0, NULL), TESSERA_OK);
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

/* Caches and TLBs select lines by the address bits from 4 KiB to 128 MiB. Equal offsets in two heaps never have all of
 * these bits in common. */
static void assert_offsets_differ(void) {
  const uintptr_t low_bits = ((uintptr_t)1 << 27) - 1;
  assert_true(tsr_heap.stride > tsr_heap_slice_bytes());
  assert_int_equal(tsr_heap.stride % PAGE, 0);
  for (uint32_t a = 0; a < tsr_heap.units_n; a++)
    for (uint32_t b = 0; b < a; b++)
      assert_int_not_equal((uintptr_t)tsr_heap_at(a, 0) & low_bits, (uintptr_t)tsr_heap_at(b, 0) & low_bits);
}

static void equal_offsets_differ_in_their_low_bits(void **state) {
  (void)state;
  for (uint32_t units_n = 2; units_n <= 64; units_n *= 2) {
    map(units_n, 27);
    assert_offsets_differ();
    assert_all_found();
    tsr_heap_unmap();
  }
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

/* All gaps together are no longer than a slice, by which the heap of an address is found. */
static void short_slices_have_short_gaps(void **state) {
  (void)state;
  for (uint32_t units_n = 1; units_n <= 64; units_n *= 2) {
    map(units_n, TSR_HEAP_SLICE_ORDER_MIN);
    assert_offsets_differ();
    assert_true(units_n * (tsr_heap.stride - tsr_heap_slice_bytes()) <= tsr_heap_slice_bytes());
    assert_all_found();
    tsr_heap_unmap();
  }
}

static void too_many_short_slices_have_no_gaps(void **state) {
  (void)state;
  map(512, TSR_HEAP_SLICE_ORDER_MIN);
  assert_int_equal(tsr_heap.stride, tsr_heap_slice_bytes());
  assert_all_found();
  tsr_heap_unmap();
}

/* ---- The limit on all heaps of a node ---- */

enum { LIMIT = 16 << 20, BLOCKS_MAX = LIMIT / 64 };

static void map_limited(void) {
  map(UNITS_N, 27);
  tsr_memory_init(tsr_heap.memory, UNITS_N, 27, 1);
  tsr_heap.memory->limit_bytes = LIMIT;
  assert_int_equal(tsr_heap_reset(), TESSERA_OK);
}

/* Units that allocate and free small blocks at the same time do not write their shared counter. */
static void small_blocks_leave_the_counter_of_the_node_alone(void **state) {
  (void)state;
  uint64_t first, off;
  map_limited();
  assert_int_equal(tsr_heap_alloc(8, TSR_HEAP_SEGMENT, &first), TESSERA_OK);
  int64_t reserved = tsr_heap.memory->reserved_bytes;
  for (size_t bytes = 1; bytes <= 4096; bytes *= 2) {
    assert_int_equal(tsr_heap_alloc(bytes, TSR_HEAP_SEGMENT, &off), TESSERA_OK);
    assert_int_equal(tsr_heap.memory->reserved_bytes, reserved);
    assert_int_equal(tsr_heap_live_bytes(), 64 + (bytes < 64 ? 64 : bytes));
    assert_int_equal(tsr_heap_free(off, TSR_HEAP_SEGMENT), TESSERA_OK);
    assert_int_equal(tsr_heap.memory->reserved_bytes, reserved);
    assert_int_equal(tsr_heap_live_bytes(), 64);
  }
  assert_int_equal(tsr_heap_free(first, TSR_HEAP_SEGMENT), TESSERA_OK);
  tsr_heap_unmap();
}

/* Spare memory counts as reserved. The last byte of the limit can be allocated, and no more. */
static void the_limit_is_exact_for_one_unit(void **state) {
  (void)state;
  static const size_t sizes[] = {64, PAGE, 25 * PAGE, 256 * PAGE};
  static uint64_t off[BLOCKS_MAX + 1];
  map_limited();
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    size_t n = 0;
    while (tsr_heap_alloc(sizes[i], TSR_HEAP_SEGMENT, &off[n]) == TESSERA_OK) {
      n++;
      assert_true(tsr_heap.memory->reserved_bytes <= LIMIT);
      assert_int_equal(tsr_heap_live_bytes(), n * sizes[i]);
    }
    assert_int_equal(n, LIMIT / sizes[i]);
    while (n > 0) assert_int_equal(tsr_heap_free(off[--n], TSR_HEAP_SEGMENT), TESSERA_OK);
    assert_int_equal(tsr_heap_live_bytes(), 0);
  }
  tsr_heap_unmap();
}

static size_t resident_pages(uint64_t off, size_t bytes) {
  unsigned char present[16];
  size_t n = 0;
  assert_true(bytes <= sizeof present * PAGE);
  assert_int_equal(mincore(tsr_heap_at(0, off), bytes, present), 0);
  for (size_t i = 0; i < bytes / PAGE; i++) n += present[i] & 1;
  return n;
}

/* The end of a block that becomes shorter is memory for other blocks again; what it keeps stays as it was. */
static void a_shorter_block_gives_its_end_back(void **state) {
  (void)state;
  enum { BYTES = 10 * PAGE, SHORTER = 2 * PAGE + 100 };
  uint64_t off, start, bytes;
  map_limited();
  assert_int_equal(tsr_heap_alloc(BYTES, TSR_HEAP_SYMMETRIC, &off), TESSERA_OK);
  memset(tsr_heap_at(0, off), 5, BYTES);
  assert_int_equal(tsr_heap_shrink(off, BYTES + 1, TSR_HEAP_SYMMETRIC), TESSERA_ERR_NOT_FOUND);
  assert_int_equal(tsr_heap_shrink(off, SHORTER, TSR_HEAP_SEGMENT), TESSERA_ERR_NOT_FOUND);
  assert_int_equal(tsr_heap_shrink(off + PAGE, PAGE, TSR_HEAP_SYMMETRIC), TESSERA_ERR_NOT_FOUND);
  assert_int_equal(tsr_heap_live_bytes(), BYTES);
  assert_int_equal(tsr_heap_shrink(off, SHORTER, TSR_HEAP_SYMMETRIC), TESSERA_OK);
  assert_int_equal(tsr_heap_live_bytes(), 3 * PAGE);
  assert_int_equal(tsr_heap_find(off, &start, &bytes), TSR_HEAP_SYMMETRIC);
  assert_true(start == off && bytes == SHORTER);
  assert_int_equal(resident_pages(off, BYTES), 3);
  for (size_t i = 0; i < SHORTER; i++) assert_int_equal(*(char *)tsr_heap_at(0, off + i), 5);
  assert_int_equal(tsr_heap_shrink(off, 100, TSR_HEAP_SYMMETRIC), TESSERA_OK);
  assert_int_equal(tsr_heap_live_bytes(), 128);
  assert_int_equal(tsr_heap_free(off, TSR_HEAP_SYMMETRIC), TESSERA_OK);
  assert_int_equal(tsr_heap_live_bytes(), 0);
  assert_int_equal(tsr_heap_alloc_at(off, BYTES), TESSERA_OK);
  tsr_heap_unmap();
}

/* Other units keep little unused memory. */
static void spare_bytes_stay_few(void **state) {
  (void)state;
  static uint64_t off[1000];
  map_limited();
  for (int i = 0; i < 1000; i++) assert_int_equal(tsr_heap_alloc(8192, TSR_HEAP_SEGMENT, &off[i]), TESSERA_OK);
  for (int i = 0; i < 1000; i++) {
    assert_int_equal(tsr_heap_free(off[i], TSR_HEAP_SEGMENT), TESSERA_OK);
    assert_true(tsr_heap.memory->reserved_bytes - tsr_heap_live_bytes() <= LIMIT / 64 / UNITS_N);
  }
  assert_int_equal(tsr_heap_reset(), TESSERA_OK);
  assert_int_equal(tsr_heap.memory->reserved_bytes, 0);
  tsr_heap_unmap();
}

/* ---- Threads during a call of the kernel ---- */

static bool asks_beside;
static int asked_n;

static void *allocate_and_free(void *unused) {
  uint64_t off;
  assert_int_equal(tsr_heap_alloc(64, TSR_HEAP_INTERNAL, &off), TESSERA_OK);
  assert_int_equal(tsr_heap_free(off, TSR_HEAP_INTERNAL), TESSERA_OK);
  return unused;
}

/* Replaces the C library's function: another thread uses the heap before the call returns. */
int madvise(void *address, size_t bytes, int advice) {
  if (asks_beside) {
    pthread_t thread;
    asks_beside = false;
    asked_n++;
    assert_int_equal(pthread_create(&thread, NULL, allocate_and_free, NULL), 0);
    pthread_join(thread, NULL);
  }
  return (int)syscall(SYS_madvise, address, bytes, advice);
}

static void no_thread_waits_for_pages_of_another(void **state) {
  (void)state;
  uint64_t off;
  alarm(60); /* the test ends if a lock is held */
  tsr_config.heap_commit = TSR_HEAP_COMMIT_EAGER;
  tsr_config.heap_keep = 0;
  map_limited();
  asks_beside = true;
  assert_int_equal(tsr_heap_alloc(16 * PAGE, TSR_HEAP_INTERNAL, &off), TESSERA_OK);
  assert_int_equal(asked_n, 1);
  asks_beside = true;
  assert_int_equal(tsr_heap_free(off, TSR_HEAP_INTERNAL), TESSERA_OK);
  assert_int_equal(asked_n, 2);
  assert_int_equal(tsr_heap_free(off, TSR_HEAP_INTERNAL), TESSERA_ERR_NOT_FOUND);
  assert_int_equal(tsr_heap_live_bytes(), 0);
  tsr_heap_unmap();
  alarm(0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equal_offsets_differ_in_their_low_bits),
      cmocka_unit_test(gaps_belong_to_no_heap),
      cmocka_unit_test(short_slices_have_short_gaps),
      cmocka_unit_test(too_many_short_slices_have_no_gaps),
      cmocka_unit_test(small_blocks_leave_the_counter_of_the_node_alone),
      cmocka_unit_test(the_limit_is_exact_for_one_unit),
      cmocka_unit_test(a_shorter_block_gives_its_end_back),
      cmocka_unit_test(spare_bytes_stay_few),
      cmocka_unit_test(no_thread_waits_for_pages_of_another),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
