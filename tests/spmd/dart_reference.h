/* Every operation on every basic type, one element at a time: the reference of the tests. */
#ifndef DART_REFERENCE_H
#define DART_REFERENCE_H

#include "dart_check.h"

/* For each basic type: T, and whether it has bit operations and logical ones. */
#define REFERENCE_TYPES(X)                                                                             \
  X(DART_TYPE_BYTE, unsigned char, INTEGER) X(DART_TYPE_SHORT, short, INTEGER) X(DART_TYPE_INT, int, INTEGER) \
  X(DART_TYPE_UINT, unsigned int, INTEGER) X(DART_TYPE_LONG, long, INTEGER)                            \
  X(DART_TYPE_ULONG, unsigned long, INTEGER) X(DART_TYPE_LONGLONG, long long, INTEGER)                 \
  X(DART_TYPE_ULONGLONG, unsigned long long, INTEGER) X(DART_TYPE_FLOAT, float, FLOATING)              \
  X(DART_TYPE_DOUBLE, double, FLOATING) X(DART_TYPE_LONG_DOUBLE, long double, FLOATING)

#define INTEGER(T, op, a, b)                                     \
  if (op == DART_OP_BAND) return (T)(a & b);                     \
  if (op == DART_OP_BOR) return (T)(a | b);                      \
  if (op == DART_OP_BXOR) return (T)(a ^ b);                     \
  if (op == DART_OP_LAND) return (T)(a && b);                    \
  if (op == DART_OP_LOR) return (T)(a || b);                     \
  if (op == DART_OP_LXOR) return (T)(!a != !b);
#define FLOATING(T, op, a, b)

#define DEFINE(TYPE, T, MORE)                                    \
  static inline T combine_##TYPE(dart_operation_t op, T a, T b) { \
    if (op == DART_OP_MIN) return b < a ? b : a;                 \
    if (op == DART_OP_MAX) return b > a ? b : a;                 \
    if (op == DART_OP_SUM) return (T)(a + b);                    \
    if (op == DART_OP_PROD) return (T)(a * b);                   \
    if (op == DART_OP_REPLACE) return b;                         \
    MORE(T, op, a, b)                                            \
    return a;                                                    \
  }
REFERENCE_TYPES(DEFINE)
#undef DEFINE

/* into[i] = into[i] op operand[i]. */
static inline void reference_combine(dart_datatype_t type, dart_operation_t op, void *into, const void *operand,
                                     size_t n) {
#define CASE(TYPE, T, MORE) \
  if (type == TYPE)         \
    for (size_t i = 0; i < n; i++) ((T *)into)[i] = combine_##TYPE(op, ((T *)into)[i], ((const T *)operand)[i]);
  REFERENCE_TYPES(CASE)
#undef CASE
}

/* Sets element i to this number. */
static inline void reference_set(dart_datatype_t type, void *data, size_t i, int value) {
#define CASE(TYPE, T, MORE) \
  if (type == TYPE) ((T *)data)[i] = (T)value;
  REFERENCE_TYPES(CASE)
#undef CASE
}

/* The number in element i. */
static inline int reference_get(dart_datatype_t type, const void *data, size_t i) {
#define CASE(TYPE, T, MORE) \
  if (type == TYPE) return (int)((const T *)data)[i];
  REFERENCE_TYPES(CASE)
#undef CASE
  return -1;
}

/* The number of elements that differ in value, of n: a long double has padding. */
static inline size_t reference_differ(dart_datatype_t type, const void *a, const void *b, size_t n) {
  size_t bad = 0;
#define CASE(TYPE, T, MORE) \
  if (type == TYPE)         \
    for (size_t i = 0; i < n; i++) bad += ((const T *)a)[i] != ((const T *)b)[i];
  REFERENCE_TYPES(CASE)
#undef CASE
  return bad;
}

/* Data of unit `who`, from number `from` on: small numbers, zero among them. */
static inline void reference_numbers(const struct basic_type *basic, dart_operation_t op, int who, size_t from, void *data,
                                     size_t n) {
  size_t range = op == DART_OP_PROD ? 3 : 50;
  for (size_t i = 0; i < n; i++) reference_set(basic->type, data, i, (int)(((from + i) * 7 + (size_t)who * 11) % range));
}

/* As in a reduction; MINMAX reduces the two places of a pair in different ways. */
static inline void reference_join(const struct basic_type *basic, dart_operation_t op, unsigned char *into,
                                  const unsigned char *with, size_t n) {
  if (op != DART_OP_MINMAX) {
    reference_combine(basic->type, op, into, with, n);
    return;
  }
  for (size_t i = 0; i < n; i++) {
    reference_combine(basic->type, i % 2 == DART_OP_MINMAX_MIN ? DART_OP_MIN : DART_OP_MAX, into + i * basic->bytes,
                      with + i * basic->bytes, 1);
  }
}

/* Whether atomics, and whether reductions, accept this operation on this type. */
static inline bool is_bitwise_or_logical(dart_operation_t op) { return op >= DART_OP_BAND && op <= DART_OP_LXOR; }
static inline bool is_atomic_op(const struct basic_type *basic, dart_operation_t op) {
  if (op == DART_OP_UNDEFINED || op == DART_OP_MINMAX || op >= DART_OP_LAST) return false;
  return basic->is_integer || !is_bitwise_or_logical(op);
}
static inline bool is_reduction_op(const struct basic_type *basic, dart_operation_t op) {
  return op == DART_OP_MINMAX ||
         (op != DART_OP_REPLACE && op != DART_OP_NO_OP && is_atomic_op(basic, op));
}

#endif
