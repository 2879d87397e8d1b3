/* Operations that the program made with dart_op_create, for reductions. */
#ifndef TSR_API_DART_OP_H
#define TSR_API_DART_OP_H

#include <stdbool.h>
#include <stddef.h>

#include <dash/dart/if/dart_types.h>

struct tsr_dart_custom_op {
  dart_operator_t function;
  void *user;
  bool commutes;
  dart_datatype_t type;
  size_t elem_bytes;
};
/* Stores a copy, since another thread may destroy the operation. False: no live operation. */
bool tsr_dart_custom_op_find(dart_operation_t op, struct tsr_dart_custom_op *out);

#endif
