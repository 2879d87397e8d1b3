#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/list.h"

struct item {
  int number;
  tsr_link link;
};

/* The numbers on the list as one decimal number. */
static int digits(tsr_link *list) {
  int sum = 0, back = 0, place = 1;
  TSR_EACH(link, list) sum = 10 * sum + TSR_ELEMENT(link, struct item, link)->number;
  for (tsr_link *link = list->prev; link != list; link = link->prev, place *= 10)
    back += place * TSR_ELEMENT(link, struct item, link)->number;
  assert_int_equal(sum, back);
  return sum;
}

static void elements_stand_where_they_were_put(void **state) {
  (void)state;
  tsr_link list;
  struct item one = {.number = 1}, two = {.number = 2}, three = {.number = 3};
  tsr_list_init(&list);
  assert_true(tsr_list_is_empty(&list));
  assert_int_equal(digits(&list), 0);
  tsr_list_insert(&list, &one.link);
  tsr_list_insert(&list, &two.link);
  tsr_list_insert(&two.link, &three.link);
  assert_false(tsr_list_is_empty(&list));
  assert_int_equal(digits(&list), 132);
  tsr_list_insert(list.next, &(struct item){.number = 4}.link);
  assert_int_equal(digits(&list), 4132);
}

static void elements_leave_from_any_place(void **state) {
  (void)state;
  tsr_link list;
  struct item items[5];
  tsr_list_init(&list);
  for (int i = 0; i < 5; i++) {
    items[i].number = i + 1;
    tsr_list_insert(&list, &items[i].link);
  }
  tsr_list_remove(&items[2].link);
  assert_int_equal(digits(&list), 1245);
  tsr_list_remove(&items[4].link);
  assert_int_equal(digits(&list), 124);
  assert_ptr_equal(tsr_list_take(&list), &items[0].link);
  assert_int_equal(digits(&list), 24);
  tsr_list_take(&list);
  tsr_list_take(&list);
  assert_true(tsr_list_is_empty(&list));
  assert_null(tsr_list_take(&list));
}

static void loop_may_remove_what_it_visits(void **state) {
  (void)state;
  tsr_link list, odd;
  struct item items[6];
  tsr_list_init(&list);
  tsr_list_init(&odd);
  for (int i = 0; i < 6; i++) {
    items[i].number = i + 1;
    tsr_list_insert(&list, &items[i].link);
  }
  TSR_EACH(link, &list) {
    if (TSR_ELEMENT(link, struct item, link)->number % 2 == 0) continue;
    tsr_list_remove(link);
    tsr_list_insert(&odd, link);
  }
  assert_int_equal(digits(&list), 246);
  assert_int_equal(digits(&odd), 135);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(elements_stand_where_they_were_put),
    cmocka_unit_test(elements_leave_from_any_place),
    cmocka_unit_test(loop_may_remove_what_it_visits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
