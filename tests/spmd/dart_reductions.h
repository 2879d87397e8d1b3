/* DART's operations for the generator of cases in coll_moves.h. */
#ifndef DART_REDUCTIONS_H
#define DART_REDUCTIONS_H

#include "coll_moves.h"
#include "dart_reference.h"

enum { OF_PROGRAM = DART_OP_LAST };

/* An operation of the program that does not commute: maps of the numbers modulo 3 to m x + b, encoded as m - 1 + 2 b;
 * the first of two, then the second. */
static inline int dart_then(int first, int second) {
  int m1 = first % 2 + 1, b1 = first / 2 % 3, m2 = second % 2 + 1, b2 = second / 2 % 3;
  return m1 * m2 % 3 - 1 + (m2 * b1 + b2) % 3 * 2;
}
static inline void dart_chain(const void *in, void *inout, size_t n, void *user) {
  const struct basic_type *of = user;
  for (size_t i = 0; i < n; i++)
    reference_set(of->type, inout, i, dart_then(reference_get(of->type, in, i), reference_get(of->type, inout, i)));
}

static inline void dart_fill(const struct coll_how *how, void *data, int who, size_t from, size_t n) {
  reference_numbers(&basic_types[how->type], (dart_operation_t)how->op, who, from, data, n);
}
static inline void dart_join(const struct coll_how *how, void *inout, const void *in, size_t from, size_t n) {
  (void)from; /* an even number, since MINMAX takes pairs */
  if (how->op == OF_PROGRAM) dart_chain(in, inout, n, (void *)&basic_types[how->type]);
  else reference_join(&basic_types[how->type], (dart_operation_t)how->op, inout, in, n);
}
static inline bool dart_same(const struct coll_how *how, const void *a, const void *b) {
  return !reference_differ(basic_types[how->type].type, a, b, 1);
}

/* An operation, or OF_PROGRAM, on a basic type. */
static inline struct coll_how dart_how(int type, dart_operation_t op) {
  return (struct coll_how){.elem_bytes = basic_types[type].bytes, .fill = dart_fill, .join = dart_join, .same = dart_same,
                           .type = type, .op = (int)op};
}

#endif
