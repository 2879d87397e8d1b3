/* Element types, derived types and operations of DART in the core's terms. */
#ifndef TSR_FACES_DART_TYPE_H
#define TSR_FACES_DART_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <dash/dart/if/dart_types.h>

#include "base/arith.h"

struct tsr_dart_basic {
  const char *name;
  uint8_t bytes; /* 0: DART_TYPE_UNDEFINED */
  uint8_t type;  /* tsr_type */
};
extern const struct tsr_dart_basic tsr_dart_basics[12];

static inline bool tsr_dart_is_basic(dart_datatype_t type) {
  return (uintptr_t)type - 1 < (uintptr_t)DART_TYPE_LAST - 1;
}
/* 0: not a basic type. */
static inline size_t tsr_dart_basic_bytes(dart_datatype_t type) {
  return tsr_dart_is_basic(type) ? tsr_dart_basics[type].bytes : 0;
}

/* Blocks of `blocklen` elements, their starts `stride` elements apart. */
struct tsr_dart_strided {
  dart_datatype_t base;
  size_t blocklen, stride;
};
/* False: no live derived type. */
bool tsr_dart_strided_find(dart_datatype_t type, struct tsr_dart_strided *out);

struct tsr_dart_op {
  const char *name;
  int8_t arith; /* tsr_arith; -1: none */
};
extern const struct tsr_dart_op tsr_dart_ops[14];

/* The core's operation. False: not predefined, or MINMAX, which the core does not know. */
static inline bool tsr_dart_arith(dart_operation_t op, tsr_arith *out) {
  if (op >= DART_OP_LAST || tsr_dart_ops[op].arith < 0) return false;
  *out = (tsr_arith)tsr_dart_ops[op].arith;
  return true;
}

/* Say what is wrong with a type where a basic one is wanted, or with an operation on that basic type. */
dart_ret_t tsr_dart_refuse_type(const char *call, dart_datatype_t type) __attribute__((cold));
dart_ret_t tsr_dart_refuse_op(const char *call, dart_operation_t op, dart_datatype_t type) __attribute__((cold));

#endif
