#include "base/scale.h"

#include <complex.h>
#include <stdint.h>
#include <string.h>

#include "base/simd.h"

#ifdef __clang__ /* gcc rounds products by itself, and does not know the pragma */
#pragma STDC FP_CONTRACT OFF
#endif

/* As in base/arith: plain loops, for elements at any address in objects of any type. */
#define ANYWHERE __attribute__((aligned(1), may_alias))

#define WRAPPING_PRODUCT(element, wide, a, b) (element)((wide)(a) * (wide)(b))
#define PRODUCT(element, half, a, b) (a) * (b)
#define COMPLEX_PRODUCT(element, half, a, b) times_##half(a, b)

#define COMPLEX_TIMES(half, real, imaginary)                                         \
  static inline half complex times_##half(half complex a, half complex b) {          \
    half a_re = real(a), a_im = imaginary(a), b_re = real(b), b_im = imaginary(b);   \
    return __builtin_complex(a_re * b_re - a_im * b_im, a_re * b_im + a_im * b_re);  \
  }
COMPLEX_TIMES(float, crealf, cimagf)
COMPLEX_TIMES(double, creal, cimag)

#define SCALE(type, element, wide, PRODUCT_OF)                                      \
  static void type##_scale(void *inout, const void *scale, size_t n) {              \
    typedef element ANYWHERE anywhere;                                              \
    const element by = *(const anywhere *)scale;                                    \
    anywhere *as = inout;                                                           \
    for (size_t i = 0; i < n; i++) as[i] = PRODUCT_OF(element, wide, by, as[i]);    \
  }

/* Compiled for any machine of the architecture, and for AVX2, as in base/arith. */
#define ADD_END_TO_END(name, element, wide, PRODUCT_OF)                                                       \
  static void name(void *restrict inout, const void *restrict in, const void *scale, size_t n) {              \
    typedef element ANYWHERE anywhere;                                                                        \
    const element by = *(const anywhere *)scale;                                                              \
    anywhere *restrict as = inout;                                                                            \
    const anywhere *restrict bs = in;                                                                         \
    for (size_t i = 0; i < n; i++) as[i] += PRODUCT_OF(element, wide, by, bs[i]);                             \
  }
#define ADD(type, element, wide, PRODUCT_OF)                                                                  \
  ADD_END_TO_END(type##_add, element, wide, PRODUCT_OF)                                                       \
  TSR_TARGET_AVX2 ADD_END_TO_END(type##_add_AVX2, element, wide, PRODUCT_OF)                                  \
  static void type##_add_apart(char *inout, ptrdiff_t inout_step, const char *in, ptrdiff_t in_step,          \
                               const void *scale, size_t n) {                                                 \
    typedef element ANYWHERE anywhere;                                                                        \
    const element by = *(const anywhere *)scale;                                                              \
    for (; n > 0; n--, inout += inout_step, in += in_step)                                                    \
      *(anywhere *)inout += PRODUCT_OF(element, wide, by, *(const anywhere *)in);                             \
  }                                                                                                           \
  static void type##_sum_apart(char *inout, ptrdiff_t inout_step, const char *in, ptrdiff_t in_step, size_t n) { \
    typedef element ANYWHERE anywhere;                                                                        \
    for (; n > 0; n--, inout += inout_step, in += in_step) *(anywhere *)inout += *(const anywhere *)in;       \
  }

#define FLOATING(type, element, half, PRODUCT_OF) \
  SCALE(type, element, half, PRODUCT_OF)          \
  ADD(type, element, half, PRODUCT_OF)

/* Integers wrap, as in base/arith. */
SCALE(I8, int8_t, unsigned, WRAPPING_PRODUCT)
SCALE(U8, uint8_t, unsigned, WRAPPING_PRODUCT)
SCALE(I16, int16_t, unsigned, WRAPPING_PRODUCT)
SCALE(U16, uint16_t, unsigned, WRAPPING_PRODUCT)
SCALE(I32, int32_t, uint32_t, WRAPPING_PRODUCT)
SCALE(U32, uint32_t, uint32_t, WRAPPING_PRODUCT)
SCALE(I64, int64_t, uint64_t, WRAPPING_PRODUCT)
SCALE(U64, uint64_t, uint64_t, WRAPPING_PRODUCT)
FLOATING(F32, float, float, PRODUCT)
FLOATING(F64, double, double, PRODUCT)
FLOATING(F80, long double, long double, PRODUCT)
FLOATING(C64, float complex, float, COMPLEX_PRODUCT)
FLOATING(C128, double complex, double, COMPLEX_PRODUCT)

struct kernels {
  void (*scale)(void *inout, const void *scale, size_t n);
  void (*add[2])(void *restrict inout, const void *restrict in, const void *scale, size_t n); /* the second: AVX2 */
  void (*add_apart)(char *inout, ptrdiff_t inout_step, const char *in, ptrdiff_t in_step, const void *scale, size_t n);
  void (*sum_apart)(char *inout, ptrdiff_t inout_step, const char *in, ptrdiff_t in_step, size_t n);
};
#define INTEGER_ROW(type) [TSR_##type] = {.scale = type##_scale}
#define FLOATING_ROW(type) [TSR_##type] = {type##_scale, {type##_add, type##_add_AVX2}, type##_add_apart, type##_sum_apart}

static const struct kernels kernels[TSR_TYPES_N] = {
  INTEGER_ROW(I8),   INTEGER_ROW(U8),   INTEGER_ROW(I16),  INTEGER_ROW(U16), INTEGER_ROW(I32),
  INTEGER_ROW(U32),  INTEGER_ROW(I64),  INTEGER_ROW(U64),  FLOATING_ROW(F32), FLOATING_ROW(F64),
  FLOATING_ROW(F80), FLOATING_ROW(C64), FLOATING_ROW(C128),
};

void tsr_scale(tsr_type type, void *inout, const void *scale, size_t n) { kernels[type].scale(inout, scale, n); }

void tsr_scale_add(tsr_type type, void *inout, const void *in, const void *scale, size_t n) {
  if (scale) kernels[type].add[tsr_simd >= TSR_SIMD_AVX2](inout, in, scale, n);
  else tsr_arith_apply(type, TSR_SUM, inout, in, n);
}

void tsr_scale_add_apart(tsr_type type, void *inout, ptrdiff_t inout_step, const void *in, ptrdiff_t in_step,
                         const void *scale, size_t n) {
  if (scale) kernels[type].add_apart(inout, inout_step, in, in_step, scale, n);
  else kernels[type].sum_apart(inout, inout_step, in, in_step, n);
}
