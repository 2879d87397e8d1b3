#include "rma/atomic.h"

#include <string.h>

#include "rma/stripe.h"

/* Integers: one CPU atomic per element. */

/* Operations without a CPU instruction. Both numbers are extended to 64 bits, signed or not; the result is cut to their
 * width. */
static inline uint64_t combine_numbers(tsr_arith op, bool is_signed, uint64_t old, uint64_t with) {
  bool less = is_signed ? (int64_t)old < (int64_t)with : old < with;
  switch (op) {
    case TSR_MIN: return less ? old : with;
    case TSR_MAX: return less ? with : old;
    case TSR_PROD: return old * with;
    case TSR_LAND: return old && with;
    case TSR_LOR: return old || with;
    case TSR_LXOR: return !old != !with;
    default: return old;
  }
}

/* Runs `statement` for each operand; `with` holds the operand. */
#define EACH(word, statement)                               \
  for (size_t i = 0; i < n; i++) {                          \
    word with;                                              \
    memcpy(&with, operand + i * sizeof with, sizeof with);  \
    statement;                                              \
  }                                                         \
  break

/* The operations on one width. Read-modify-writes acquire and release; the plain read acquires, the plain write
 * releases. accumulate_* needs no old values, and the CPU has cheaper instructions for that. */
#define INTEGER(bits)                                                                                              \
  typedef uint##bits##_t word##bits;                                                                               \
  static inline uint64_t widen##bits(word##bits x, bool is_signed) {                                               \
    return is_signed ? (uint64_t)(int64_t)(int##bits##_t)x : x;                                                    \
  }                                                                                                                \
  static word##bits loop##bits(tsr_arith op, bool is_signed, word##bits *target, word##bits with) {                \
    word##bits old = __atomic_load_n(target, __ATOMIC_RELAXED), new;                                               \
    do                                                                                                             \
      new = (word##bits)combine_numbers(op, is_signed, widen##bits(old, is_signed), widen##bits(with, is_signed)); \
    while (!__atomic_compare_exchange_n(target, &old, new, true, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));             \
    return old;                                                                                                    \
  }                                                                                                                \
  static inline word##bits fetch##bits(tsr_arith op, bool is_signed, word##bits *target, const void *operand) {    \
    word##bits with;                                                                                               \
    if (op == TSR_NO_OP) return __atomic_load_n(target, __ATOMIC_ACQUIRE);                                         \
    memcpy(&with, operand, sizeof with);                                                                           \
    if (__builtin_expect(op == TSR_SUM, 1)) return __atomic_fetch_add(target, with, __ATOMIC_ACQ_REL);             \
    switch (op) {                                                                                                  \
      case TSR_BAND: return __atomic_fetch_and(target, with, __ATOMIC_ACQ_REL);                                    \
      case TSR_BOR: return __atomic_fetch_or(target, with, __ATOMIC_ACQ_REL);                                      \
      case TSR_BXOR: return __atomic_fetch_xor(target, with, __ATOMIC_ACQ_REL);                                    \
      case TSR_REPLACE: return __atomic_exchange_n(target, with, __ATOMIC_ACQ_REL);                                \
      default: return loop##bits(op, is_signed, target, with);                                                     \
    }                                                                                                              \
  }                                                                                                                \
  static void accumulate##bits(tsr_arith op, bool is_signed, word##bits *target, const char *operand,              \
                               size_t n) {                                                                         \
    switch (op) {                                                                                                  \
      case TSR_SUM: EACH(word##bits, (void)__atomic_fetch_add(target + i, with, __ATOMIC_ACQ_REL));                \
      case TSR_BAND: EACH(word##bits, (void)__atomic_fetch_and(target + i, with, __ATOMIC_ACQ_REL));               \
      case TSR_BOR: EACH(word##bits, (void)__atomic_fetch_or(target + i, with, __ATOMIC_ACQ_REL));                 \
      case TSR_BXOR: EACH(word##bits, (void)__atomic_fetch_xor(target + i, with, __ATOMIC_ACQ_REL));               \
      case TSR_REPLACE: EACH(word##bits, __atomic_store_n(target + i, with, __ATOMIC_RELEASE));                    \
      case TSR_NO_OP: break;                                                                                       \
      default: EACH(word##bits, (void)loop##bits(op, is_signed, target + i, with));                                \
    }                                                                                                              \
  }                                                                                                                \
  static void add_row##bits(char *target, ptrdiff_t target_step, const char *source, ptrdiff_t source_step,        \
                            const void *scale, size_t n) {                                                         \
    word##bits by = 1, with;                                                                                       \
    if (scale) memcpy(&by, scale, sizeof by);                                                                      \
    for (; n > 0; n--, target += target_step, source += source_step) {                                             \
      memcpy(&with, source, sizeof with);                                                                          \
      with = (word##bits)((uint64_t)by * with);                                                                    \
      (void)__atomic_fetch_add((word##bits *)(void *)target, with, __ATOMIC_ACQ_REL);                              \
    }                                                                                                              \
  }                                                                                                                \
  static inline void swap_if##bits(word##bits *target, const void *expected, const void *desired, void *result) {  \
    word##bits old, with;                                                                                          \
    memcpy(&old, expected, sizeof old);                                                                            \
    memcpy(&with, desired, sizeof with);                                                                           \
    __atomic_compare_exchange_n(target, &old, with, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);                    \
    if (result) memcpy(result, &old, sizeof old);                                                                  \
  }
INTEGER(8)
INTEGER(16)
INTEGER(32)
INTEGER(64)

/* Floating point without the lock. The kernels of base/arith define the minimum of a NaN. */
#define FLOATING(bits)                                                                                                    \
  static inline word##bits loop_f##bits(tsr_type type, tsr_arith op, word##bits *target, const void *operand) {         \
    word##bits old = __atomic_load_n(target, __ATOMIC_RELAXED), new;                                                    \
    do {                                                                                                                \
      new = old;                                                                                                        \
      tsr_arith_apply(type, op, &new, operand, 1);                                                                      \
    } while (!__atomic_compare_exchange_n(target, &old, new, true, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));               \
    return old;                                                                                                         \
  }
FLOATING(32)
FLOATING(64)

void tsr_atomic_apply_unlocked(tsr_type type, tsr_arith op, void *target, const void *operand, void *result) {
  if (type == TSR_F64) {
    word64 old = loop_f64(type, op, target, operand);
    if (result) memcpy(result, &old, sizeof old);
  } else {
    word32 old = loop_f32(type, op, target, operand);
    if (result) memcpy(result, &old, sizeof old);
  }
}

/* Everything else, and integers that are not aligned: under the stripe lock of its address. */

enum { WIDEST = 16 };

/* memcpy of one element. */
static inline void copy_element(void *to, const void *from, size_t bytes) {
  if (bytes == 8) memcpy(to, from, 8);
  else if (bytes == 4) memcpy(to, from, 4);
  else memcpy(to, from, bytes);
}

/* Some CPUs have no atomic for integers that are not aligned; others stop the whole machine if one lies in two cache lines. */
static inline bool is_unaligned(const void *target, size_t bytes) {
  return __builtin_expect(((uintptr_t)target & (bytes - 1)) != 0, 0);
}

/* Accesses private memory outside the lock, because that may cause a page fault. */
static void locked_fetch(tsr_type type, tsr_arith op, void *target, const void *operand, void *result) {
  size_t bytes = tsr_type_bytes(type);
  char old[WIDEST], with[WIDEST];
  if (op != TSR_NO_OP) copy_element(with, operand, bytes);
  tsr_word *stripe = tsr_stripe_lock(tsr_stripe_number(target));
  tsr_word_lock(stripe);
  copy_element(old, target, bytes);
  if (op != TSR_NO_OP) tsr_arith_apply(type, op, target, with, 1);
  tsr_word_unlock(stripe);
  copy_element(result, old, bytes);
}

static void locked_swap_if(size_t bytes, void *target, const void *expected, const void *desired, void *result) {
  char old[WIDEST], wanted[WIDEST], with[WIDEST];
  copy_element(wanted, expected, bytes);
  copy_element(with, desired, bytes);
  tsr_word *stripe = tsr_stripe_lock(tsr_stripe_number(target));
  tsr_word_lock(stripe);
  copy_element(old, target, bytes);
  if (memcmp(old, wanted, bytes) == 0) copy_element(target, with, bytes);
  tsr_word_unlock(stripe);
  if (result) copy_element(result, old, bytes);
}

/* Holds the lock of one stripe after another. */
static void locked_accumulate(tsr_type type, tsr_arith op, char *target, const char *operand, size_t n) {
  const size_t bytes = tsr_type_bytes(type);
  if (op == TSR_NO_OP) return;
  while (n > 0) {
    size_t local_n = (tsr_stripe_left(target) + bytes - 1) / bytes; /* elements that begin in this stripe */
    if (local_n > n) local_n = n;
    tsr_word *stripe = tsr_stripe_lock(tsr_stripe_number(target));
    tsr_word_lock(stripe);
    tsr_arith_apply(type, op, target, operand, local_n);
    tsr_word_unlock(stripe);
    target += local_n * bytes;
    operand += local_n * bytes;
    n -= local_n;
  }
}

/* By type, the frequent ones first. */

static inline bool is_signed(tsr_type type) {
  return type == TSR_I64 || type == TSR_I32 || type == TSR_I16 || type == TSR_I8;
}

#define FETCH(bits)                                                     \
  do {                                                                  \
    if (is_unaligned(target, sizeof(word##bits))) {                     \
      locked_fetch(type, op, target, operand, result);                  \
      break;                                                            \
    }                                                                   \
    word##bits old = fetch##bits(op, is_signed(type), target, operand); \
    memcpy(result, &old, sizeof old);                                   \
  } while (0)

/* Not inlined, so that the frequent widths need no stack frame. */
static __attribute__((noinline)) void fetch_other(tsr_type type, tsr_arith op, void *target, const void *operand,
                                                  void *result) {
  if (type == TSR_I8 || type == TSR_U8) FETCH(8);
  else if (type == TSR_I16 || type == TSR_U16) FETCH(16);
  else locked_fetch(type, op, target, operand, result);
}

void tsr_atomic_apply(tsr_type type, tsr_arith op, void *target, const void *operand, void *result) {
  if (!result) tsr_atomic_accumulate(type, op, target, operand, 1);
  else if (type == TSR_I64 || type == TSR_U64) FETCH(64);
  else if (type == TSR_I32 || type == TSR_U32) FETCH(32);
  else fetch_other(type, op, target, operand, result);
}

void tsr_atomic_swap_if(tsr_type type, void *target, const void *expected, const void *desired, void *result) {
  if (type == TSR_I64 || type == TSR_U64) swap_if64(target, expected, desired, result);
  else if (type == TSR_I32 || type == TSR_U32) swap_if32(target, expected, desired, result);
  else if (type == TSR_I16 || type == TSR_U16) swap_if16(target, expected, desired, result);
  else if (type == TSR_I8 || type == TSR_U8) swap_if8(target, expected, desired, result);
  else locked_swap_if(tsr_type_bytes(type), target, expected, desired, result);
}

#define ACCUMULATE(bits)                                                                                        \
  do {                                                                                                          \
    if (is_unaligned(target, sizeof(word##bits))) locked_accumulate(type, op, target, operand, n);              \
    else accumulate##bits(op, is_signed(type), target, operand, n);                                             \
  } while (0)

void tsr_atomic_accumulate(tsr_type type, tsr_arith op, void *target, const void *operand, size_t n) {
  if (type == TSR_I64 || type == TSR_U64) ACCUMULATE(64);
  else if (type == TSR_I32 || type == TSR_U32) ACCUMULATE(32);
  else if (type == TSR_I16 || type == TSR_U16) ACCUMULATE(16);
  else if (type == TSR_I8 || type == TSR_U8) ACCUMULATE(8);
  else locked_accumulate(type, op, target, operand, n);
}

void tsr_atomic_add_row(tsr_type type, void *target, ptrdiff_t target_step, const void *source, ptrdiff_t source_step,
                        const void *scale, size_t n) {
  if (type == TSR_I64 || type == TSR_U64) add_row64(target, target_step, source, source_step, scale, n);
  else if (type == TSR_I32 || type == TSR_U32) add_row32(target, target_step, source, source_step, scale, n);
  else if (type == TSR_I16 || type == TSR_U16) add_row16(target, target_step, source, source_step, scale, n);
  else add_row8(target, target_step, source, source_step, scale, n);
}
