/* Reductions of DART in the core's terms. */
#ifndef TSR_API_DART_REDUCTION_H
#define TSR_API_DART_REDUCTION_H

#include "coll/coll.h"
#include "api/dart/op.h"

/* How to combine, and the number of things to combine. Stays where it is while it is used. */
struct tsr_dart_reduction {
  tsr_reducer how;
  size_t n;
  struct tsr_dart_custom_op custom;
};

/* Of elements of a basic or custom type: of the base, where the user's type is derived from it. DART_ERR_INVAL, logged:
 * the operation is not defined for the type, or for so many elements. */
dart_ret_t tsr_dart_reduction_make(const char *call, size_t nelem, dart_datatype_t base, dart_operation_t op,
                                   struct tsr_dart_reduction *out);

#endif
