/* Deprecated functions: each calls another function, or does nothing. */
#include "api/shmem/shmem_api.h"

#define ROW(NAME, T)                                                                                             \
  T pshmem_##NAME##_fetch(const T *source, int pe) { return pshmem_##NAME##_atomic_fetch(source, pe); }          \
  void pshmem_##NAME##_set(T *dest, T value, int pe) { pshmem_##NAME##_atomic_set(dest, value, pe); }            \
  T pshmem_##NAME##_swap(T *dest, T value, int pe) { return pshmem_##NAME##_atomic_swap(dest, value, pe); }
SHMEMI_OLD_AMO(ROW) SHMEMI_AMO_FLOATS(ROW)
#undef ROW
#define ROW(NAME, T)                                                                                             \
  T pshmem_##NAME##_cswap(T *dest, T cond, T value, int pe) {                                                    \
    return pshmem_##NAME##_atomic_compare_swap(dest, cond, value, pe);                                           \
  }                                                                                                              \
  T pshmem_##NAME##_finc(T *dest, int pe) { return pshmem_##NAME##_atomic_fetch_inc(dest, pe); }                 \
  void pshmem_##NAME##_inc(T *dest, int pe) { pshmem_##NAME##_atomic_inc(dest, pe); }                            \
  T pshmem_##NAME##_fadd(T *dest, T value, int pe) { return pshmem_##NAME##_atomic_fetch_add(dest, value, pe); } \
  void pshmem_##NAME##_add(T *dest, T value, int pe) { pshmem_##NAME##_atomic_add(dest, value, pe); }
SHMEMI_OLD_AMO(ROW)
#undef ROW

#define VALUE(T, value) ((struct tsr_shmem_value){(uint64_t)(value), sizeof(T), (T)-1 < (T)1})
#define ROW(NAME, T)                                                                                             \
  void pshmem_##NAME##_wait(T *ivar, T value) {                                                                  \
    tsr_shmem_wait_until(ivar, SHMEM_CMP_NE, VALUE(T, value), "shmem_" #NAME "_wait");                           \
  }
SHMEMI_WAIT_TYPES(ROW)
#undef ROW
long pshmem_swap(long *dest, long value, int pe) { return pshmem_long_swap(dest, value, pe); }
void pshmem_wait(long *ivar, long value) { pshmem_long_wait(ivar, value); }
void pshmem_wait_until(long *ivar, int cmp, long value) { pshmem_long_wait_until(ivar, cmp, value); }

void pshmem_set_cache_inv(void) {}
void pshmem_clear_cache_inv(void) {}
void pshmem_set_cache_line_inv(void *dest) { (void)dest; }
void pshmem_clear_cache_line_inv(void *dest) { (void)dest; }
void pshmem_udcflush(void) {}
void pshmem_udcflush_line(void *dest) { (void)dest; }

#include "api/shmem/names.h"
#include <shmem/old.h>
