/* Describes DART reductions to the core. */
#ifndef TSR_API_DART_REDUCTION_H
#define TSR_API_DART_REDUCTION_H

#include "coll/coll.h"
#include "api/dart/op.h"

/* How to combine, and the number of things to combine. Must not move while it is used: `how` points to `custom`. */
struct tsr_dart_reduction {
  tsr_reducer how;
  size_t n;
  struct tsr_dart_custom_op custom;
};

/* `base`: the basic or custom type of the elements, also if the user's type is derived from it. DART_ERR_INVAL, logged:
 * the operation is not defined for the type or for this number of elements. */
dart_ret_t tsr_dart_reduction_make(const char *call, size_t nelem, dart_datatype_t base, dart_operation_t op,
                                   struct tsr_dart_reduction *out);

#endif
