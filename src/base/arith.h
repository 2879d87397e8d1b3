/* Element types and the operations on them, for atomics, accumulates and reductions of every interface. */
#ifndef TSR_BASE_ARITH_H
#define TSR_BASE_ARITH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TSR_TYPE_TABLE(ROW)                                                                          \
  ROW(I8, int8_t) ROW(U8, uint8_t) ROW(I16, int16_t) ROW(U16, uint16_t) ROW(I32, int32_t)            \
  ROW(U32, uint32_t) ROW(I64, int64_t) ROW(U64, uint64_t) ROW(F32, float) ROW(F64, double)           \
  ROW(F80, long double) ROW(C64, float complex) ROW(C128, double complex)

/* REPLACE results in the operand, NO_OP in the old value. */
#define TSR_ARITH_TABLE(ROW)                                                                         \
  ROW(MIN) ROW(MAX) ROW(SUM) ROW(PROD) ROW(BAND) ROW(LAND) ROW(BOR) ROW(LOR) ROW(BXOR) ROW(LXOR)     \
  ROW(REPLACE) ROW(NO_OP)

#define TSR_ARITH_ENUM(name, ...) TSR_##name,
typedef enum tsr_type { TSR_TYPE_TABLE(TSR_ARITH_ENUM) TSR_TYPES_N } tsr_type;
typedef enum tsr_arith { TSR_ARITH_TABLE(TSR_ARITH_ENUM) TSR_ARITH_N } tsr_arith;
#undef TSR_ARITH_ENUM

size_t tsr_type_bytes(tsr_type type);
/* As in the interface of C, without its prefix: "I64", "SUM". */
const char *tsr_type_name(tsr_type type);
const char *tsr_arith_name(tsr_arith op);
static inline bool tsr_type_is_integer(tsr_type type) { return type <= TSR_U64; }

/* Whether the operation is defined for the type: bitwise and logical ones for integers only, minimum and maximum for
 * all types but complex ones. */
bool tsr_arith_defined(tsr_type type, tsr_arith op);

/* Type and operation as one number of 16 bits, for requests. tsr_arith_decode: false if one of them does not exist. */
static inline uint64_t tsr_arith_encode(tsr_type type, tsr_arith op) { return (uint64_t)type << 8 | (uint64_t)op; }
static inline bool tsr_arith_decode(uint64_t code, tsr_type *type, tsr_arith *op) {
  *type = (tsr_type)(code >> 8);
  *op = (tsr_arith)(code & 0xff);
  return code >> 8 < TSR_TYPES_N && (code & 0xff) < TSR_ARITH_N;
}

/* inout[i] = inout[i] op in[i] for n elements (REPLACE: in[i]). Not atomic. The operation is defined for the
 * type; buffers do not overlap; no alignment is required. */
void tsr_arith_apply(tsr_type type, tsr_arith op, void *inout, const void *in, size_t n);

#endif
