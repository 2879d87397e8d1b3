/* GASNet tools: memory barriers, and atomic numbers of the process (for those of other processes see
 * gasnet_ratomic.h). Part of gasnet_tools.h.
 *
 * Barriers order accesses of the calling thread before and after them: wmb its stores, rmb its loads, mb both. The
 * flags of an atomic say which barriers come before (PRE) and after (POST) it; without them it is not ordered with
 * other accesses. All kinds are the same here, in every thread mode: one CPU operation each. add and subtract return
 * the new value, and swap returns the old one; decrement_and_test returns whether the new value is 0, and
 * compare_and_swap whether it has swapped. */
#ifndef TSR_GASNETT_ATOMIC_H
#define TSR_GASNETT_ATOMIC_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Barriers ----
 *
 * Order accesses of the calling thread. gasnett_compiler_fence only keeps the compiler from moving them. */

static inline void gasnett_compiler_fence(void) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }
static inline void gasnett_local_wmb(void) { __atomic_thread_fence(__ATOMIC_RELEASE); }
static inline void gasnett_local_rmb(void) { __atomic_thread_fence(__ATOMIC_ACQUIRE); }
static inline void gasnett_local_mb(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

/* Barriers between threads only: a program with one thread needs none. */
#if defined(GASNET_SEQ) || defined(GASNETT_THREAD_SINGLE)
#define gasnett_weak_wmb() gasnett_compiler_fence()
#define gasnett_weak_rmb() gasnett_compiler_fence()
#define gasnett_weak_mb() gasnett_compiler_fence()
#else
#define gasnett_weak_wmb() gasnett_local_wmb()
#define gasnett_weak_rmb() gasnett_local_rmb()
#define gasnett_weak_mb() gasnett_local_mb()
#endif
#define GASNETT_MEMBAR_CONFIG membars_native

/* Tells the core that this loop waits for another thread. The macro uses no other name of these headers, because UPC++ copies it
 * into its own. */
#if defined(__x86_64__) || defined(__i386__)
#define gasnett_spinloop_hint() __extension__({ __asm__ __volatile__("pause" : : : "memory"); })
#elif defined(__aarch64__)
#define gasnett_spinloop_hint() __extension__({ __asm__ __volatile__("yield" : : : "memory"); })
#else
#define gasnett_spinloop_hint() __extension__({ __asm__ __volatile__("" : : : "memory"); })
#endif

/* ---- Flags ---- */

#define GASNETT_ATOMIC_NONE 0
#define GASNETT_ATOMIC_WMB_PRE 0x01
#define GASNETT_ATOMIC_RMB_PRE 0x02
#define GASNETT_ATOMIC_MB_PRE (GASNETT_ATOMIC_WMB_PRE | GASNETT_ATOMIC_RMB_PRE)
#define GASNETT_ATOMIC_WMB_POST 0x04
#define GASNETT_ATOMIC_RMB_POST 0x08
#define GASNETT_ATOMIC_MB_POST (GASNETT_ATOMIC_WMB_POST | GASNETT_ATOMIC_RMB_POST)
#define GASNETT_ATOMIC_RMB_POST_IF_TRUE 0x10 /* of operations whose result is true or false */
#define GASNETT_ATOMIC_RMB_POST_IF_FALSE 0x20
#define GASNETT_ATOMIC_REL GASNETT_ATOMIC_WMB_PRE
#define GASNETT_ATOMIC_ACQ GASNETT_ATOMIC_RMB_POST
#define GASNETT_ATOMIC_ACQ_IF_TRUE GASNETT_ATOMIC_RMB_POST_IF_TRUE
#define GASNETT_ATOMIC_ACQ_IF_FALSE GASNETT_ATOMIC_RMB_POST_IF_FALSE

static inline void gasnett_fence_(int write, int read) {
  if (write && read) __atomic_thread_fence(__ATOMIC_SEQ_CST);
  else if (write) __atomic_thread_fence(__ATOMIC_RELEASE);
  else if (read) __atomic_thread_fence(__ATOMIC_ACQUIRE);
}
static inline void gasnett_fence_before_(int flags) {
  gasnett_fence_(flags & GASNETT_ATOMIC_WMB_PRE, flags & GASNETT_ATOMIC_RMB_PRE);
}
static inline void gasnett_fence_after_(int flags) {
  gasnett_fence_(flags & GASNETT_ATOMIC_WMB_POST, flags & GASNETT_ATOMIC_RMB_POST);
}
static inline int gasnett_fence_after_test_(int result, int flags) {
  int if_so = result ? GASNETT_ATOMIC_RMB_POST_IF_TRUE : GASNETT_ATOMIC_RMB_POST_IF_FALSE;
  gasnett_fence_after_(flags & if_so ? flags | GASNETT_ATOMIC_RMB_POST : flags);
  return result;
}

/* ---- Numbers of 32 and 64 bits ----
 *
 * Read and change a number; _init is the initialiser of one.
 *
 * The memory orders of the accesses themselves add nothing to the fences; they tell race checkers what the flags
 * promise. */

#define GASNETT_ATOMIC_MAKE_(name, type)                                                                                \
  typedef struct {                                                                                                      \
    volatile type value_;                                                                                               \
  } name##_t;                                                                                                           \
  static inline type name##_read(const volatile name##_t *p, int flags) {                                               \
    gasnett_fence_before_(flags);                                                                                       \
    type value = __atomic_load_n(&p->value_, __ATOMIC_ACQUIRE);                                                         \
    gasnett_fence_after_(flags);                                                                                        \
    return value;                                                                                                       \
  }                                                                                                                     \
  static inline void name##_set(volatile name##_t *p, type value, int flags) {                                          \
    gasnett_fence_before_(flags);                                                                                       \
    __atomic_store_n(&p->value_, value, __ATOMIC_RELEASE);                                                              \
    gasnett_fence_after_(flags);                                                                                        \
  }                                                                                                                     \
  static inline type name##_swap(volatile name##_t *p, type value, int flags) {                                         \
    gasnett_fence_before_(flags);                                                                                       \
    type old = __atomic_exchange_n(&p->value_, value, __ATOMIC_ACQ_REL);                                                \
    gasnett_fence_after_(flags);                                                                                        \
    return old;                                                                                                         \
  }                                                                                                                     \
  static inline type name##_add(volatile name##_t *p, type operand, int flags) {                                        \
    gasnett_fence_before_(flags);                                                                                       \
    type value = (type)(__atomic_fetch_add(&p->value_, operand, __ATOMIC_ACQ_REL) + operand);                           \
    gasnett_fence_after_(flags);                                                                                        \
    return value;                                                                                                       \
  }                                                                                                                     \
  static inline type name##_subtract(volatile name##_t *p, type operand, int flags) {                                   \
    return name##_add(p, (type)(0 - operand), flags);                                                                   \
  }                                                                                                                     \
  static inline void name##_increment(volatile name##_t *p, int flags) { (void)name##_add(p, 1, flags); }               \
  static inline void name##_decrement(volatile name##_t *p, int flags) { (void)name##_subtract(p, 1, flags); }          \
  static inline int name##_decrement_and_test(volatile name##_t *p, int flags) {                                        \
    return gasnett_fence_after_test_(name##_subtract(p, 1, flags) == 0, flags);                                         \
  }                                                                                                                     \
  static inline int name##_compare_and_swap(volatile name##_t *p, type expected, type value, int flags) {               \
    gasnett_fence_before_(flags);                                                                                       \
    int swapped = __atomic_compare_exchange_n(&p->value_, &expected, value, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);     \
    return gasnett_fence_after_test_(swapped, flags);                                                                   \
  }

GASNETT_ATOMIC_MAKE_(gasnett_atomic32, uint32_t)
GASNETT_ATOMIC_MAKE_(gasnett_atomic64, uint64_t)

#define gasnett_atomic32_init(value) {(uint32_t)(value)}
#define gasnett_atomic64_init(value) {(uint64_t)(value)}

/* ---- The same, in the natural size of the machine ----
 *
 * Read and change a number of the type gasnett_atomic_t; _init is the initialiser of one, and gasnett_atomic_signed converts a
 * value to a signed number. It has 32 bits, as gasnett_atomic32_t. */

typedef gasnett_atomic32_t gasnett_atomic_t;
typedef uint32_t gasnett_atomic_val_t;
typedef int32_t gasnett_atomic_sval_t;
#define GASNETT_ATOMIC_MAX UINT32_MAX
#define GASNETT_ATOMIC_SIGNED_MIN INT32_MIN
#define GASNETT_ATOMIC_SIGNED_MAX INT32_MAX
#define gasnett_atomic_signed(value) ((gasnett_atomic_sval_t)(value))

#define GASNETT_HAVE_ATOMIC_CAS 1
#define GASNETT_HAVE_ATOMIC_ADD_SUB 1
#define gasnett_atomic_init(value) gasnett_atomic32_init(value)
#define gasnett_atomic_read(p, flags) gasnett_atomic32_read(p, flags)
#define gasnett_atomic_set(p, value, flags) gasnett_atomic32_set(p, value, flags)
#define gasnett_atomic_swap(p, value, flags) gasnett_atomic32_swap(p, value, flags)
#define gasnett_atomic_add(p, operand, flags) gasnett_atomic32_add(p, operand, flags)
#define gasnett_atomic_subtract(p, operand, flags) gasnett_atomic32_subtract(p, operand, flags)
#define gasnett_atomic_increment(p, flags) gasnett_atomic32_increment(p, flags)
#define gasnett_atomic_decrement(p, flags) gasnett_atomic32_decrement(p, flags)
#define gasnett_atomic_decrement_and_test(p, flags) gasnett_atomic32_decrement_and_test(p, flags)
#define gasnett_atomic_compare_and_swap(p, expected, value, flags) \
  gasnett_atomic32_compare_and_swap(p, expected, value, flags)

/* ---- Strong atomics ----
 *
 * Read and change a number, atomically in every thread mode, also in signal handlers. All others are atomic there, too. */

#define GASNETT_HAVE_STRONGATOMIC_CAS 1
#define GASNETT_HAVE_STRONGATOMIC_ADD_SUB 1
#define gasnett_strongatomic_t gasnett_atomic_t
#define gasnett_strongatomic_init(value) gasnett_atomic_init(value)
#define gasnett_strongatomic_read(p, flags) gasnett_atomic_read(p, flags)
#define gasnett_strongatomic_set(p, value, flags) gasnett_atomic_set(p, value, flags)
#define gasnett_strongatomic_swap(p, value, flags) gasnett_atomic_swap(p, value, flags)
#define gasnett_strongatomic_add(p, operand, flags) gasnett_atomic_add(p, operand, flags)
#define gasnett_strongatomic_subtract(p, operand, flags) gasnett_atomic_subtract(p, operand, flags)
#define gasnett_strongatomic_increment(p, flags) gasnett_atomic_increment(p, flags)
#define gasnett_strongatomic_decrement(p, flags) gasnett_atomic_decrement(p, flags)
#define gasnett_strongatomic_decrement_and_test(p, flags) gasnett_atomic_decrement_and_test(p, flags)
#define gasnett_strongatomic_compare_and_swap(p, expected, value, flags) \
  gasnett_atomic_compare_and_swap(p, expected, value, flags)

#define gasnett_strongatomic32_t gasnett_atomic32_t
#define gasnett_strongatomic32_init(value) gasnett_atomic32_init(value)
#define gasnett_strongatomic32_read(p, flags) gasnett_atomic32_read(p, flags)
#define gasnett_strongatomic32_set(p, value, flags) gasnett_atomic32_set(p, value, flags)
#define gasnett_strongatomic32_swap(p, value, flags) gasnett_atomic32_swap(p, value, flags)
#define gasnett_strongatomic32_add(p, operand, flags) gasnett_atomic32_add(p, operand, flags)
#define gasnett_strongatomic32_subtract(p, operand, flags) gasnett_atomic32_subtract(p, operand, flags)
#define gasnett_strongatomic32_increment(p, flags) gasnett_atomic32_increment(p, flags)
#define gasnett_strongatomic32_decrement(p, flags) gasnett_atomic32_decrement(p, flags)
#define gasnett_strongatomic32_decrement_and_test(p, flags) gasnett_atomic32_decrement_and_test(p, flags)
#define gasnett_strongatomic32_compare_and_swap(p, expected, value, flags) \
  gasnett_atomic32_compare_and_swap(p, expected, value, flags)

#define gasnett_strongatomic64_t gasnett_atomic64_t
#define gasnett_strongatomic64_init(value) gasnett_atomic64_init(value)
#define gasnett_strongatomic64_read(p, flags) gasnett_atomic64_read(p, flags)
#define gasnett_strongatomic64_set(p, value, flags) gasnett_atomic64_set(p, value, flags)
#define gasnett_strongatomic64_swap(p, value, flags) gasnett_atomic64_swap(p, value, flags)
#define gasnett_strongatomic64_add(p, operand, flags) gasnett_atomic64_add(p, operand, flags)
#define gasnett_strongatomic64_subtract(p, operand, flags) gasnett_atomic64_subtract(p, operand, flags)
#define gasnett_strongatomic64_increment(p, flags) gasnett_atomic64_increment(p, flags)
#define gasnett_strongatomic64_decrement(p, flags) gasnett_atomic64_decrement(p, flags)
#define gasnett_strongatomic64_decrement_and_test(p, flags) gasnett_atomic64_decrement_and_test(p, flags)
#define gasnett_strongatomic64_compare_and_swap(p, expected, value, flags) \
  gasnett_atomic64_compare_and_swap(p, expected, value, flags)

#define GASNETT_ATOMIC_CONFIG atomics_native
#define GASNETT_ATOMIC32_CONFIG atomic32_native
#define GASNETT_ATOMIC64_CONFIG atomic64_native

#ifdef __cplusplus
}
#endif
#endif
