#include "base/arith.h"

#include <complex.h>
#include <stdint.h>
#include <string.h>

#include "base/simd.h"

/* One kernel for each type and operation: a plain loop, which the compiler turns into vector code. Each is compiled twice: for any
 * machine of the architecture, and for AVX2. Elements may lie at any address and belong to objects of any type. */
#define ANYWHERE __attribute__((aligned(1), may_alias))

typedef void (*kernel)(void *restrict inout, const void *restrict in, size_t n);

#define LOOP(name, element, expression)                                       \
  static void name(void *restrict inout, const void *restrict in, size_t n) { \
    typedef element ANYWHERE anywhere;                                        \
    anywhere *restrict as = inout;                                            \
    const anywhere *restrict bs = in;                                         \
    for (size_t i = 0; i < n; i++) {                                          \
      element a = as[i], b = bs[i];                                           \
      as[i] = (element)(expression);                                          \
    }                                                                         \
  }

#define KERNEL(type, op, element, expression) \
  LOOP(type##_##op, element, expression)      \
  TSR_TARGET_AVX2 LOOP(type##_##op##_AVX2, element, expression)
#define BOTH(type, op) {type##_##op, type##_##op##_AVX2}

/* Sums and products wrap. They are computed in unsigned types that are not narrower than unsigned int: two factors of 16
 * bits would be promoted to signed int, and their product could overflow it. */
#define INTEGER(type, element, wide)               \
  KERNEL(type, MIN, element, b < a ? b : a)        \
  KERNEL(type, MAX, element, b > a ? b : a)        \
  KERNEL(type, SUM, element, (wide)a + (wide)b)    \
  KERNEL(type, PROD, element, (wide)a * (wide)b)   \
  KERNEL(type, BAND, element, a & b)               \
  KERNEL(type, BOR, element, a | b)                \
  KERNEL(type, BXOR, element, a ^ b)               \
  KERNEL(type, LAND, element, (a != 0) & (b != 0)) \
  KERNEL(type, LOR, element, (a != 0) | (b != 0))  \
  KERNEL(type, LXOR, element, (a != 0) ^ (b != 0))

/* A NaN wins against any number on either side, so that minimum and maximum do not depend on the order of a reduction
 * and no NaN gets lost. The zeros are equal: of +0 and -0 the one in `inout` stays. */
#define FLOATING(type, element)                            \
  KERNEL(type, MIN, element, ((b < a) | (b != b)) ? b : a) \
  KERNEL(type, MAX, element, ((b > a) | (b != b)) ? b : a) \
  KERNEL(type, SUM, element, a + b)                        \
  KERNEL(type, PROD, element, a * b)

#define COMPLEX(type, element)      \
  KERNEL(type, SUM, element, a + b) \
  KERNEL(type, PROD, element, a * b)

INTEGER(I8, int8_t, unsigned)
INTEGER(U8, uint8_t, unsigned)
INTEGER(I16, int16_t, unsigned)
INTEGER(U16, uint16_t, unsigned)
INTEGER(I32, int32_t, uint32_t)
INTEGER(U32, uint32_t, uint32_t)
INTEGER(I64, int64_t, uint64_t)
INTEGER(U64, uint64_t, uint64_t)
FLOATING(F32, float)
FLOATING(F64, double)
FLOATING(F80, long double)
COMPLEX(C64, float complex)
COMPLEX(C128, double complex)

#define ORDERED_ROW(type) \
  [TSR_MIN] = BOTH(type, MIN), [TSR_MAX] = BOTH(type, MAX), [TSR_SUM] = BOTH(type, SUM), [TSR_PROD] = BOTH(type, PROD)
#define INTEGER_ROW(type)                                                                                        \
  [TSR_##type] = {                                                                                               \
    ORDERED_ROW(type), [TSR_BAND] = BOTH(type, BAND), [TSR_LAND] = BOTH(type, LAND), [TSR_BOR] = BOTH(type, BOR), \
    [TSR_LOR] = BOTH(type, LOR), [TSR_BXOR] = BOTH(type, BXOR), [TSR_LXOR] = BOTH(type, LXOR)}
#define FLOATING_ROW(type) [TSR_##type] = {ORDERED_ROW(type)}
#define COMPLEX_ROW(type) [TSR_##type] = {[TSR_SUM] = BOTH(type, SUM), [TSR_PROD] = BOTH(type, PROD)}

/* [0]: for any machine; [1]: for AVX2. NULL: not defined, or REPLACE and NO_OP, which need no kernel. */
static const kernel kernels[TSR_TYPES_N][TSR_ARITH_N][2] = {
  INTEGER_ROW(I8),   INTEGER_ROW(U8),   INTEGER_ROW(I16),  INTEGER_ROW(U16), INTEGER_ROW(I32),
  INTEGER_ROW(U32),  INTEGER_ROW(I64),  INTEGER_ROW(U64),  FLOATING_ROW(F32), FLOATING_ROW(F64),
  FLOATING_ROW(F80), COMPLEX_ROW(C64),  COMPLEX_ROW(C128),
};

#define BYTES(name, element) sizeof(element),
#define NAME(name, ...) #name,
static const uint8_t bytes_of[TSR_TYPES_N] = {TSR_TYPE_TABLE(BYTES)};
static const char *const type_names[TSR_TYPES_N] = {TSR_TYPE_TABLE(NAME)};
static const char *const op_names[TSR_ARITH_N] = {TSR_ARITH_TABLE(NAME)};

size_t tsr_type_bytes(tsr_type type) { return bytes_of[type]; }
const char *tsr_type_name(tsr_type type) { return (unsigned)type < TSR_TYPES_N ? type_names[type] : "an unknown type"; }
const char *tsr_arith_name(tsr_arith op) { return (unsigned)op < TSR_ARITH_N ? op_names[op] : "an unknown operation"; }

bool tsr_arith_defined(tsr_type type, tsr_arith op) {
  return op == TSR_REPLACE || op == TSR_NO_OP || kernels[type][op][0];
}

void tsr_arith_apply(tsr_type type, tsr_arith op, void *inout, const void *in, size_t n) {
  if (op == TSR_NO_OP) return;
  if (op == TSR_REPLACE)
    memcpy(inout, in, n * bytes_of[type]);
  else
    kernels[type][op][tsr_simd >= TSR_SIMD_AVX2](inout, in, n);
}
