/* Signals and locks in one process: several views of one home stand for several units. */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/wait.h"
#include "core/place.h"
#include "core/runtime.h"
#include "rma/lock.h"
#include "rma/signal.h"

enum { SLICE_ORDER = 20 };

static int set_up(void **state) {
  (void)state;
  const struct tsr_heap_shape shape = {1, SLICE_ORDER, 1};
  int fd = tsr_heap_make(&shape);
  if (fd < 0 || tsr_heap_map(fd, &shape, 0, NULL)) return -1;
  tsr_heap.memory->limit_bytes = 1 << SLICE_ORDER;
  if (tsr_heap_reset()) return -1;
  tsr_place = (struct tsr_place){.self = 0, .units_n = 1, .nodes_n = 1, .count = 1};
  tsr_threads = true;
  return close(fd);
}

static int tear_down(void **state) {
  (void)state;
  tsr_heap_unmap();
  return 0;
}

static tsr_addr new_home(void) {
  uint64_t off;
  assert_int_equal(tsr_heap_alloc(TSR_LOCK_HOME_BYTES, TSR_HEAP_INTERNAL, &off), TESSERA_OK);
  memset(tsr_heap_at(0, off), 0, TSR_LOCK_HOME_BYTES);
  return (tsr_addr){TSR_UNIT(0), off};
}

static void end_home(tsr_addr home) {
  assert_int_equal(*(uint64_t *)tsr_place_pointer(home), 0); /* the queue is empty */
  assert_int_equal(tsr_heap_free(home.off, TSR_HEAP_INTERNAL), TESSERA_OK);
}

/* Returns when the last view in the queue has this name and its thread waits. */
static void await_in_queue(tsr_lock *view) {
  while (atomic_load(view->tail) != view->name) sched_yield();
}

static int locks_held(void) { return atomic_load(&tsr_heap_unit(0)->locks_n); }

static void free_lock_is_taken_and_given(void **state) {
  (void)state;
  tsr_lock lock;
  tsr_addr home = new_home();
  assert_int_equal(tsr_lock_attach(&lock, home), TESSERA_OK);
  for (int i = 0; i < 3; i++) {
    assert_int_equal(locks_held(), 0);
    assert_int_equal(tsr_lock_acquire(&lock), TESSERA_OK);
    assert_int_equal(*lock.tail, lock.name);
    assert_int_equal(locks_held(), 1);
    assert_int_equal(tsr_lock_release(&lock), TESSERA_OK);
    assert_int_equal(*lock.tail, 0);
  }
  tsr_lock_drop(&lock);
  end_home(home);
}

static void only_the_holder_releases(void **state) {
  (void)state;
  tsr_lock lock, other;
  tsr_addr home = new_home();
  assert_int_equal(tsr_lock_attach(&lock, home), TESSERA_OK);
  assert_int_equal(tsr_lock_attach(&other, home), TESSERA_OK);
  assert_int_equal(tsr_lock_release(&lock), TESSERA_ERR_STATE);
  assert_int_equal(tsr_lock_acquire(&lock), TESSERA_OK);
  assert_int_equal(tsr_lock_acquire(&lock), TESSERA_ERR_STATE);
  assert_int_equal(tsr_lock_release(&other), TESSERA_ERR_STATE);
  assert_int_equal(locks_held(), 1);
  assert_int_equal(tsr_lock_release(&lock), TESSERA_OK);
  assert_int_equal(tsr_lock_release(&lock), TESSERA_ERR_STATE);
  tsr_lock_drop(&lock);
  tsr_lock_drop(&other);
  end_home(home);
}

static void try_takes_a_free_lock_only(void **state) {
  (void)state;
  tsr_lock lock, other;
  bool got = false;
  tsr_addr home = new_home();
  assert_int_equal(tsr_lock_attach(&lock, home), TESSERA_OK);
  assert_int_equal(tsr_lock_attach(&other, home), TESSERA_OK);
  assert_int_equal(tsr_lock_try(&lock, &got), TESSERA_OK);
  assert_true(got);
  assert_int_equal(tsr_lock_try(&lock, &got), TESSERA_OK);
  assert_false(got);
  assert_int_equal(tsr_lock_try(&other, &got), TESSERA_OK);
  assert_false(got);
  assert_int_equal(tsr_lock_release(&lock), TESSERA_OK);
  assert_int_equal(tsr_lock_try(&other, &got), TESSERA_OK);
  assert_true(got);
  assert_int_equal(tsr_lock_release(&other), TESSERA_OK);
  tsr_lock_drop(&lock);
  tsr_lock_drop(&other);
  end_home(home);
}

static void dropping_a_held_lock_forgets_it(void **state) {
  (void)state;
  tsr_lock lock;
  tsr_addr home = new_home();
  assert_int_equal(tsr_lock_attach(&lock, home), TESSERA_OK);
  assert_int_equal(tsr_lock_acquire(&lock), TESSERA_OK);
  tsr_lock_drop(&lock);
  assert_int_equal(locks_held(), 0);
  assert_int_equal(tsr_heap_free(home.off, TSR_HEAP_INTERNAL), TESSERA_OK);
}

/* The holders, in order. Only the holder writes. */
enum { WAITERS = 4 };
static tsr_lock *order[WAITERS * 2];
static int order_n;

static void *acquire_and_sign(void *arg) {
  tsr_lock *lock = arg;
  if (tsr_lock_acquire(lock)) return NULL;
  order[order_n++] = lock;
  return tsr_lock_release(lock) ? NULL : arg;
}

static void units_are_served_in_order(void **state) {
  (void)state;
  tsr_lock mine, views[WAITERS];
  pthread_t threads[WAITERS];
  tsr_addr home = new_home();
  order_n = 0;
  assert_int_equal(tsr_lock_attach(&mine, home), TESSERA_OK);
  assert_int_equal(tsr_lock_acquire(&mine), TESSERA_OK);
  for (int i = 0; i < WAITERS; i++) {
    assert_int_equal(tsr_lock_attach(&views[i], home), TESSERA_OK);
    pthread_create(&threads[i], NULL, acquire_and_sign, &views[i]);
    await_in_queue(&views[i]);
  }
  assert_int_equal(order_n, 0);
  assert_int_equal(tsr_lock_release(&mine), TESSERA_OK);
  for (int i = 0; i < WAITERS; i++) {
    void *result;
    pthread_join(threads[i], &result);
    assert_ptr_equal(result, &views[i]);
  }
  assert_int_equal(order_n, WAITERS);
  for (int i = 0; i < WAITERS; i++) {
    assert_ptr_equal(order[i], &views[i]);
    tsr_lock_drop(&views[i]);
  }
  tsr_lock_drop(&mine);
  end_home(home);
}

/* A unit with several waiting threads queues once for each: another unit that came in between gets its turn. */
static void threads_of_a_unit_queue_anew(void **state) {
  (void)state;
  tsr_lock one, other;
  pthread_t threads[3];
  tsr_addr home = new_home();
  order_n = 0;
  assert_int_equal(tsr_lock_attach(&one, home), TESSERA_OK);
  assert_int_equal(tsr_lock_attach(&other, home), TESSERA_OK);
  assert_int_equal(tsr_lock_acquire(&one), TESSERA_OK);
  for (uint32_t i = 0; i < 2; i++) {
    pthread_create(&threads[i], NULL, acquire_and_sign, &one);
    while (atomic_load(&one.tickets_n) != i + 2) sched_yield();
  }
  assert_int_equal(*one.tail, one.name); /* they wait for the lock inside the unit, not in the queue */
  pthread_create(&threads[2], NULL, acquire_and_sign, &other);
  await_in_queue(&other);
  assert_int_equal(tsr_lock_release(&one), TESSERA_OK);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  assert_int_equal(order_n, 3);
  assert_ptr_equal(order[0], &other);
  assert_ptr_equal(order[1], &one);
  assert_ptr_equal(order[2], &one);
  tsr_lock_drop(&one);
  tsr_lock_drop(&other);
  end_home(home);
}

static struct {
  tsr_lock lock;
  pthread_t served[WAITERS];
  int served_n;
} tickets;

static void *acquire_and_name_self(void *arg) {
  (void)arg;
  tsr_lock_acquire(&tickets.lock);
  tickets.served[tickets.served_n++] = pthread_self();
  tsr_lock_release(&tickets.lock);
  return NULL;
}

static void threads_are_served_in_order(void **state) {
  (void)state;
  pthread_t threads[WAITERS];
  tsr_addr home = new_home();
  assert_int_equal(tsr_lock_attach(&tickets.lock, home), TESSERA_OK);
  assert_int_equal(tsr_lock_acquire(&tickets.lock), TESSERA_OK);
  for (uint32_t i = 0; i < WAITERS; i++) {
    pthread_create(&threads[i], NULL, acquire_and_name_self, NULL);
    while (atomic_load(&tickets.lock.tickets_n) != i + 2) sched_yield();
  }
  assert_int_equal(tsr_lock_release(&tickets.lock), TESSERA_OK);
  for (int i = 0; i < WAITERS; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < WAITERS; i++) assert_true(pthread_equal(tickets.served[i], threads[i]));
  tsr_lock_drop(&tickets.lock);
  end_home(home);
}

static struct {
  tsr_lock views[2];
  long sum; /* a plain counter, not an atomic */
} shared;
enum { THREADS = 4, ADDS = 2000 };

static void *add_often(void *arg) {
  tsr_lock *lock = arg;
  for (int i = 0; i < ADDS; i++) {
    if (tsr_lock_acquire(lock)) return NULL;
    shared.sum++;
    if (tsr_lock_release(lock)) return NULL;
  }
  return arg;
}

static void no_increment_is_lost(void **state) {
  (void)state;
  pthread_t threads[THREADS];
  tsr_addr home = new_home();
  for (int i = 0; i < 2; i++) assert_int_equal(tsr_lock_attach(&shared.views[i], home), TESSERA_OK);
  for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, add_often, &shared.views[i % 2]);
  for (int i = 0; i < THREADS; i++) {
    void *result;
    pthread_join(threads[i], &result);
    assert_non_null(result);
  }
  assert_int_equal(shared.sum, THREADS * ADDS);
  assert_int_equal(locks_held(), 0);
  for (int i = 0; i < 2; i++) tsr_lock_drop(&shared.views[i]);
  end_home(home);
}

static bool is_five(const void *word) { return atomic_load((const _Atomic uint64_t *)word) == 5; }

static void *await_five(void *word) {
  tsr_wait(is_five, word, (struct tsr_wait_why){TSR_WAIT_LOCK, 0, 0});
  return word;
}

static void signals_store_add_and_wake(void **state) {
  (void)state;
  pthread_t thread;
  void *woken;
  tsr_op op = {0};
  tsr_addr word = new_home();
  const uint64_t *value = tsr_place_pointer(word);
  pthread_create(&thread, NULL, await_five, tsr_place_pointer(word));
  assert_int_equal(tsr_signal(word, TSR_SIGNAL_STORE, 7, &op), TESSERA_OK);
  assert_int_equal(*value, 7);
  assert_int_equal(tsr_signal(word, TSR_SIGNAL_ADD, (uint64_t)-2, &op), TESSERA_OK);
  pthread_join(thread, &woken);
  assert_ptr_equal(woken, value);
  assert_true(tsr_op_remote_done(&op));
  tsr_signal(word, TSR_SIGNAL_STORE, 0, &op);
  end_home(word);
}

static void waits_are_described(void **state) {
  (void)state;
  char text[128];
  tsr_wait_describe(&(struct tsr_wait_why){TSR_WAIT_LOCK, 17, 4}, text, sizeof text);
  assert_string_equal(text, "a lock that unit 17 holds or waits for (its home is unit 4)");
  tsr_wait_describe(&(struct tsr_wait_why){TSR_WAIT_LOCK_USERS, 3, 0}, text, sizeof text);
  assert_non_null(strstr(text, " 3 other units"));
  tsr_wait_describe(&(struct tsr_wait_why){TSR_WAIT_AM_TAKEN, 2, 5}, text, sizeof text);
  assert_string_equal(text, "unit 2 of another node to take active messages (5 of them under way)");
  tsr_wait_describe(&(struct tsr_wait_why){TSR_WAIT_AM_TAKEN, -1, 5}, text, sizeof text);
  assert_string_equal(text, "units of other nodes to take active messages (5 of them under way)");
  tsr_wait_describe(&(struct tsr_wait_why){TSR_WAIT_BOUNCE, 5, 16}, text, sizeof text);
  assert_string_equal(text, "a free bounce buffer for a reply from unit 5 (all 16 are in use)");
  tsr_wait_describe(&(struct tsr_wait_why){TSR_WAIT_HANDLE, 6, 0}, text, sizeof text);
  assert_string_equal(text, "another thread to send what a handle has collected for unit 6");
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(free_lock_is_taken_and_given),
    cmocka_unit_test(only_the_holder_releases),
    cmocka_unit_test(try_takes_a_free_lock_only),
    cmocka_unit_test(dropping_a_held_lock_forgets_it),
    cmocka_unit_test(units_are_served_in_order),
    cmocka_unit_test(threads_of_a_unit_queue_anew),
    cmocka_unit_test(threads_are_served_in_order),
    cmocka_unit_test(no_increment_is_lost),
    cmocka_unit_test(signals_store_add_and_wake),
    cmocka_unit_test(waits_are_described),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
