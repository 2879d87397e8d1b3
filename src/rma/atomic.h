/* Atomics and accumulates. A CPU of the target's node executes them, under one rule for all interfaces, within a node and
 * between nodes: one CPU atomic for each aligned integer of up to 8 bytes, the stripe lock of the address for everything
 * else. Only GASNet's domains (_unlocked) and OpenSHMEM change floating point without the lock, as integers of the same size:
 * their rules exclude other operations on the same numbers at the same time.
 */
#ifndef TSR_RMA_ATOMIC_H
#define TSR_RMA_ATOMIC_H

#include <stddef.h>

#include "base/arith.h"
#include "core/op.h"
#include "core/place.h"

/* On memory of this node: any unit, any thread, complete on return. The operation is defined for the type
 * (tsr_arith_defined). Targets may lie at any address, unless a function says otherwise. Operands and results are private
 * memory of any alignment. A fetch acquires and releases; an element is read and written as a whole. */

/* *result (may be NULL) = the old value; *target = *target op *operand (NULL for NO_OP). */
void tsr_atomic_apply(tsr_type type, tsr_arith op, void *target, const void *operand, void *result);
/* The same by a compare-and-swap loop, for SUM, PROD, MIN and MAX of TSR_F32 and TSR_F64. Atomic with respect to itself and
 * to integer operations on the same bits (used for the other operations), but to nothing else. */
void tsr_atomic_apply_unlocked(tsr_type type, tsr_arith op, void *target, const void *operand, void *result);
/* The most frequent cases. */
static inline int32_t tsr_atomic_add_i32(void *target, int32_t operand) {
  return __atomic_fetch_add((int32_t *)target, operand, __ATOMIC_ACQ_REL);
}
static inline int64_t tsr_atomic_add_i64(void *target, int64_t operand) {
  return __atomic_fetch_add((int64_t *)target, operand, __ATOMIC_ACQ_REL);
}
/* *result (may be NULL) = the old value; *target = *desired if its bytes were those of *expected: the two zeros of
 * floating point differ, and a NaN equals itself. Every type but long double, which has padding. The target is aligned. */
void tsr_atomic_swap_if(tsr_type type, void *target, const void *expected, const void *desired, void *result);
/* target[i] = target[i] op operand[i]; each element is updated atomically, not all of them together. */
void tsr_atomic_accumulate(tsr_type type, tsr_arith op, void *target, const void *operand, size_t n);
/* target += scale * source (scale NULL: 1), atomically for each of n elements; the steps are the bytes from one element to the
 * next. Integers only; vis/adder.h adds the other types. All targets are aligned. */
void tsr_atomic_add_row(tsr_type type, void *target, ptrdiff_t target_step, const void *source, ptrdiff_t source_step,
                        const void *scale, size_t n);

/* On memory of any unit. Memory of other nodes is changed by a request, counted in `op_`. Operands may be reused at local
 * completion; results, which may be NULL, have arrived at remote completion. */
tessera_status_t tsr_fetch(tsr_addr target, tsr_type type, tsr_arith op, const void *operand, void *result, tsr_op *op_);
tessera_status_t tsr_fetch_unlocked(tsr_addr target, tsr_type type, tsr_arith op, const void *operand, void *result,
                                    tsr_op *op_);
tessera_status_t tsr_swap_if(tsr_addr target, tsr_type type, const void *expected, const void *desired, void *result, tsr_op *op_);
tessera_status_t tsr_accumulate(tsr_addr target, tsr_type type, tsr_arith op, const void *operand, size_t n, tsr_op *op_);

#endif
