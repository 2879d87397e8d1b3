/* Names that select the function by the type of their arguments: in C11 by _Generic, in C++ by overloads. A context may come first where
 * the function has one; each argument is evaluated once. */
#ifndef TSR_SHMEM_GENERIC_H
#define TSR_SHMEM_GENERIC_H

#include <shmem.h>

#if !defined(__cplusplus) && __STDC_VERSION__ >= 201112L

/* What is selected for a type that the function does not take: the call does not compile. */
struct shmemi_type_is_not_supported {
  int never;
};
void shmemi_type_is_not_supported(struct shmemi_type_is_not_supported never);

#define SHMEMI_FIRST(first, ...) first
#define SHMEMI_SECOND(first, second, ...) second
/* Rows for pointers to a type, whatever its qualifiers. */
#define SHMEMI_POINTERS(T, function) \
  T *: function, const T *: function, volatile T *: function, const volatile T *: function,
#define SHMEMI_SELECT_BASE_TYPES(prefix, suffix) \
  SHMEMI_POINTERS(float, prefix##float##suffix) SHMEMI_POINTERS(double, prefix##double##suffix) \
  SHMEMI_POINTERS(long double, prefix##longdouble##suffix) SHMEMI_POINTERS(char, prefix##char##suffix) \
  SHMEMI_POINTERS(signed char, prefix##schar##suffix) SHMEMI_POINTERS(short, prefix##short##suffix) \
  SHMEMI_POINTERS(int, prefix##int##suffix) SHMEMI_POINTERS(long, prefix##long##suffix) \
  SHMEMI_POINTERS(long long, prefix##longlong##suffix) SHMEMI_POINTERS(unsigned char, prefix##uchar##suffix) \
  SHMEMI_POINTERS(unsigned short, prefix##ushort##suffix) SHMEMI_POINTERS(unsigned int, prefix##uint##suffix) \
  SHMEMI_POINTERS(unsigned long, prefix##ulong##suffix) \
  SHMEMI_POINTERS(unsigned long long, prefix##ulonglong##suffix)
#define SHMEMI_SELECT_AMO_BASE(prefix, suffix) \
  SHMEMI_POINTERS(int, prefix##int##suffix) SHMEMI_POINTERS(long, prefix##long##suffix) \
  SHMEMI_POINTERS(long long, prefix##longlong##suffix) SHMEMI_POINTERS(unsigned int, prefix##uint##suffix) \
  SHMEMI_POINTERS(unsigned long, prefix##ulong##suffix) \
  SHMEMI_POINTERS(unsigned long long, prefix##ulonglong##suffix)
#define SHMEMI_SELECT_GENERIC_EXTENDED(prefix, suffix) \
  SHMEMI_POINTERS(int, prefix##int##suffix) SHMEMI_POINTERS(long, prefix##long##suffix) \
  SHMEMI_POINTERS(long long, prefix##longlong##suffix) SHMEMI_POINTERS(unsigned int, prefix##uint##suffix) \
  SHMEMI_POINTERS(unsigned long, prefix##ulong##suffix) \
  SHMEMI_POINTERS(unsigned long long, prefix##ulonglong##suffix) SHMEMI_POINTERS(float, prefix##float##suffix) \
  SHMEMI_POINTERS(double, prefix##double##suffix)
#define SHMEMI_SELECT_AMO_BITS_GENERIC(prefix, suffix) \
  SHMEMI_POINTERS(unsigned int, prefix##uint##suffix) SHMEMI_POINTERS(unsigned long, prefix##ulong##suffix) \
  SHMEMI_POINTERS(unsigned long long, prefix##ulonglong##suffix) SHMEMI_POINTERS(int, prefix##int32##suffix) \
  SHMEMI_POINTERS(long, prefix##int64##suffix)
#define SHMEMI_SELECT_REDUCE_BITS_GENERIC(prefix, suffix) \
  SHMEMI_POINTERS(unsigned char, prefix##uchar##suffix) SHMEMI_POINTERS(unsigned short, prefix##ushort##suffix) \
  SHMEMI_POINTERS(unsigned int, prefix##uint##suffix) SHMEMI_POINTERS(unsigned long, prefix##ulong##suffix) \
  SHMEMI_POINTERS(unsigned long long, prefix##ulonglong##suffix) \
  SHMEMI_POINTERS(signed char, prefix##int8##suffix) SHMEMI_POINTERS(short, prefix##int16##suffix) \
  SHMEMI_POINTERS(int, prefix##int32##suffix) SHMEMI_POINTERS(long, prefix##int64##suffix)
#define SHMEMI_SELECT_REDUCE_ORDER_BASE(prefix, suffix) \
  SHMEMI_POINTERS(float, prefix##float##suffix) SHMEMI_POINTERS(double, prefix##double##suffix) \
  SHMEMI_POINTERS(long double, prefix##longdouble##suffix) SHMEMI_POINTERS(char, prefix##char##suffix) \
  SHMEMI_POINTERS(signed char, prefix##schar##suffix) SHMEMI_POINTERS(short, prefix##short##suffix) \
  SHMEMI_POINTERS(int, prefix##int##suffix) SHMEMI_POINTERS(long, prefix##long##suffix) \
  SHMEMI_POINTERS(long long, prefix##longlong##suffix) SHMEMI_POINTERS(unsigned char, prefix##uchar##suffix) \
  SHMEMI_POINTERS(unsigned short, prefix##ushort##suffix) SHMEMI_POINTERS(unsigned int, prefix##uint##suffix) \
  SHMEMI_POINTERS(unsigned long, prefix##ulong##suffix) \
  SHMEMI_POINTERS(unsigned long long, prefix##ulonglong##suffix)
#define SHMEMI_SELECT_REDUCE_SUM_BASE(prefix, suffix) \
  SHMEMI_POINTERS(float, prefix##float##suffix) SHMEMI_POINTERS(double, prefix##double##suffix) \
  SHMEMI_POINTERS(long double, prefix##longdouble##suffix) SHMEMI_POINTERS(char, prefix##char##suffix) \
  SHMEMI_POINTERS(signed char, prefix##schar##suffix) SHMEMI_POINTERS(short, prefix##short##suffix) \
  SHMEMI_POINTERS(int, prefix##int##suffix) SHMEMI_POINTERS(long, prefix##long##suffix) \
  SHMEMI_POINTERS(long long, prefix##longlong##suffix) SHMEMI_POINTERS(unsigned char, prefix##uchar##suffix) \
  SHMEMI_POINTERS(unsigned short, prefix##ushort##suffix) SHMEMI_POINTERS(unsigned int, prefix##uint##suffix) \
  SHMEMI_POINTERS(unsigned long, prefix##ulong##suffix) \
  SHMEMI_POINTERS(unsigned long long, prefix##ulonglong##suffix) \
  SHMEMI_POINTERS(shmemi_complexd, prefix##complexd##suffix) \
  SHMEMI_POINTERS(shmemi_complexf, prefix##complexf##suffix)
/* Of a pointer, which is the first argument; or the second one, after a context or a team. */
#define SHMEMI_SELECT(rows, pointer, prefix, suffix) \
  _Generic((pointer), rows(prefix, suffix) default: shmemi_type_is_not_supported)
#define SHMEMI_SELECT_CTX(rows, suffix, ...) \
  _Generic((SHMEMI_FIRST(__VA_ARGS__, 0)), \
    shmem_ctx_t: SHMEMI_SELECT(rows, SHMEMI_SECOND(__VA_ARGS__, 0, 0), shmem_ctx_, suffix), \
    default: SHMEMI_SELECT(rows, SHMEMI_FIRST(__VA_ARGS__, 0), shmem_, suffix))(__VA_ARGS__)
#define SHMEMI_SELECT_TEAM(rows, suffix, ...) \
  SHMEMI_SELECT(rows, SHMEMI_SECOND(__VA_ARGS__, 0, 0), shmem_, suffix)(__VA_ARGS__)

#define shmem_put(...) SHMEMI_SELECT_CTX(SHMEMI_SELECT_BASE_TYPES, _put, __VA_ARGS__)
#define shmem_get(...) SHMEMI_SELECT_CTX(SHMEMI_SELECT_BASE_TYPES, _get, __VA_ARGS__)
#define shmem_p(...) SHMEMI_SELECT_CTX(SHMEMI_SELECT_BASE_TYPES, _p, __VA_ARGS__)
#define shmem_g(...) SHMEMI_SELECT_CTX(SHMEMI_SELECT_BASE_TYPES, _g, __VA_ARGS__)
#define shmem_iput(...) SHMEMI_SELECT_CTX(SHMEMI_SELECT_BASE_TYPES, _iput, __VA_ARGS__)
#define shmem_iget(...) SHMEMI_SELECT_CTX(SHMEMI_SELECT_BASE_TYPES, _iget, __VA_ARGS__)
#define shmem_ibput(...) SHMEMI_SELECT_CTX(SHMEMI_SELECT_BASE_TYPES, _ibput, __VA_ARGS__)
#define shmem_ibget(...) SHMEMI_SELECT_CTX(SHMEMI_SELECT_BASE_TYPES, _ibget, __VA_ARGS__)
#define shmem_put_nbi(...) SHMEMI_SELECT_CTX(SHMEMI_SELECT_BASE_TYPES, _put_nbi, __VA_ARGS__)
#define shmem_get_nbi(...) SHMEMI_SELECT_CTX(SHMEMI_SELECT_BASE_TYPES, _get_nbi, __VA_ARGS__)
#define shmem_put_signal(...) SHMEMI_SELECT_CTX(SHMEMI_SELECT_BASE_TYPES, _put_signal, __VA_ARGS__)
#define shmem_put_signal_nbi(...) SHMEMI_SELECT_CTX(SHMEMI_SELECT_BASE_TYPES, _put_signal_nbi, __VA_ARGS__)
#define shmem_atomic_fetch(...) SHMEMI_SELECT_CTX(SHMEMI_SELECT_GENERIC_EXTENDED, _atomic_fetch, __VA_ARGS__)
#define shmem_atomic_set(...) SHMEMI_SELECT_CTX(SHMEMI_SELECT_GENERIC_EXTENDED, _atomic_set, __VA_ARGS__)
#define shmem_atomic_swap(...) SHMEMI_SELECT_CTX(SHMEMI_SELECT_GENERIC_EXTENDED, _atomic_swap, __VA_ARGS__)
#define shmem_atomic_fetch_nbi(...) SHMEMI_SELECT_CTX(SHMEMI_SELECT_GENERIC_EXTENDED, _atomic_fetch_nbi, __VA_ARGS__)
#define shmem_atomic_swap_nbi(...) SHMEMI_SELECT_CTX(SHMEMI_SELECT_GENERIC_EXTENDED, _atomic_swap_nbi, __VA_ARGS__)
#define shmem_atomic_compare_swap(...) SHMEMI_SELECT_CTX(SHMEMI_SELECT_AMO_BASE, _atomic_compare_swap, __VA_ARGS__)
#define shmem_atomic_fetch_inc(...) SHMEMI_SELECT_CTX(SHMEMI_SELECT_AMO_BASE, _atomic_fetch_inc, __VA_ARGS__)
#define shmem_atomic_inc(...) SHMEMI_SELECT_CTX(SHMEMI_SELECT_AMO_BASE, _atomic_inc, __VA_ARGS__)
#define shmem_atomic_fetch_add(...) SHMEMI_SELECT_CTX(SHMEMI_SELECT_AMO_BASE, _atomic_fetch_add, __VA_ARGS__)
#define shmem_atomic_add(...) SHMEMI_SELECT_CTX(SHMEMI_SELECT_AMO_BASE, _atomic_add, __VA_ARGS__)
#define shmem_atomic_compare_swap_nbi(...) SHMEMI_SELECT_CTX(SHMEMI_SELECT_AMO_BASE, _atomic_compare_swap_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_inc_nbi(...) SHMEMI_SELECT_CTX(SHMEMI_SELECT_AMO_BASE, _atomic_fetch_inc_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_add_nbi(...) SHMEMI_SELECT_CTX(SHMEMI_SELECT_AMO_BASE, _atomic_fetch_add_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_and(...) SHMEMI_SELECT_CTX(SHMEMI_SELECT_AMO_BITS_GENERIC, _atomic_fetch_and, __VA_ARGS__)
#define shmem_atomic_and(...) SHMEMI_SELECT_CTX(SHMEMI_SELECT_AMO_BITS_GENERIC, _atomic_and, __VA_ARGS__)
#define shmem_atomic_fetch_and_nbi(...) SHMEMI_SELECT_CTX(SHMEMI_SELECT_AMO_BITS_GENERIC, _atomic_fetch_and_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_or(...) SHMEMI_SELECT_CTX(SHMEMI_SELECT_AMO_BITS_GENERIC, _atomic_fetch_or, __VA_ARGS__)
#define shmem_atomic_or(...) SHMEMI_SELECT_CTX(SHMEMI_SELECT_AMO_BITS_GENERIC, _atomic_or, __VA_ARGS__)
#define shmem_atomic_fetch_or_nbi(...) SHMEMI_SELECT_CTX(SHMEMI_SELECT_AMO_BITS_GENERIC, _atomic_fetch_or_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_xor(...) SHMEMI_SELECT_CTX(SHMEMI_SELECT_AMO_BITS_GENERIC, _atomic_fetch_xor, __VA_ARGS__)
#define shmem_atomic_xor(...) SHMEMI_SELECT_CTX(SHMEMI_SELECT_AMO_BITS_GENERIC, _atomic_xor, __VA_ARGS__)
#define shmem_atomic_fetch_xor_nbi(...) SHMEMI_SELECT_CTX(SHMEMI_SELECT_AMO_BITS_GENERIC, _atomic_fetch_xor_nbi, __VA_ARGS__)
#define shmem_signal_add(...) \
  _Generic((SHMEMI_FIRST(__VA_ARGS__, 0)), shmem_ctx_t: shmem_ctx_signal_add, default: shmem_signal_add)(__VA_ARGS__)
#define shmem_signal_set(...) \
  _Generic((SHMEMI_FIRST(__VA_ARGS__, 0)), shmem_ctx_t: shmem_ctx_signal_set, default: shmem_signal_set)(__VA_ARGS__)

/* Programs declare the variables that they wait for as volatile. */
#define SHMEMI_ROW(NAME, T) \
  static inline void shmemi_##NAME##_wait_until(volatile T *ivar, int cmp, T value) { \
    shmem_##NAME##_wait_until((T *)(uintptr_t)ivar, cmp, value); \
  } \
  static inline int shmemi_##NAME##_test(volatile T *ivar, int cmp, T value) { \
    return shmem_##NAME##_test((T *)(uintptr_t)ivar, cmp, value); \
  }
SHMEMI_AMO_BASE(SHMEMI_ROW) SHMEMI_ROW(short, short) SHMEMI_ROW(ushort, unsigned short)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline void shmemi_##NAME##_wait(volatile T *ivar, T value) { shmem_##NAME##_wait((T *)(uintptr_t)ivar, value); }
SHMEMI_SET_BITS(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_SELECT_WAIT(prefix, suffix) \
  SHMEMI_SELECT_AMO_BASE(shmemi_, suffix) SHMEMI_POINTERS(short, shmemi_short##suffix) \
  SHMEMI_POINTERS(unsigned short, shmemi_ushort##suffix)
#define SHMEMI_SELECT_PLAIN(rows, suffix, ...) \
  SHMEMI_SELECT(rows, SHMEMI_FIRST(__VA_ARGS__, 0), shmem_, suffix)(__VA_ARGS__)

#define shmem_wait_until(...) SHMEMI_SELECT_PLAIN(SHMEMI_SELECT_WAIT, _wait_until, __VA_ARGS__)
#define shmem_test(...) SHMEMI_SELECT_PLAIN(SHMEMI_SELECT_WAIT, _test, __VA_ARGS__)
#define shmem_wait_until_all(...) SHMEMI_SELECT_PLAIN(SHMEMI_SELECT_AMO_BASE, _wait_until_all, __VA_ARGS__)
#define shmem_wait_until_any(...) SHMEMI_SELECT_PLAIN(SHMEMI_SELECT_AMO_BASE, _wait_until_any, __VA_ARGS__)
#define shmem_wait_until_some(...) SHMEMI_SELECT_PLAIN(SHMEMI_SELECT_AMO_BASE, _wait_until_some, __VA_ARGS__)
#define shmem_test_all(...) SHMEMI_SELECT_PLAIN(SHMEMI_SELECT_AMO_BASE, _test_all, __VA_ARGS__)
#define shmem_test_any(...) SHMEMI_SELECT_PLAIN(SHMEMI_SELECT_AMO_BASE, _test_any, __VA_ARGS__)
#define shmem_test_some(...) SHMEMI_SELECT_PLAIN(SHMEMI_SELECT_AMO_BASE, _test_some, __VA_ARGS__)
#define shmem_wait_until_all_vector(...) SHMEMI_SELECT_PLAIN(SHMEMI_SELECT_AMO_BASE, _wait_until_all_vector, __VA_ARGS__)
#define shmem_wait_until_any_vector(...) SHMEMI_SELECT_PLAIN(SHMEMI_SELECT_AMO_BASE, _wait_until_any_vector, __VA_ARGS__)
#define shmem_wait_until_some_vector(...) SHMEMI_SELECT_PLAIN(SHMEMI_SELECT_AMO_BASE, _wait_until_some_vector, __VA_ARGS__)
#define shmem_test_all_vector(...) SHMEMI_SELECT_PLAIN(SHMEMI_SELECT_AMO_BASE, _test_all_vector, __VA_ARGS__)
#define shmem_test_any_vector(...) SHMEMI_SELECT_PLAIN(SHMEMI_SELECT_AMO_BASE, _test_any_vector, __VA_ARGS__)
#define shmem_test_some_vector(...) SHMEMI_SELECT_PLAIN(SHMEMI_SELECT_AMO_BASE, _test_some_vector, __VA_ARGS__)
#define SHMEMI_SELECT_OLD(prefix, suffix) \
  SHMEMI_POINTERS(short, shmemi_short##suffix) SHMEMI_POINTERS(int, shmemi_int##suffix) \
  SHMEMI_POINTERS(long, shmemi_long##suffix) SHMEMI_POINTERS(long long, shmemi_longlong##suffix)
#define shmem_wait(...) SHMEMI_SELECT_PLAIN(SHMEMI_SELECT_OLD, _wait, __VA_ARGS__)

#define shmem_broadcast(...) SHMEMI_SELECT_TEAM(SHMEMI_SELECT_BASE_TYPES, _broadcast, __VA_ARGS__)
#define shmem_collect(...) SHMEMI_SELECT_TEAM(SHMEMI_SELECT_BASE_TYPES, _collect, __VA_ARGS__)
#define shmem_fcollect(...) SHMEMI_SELECT_TEAM(SHMEMI_SELECT_BASE_TYPES, _fcollect, __VA_ARGS__)
#define shmem_alltoall(...) SHMEMI_SELECT_TEAM(SHMEMI_SELECT_BASE_TYPES, _alltoall, __VA_ARGS__)
#define shmem_alltoalls(...) SHMEMI_SELECT_TEAM(SHMEMI_SELECT_BASE_TYPES, _alltoalls, __VA_ARGS__)
#define shmem_and_reduce(...) SHMEMI_SELECT_TEAM(SHMEMI_SELECT_REDUCE_BITS_GENERIC, _and_reduce, __VA_ARGS__)
#define shmem_or_reduce(...) SHMEMI_SELECT_TEAM(SHMEMI_SELECT_REDUCE_BITS_GENERIC, _or_reduce, __VA_ARGS__)
#define shmem_xor_reduce(...) SHMEMI_SELECT_TEAM(SHMEMI_SELECT_REDUCE_BITS_GENERIC, _xor_reduce, __VA_ARGS__)
#define shmem_max_reduce(...) SHMEMI_SELECT_TEAM(SHMEMI_SELECT_REDUCE_ORDER_BASE, _max_reduce, __VA_ARGS__)
#define shmem_min_reduce(...) SHMEMI_SELECT_TEAM(SHMEMI_SELECT_REDUCE_ORDER_BASE, _min_reduce, __VA_ARGS__)
#define shmem_sum_reduce(...) SHMEMI_SELECT_TEAM(SHMEMI_SELECT_REDUCE_SUM_BASE, _sum_reduce, __VA_ARGS__)
#define shmem_prod_reduce(...) SHMEMI_SELECT_TEAM(SHMEMI_SELECT_REDUCE_SUM_BASE, _prod_reduce, __VA_ARGS__)
#define shmem_sum_inscan(...) SHMEMI_SELECT_TEAM(SHMEMI_SELECT_REDUCE_SUM_BASE, _sum_inscan, __VA_ARGS__)
#define shmem_sum_exscan(...) SHMEMI_SELECT_TEAM(SHMEMI_SELECT_REDUCE_SUM_BASE, _sum_exscan, __VA_ARGS__)

/* Of a team; or of an active set, which has four arguments. */
#define shmem_sync(...) \
  _Generic((SHMEMI_FIRST(__VA_ARGS__, 0)), shmem_team_t: shmem_team_sync, default: shmem_sync)(__VA_ARGS__)

/* Deprecated. */
#define SHMEMI_SELECT_GENERIC_OLD(prefix, suffix) \
  SHMEMI_POINTERS(int, prefix##int##suffix) SHMEMI_POINTERS(long, prefix##long##suffix) \
  SHMEMI_POINTERS(long long, prefix##longlong##suffix)
#define SHMEMI_SELECT_GENERIC_OLD_EXTENDED(prefix, suffix) \
  SHMEMI_SELECT_GENERIC_OLD(prefix, suffix) SHMEMI_POINTERS(float, prefix##float##suffix) \
  SHMEMI_POINTERS(double, prefix##double##suffix)
#define shmem_fetch(...) SHMEMI_SELECT_PLAIN(SHMEMI_SELECT_GENERIC_OLD_EXTENDED, _fetch, __VA_ARGS__)
#define shmem_set(...) SHMEMI_SELECT_PLAIN(SHMEMI_SELECT_GENERIC_OLD_EXTENDED, _set, __VA_ARGS__)
#define shmem_swap(...) SHMEMI_SELECT_PLAIN(SHMEMI_SELECT_GENERIC_OLD_EXTENDED, _swap, __VA_ARGS__)
#define shmem_cswap(...) SHMEMI_SELECT_PLAIN(SHMEMI_SELECT_GENERIC_OLD, _cswap, __VA_ARGS__)
#define shmem_finc(...) SHMEMI_SELECT_PLAIN(SHMEMI_SELECT_GENERIC_OLD, _finc, __VA_ARGS__)
#define shmem_inc(...) SHMEMI_SELECT_PLAIN(SHMEMI_SELECT_GENERIC_OLD, _inc, __VA_ARGS__)
#define shmem_fadd(...) SHMEMI_SELECT_PLAIN(SHMEMI_SELECT_GENERIC_OLD, _fadd, __VA_ARGS__)
#define shmem_add(...) SHMEMI_SELECT_PLAIN(SHMEMI_SELECT_GENERIC_OLD, _add, __VA_ARGS__)

#elif defined(__cplusplus)

#define SHMEMI_ROW(NAME, T) \
  static inline void shmem_put(T *dest, const T *source, size_t nelems, int pe) { return shmem_##NAME##_put(dest, source, nelems, pe); } \
  static inline void shmem_put(shmem_ctx_t ctx, T *dest, const T *source, size_t nelems, int pe) { return shmem_ctx_##NAME##_put(ctx, dest, source, nelems, pe); }
SHMEMI_BASE_TYPES(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline void shmem_get(T *dest, const T *source, size_t nelems, int pe) { return shmem_##NAME##_get(dest, source, nelems, pe); } \
  static inline void shmem_get(shmem_ctx_t ctx, T *dest, const T *source, size_t nelems, int pe) { return shmem_ctx_##NAME##_get(ctx, dest, source, nelems, pe); }
SHMEMI_BASE_TYPES(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline void shmem_put_nbi(T *dest, const T *source, size_t nelems, int pe) { return shmem_##NAME##_put_nbi(dest, source, nelems, pe); } \
  static inline void shmem_put_nbi(shmem_ctx_t ctx, T *dest, const T *source, size_t nelems, int pe) { return shmem_ctx_##NAME##_put_nbi(ctx, dest, source, nelems, pe); }
SHMEMI_BASE_TYPES(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline void shmem_get_nbi(T *dest, const T *source, size_t nelems, int pe) { return shmem_##NAME##_get_nbi(dest, source, nelems, pe); } \
  static inline void shmem_get_nbi(shmem_ctx_t ctx, T *dest, const T *source, size_t nelems, int pe) { return shmem_ctx_##NAME##_get_nbi(ctx, dest, source, nelems, pe); }
SHMEMI_BASE_TYPES(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline void shmem_p(T *dest, T value, int pe) { return shmem_##NAME##_p(dest, value, pe); } \
  static inline void shmem_p(shmem_ctx_t ctx, T *dest, T value, int pe) { return shmem_ctx_##NAME##_p(ctx, dest, value, pe); }
SHMEMI_BASE_TYPES(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline T shmem_g(const T *source, int pe) { return shmem_##NAME##_g(source, pe); } \
  static inline T shmem_g(shmem_ctx_t ctx, const T *source, int pe) { return shmem_ctx_##NAME##_g(ctx, source, pe); }
SHMEMI_BASE_TYPES(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline void shmem_iput(T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_##NAME##_iput(dest, source, dst, sst, nelems, pe); } \
  static inline void shmem_iput(shmem_ctx_t ctx, T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_ctx_##NAME##_iput(ctx, dest, source, dst, sst, nelems, pe); }
SHMEMI_BASE_TYPES(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline void shmem_iget(T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_##NAME##_iget(dest, source, dst, sst, nelems, pe); } \
  static inline void shmem_iget(shmem_ctx_t ctx, T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_ctx_##NAME##_iget(ctx, dest, source, dst, sst, nelems, pe); }
SHMEMI_BASE_TYPES(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline void shmem_ibput(T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { return shmem_##NAME##_ibput(dest, source, dst, sst, bsize, nblocks, pe); } \
  static inline void shmem_ibput(shmem_ctx_t ctx, T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { return shmem_ctx_##NAME##_ibput(ctx, dest, source, dst, sst, bsize, nblocks, pe); }
SHMEMI_BASE_TYPES(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline void shmem_ibget(T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { return shmem_##NAME##_ibget(dest, source, dst, sst, bsize, nblocks, pe); } \
  static inline void shmem_ibget(shmem_ctx_t ctx, T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { return shmem_ctx_##NAME##_ibget(ctx, dest, source, dst, sst, bsize, nblocks, pe); }
SHMEMI_BASE_TYPES(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline void shmem_put_signal(T *dest, const T *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_##NAME##_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); } \
  static inline void shmem_put_signal(shmem_ctx_t ctx, T *dest, const T *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_ctx_##NAME##_put_signal(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
SHMEMI_BASE_TYPES(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline void shmem_put_signal_nbi(T *dest, const T *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_##NAME##_put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); } \
  static inline void shmem_put_signal_nbi(shmem_ctx_t ctx, T *dest, const T *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_ctx_##NAME##_put_signal_nbi(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
SHMEMI_BASE_TYPES(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline T shmem_atomic_fetch(const T *source, int pe) { return shmem_##NAME##_atomic_fetch(source, pe); } \
  static inline T shmem_atomic_fetch(shmem_ctx_t ctx, const T *source, int pe) { return shmem_ctx_##NAME##_atomic_fetch(ctx, source, pe); }
SHMEMI_AMO_BASE(SHMEMI_ROW) SHMEMI_AMO_FLOATS(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline void shmem_atomic_set(T *dest, T value, int pe) { return shmem_##NAME##_atomic_set(dest, value, pe); } \
  static inline void shmem_atomic_set(shmem_ctx_t ctx, T *dest, T value, int pe) { return shmem_ctx_##NAME##_atomic_set(ctx, dest, value, pe); }
SHMEMI_AMO_BASE(SHMEMI_ROW) SHMEMI_AMO_FLOATS(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline T shmem_atomic_swap(T *dest, T value, int pe) { return shmem_##NAME##_atomic_swap(dest, value, pe); } \
  static inline T shmem_atomic_swap(shmem_ctx_t ctx, T *dest, T value, int pe) { return shmem_ctx_##NAME##_atomic_swap(ctx, dest, value, pe); }
SHMEMI_AMO_BASE(SHMEMI_ROW) SHMEMI_AMO_FLOATS(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline void shmem_atomic_fetch_nbi(T *fetch, const T *source, int pe) { return shmem_##NAME##_atomic_fetch_nbi(fetch, source, pe); } \
  static inline void shmem_atomic_fetch_nbi(shmem_ctx_t ctx, T *fetch, const T *source, int pe) { return shmem_ctx_##NAME##_atomic_fetch_nbi(ctx, fetch, source, pe); }
SHMEMI_AMO_BASE(SHMEMI_ROW) SHMEMI_AMO_FLOATS(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline void shmem_atomic_swap_nbi(T *fetch, T *dest, T value, int pe) { return shmem_##NAME##_atomic_swap_nbi(fetch, dest, value, pe); } \
  static inline void shmem_atomic_swap_nbi(shmem_ctx_t ctx, T *fetch, T *dest, T value, int pe) { return shmem_ctx_##NAME##_atomic_swap_nbi(ctx, fetch, dest, value, pe); }
SHMEMI_AMO_BASE(SHMEMI_ROW) SHMEMI_AMO_FLOATS(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline T shmem_atomic_compare_swap(T *dest, T cond, T value, int pe) { return shmem_##NAME##_atomic_compare_swap(dest, cond, value, pe); } \
  static inline T shmem_atomic_compare_swap(shmem_ctx_t ctx, T *dest, T cond, T value, int pe) { return shmem_ctx_##NAME##_atomic_compare_swap(ctx, dest, cond, value, pe); }
SHMEMI_AMO_BASE(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline void shmem_atomic_compare_swap_nbi(T *fetch, T *dest, T cond, T value, int pe) { return shmem_##NAME##_atomic_compare_swap_nbi(fetch, dest, cond, value, pe); } \
  static inline void shmem_atomic_compare_swap_nbi(shmem_ctx_t ctx, T *fetch, T *dest, T cond, T value, int pe) { return shmem_ctx_##NAME##_atomic_compare_swap_nbi(ctx, fetch, dest, cond, value, pe); }
SHMEMI_AMO_BASE(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline T shmem_atomic_fetch_inc(T *dest, int pe) { return shmem_##NAME##_atomic_fetch_inc(dest, pe); } \
  static inline T shmem_atomic_fetch_inc(shmem_ctx_t ctx, T *dest, int pe) { return shmem_ctx_##NAME##_atomic_fetch_inc(ctx, dest, pe); }
SHMEMI_AMO_BASE(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline void shmem_atomic_fetch_inc_nbi(T *fetch, T *dest, int pe) { return shmem_##NAME##_atomic_fetch_inc_nbi(fetch, dest, pe); } \
  static inline void shmem_atomic_fetch_inc_nbi(shmem_ctx_t ctx, T *fetch, T *dest, int pe) { return shmem_ctx_##NAME##_atomic_fetch_inc_nbi(ctx, fetch, dest, pe); }
SHMEMI_AMO_BASE(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline void shmem_atomic_inc(T *dest, int pe) { return shmem_##NAME##_atomic_inc(dest, pe); } \
  static inline void shmem_atomic_inc(shmem_ctx_t ctx, T *dest, int pe) { return shmem_ctx_##NAME##_atomic_inc(ctx, dest, pe); }
SHMEMI_AMO_BASE(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline T shmem_atomic_fetch_add(T *dest, T value, int pe) { return shmem_##NAME##_atomic_fetch_add(dest, value, pe); } \
  static inline T shmem_atomic_fetch_add(shmem_ctx_t ctx, T *dest, T value, int pe) { return shmem_ctx_##NAME##_atomic_fetch_add(ctx, dest, value, pe); }
SHMEMI_AMO_BASE(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline void shmem_atomic_fetch_add_nbi(T *fetch, T *dest, T value, int pe) { return shmem_##NAME##_atomic_fetch_add_nbi(fetch, dest, value, pe); } \
  static inline void shmem_atomic_fetch_add_nbi(shmem_ctx_t ctx, T *fetch, T *dest, T value, int pe) { return shmem_ctx_##NAME##_atomic_fetch_add_nbi(ctx, fetch, dest, value, pe); }
SHMEMI_AMO_BASE(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline void shmem_atomic_add(T *dest, T value, int pe) { return shmem_##NAME##_atomic_add(dest, value, pe); } \
  static inline void shmem_atomic_add(shmem_ctx_t ctx, T *dest, T value, int pe) { return shmem_ctx_##NAME##_atomic_add(ctx, dest, value, pe); }
SHMEMI_AMO_BASE(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline T shmem_atomic_fetch_and(T *dest, T value, int pe) { return shmem_##NAME##_atomic_fetch_and(dest, value, pe); } \
  static inline T shmem_atomic_fetch_and(shmem_ctx_t ctx, T *dest, T value, int pe) { return shmem_ctx_##NAME##_atomic_fetch_and(ctx, dest, value, pe); }
SHMEMI_AMO_BITS_GENERIC(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline void shmem_atomic_fetch_and_nbi(T *fetch, T *dest, T value, int pe) { return shmem_##NAME##_atomic_fetch_and_nbi(fetch, dest, value, pe); } \
  static inline void shmem_atomic_fetch_and_nbi(shmem_ctx_t ctx, T *fetch, T *dest, T value, int pe) { return shmem_ctx_##NAME##_atomic_fetch_and_nbi(ctx, fetch, dest, value, pe); }
SHMEMI_AMO_BITS_GENERIC(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline void shmem_atomic_and(T *dest, T value, int pe) { return shmem_##NAME##_atomic_and(dest, value, pe); } \
  static inline void shmem_atomic_and(shmem_ctx_t ctx, T *dest, T value, int pe) { return shmem_ctx_##NAME##_atomic_and(ctx, dest, value, pe); }
SHMEMI_AMO_BITS_GENERIC(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline T shmem_atomic_fetch_or(T *dest, T value, int pe) { return shmem_##NAME##_atomic_fetch_or(dest, value, pe); } \
  static inline T shmem_atomic_fetch_or(shmem_ctx_t ctx, T *dest, T value, int pe) { return shmem_ctx_##NAME##_atomic_fetch_or(ctx, dest, value, pe); }
SHMEMI_AMO_BITS_GENERIC(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline void shmem_atomic_fetch_or_nbi(T *fetch, T *dest, T value, int pe) { return shmem_##NAME##_atomic_fetch_or_nbi(fetch, dest, value, pe); } \
  static inline void shmem_atomic_fetch_or_nbi(shmem_ctx_t ctx, T *fetch, T *dest, T value, int pe) { return shmem_ctx_##NAME##_atomic_fetch_or_nbi(ctx, fetch, dest, value, pe); }
SHMEMI_AMO_BITS_GENERIC(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline void shmem_atomic_or(T *dest, T value, int pe) { return shmem_##NAME##_atomic_or(dest, value, pe); } \
  static inline void shmem_atomic_or(shmem_ctx_t ctx, T *dest, T value, int pe) { return shmem_ctx_##NAME##_atomic_or(ctx, dest, value, pe); }
SHMEMI_AMO_BITS_GENERIC(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline T shmem_atomic_fetch_xor(T *dest, T value, int pe) { return shmem_##NAME##_atomic_fetch_xor(dest, value, pe); } \
  static inline T shmem_atomic_fetch_xor(shmem_ctx_t ctx, T *dest, T value, int pe) { return shmem_ctx_##NAME##_atomic_fetch_xor(ctx, dest, value, pe); }
SHMEMI_AMO_BITS_GENERIC(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline void shmem_atomic_fetch_xor_nbi(T *fetch, T *dest, T value, int pe) { return shmem_##NAME##_atomic_fetch_xor_nbi(fetch, dest, value, pe); } \
  static inline void shmem_atomic_fetch_xor_nbi(shmem_ctx_t ctx, T *fetch, T *dest, T value, int pe) { return shmem_ctx_##NAME##_atomic_fetch_xor_nbi(ctx, fetch, dest, value, pe); }
SHMEMI_AMO_BITS_GENERIC(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline void shmem_atomic_xor(T *dest, T value, int pe) { return shmem_##NAME##_atomic_xor(dest, value, pe); } \
  static inline void shmem_atomic_xor(shmem_ctx_t ctx, T *dest, T value, int pe) { return shmem_ctx_##NAME##_atomic_xor(ctx, dest, value, pe); }
SHMEMI_AMO_BITS_GENERIC(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline void shmem_wait_until(T *ivar, int cmp, T value) { shmem_##NAME##_wait_until(ivar, cmp, value); }
SHMEMI_WAIT_OTHERS(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline int shmem_test(T *ivar, int cmp, T value) { return shmem_##NAME##_test(ivar, cmp, value); }
SHMEMI_AMO_BASE(SHMEMI_ROW) SHMEMI_ROW(short, short) SHMEMI_ROW(ushort, unsigned short)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline void shmem_wait_until_all(T *ivars, size_t nelems, const int *status, int cmp, T value) { return shmem_##NAME##_wait_until_all(ivars, nelems, status, cmp, value); }
SHMEMI_AMO_BASE(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline size_t shmem_wait_until_any(T *ivars, size_t nelems, const int *status, int cmp, T value) { return shmem_##NAME##_wait_until_any(ivars, nelems, status, cmp, value); }
SHMEMI_AMO_BASE(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline int shmem_test_all(T *ivars, size_t nelems, const int *status, int cmp, T value) { return shmem_##NAME##_test_all(ivars, nelems, status, cmp, value); }
SHMEMI_AMO_BASE(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline size_t shmem_test_any(T *ivars, size_t nelems, const int *status, int cmp, T value) { return shmem_##NAME##_test_any(ivars, nelems, status, cmp, value); }
SHMEMI_AMO_BASE(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline size_t shmem_wait_until_some(T *ivars, size_t nelems, size_t *indices, const int *status, int cmp, T value) { return shmem_##NAME##_wait_until_some(ivars, nelems, indices, status, cmp, value); }
SHMEMI_AMO_BASE(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline size_t shmem_test_some(T *ivars, size_t nelems, size_t *indices, const int *status, int cmp, T value) { return shmem_##NAME##_test_some(ivars, nelems, indices, status, cmp, value); }
SHMEMI_AMO_BASE(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline void shmem_wait_until_all_vector(T *ivars, size_t nelems, const int *status, int cmp, const T *values) { return shmem_##NAME##_wait_until_all_vector(ivars, nelems, status, cmp, values); }
SHMEMI_AMO_BASE(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline size_t shmem_wait_until_any_vector(T *ivars, size_t nelems, const int *status, int cmp, const T *values) { return shmem_##NAME##_wait_until_any_vector(ivars, nelems, status, cmp, values); }
SHMEMI_AMO_BASE(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline int shmem_test_all_vector(T *ivars, size_t nelems, const int *status, int cmp, const T *values) { return shmem_##NAME##_test_all_vector(ivars, nelems, status, cmp, values); }
SHMEMI_AMO_BASE(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline size_t shmem_test_any_vector(T *ivars, size_t nelems, const int *status, int cmp, const T *values) { return shmem_##NAME##_test_any_vector(ivars, nelems, status, cmp, values); }
SHMEMI_AMO_BASE(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline size_t shmem_wait_until_some_vector(T *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const T *values) { return shmem_##NAME##_wait_until_some_vector(ivars, nelems, indices, status, cmp, values); }
SHMEMI_AMO_BASE(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline size_t shmem_test_some_vector(T *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const T *values) { return shmem_##NAME##_test_some_vector(ivars, nelems, indices, status, cmp, values); }
SHMEMI_AMO_BASE(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline int shmem_broadcast(shmem_team_t team, T *dest, const T *source, size_t nelems, int PE_root) { return shmem_##NAME##_broadcast(team, dest, source, nelems, PE_root); }
SHMEMI_BASE_TYPES(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline int shmem_collect(shmem_team_t team, T *dest, const T *source, size_t nelems) { return shmem_##NAME##_collect(team, dest, source, nelems); }
SHMEMI_BASE_TYPES(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline int shmem_fcollect(shmem_team_t team, T *dest, const T *source, size_t nelems) { return shmem_##NAME##_fcollect(team, dest, source, nelems); }
SHMEMI_BASE_TYPES(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline int shmem_alltoall(shmem_team_t team, T *dest, const T *source, size_t nelems) { return shmem_##NAME##_alltoall(team, dest, source, nelems); }
SHMEMI_BASE_TYPES(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline int shmem_alltoalls(shmem_team_t team, T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) { return shmem_##NAME##_alltoalls(team, dest, source, dst, sst, nelems); }
SHMEMI_BASE_TYPES(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline int shmem_and_reduce(shmem_team_t team, T *dest, const T *source, size_t nelems) { return shmem_##NAME##_and_reduce(team, dest, source, nelems); }
SHMEMI_REDUCE_BITS_GENERIC(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline int shmem_or_reduce(shmem_team_t team, T *dest, const T *source, size_t nelems) { return shmem_##NAME##_or_reduce(team, dest, source, nelems); }
SHMEMI_REDUCE_BITS_GENERIC(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline int shmem_xor_reduce(shmem_team_t team, T *dest, const T *source, size_t nelems) { return shmem_##NAME##_xor_reduce(team, dest, source, nelems); }
SHMEMI_REDUCE_BITS_GENERIC(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline int shmem_max_reduce(shmem_team_t team, T *dest, const T *source, size_t nelems) { return shmem_##NAME##_max_reduce(team, dest, source, nelems); }
SHMEMI_REDUCE_ORDER_BASE(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline int shmem_min_reduce(shmem_team_t team, T *dest, const T *source, size_t nelems) { return shmem_##NAME##_min_reduce(team, dest, source, nelems); }
SHMEMI_REDUCE_ORDER_BASE(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline int shmem_sum_reduce(shmem_team_t team, T *dest, const T *source, size_t nelems) { return shmem_##NAME##_sum_reduce(team, dest, source, nelems); }
SHMEMI_REDUCE_SUM_BASE(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline int shmem_prod_reduce(shmem_team_t team, T *dest, const T *source, size_t nelems) { return shmem_##NAME##_prod_reduce(team, dest, source, nelems); }
SHMEMI_REDUCE_SUM_BASE(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline int shmem_sum_inscan(shmem_team_t team, T *dest, const T *source, size_t nelems) { return shmem_##NAME##_sum_inscan(team, dest, source, nelems); }
SHMEMI_REDUCE_SUM_BASE(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline int shmem_sum_exscan(shmem_team_t team, T *dest, const T *source, size_t nelems) { return shmem_##NAME##_sum_exscan(team, dest, source, nelems); }
SHMEMI_REDUCE_SUM_BASE(SHMEMI_ROW)
#undef SHMEMI_ROW
static inline void shmem_signal_add(shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe) {
  shmem_ctx_signal_add(ctx, sig_addr, signal, pe);
}
static inline void shmem_signal_set(shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe) {
  shmem_ctx_signal_set(ctx, sig_addr, signal, pe);
}
static inline int shmem_sync(shmem_team_t team) { return shmem_team_sync(team); }

#endif
#endif
