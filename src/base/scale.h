/* Kernels for accumulates: multiples of elements. Not atomic; no alignment is required. Products are rounded before they are
 * added, so that the result is the same whether one process multiplies and adds, or one multiplies and another one adds. Complex
 * products are computed from four real products, without C's special cases of infinities. */
#ifndef TSR_BASE_SCALE_H
#define TSR_BASE_SCALE_H

#include <stddef.h>

#include "base/arith.h"

/* inout[i] = scale * inout[i] for n elements. */
void tsr_scale(tsr_type type, void *inout, const void *scale, size_t n);

/* Floating point and complex only; integers are added by atomics (rma/atomic.h). `scale` NULL: 1. */

/* inout[i] += scale * in[i] for n elements; the two do not overlap. */
void tsr_scale_add(tsr_type type, void *inout, const void *in, const void *scale, size_t n);

/* The same for elements that lie `inout_step` and `in_step` bytes apart; those of `inout` may repeat. */
void tsr_scale_add_apart(tsr_type type, void *inout, ptrdiff_t inout_step, const void *in, ptrdiff_t in_step,
                         const void *scale, size_t n);

#endif
