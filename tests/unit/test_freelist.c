/* Blocks of many sizes that are taken and given back: each belongs to one thread at a time, no more memory is kept than wanted, and
 * a size that was in use before needs no new memory. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/freelist.h"
#include "base/poison.h"

enum { THREADS_N = 4, ROUNDS_N = 20000, HELD_N = 5, MOST = 4096 };

static tsr_freelist list = TSR_FREELIST(MOST);

static size_t kept_bytes(void) {
  size_t bytes = 0;
  for (int i = 0; i < TSR_FREELIST_SIZES_N; i++) bytes += list.sizes[i].kept_n * ((size_t)TSR_FREELIST_LEAST_BYTES << i);
  return bytes;
}

static void blocks_are_kept_by_size(void **state) {
  (void)state;
  if (TSR_ASAN) skip();
  void *small = tsr_freelist_take(&list, 100), *large = tsr_freelist_take(&list, 1000);
  assert_non_null(small);
  assert_non_null(large);
  assert_int_equal((uintptr_t)small % _Alignof(max_align_t), 0);
  memset(small, 1, 100);
  memset(large, 2, 1000);
  tsr_freelist_give(&list, small, 100);
  tsr_freelist_give(&list, large, 1000);
  assert_int_equal(kept_bytes(), 128 + 1024);
  assert_ptr_equal(tsr_freelist_take(&list, 513), large);
  assert_ptr_equal(tsr_freelist_take(&list, 128), small);
  tsr_freelist_give(&list, small, 128);
  tsr_freelist_give(&list, large, 513);
  tsr_freelist_drop(&list);
  assert_int_equal(kept_bytes(), 0);
}

static void the_ends_are_blocks_too(void **state) {
  (void)state;
  void *none = tsr_freelist_take(&list, 0), *most = tsr_freelist_take(&list, MOST), *more = tsr_freelist_take(&list, MOST + 1);
  assert_true(none && most && more);
  memset(most, 3, MOST);
  memset(more, 4, MOST + 1);
  tsr_freelist_give(&list, none, 0);
  tsr_freelist_give(&list, most, MOST);
  tsr_freelist_give(&list, more, MOST + 1);
  tsr_freelist_give(&list, NULL, 8);
  assert_int_equal(kept_bytes(), TSR_ASAN ? 0 : MOST + TSR_FREELIST_LEAST_BYTES);
  tsr_freelist_drop(&list);
}

static void no_more_is_kept_than_wanted(void **state) {
  (void)state;
  void *blocks[100];
  for (int i = 0; i < 100; i++) blocks[i] = tsr_freelist_take(&list, 200);
  for (int i = 0; i < 100; i++) tsr_freelist_give(&list, blocks[i], 200);
  assert_int_equal(kept_bytes(), TSR_ASAN ? 0 : MOST);
  tsr_freelist_drop(&list);
}

static _Atomic int wrong_n;

/* Each thread fills its blocks with a number of its own. */
static void *use(void *number) {
  for (int round = 0; round < ROUNDS_N; round++) {
    unsigned char *held[HELD_N];
    for (int i = 0; i < HELD_N; i++) {
      held[i] = tsr_freelist_take(&list, 60u << i);
      memset(held[i], *(int *)number, 60u << i);
    }
    for (int i = 0; i < HELD_N; i++) {
      if (held[i][0] != *(int *)number || held[i][(60u << i) - 1] != *(int *)number) atomic_fetch_add(&wrong_n, 1);
      tsr_freelist_give(&list, held[i], 60u << i);
    }
  }
  return NULL;
}

static void threads_share_a_list(void **state) {
  (void)state;
  pthread_t threads[THREADS_N];
  int numbers[THREADS_N];
  for (int i = 0; i < THREADS_N; i++) {
    numbers[i] = i + 1;
    assert_int_equal(pthread_create(&threads[i], NULL, use, &numbers[i]), 0);
  }
  for (int i = 0; i < THREADS_N; i++) pthread_join(threads[i], NULL);
  assert_int_equal(wrong_n, 0);
  tsr_freelist_drop(&list);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(blocks_are_kept_by_size),
    cmocka_unit_test(the_ends_are_blocks_too),
    cmocka_unit_test(no_more_is_kept_than_wanted),
    cmocka_unit_test(threads_share_a_list),
  };
  return cmocka_run_group_tests_name("freelist", tests, NULL, NULL);
}
