/* Element types and the operations on them, for atomics, accumulates and reductions of every interface. */
#ifndef TSR_BASE_ARITH_H
#define TSR_BASE_ARITH_H

#include <stdbool.h>
#include <stddef.h>

/* TSR_BYTE takes part in bitwise and logical operations, MIN, MAX, REPLACE as an unsigned 8-bit number. */
typedef enum tsr_type {
  TSR_I8, TSR_U8, TSR_I16, TSR_U16, TSR_I32, TSR_U32, TSR_I64, TSR_U64,
  TSR_F32, TSR_F64, TSR_F80 /* long double */, TSR_C64 /* float complex */, TSR_C128 /* double complex */,
  TSR_TYPES_N
} tsr_type;

typedef enum tsr_arith {
  TSR_MIN, TSR_MAX, TSR_SUM, TSR_PROD,
  TSR_BAND, TSR_LAND, TSR_BOR, TSR_LOR, TSR_BXOR, TSR_LXOR,
  TSR_REPLACE, /* the operand */
  TSR_NO_OP,   /* the old value */
  TSR_ARITH_N
} tsr_arith;

size_t tsr_type_bytes(tsr_type type);
/* As in the interface of C, without its prefix: "I64", "SUM". */
const char *tsr_type_name(tsr_type type);
const char *tsr_arith_name(tsr_arith op);
static inline bool tsr_type_is_integer(tsr_type type) { return type <= TSR_U64; }

/* Whether the operation is defined for the type: bitwise and logical ones for integers only, order for all
 * but complex. */
bool tsr_arith_defined(tsr_type type, tsr_arith op);

/* inout[i] = inout[i] op in[i] for n elements (REPLACE: in[i]). Not atomic. The operation is defined for the
 * type; buffers do not overlap; no alignment is required. */
void tsr_arith_apply(tsr_type type, tsr_arith op, void *inout, const void *in, size_t n);

#endif
