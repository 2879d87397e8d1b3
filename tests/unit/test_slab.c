/* Objects that several threads take and release: each belongs to one thread at a time, and the number of objects is at
 * most the number that were in use at once. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/slab.h"

enum { THREADS_N = 4, ROUNDS_N = 20000, HELD_N = 3 };

struct object {
  _Atomic int users_n;
  void *fill[3];
};
static tsr_slab slab = TSR_SLAB(sizeof(struct object));

static void given_ones_are_taken_again(void **state) {
  (void)state;
  void *first = tsr_slab_take(&slab), *second = tsr_slab_take(&slab);
  assert_non_null(first);
  assert_true(first != second);
  assert_int_equal((uintptr_t)first % _Alignof(max_align_t), 0);
  tsr_slab_give(&slab, first);
  assert_ptr_equal(tsr_slab_take(&slab), first);
  tsr_slab_give(&slab, second);
  tsr_slab_give(&slab, first);
  void *one = tsr_slab_take(&slab), *other = tsr_slab_take(&slab);
  assert_true((one == first && other == second) || (one == second && other == first));
  tsr_slab_drop(&slab);
  assert_non_null(tsr_slab_take(&slab));
  tsr_slab_drop(&slab);
}

static int chunks_n(void) {
  int n = 0;
  for (void **chunk = slab.chunks; chunk; chunk = *chunk) n++;
  return n;
}

static void *use(void *wrong_n) {
  struct object *held[HELD_N];
  for (int round = 0; round < ROUNDS_N; round++) {
    for (int i = 0; i < HELD_N; i++) {
      held[i] = tsr_slab_take(&slab);
      atomic_store(&held[i]->users_n, 0);
    }
    for (int i = 0; i < HELD_N; i++) {
      if (atomic_fetch_add(&held[i]->users_n, 1) != 0) atomic_fetch_add((_Atomic int *)wrong_n, 1);
    }
    for (int i = 0; i < HELD_N; i++) tsr_slab_give(&slab, held[i]);
  }
  return NULL;
}

static void threads_share_a_slab(void **state) {
  (void)state;
  pthread_t threads[THREADS_N];
  _Atomic int wrong_n = 0;
  for (int i = 0; i < THREADS_N; i++) assert_int_equal(pthread_create(&threads[i], NULL, use, &wrong_n), 0);
  for (int i = 0; i < THREADS_N; i++) pthread_join(threads[i], NULL);
  assert_int_equal(atomic_load(&wrong_n), 0);
  assert_int_equal(chunks_n(), 1); /* 12 at once, of 64 */
  tsr_slab_drop(&slab);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(given_ones_are_taken_again),
    cmocka_unit_test(threads_share_a_slab),
  };
  return cmocka_run_group_tests_name("slab", tests, NULL, NULL);
}
