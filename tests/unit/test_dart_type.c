/* Derived types of DART: local objects, without a runtime. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "api/dart/op.h"
#include "api/dart/type.h"

static const char call[] = "test";

static struct tsr_dart_shape shape_of(dart_datatype_t type, size_t nelem) {
  struct tsr_dart_shape shape;
  assert_int_equal(tsr_dart_shape_make(call, type, nelem, &shape), DART_OK);
  return shape;
}

static void assert_no_shape(dart_datatype_t type, size_t nelem) {
  struct tsr_dart_shape shape;
  assert_int_equal(tsr_dart_shape_make(call, type, nelem, &shape), DART_ERR_INVAL);
}

static void basic_and_custom_types_are_one_block(void **state) {
  (void)state;
  dart_datatype_t custom = DART_TYPE_UNDEFINED;
  assert_int_equal(dart_type_create_custom(24, &custom), DART_OK);
  assert_false(tsr_dart_is_basic(custom));
  assert_int_equal(tsr_dart_basic_bytes(custom), 0);
  assert_int_equal(tsr_dart_contiguous_bytes(custom), 24);
  assert_int_equal(tsr_dart_contiguous_bytes(DART_TYPE_INT), 4);
  struct tsr_dart_shape basic = shape_of(DART_TYPE_INT, 7), own = shape_of(custom, 7);
  assert_true(basic.contiguous && own.contiguous);
  assert_true(basic.bytes == 28 && basic.end_bytes == 28 && basic.step_bytes == 28 && basic.base == DART_TYPE_INT);
  assert_true(own.bytes == 168 && own.end_bytes == 168 && own.step_bytes == 168 && own.base == custom);
  tsr_dart_shape_release(&basic);
  tsr_dart_shape_release(&own);
  assert_int_equal(dart_type_destroy(&custom), DART_OK);
  assert_int_equal(custom, DART_TYPE_UNDEFINED);
}

static void strided_type_is_what_was_asked_for(void **state) {
  (void)state;
  dart_datatype_t type = DART_TYPE_UNDEFINED;
  assert_int_equal(dart_type_create_strided(DART_TYPE_DOUBLE, 10, 3, &type), DART_OK);
  assert_true(type != DART_TYPE_UNDEFINED && type != DART_TYPE_LAST && !tsr_dart_is_basic(type));
  assert_int_equal(tsr_dart_contiguous_bytes(type), 0);
  struct tsr_dart_shape shape = shape_of(type, 12);
  assert_true(!shape.contiguous && tsr_dart_shape_is_regular(&shape) && shape.base == DART_TYPE_DOUBLE);
  assert_true(shape.low_bytes == 0 && shape.bytes == 96);
  assert_int_equal(shape.end_bytes, (30 + 3) * 8);
  assert_int_equal(shape.step_bytes, 40 * 8);
  tsr_dart_shape_release(&shape);
  shape = shape_of(type, 3);
  assert_true(shape.contiguous && shape.bytes == 24);
  tsr_dart_shape_release(&shape);
  assert_no_shape(type, 4);
  assert_no_shape(type, SIZE_MAX / 3 * 3);
  assert_int_equal(dart_type_destroy(&type), DART_OK);
}

static dart_datatype_t indexed(dart_datatype_t base, size_t count, const size_t blocklen[], const size_t offset[]) {
  dart_datatype_t type = DART_TYPE_UNDEFINED;
  assert_int_equal(dart_type_create_indexed(base, count, blocklen, offset, &type), DART_OK);
  return type;
}

/* Blocks in any order, one of them empty and far away; two are neighbours. */
static void indexed_type_has_an_extent(void **state) {
  (void)state;
  dart_datatype_t type = indexed(DART_TYPE_INT, 5, (size_t[]){2, 0, 1, 3, 1}, (size_t[]){9, 1000, 11, 4, 20});
  struct tsr_dart_shape shape = shape_of(type, 14);
  assert_true(!shape.contiguous && !tsr_dart_shape_is_regular(&shape));
  assert_int_equal(shape.iov.n, 3);
  assert_int_equal(shape.low_bytes, 4 * 4);
  assert_int_equal(shape.end_bytes, (21 + 17) * 4);
  assert_int_equal(shape.step_bytes, 2 * 17 * 4);
  assert_int_equal(shape.bytes, 56);
  tsr_dart_shape_release(&shape);
  assert_no_shape(type, 6);
  assert_int_equal(dart_type_destroy(&type), DART_OK);
}

static void regular_indexed_types_are_recognised(void **state) {
  (void)state;
  dart_datatype_t up = indexed(DART_TYPE_LONG, 3, (size_t[]){2, 2, 2}, (size_t[]){3, 8, 13});
  dart_datatype_t down = indexed(DART_TYPE_LONG, 3, (size_t[]){2, 2, 2}, (size_t[]){13, 8, 3});
  dart_datatype_t block = indexed(DART_TYPE_LONG, 3, (size_t[]){2, 1, 4}, (size_t[]){5, 7, 8});
  dart_datatype_t uneven = indexed(DART_TYPE_LONG, 3, (size_t[]){2, 2, 2}, (size_t[]){3, 8, 14});
  struct tsr_dart_shape a = shape_of(up, 12), b = shape_of(down, 12), c = shape_of(block, 14), d = shape_of(uneven, 6);
  assert_true(tsr_dart_shape_is_regular(&a) && tsr_dart_shape_is_regular(&b) && !tsr_dart_shape_is_regular(&d));
  assert_true(c.contiguous && c.low_bytes == 40 && c.end_bytes == 40 + 14 * 8);
  tsr_layout layout;
  ptrdiff_t off = tsr_dart_shape_layout(&b, &layout);
  assert_true(off == 80 && layout.dims == 2 && layout.stride[0] == -40 && layout.count[1] == 2);
  tsr_dart_shape_release(&a);
  tsr_dart_shape_release(&b);
  tsr_dart_shape_release(&c);
  tsr_dart_shape_release(&d);
  dart_datatype_t *all[] = {&up, &down, &block, &uneven};
  for (int i = 0; i < 4; i++) assert_int_equal(dart_type_destroy(all[i]), DART_OK);
}

/* Type and base type may be destroyed while a shape is in use. */
static void pack_and_unpack_outlive_the_type(void **state) {
  (void)state;
  static const size_t places[] = {7, 8, 2, 4, 14, 15, 9, 11};
  dart_datatype_t base, type;
  assert_int_equal(dart_type_create_custom(3, &base), DART_OK);
  type = indexed(base, 3, (size_t[]){2, 1, 1}, (size_t[]){7, 2, 4});
  struct tsr_dart_shape shape = shape_of(type, 8);
  assert_int_equal(dart_type_destroy(&base), DART_OK);
  assert_int_equal(dart_type_destroy(&type), DART_OK);
  unsigned char data[3 * 20], packed[24], back[3 * 20];
  for (size_t i = 0; i < sizeof data; i++) data[i] = (unsigned char)i;
  memset(back, 0xee, sizeof back);
  tsr_dart_pack(&shape, packed, data);
  for (size_t i = 0; i < 8; i++) assert_memory_equal(packed + 3 * i, data + 3 * (places[i]), 3);
  tsr_dart_unpack(&shape, back, packed);
  for (size_t i = 0; i < 20; i++) {
    size_t k = 0;
    while (k < 8 && places[k] != i) k++;
    for (size_t b = 0; b < 3; b++) assert_int_equal(back[3 * i + b], k < 8 ? data[3 * i + b] : 0xee);
  }
  tsr_dart_shape_release(&shape);
}

static void empty_types_take_no_elements(void **state) {
  (void)state;
  dart_datatype_t none = indexed(DART_TYPE_INT, 0, NULL, NULL);
  dart_datatype_t empty = indexed(DART_TYPE_INT, 2, (size_t[]){0, 0}, (size_t[]){5, 9});
  struct tsr_dart_shape shape = shape_of(none, 0);
  assert_true(shape.contiguous && shape.bytes == 0 && shape.end_bytes == 0);
  tsr_dart_shape_release(&shape);
  shape = shape_of(empty, 0);
  assert_true(shape.contiguous && shape.bytes == 0);
  tsr_dart_shape_release(&shape);
  assert_no_shape(empty, 1);
  assert_int_equal(dart_type_destroy(&none), DART_OK);
  assert_int_equal(dart_type_destroy(&empty), DART_OK);
}

/* A later type may take the place of a destroyed one in the table, but has another handle. */
static void destroyed_types_are_caught(void **state) {
  (void)state;
  dart_datatype_t old, new;
  assert_int_equal(dart_type_create_strided(DART_TYPE_INT, 4, 1, &old), DART_OK);
  dart_datatype_t copy = old;
  assert_int_equal(dart_type_destroy(&old), DART_OK);
  assert_int_equal(dart_type_create_strided(DART_TYPE_INT, 5, 1, &new), DART_OK);
  assert_true(new != copy);
  assert_null(tsr_dart_type_hold(copy));
  assert_no_shape(copy, 1);
  assert_int_equal(dart_type_destroy(&copy), DART_ERR_INVAL);
  assert_int_equal(dart_type_destroy(&new), DART_OK);
}

static void many_types_live_at_once(void **state) {
  (void)state;
  enum { N = 1000 };
  static dart_datatype_t types[N];
  for (size_t i = 0; i < N; i++)
    assert_int_equal(dart_type_create_strided(DART_TYPE_BYTE, i + 1, 1, &types[i]), DART_OK);
  for (size_t i = 0; i < N; i++) {
    struct tsr_dart_type *type = tsr_dart_type_hold(types[i]);
    assert_non_null(type);
    assert_int_equal(type->extent_bytes, i + 1);
    tsr_dart_type_release(type);
  }
  for (size_t i = 0; i < N; i++) assert_int_equal(dart_type_destroy(&types[i]), DART_OK);
}

static void bad_arguments_are_refused(void **state) {
  (void)state;
  const size_t one[] = {1, 1}, far[] = {0, SIZE_MAX / 2}, many[] = {SIZE_MAX - 1, 1};
  dart_datatype_t type = 77, derived, basic = DART_TYPE_INT, wild = (dart_datatype_t)0x7f0012345678;
  assert_int_equal(dart_type_create_strided(DART_TYPE_UNDEFINED, 2, 1, &type), DART_ERR_INVAL);
  assert_int_equal(dart_type_create_strided(DART_TYPE_LAST, 2, 1, &type), DART_ERR_INVAL);
  assert_int_equal(dart_type_create_strided(-1, 2, 1, &type), DART_ERR_INVAL);
  assert_int_equal(dart_type_create_strided(DART_TYPE_INT, 0, 1, &type), DART_ERR_INVAL);
  assert_int_equal(dart_type_create_strided(DART_TYPE_INT, 2, 0, &type), DART_ERR_INVAL);
  assert_int_equal(dart_type_create_strided(DART_TYPE_INT, SIZE_MAX, 1, &type), DART_ERR_INVAL);
  assert_int_equal(dart_type_create_strided(DART_TYPE_INT, 2, 1, NULL), DART_ERR_INVAL);
  assert_int_equal(dart_type_create_custom(0, &type), DART_ERR_INVAL);
  assert_int_equal(dart_type_create_custom(SIZE_MAX, &type), DART_ERR_INVAL);
  assert_int_equal(dart_type_create_custom(8, NULL), DART_ERR_INVAL);
  assert_int_equal(dart_type_create_indexed(DART_TYPE_INT, 2, NULL, one, &type), DART_ERR_INVAL);
  assert_int_equal(dart_type_create_indexed(DART_TYPE_INT, 2, one, NULL, &type), DART_ERR_INVAL);
  assert_int_equal(dart_type_create_indexed(DART_TYPE_INT, 2, one, one, NULL), DART_ERR_INVAL);
  assert_int_equal(dart_type_create_indexed(DART_TYPE_INT, 2, one, far, &type), DART_ERR_INVAL);
  assert_int_equal(dart_type_create_indexed(DART_TYPE_INT, 2, many, one, &type), DART_ERR_INVAL);
  assert_int_equal(dart_type_create_indexed(wild, 2, one, one, &type), DART_ERR_INVAL);
  assert_int_equal(dart_type_create_indexed(DART_TYPE_INT, SIZE_MAX, one, one, &type), DART_ERR_NOMEM);
  assert_int_equal(dart_type_create_strided(DART_TYPE_INT, 2, 1, &derived), DART_OK);
  assert_int_equal(dart_type_create_strided(derived, 2, 1, &type), DART_ERR_INVAL);
  assert_int_equal(dart_type_create_indexed(derived, 2, one, one, &type), DART_ERR_INVAL);
  assert_int_equal(type, DART_TYPE_UNDEFINED);
  assert_int_equal(dart_type_destroy(NULL), DART_ERR_INVAL);
  assert_int_equal(dart_type_destroy(&basic), DART_ERR_INVAL);
  assert_int_equal(basic, DART_TYPE_INT);
  assert_int_equal(dart_type_destroy(&wild), DART_ERR_INVAL);
  assert_null(tsr_dart_type_hold(wild));
  assert_null(tsr_dart_type_hold(-1));
  assert_int_equal(dart_type_destroy(&derived), DART_OK);
}

static void combine(const void *in, void *inout, size_t len, void *user) {
  (void)in, (void)inout, (void)len, (void)user;
}

static void operations_are_objects(void **state) {
  (void)state;
  dart_operation_t op = DART_OP_UNDEFINED, bad = 77, basic = DART_OP_SUM;
  dart_datatype_t strided, custom;
  struct tsr_dart_custom_op found;
  int user;
  assert_int_equal(dart_type_create_custom(12, &custom), DART_OK);
  assert_int_equal(dart_type_create_strided(DART_TYPE_INT, 2, 1, &strided), DART_OK);
  assert_int_equal(dart_op_create(combine, &user, false, custom, true, &op), DART_OK);
  assert_true(op > DART_OP_LAST && tsr_dart_custom_op_find(op, &found));
  assert_true(found.function == combine && found.user == &user && !found.commutes && found.elem_bytes == 12);
  assert_int_equal(dart_op_create(NULL, NULL, true, DART_TYPE_INT, false, &bad), DART_ERR_INVAL);
  assert_int_equal(dart_op_create(combine, NULL, true, strided, false, &bad), DART_ERR_INVAL);
  assert_int_equal(dart_op_create(combine, NULL, true, DART_TYPE_UNDEFINED, false, &bad), DART_ERR_INVAL);
  assert_int_equal(dart_op_create(combine, NULL, true, DART_TYPE_INT, false, NULL), DART_ERR_INVAL);
  assert_int_equal(bad, DART_OP_UNDEFINED);
  assert_int_equal(dart_op_destroy(NULL), DART_ERR_INVAL);
  assert_int_equal(dart_op_destroy(&basic), DART_ERR_INVAL);
  assert_int_equal(dart_op_destroy(&bad), DART_ERR_INVAL);
  dart_operation_t copy = op;
  assert_int_equal(dart_op_destroy(&op), DART_OK);
  assert_int_equal(op, DART_OP_UNDEFINED);
  assert_false(tsr_dart_custom_op_find(copy, &found));
  assert_int_equal(dart_op_destroy(&copy), DART_ERR_INVAL);
  assert_int_equal(dart_type_destroy(&custom), DART_OK); /* a type belongs to the unit that made it */
  assert_int_equal(dart_type_destroy(&strided), DART_OK);
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
    cmocka_unit_test(basic_and_custom_types_are_one_block), cmocka_unit_test(strided_type_is_what_was_asked_for),
    cmocka_unit_test(indexed_type_has_an_extent),           cmocka_unit_test(regular_indexed_types_are_recognised),
    cmocka_unit_test(pack_and_unpack_outlive_the_type),     cmocka_unit_test(empty_types_take_no_elements),
    cmocka_unit_test(destroyed_types_are_caught),           cmocka_unit_test(many_types_live_at_once),
    cmocka_unit_test(bad_arguments_are_refused),            cmocka_unit_test(operations_are_objects),
    cmocka_unit_test(basic_types_have_the_sizes_of_c),      cmocka_unit_test(operations_are_the_core_s),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
