/* Handles that are released while their operations are under way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/op.h"
#include "core/place.h"

/* A search through all abandoned handles in every call would take too long for this number. */
enum { MANY = 1 << 18 };

static int start_ops(void **state) {
  (void)state;
  tsr_place.units_n = tsr_place.nodes_n = 1;
  return tsr_op_start();
}
static int stop_ops(void **state) {
  (void)state;
  tsr_op_stop();
  return 0;
}

static tsr_op *create(tsr_handle *handle) {
  tsr_op *op = NULL;
  assert_int_equal(tsr_handle_create(TSR_UNIT(0), handle, &op), TESSERA_OK);
  return op;
}

/* The handle's number in its pool. */
static uint32_t place_of(tsr_handle handle) { return (uint32_t)handle; }

static void abandoning_many_takes_linear_time(void **state) {
  (void)state;
  tsr_op **ops = malloc(MANY * sizeof *ops);
  tsr_handle handle = 0;
  assert_non_null(ops);
  for (int i = 0; i < MANY; i++) {
    ops[i] = create(&handle);
    atomic_store(&ops[i]->remote_n, 1);
    tsr_handle_release(handle);
    assert_null(tsr_handle_op(handle));
  }
  for (int i = 0; i < MANY; i++) atomic_store(&ops[i]->remote_n, 0);
  free(ops);
  uint32_t highest = place_of(handle);
  for (int i = 0; i < MANY; i++) {
    create(&handle);
    assert_true(place_of(handle) <= highest); /* what has ended is used again */
    tsr_handle_release(handle);
  }
}

/* Operations that never complete do not keep those that complete from being used again. */
static void stuck_ones_hold_up_nobody(void **state) {
  (void)state;
  enum { STUCK_N = 1000 };
  tsr_handle handle = 0;
  uint32_t highest = 0;
  for (int i = 0; i < STUCK_N; i++) {
    tsr_op *op = create(&handle);
    atomic_store(i % 2 ? &op->remote_n : &op->local_n, 1);
    tsr_handle_release(handle);
  }
  for (int i = 0; i < 100 * STUCK_N; i++) {
    create(&handle);
    if (place_of(handle) > highest) highest = place_of(handle);
    tsr_handle_release(handle);
  }
  assert_true(highest <= 3 * STUCK_N);
}

static void a_released_handle_is_stale_and_released_once(void **state) {
  (void)state;
  tsr_handle handle = 0, other = 0;
  tsr_op *op = create(&handle);
  atomic_store(&op->remote_n, 1);
  assert_ptr_equal(tsr_handle_op(handle), op);
  tsr_handle_release(handle);
  tsr_handle_release(handle);
  assert_null(tsr_handle_op(handle));
  assert_ptr_not_equal(create(&other), op); /* it is still under way */
  atomic_store(&op->remote_n, 0);
  tsr_handle_release(other);
  tsr_handle_release(handle);
}

static int asked_n;

static bool includes_none(const void *arg, tsr_unit unit) {
  (void)arg, (void)unit;
  asked_n++;
  return false;
}

/* A fence looks at the units that this one has ever addressed, not at all of the job, also while something is under way. */
static void fences_look_at_peers_only(void **state) {
  (void)state;
  enum { UNITS_N = 100000, FENCES_N = 1 << 19, PEERS_N = 3 };
  static const tsr_unit peers[PEERS_N] = {{0}, {4711}, {UNITS_N - 1}};
  tsr_place.units_n = UNITS_N;
  assert_int_equal(tsr_op_track(), TESSERA_OK);
  for (int i = 0; i < FENCES_N; i++) {
    tsr_op *op = tsr_op_implicit(peers[i % PEERS_N]);
    tsr_op_begin(op);
    assert_false(tsr_op_remote_done(op));
    asked_n = 0;
    tsr_op_flush_some(includes_none, NULL);
    assert_in_range(asked_n, 1, PEERS_N);
    tsr_op_end(op);
    tsr_op_flush_all();
    tsr_op_flush_local_all();
    tsr_op_flush(TSR_UNIT(i % UNITS_N));
  }
  tsr_op *one = tsr_op_implicit(peers[0]), *other = tsr_op_implicit(peers[1]);
  assert_ptr_not_equal(one, other);
  assert_ptr_equal(one, tsr_op_implicit(peers[0]));
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(abandoning_many_takes_linear_time, start_ops, stop_ops),
    cmocka_unit_test_setup_teardown(stuck_ones_hold_up_nobody, start_ops, stop_ops),
    cmocka_unit_test_setup_teardown(fences_look_at_peers_only, start_ops, stop_ops),
    cmocka_unit_test_setup_teardown(a_released_handle_is_stale_and_released_once, start_ops, stop_ops),
  };
  return cmocka_run_group_tests_name("op", tests, NULL, NULL);
}
