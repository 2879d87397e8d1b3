/* Derived types of DART: local objects, without a runtime. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "faces/dart/type.h"

static void strided_type_is_what_was_asked_for(void **state) {
  (void)state;
  dart_datatype_t type = DART_TYPE_UNDEFINED;
  struct tsr_dart_strided found;
  assert_int_equal(dart_type_create_strided(DART_TYPE_DOUBLE, 10, 3, &type), DART_OK);
  assert_false(tsr_dart_is_basic(type));
  assert_int_equal(tsr_dart_basic_bytes(type), 0);
  assert_true(type != DART_TYPE_UNDEFINED && type != DART_TYPE_LAST);
  assert_true(tsr_dart_strided_find(type, &found));
  assert_int_equal(found.base, DART_TYPE_DOUBLE);
  assert_int_equal(found.stride, 10);
  assert_int_equal(found.blocklen, 3);
  assert_int_equal(dart_type_destroy(&type), DART_OK);
  assert_int_equal(type, DART_TYPE_UNDEFINED);
}

/* A later type may take the place of a destroyed one, not its value. */
static void destroyed_types_are_caught(void **state) {
  (void)state;
  dart_datatype_t old, new;
  struct tsr_dart_strided found;
  assert_int_equal(dart_type_create_strided(DART_TYPE_INT, 4, 1, &old), DART_OK);
  dart_datatype_t copy = old;
  assert_int_equal(dart_type_destroy(&old), DART_OK);
  assert_int_equal(dart_type_create_strided(DART_TYPE_INT, 5, 1, &new), DART_OK);
  assert_true(new != copy);
  assert_false(tsr_dart_strided_find(copy, &found));
  assert_int_equal(dart_type_destroy(&copy), DART_ERR_INVAL);
  assert_int_equal(dart_type_destroy(&new), DART_OK);
}

static void many_types_live_at_once(void **state) {
  (void)state;
  enum { N = 1000 };
  static dart_datatype_t types[N];
  struct tsr_dart_strided found;
  for (size_t i = 0; i < N; i++)
    assert_int_equal(dart_type_create_strided(DART_TYPE_BYTE, i + 1, 1, &types[i]), DART_OK);
  for (size_t i = 0; i < N; i++) {
    assert_true(tsr_dart_strided_find(types[i], &found));
    assert_int_equal(found.stride, i + 1);
  }
  for (size_t i = 0; i < N; i++) assert_int_equal(dart_type_destroy(&types[i]), DART_OK);
}

static void bad_arguments_are_refused(void **state) {
  (void)state;
  dart_datatype_t type = 77, derived, basic = DART_TYPE_INT, wild = (dart_datatype_t)0x7f0012345678;
  struct tsr_dart_strided found;
  assert_int_equal(dart_type_create_strided(DART_TYPE_UNDEFINED, 2, 1, &type), DART_ERR_INVAL);
  assert_int_equal(dart_type_create_strided(DART_TYPE_LAST, 2, 1, &type), DART_ERR_INVAL);
  assert_int_equal(dart_type_create_strided(-1, 2, 1, &type), DART_ERR_INVAL);
  assert_int_equal(dart_type_create_strided(DART_TYPE_INT, 0, 1, &type), DART_ERR_INVAL);
  assert_int_equal(dart_type_create_strided(DART_TYPE_INT, 2, 0, &type), DART_ERR_INVAL);
  assert_int_equal(dart_type_create_strided(DART_TYPE_INT, SIZE_MAX, 1, &type), DART_ERR_INVAL);
  assert_int_equal(dart_type_create_strided(DART_TYPE_INT, 2, 1, NULL), DART_ERR_INVAL);
  assert_int_equal(dart_type_create_strided(DART_TYPE_INT, 2, 1, &derived), DART_OK);
  assert_int_equal(dart_type_create_strided(derived, 2, 1, &type), DART_ERR_INVAL);
  assert_int_equal(type, 77);
  assert_int_equal(dart_type_destroy(NULL), DART_ERR_INVAL);
  assert_int_equal(dart_type_destroy(&basic), DART_ERR_INVAL);
  assert_int_equal(basic, DART_TYPE_INT);
  assert_int_equal(dart_type_destroy(&wild), DART_ERR_INVAL);
  assert_false(tsr_dart_strided_find(wild, &found));
  assert_false(tsr_dart_strided_find(-1, &found));
  assert_int_equal(dart_type_destroy(&derived), DART_OK);
}

static void basic_types_have_the_sizes_of_c(void **state) {
  (void)state;
  assert_int_equal(tsr_dart_basic_bytes(DART_TYPE_UNDEFINED), 0);
  assert_int_equal(tsr_dart_basic_bytes(DART_TYPE_BYTE), 1);
  assert_int_equal(tsr_dart_basic_bytes(DART_TYPE_SHORT), sizeof(short));
  assert_int_equal(tsr_dart_basic_bytes(DART_TYPE_UINT), sizeof(unsigned));
  assert_int_equal(tsr_dart_basic_bytes(DART_TYPE_LONG), sizeof(long));
  assert_int_equal(tsr_dart_basic_bytes(DART_TYPE_ULONGLONG), sizeof(unsigned long long));
  assert_int_equal(tsr_dart_basic_bytes(DART_TYPE_FLOAT), sizeof(float));
  assert_int_equal(tsr_dart_basic_bytes(DART_TYPE_LONG_DOUBLE), sizeof(long double));
  assert_int_equal(tsr_dart_basic_bytes(DART_TYPE_LAST), 0);
  assert_int_equal(tsr_dart_basic_bytes(-5), 0);
}

static void operations_are_the_core_s(void **state) {
  (void)state;
  tsr_arith op;
  assert_true(tsr_dart_arith(DART_OP_MIN, &op) && op == TSR_MIN);
  assert_true(tsr_dart_arith(DART_OP_LXOR, &op) && op == TSR_LXOR);
  assert_true(tsr_dart_arith(DART_OP_REPLACE, &op) && op == TSR_REPLACE);
  assert_true(tsr_dart_arith(DART_OP_NO_OP, &op) && op == TSR_NO_OP);
  assert_false(tsr_dart_arith(DART_OP_UNDEFINED, &op));
  assert_false(tsr_dart_arith(DART_OP_MINMAX, &op));
  assert_false(tsr_dart_arith(DART_OP_LAST, &op));
  assert_false(tsr_dart_arith((dart_operation_t)-1, &op));
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(strided_type_is_what_was_asked_for), cmocka_unit_test(destroyed_types_are_caught),
    cmocka_unit_test(many_types_live_at_once),            cmocka_unit_test(bad_arguments_are_refused),
    cmocka_unit_test(basic_types_have_the_sizes_of_c),    cmocka_unit_test(operations_are_the_core_s),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
