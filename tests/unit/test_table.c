/* Tables whose entries are made at first use. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/table.h"

enum { MANY = 100000, THREADS_N = 4 };

struct entry {
  uint32_t number;
  _Atomic uint32_t n;
};

static void entries_are_made_at_first_use(void **state) {
  (void)state;
  tsr_table table = tsr_table_make(MANY, sizeof(struct entry));
  assert_non_null(table.blocks);
  for (uint32_t i = 0; i < MANY; i++) assert_null(tsr_table_find(&table, i));
  struct entry *last = tsr_table_use(&table, MANY - 1);
  assert_non_null(last);
  assert_int_equal(last->number, 0);
  last->number = MANY - 1;
  assert_null(tsr_table_find(&table, 0));
  assert_non_null(tsr_table_use(&table, 0));
  assert_ptr_equal(tsr_table_use(&table, MANY - 1), last);
  assert_int_equal(last->number, MANY - 1);
  tsr_table_free(&table);
  assert_null(table.blocks);
}

static uint32_t seen_n, sum;
static void see(void *entry, uint32_t number) {
  seen_n++;
  sum += ((struct entry *)entry)->number;
  assert_true(number < MANY);
}

static void each_visits_what_is_made(void **state) {
  (void)state;
  tsr_table table = tsr_table_make(MANY, sizeof(struct entry));
  ((struct entry *)tsr_table_use(&table, 7))->number = 7;
  ((struct entry *)tsr_table_use(&table, 5000))->number = 5000;
  tsr_table_each(&table, see);
  assert_int_equal(seen_n, 2 * TSR_TABLE_BLOCK_N);
  assert_int_equal(sum, 5007);
  tsr_table_free(&table);
}

static void *count_all(void *arg) {
  for (uint32_t i = 0; i < MANY; i += 3) {
    struct entry *entry = tsr_table_use(arg, i);
    atomic_fetch_add(&entry->n, 1);
  }
  return NULL;
}

static void threads_make_each_entry_once(void **state) {
  (void)state;
  tsr_table table = tsr_table_make(MANY, sizeof(struct entry));
  pthread_t threads[THREADS_N];
  for (int i = 0; i < THREADS_N; i++) assert_int_equal(pthread_create(&threads[i], NULL, count_all, &table), 0);
  for (int i = 0; i < THREADS_N; i++) pthread_join(threads[i], NULL);
  for (uint32_t i = 0; i < MANY; i += 3) assert_int_equal(atomic_load(&((struct entry *)tsr_table_find(&table, i))->n), THREADS_N);
  tsr_table_free(&table);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(entries_are_made_at_first_use),
    cmocka_unit_test(each_visits_what_is_made),
    cmocka_unit_test(threads_make_each_entry_once),
  };
  return cmocka_run_group_tests_name("table", tests, NULL, NULL);
}
