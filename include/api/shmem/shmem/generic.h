/* Names that select the function by the type of their arguments: in C11 by _Generic, in C++ by overloads. A context may come
 * first where the function has one; each argument is evaluated once. */
#ifndef TSR_SHMEM_GENERIC_H
#define TSR_SHMEM_GENERIC_H

#include <shmem.h>

/* OpenSHMEM has no bitwise reductions of long long. The generic ones accept it, as some other implementations do: signed and
 * unsigned numbers have the same bits, and may be accessed as each other. SHMEMI_LONGLONG(NAME) is the name of such a function. C11
 * and C++ define it below. */
#define SHMEMI_LONGLONG_REDUCE(name) \
  static inline int SHMEMI_LONGLONG(name)(shmem_team_t team, long long *dest, const long long *source, size_t nreduce) { \
    return shmem_ulonglong_##name(team, (unsigned long long *)dest, (const unsigned long long *)source, nreduce); \
  }
#define SHMEMI_LONGLONG_ALL \
  SHMEMI_LONGLONG_REDUCE(and_reduce) SHMEMI_LONGLONG_REDUCE(or_reduce) SHMEMI_LONGLONG_REDUCE(xor_reduce)

#if !defined(__cplusplus) && __STDC_VERSION__ >= 201112L

#define SHMEMI_LONGLONG(name) shmemi_shmem_longlong_##name
SHMEMI_LONGLONG_ALL
#undef SHMEMI_LONGLONG

/* Selected for a type that the function does not accept, so that the call does not compile. */
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
#define SHMEMI_SELECT_REDUCE_BITS_GENERIC(prefix, suffix) \
  SHMEMI_POINTERS(unsigned char, prefix##uchar##suffix) SHMEMI_POINTERS(unsigned short, prefix##ushort##suffix) \
  SHMEMI_POINTERS(unsigned int, prefix##uint##suffix) SHMEMI_POINTERS(unsigned long, prefix##ulong##suffix) \
  SHMEMI_POINTERS(unsigned long long, prefix##ulonglong##suffix) \
  SHMEMI_POINTERS(signed char, prefix##int8##suffix) SHMEMI_POINTERS(short, prefix##int16##suffix) \
  SHMEMI_POINTERS(int, prefix##int32##suffix) SHMEMI_POINTERS(long, prefix##int64##suffix) \
  SHMEMI_POINTERS(long long, shmemi_##prefix##longlong##suffix)
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
/* Select by the type of a pointer, which is the first argument, or the second one after a context or a team. */
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
#define shmem_atomic_fetch_and(...) SHMEMI_SELECT_CTX(SHMEMI_SELECT_AMO_BASE, _atomic_fetch_and, __VA_ARGS__)
#define shmem_atomic_and(...) SHMEMI_SELECT_CTX(SHMEMI_SELECT_AMO_BASE, _atomic_and, __VA_ARGS__)
#define shmem_atomic_fetch_and_nbi(...) SHMEMI_SELECT_CTX(SHMEMI_SELECT_AMO_BASE, _atomic_fetch_and_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_or(...) SHMEMI_SELECT_CTX(SHMEMI_SELECT_AMO_BASE, _atomic_fetch_or, __VA_ARGS__)
#define shmem_atomic_or(...) SHMEMI_SELECT_CTX(SHMEMI_SELECT_AMO_BASE, _atomic_or, __VA_ARGS__)
#define shmem_atomic_fetch_or_nbi(...) SHMEMI_SELECT_CTX(SHMEMI_SELECT_AMO_BASE, _atomic_fetch_or_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_xor(...) SHMEMI_SELECT_CTX(SHMEMI_SELECT_AMO_BASE, _atomic_fetch_xor, __VA_ARGS__)
#define shmem_atomic_xor(...) SHMEMI_SELECT_CTX(SHMEMI_SELECT_AMO_BASE, _atomic_xor, __VA_ARGS__)
#define shmem_atomic_fetch_xor_nbi(...) SHMEMI_SELECT_CTX(SHMEMI_SELECT_AMO_BASE, _atomic_fetch_xor_nbi, __VA_ARGS__)
#define shmem_signal_add(...) \
  _Generic((SHMEMI_FIRST(__VA_ARGS__, 0)), shmem_ctx_t: shmem_ctx_signal_add, default: shmem_signal_add)(__VA_ARGS__)
#define shmem_signal_set(...) \
  _Generic((SHMEMI_FIRST(__VA_ARGS__, 0)), shmem_ctx_t: shmem_ctx_signal_set, default: shmem_signal_set)(__VA_ARGS__)

/* Programs may declare the variables that they wait for as volatile. */
#define SHMEMI_SEVERAL(RETURN, result, NAME, T, name) \
  static inline result shmemi_##NAME##_##name(volatile T *ivars, size_t nelems, const int *status, int cmp, T value) { \
    RETURN shmem_##NAME##_##name((T *)(uintptr_t)ivars, nelems, status, cmp, value); \
  } \
  static inline result shmemi_##NAME##_##name##_vector(volatile T *ivars, size_t nelems, const int *status, int cmp, \
                                                       const T *values) { \
    RETURN shmem_##NAME##_##name##_vector((T *)(uintptr_t)ivars, nelems, status, cmp, values); \
  }
#define SHMEMI_SOME(NAME, T, name) \
  static inline size_t shmemi_##NAME##_##name(volatile T *ivars, size_t nelems, size_t *indices, const int *status, int cmp, \
                                              T value) { \
    return shmem_##NAME##_##name((T *)(uintptr_t)ivars, nelems, indices, status, cmp, value); \
  } \
  static inline size_t shmemi_##NAME##_##name##_vector(volatile T *ivars, size_t nelems, size_t *indices, const int *status, \
                                                       int cmp, const T *values) { \
    return shmem_##NAME##_##name##_vector((T *)(uintptr_t)ivars, nelems, indices, status, cmp, values); \
  }
#define SHMEMI_ROW(NAME, T) \
  static inline void shmemi_##NAME##_wait_until(volatile T *ivar, int cmp, T value) { \
    shmem_##NAME##_wait_until((T *)(uintptr_t)ivar, cmp, value); \
  } \
  static inline int shmemi_##NAME##_test(volatile T *ivar, int cmp, T value) { \
    return shmem_##NAME##_test((T *)(uintptr_t)ivar, cmp, value); \
  } \
  SHMEMI_SEVERAL(, void, NAME, T, wait_until_all) SHMEMI_SEVERAL(return, size_t, NAME, T, wait_until_any) \
  SHMEMI_SOME(NAME, T, wait_until_some) \
  SHMEMI_SEVERAL(return, int, NAME, T, test_all) SHMEMI_SEVERAL(return, size_t, NAME, T, test_any) SHMEMI_SOME(NAME, T, test_some)
SHMEMI_WAIT_BASE(SHMEMI_ROW)
#undef SHMEMI_ROW
#undef SHMEMI_SOME
#undef SHMEMI_SEVERAL
#define SHMEMI_ROW(NAME, T) \
  static inline void shmemi_##NAME##_wait(volatile T *ivar, T value) { shmem_##NAME##_wait((T *)(uintptr_t)ivar, value); }
SHMEMI_WAIT_BASE(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_SELECT_WAIT(prefix, suffix) \
  SHMEMI_SELECT_AMO_BASE(prefix, suffix) SHMEMI_POINTERS(short, prefix##short##suffix) \
  SHMEMI_POINTERS(unsigned short, prefix##ushort##suffix)
#define SHMEMI_SELECT_PLAIN(rows, suffix, ...) \
  SHMEMI_SELECT(rows, SHMEMI_FIRST(__VA_ARGS__, 0), shmem_, suffix)(__VA_ARGS__)

#define SHMEMI_SELECT_VOLATILE(rows, suffix, ...) \
  SHMEMI_SELECT(rows, SHMEMI_FIRST(__VA_ARGS__, 0), shmemi_, suffix)(__VA_ARGS__)

#define shmem_wait_until(...) SHMEMI_SELECT_VOLATILE(SHMEMI_SELECT_WAIT, _wait_until, __VA_ARGS__)
#define shmem_test(...) SHMEMI_SELECT_VOLATILE(SHMEMI_SELECT_WAIT, _test, __VA_ARGS__)
#define shmem_wait_until_all(...) SHMEMI_SELECT_VOLATILE(SHMEMI_SELECT_WAIT, _wait_until_all, __VA_ARGS__)
#define shmem_wait_until_any(...) SHMEMI_SELECT_VOLATILE(SHMEMI_SELECT_WAIT, _wait_until_any, __VA_ARGS__)
#define shmem_wait_until_some(...) SHMEMI_SELECT_VOLATILE(SHMEMI_SELECT_WAIT, _wait_until_some, __VA_ARGS__)
#define shmem_test_all(...) SHMEMI_SELECT_VOLATILE(SHMEMI_SELECT_WAIT, _test_all, __VA_ARGS__)
#define shmem_test_any(...) SHMEMI_SELECT_VOLATILE(SHMEMI_SELECT_WAIT, _test_any, __VA_ARGS__)
#define shmem_test_some(...) SHMEMI_SELECT_VOLATILE(SHMEMI_SELECT_WAIT, _test_some, __VA_ARGS__)
#define shmem_wait_until_all_vector(...) SHMEMI_SELECT_VOLATILE(SHMEMI_SELECT_WAIT, _wait_until_all_vector, __VA_ARGS__)
#define shmem_wait_until_any_vector(...) SHMEMI_SELECT_VOLATILE(SHMEMI_SELECT_WAIT, _wait_until_any_vector, __VA_ARGS__)
#define shmem_wait_until_some_vector(...) SHMEMI_SELECT_VOLATILE(SHMEMI_SELECT_WAIT, _wait_until_some_vector, __VA_ARGS__)
#define shmem_test_all_vector(...) SHMEMI_SELECT_VOLATILE(SHMEMI_SELECT_WAIT, _test_all_vector, __VA_ARGS__)
#define shmem_test_any_vector(...) SHMEMI_SELECT_VOLATILE(SHMEMI_SELECT_WAIT, _test_any_vector, __VA_ARGS__)
#define shmem_test_some_vector(...) SHMEMI_SELECT_VOLATILE(SHMEMI_SELECT_WAIT, _test_some_vector, __VA_ARGS__)
#define shmem_wait(...) SHMEMI_SELECT_VOLATILE(SHMEMI_SELECT_WAIT, _wait, __VA_ARGS__)

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

/* shmem_sync takes a team, or an active set in four arguments. */
#define shmem_sync(...) \
  _Generic((SHMEMI_FIRST(__VA_ARGS__, 0)), shmem_team_t: shmem_team_sync, default: shmem_sync)(__VA_ARGS__)

/* Deprecated. */
#define shmem_fetch(...) SHMEMI_SELECT_PLAIN(SHMEMI_SELECT_GENERIC_EXTENDED, _fetch, __VA_ARGS__)
#define shmem_set(...) SHMEMI_SELECT_PLAIN(SHMEMI_SELECT_GENERIC_EXTENDED, _set, __VA_ARGS__)
#define shmem_swap(...) SHMEMI_SELECT_PLAIN(SHMEMI_SELECT_GENERIC_EXTENDED, _swap, __VA_ARGS__)
#define shmem_cswap(...) SHMEMI_SELECT_PLAIN(SHMEMI_SELECT_AMO_BASE, _cswap, __VA_ARGS__)
#define shmem_finc(...) SHMEMI_SELECT_PLAIN(SHMEMI_SELECT_AMO_BASE, _finc, __VA_ARGS__)
#define shmem_inc(...) SHMEMI_SELECT_PLAIN(SHMEMI_SELECT_AMO_BASE, _inc, __VA_ARGS__)
#define shmem_fadd(...) SHMEMI_SELECT_PLAIN(SHMEMI_SELECT_AMO_BASE, _fadd, __VA_ARGS__)
#define shmem_add(...) SHMEMI_SELECT_PLAIN(SHMEMI_SELECT_AMO_BASE, _add, __VA_ARGS__)

#elif defined(__cplusplus)

extern "C++" { /* a program may include shmem.h inside extern "C" */

/* SHMEMI_OVERLOAD(RESULT, TYPE, NAME, (PARAMETERS), (ARGUMENTS)) defines the overload of shmem_NAME for a type;
 * SHMEMI_OVERLOAD_CTX also defines the one with a context as first parameter. */
#define SHMEMI_ALL(...) __VA_ARGS__
#define SHMEMI_OVERLOAD(result, TYPE, name, parameters, arguments) \
  static inline result shmem_##name(SHMEMI_ALL parameters) { return shmem_##TYPE##_##name(SHMEMI_ALL arguments); }
#define SHMEMI_OVERLOAD_CTX(result, TYPE, name, parameters, arguments) \
  SHMEMI_OVERLOAD(result, TYPE, name, parameters, arguments) \
  static inline result shmem_##name(shmem_ctx_t ctx, SHMEMI_ALL parameters) { \
    return shmem_ctx_##TYPE##_##name(ctx, SHMEMI_ALL arguments); \
  }

/* Functions with the same parameters. */
#define SHMEMI_COPY(NAME, T, name) \
  SHMEMI_OVERLOAD_CTX(void, NAME, name, (T *dest, const T *source, size_t nelems, int pe), (dest, source, nelems, pe))
#define SHMEMI_STRIDED(NAME, T, name) \
  SHMEMI_OVERLOAD_CTX(void, NAME, name, (T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe), \
    (dest, source, dst, sst, nelems, pe))
#define SHMEMI_BLOCKS(NAME, T, name) \
  SHMEMI_OVERLOAD_CTX(void, NAME, name, \
    (T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe), \
    (dest, source, dst, sst, bsize, nblocks, pe))
#define SHMEMI_SIGNAL(NAME, T, name) \
  SHMEMI_OVERLOAD_CTX(void, NAME, name, \
    (T *dest, const T *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe), \
    (dest, source, nelems, sig_addr, signal, sig_op, pe))
#define SHMEMI_TEAM(NAME, T, name) \
  SHMEMI_OVERLOAD(int, NAME, name, (shmem_team_t team, T *dest, const T *source, size_t nelems), (team, dest, source, nelems))
#define SHMEMI_UPDATE(NAME, T, name) SHMEMI_OVERLOAD_CTX(void, NAME, name, (T *dest, T value, int pe), (dest, value, pe))
#define SHMEMI_FETCH(NAME, T, name) SHMEMI_OVERLOAD_CTX(T, NAME, name, (T *dest, T value, int pe), (dest, value, pe))
#define SHMEMI_FETCH_NBI(NAME, T, name) \
  SHMEMI_OVERLOAD_CTX(void, NAME, name, (T *fetch, T *dest, T value, int pe), (fetch, dest, value, pe))
/* The template accepts pointers to volatile variables. For others, NULL among them, the function is the better match. */
#define SHMEMI_OVERLOAD_VOLATILE(result, NAME, T, name, parameters, arguments) \
  template <typename Word> static inline result shmem_##NAME##_##name(volatile Word *ivars, SHMEMI_ALL parameters) { \
    return shmem_##NAME##_##name(const_cast<T *>(ivars), SHMEMI_ALL arguments); \
  }
#define SHMEMI_VOLATILE_SEVERAL(result, NAME, T, name) \
  SHMEMI_OVERLOAD_VOLATILE(result, NAME, T, name, (size_t nelems, const int *status, int cmp, T value), \
    (nelems, status, cmp, value)) \
  SHMEMI_OVERLOAD_VOLATILE(result, NAME, T, name##_vector, (size_t nelems, const int *status, int cmp, const T *values), \
    (nelems, status, cmp, values))
#define SHMEMI_VOLATILE_SOME(NAME, T, name) \
  SHMEMI_OVERLOAD_VOLATILE(size_t, NAME, T, name, (size_t nelems, size_t *indices, const int *status, int cmp, T value), \
    (nelems, indices, status, cmp, value)) \
  SHMEMI_OVERLOAD_VOLATILE(size_t, NAME, T, name##_vector, \
    (size_t nelems, size_t *indices, const int *status, int cmp, const T *values), (nelems, indices, status, cmp, values))
#define SHMEMI_WAIT(result, NAME, T, name) \
  SHMEMI_OVERLOAD(result, NAME, name, (volatile T *ivars, size_t nelems, const int *status, int cmp, T value), \
    (ivars, nelems, status, cmp, value)) \
  SHMEMI_OVERLOAD(result, NAME, name##_vector, (volatile T *ivars, size_t nelems, const int *status, int cmp, const T *values), \
    (ivars, nelems, status, cmp, values))
#define SHMEMI_WAIT_SOME(NAME, T, name) \
  SHMEMI_OVERLOAD(size_t, NAME, name, (volatile T *ivars, size_t nelems, size_t *indices, const int *status, int cmp, T value), \
    (ivars, nelems, indices, status, cmp, value)) \
  SHMEMI_OVERLOAD(size_t, NAME, name##_vector, \
    (volatile T *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const T *values), \
    (ivars, nelems, indices, status, cmp, values))

#define SHMEMI_ROW(NAME, T) \
  SHMEMI_COPY(NAME, T, put) SHMEMI_COPY(NAME, T, get) SHMEMI_COPY(NAME, T, put_nbi) SHMEMI_COPY(NAME, T, get_nbi) \
  SHMEMI_UPDATE(NAME, T, p) \
  SHMEMI_OVERLOAD_CTX(T, NAME, g, (const T *source, int pe), (source, pe)) \
  SHMEMI_STRIDED(NAME, T, iput) SHMEMI_STRIDED(NAME, T, iget) \
  SHMEMI_BLOCKS(NAME, T, ibput) SHMEMI_BLOCKS(NAME, T, ibget) \
  SHMEMI_SIGNAL(NAME, T, put_signal) SHMEMI_SIGNAL(NAME, T, put_signal_nbi) \
  SHMEMI_OVERLOAD(int, NAME, broadcast, (shmem_team_t team, T *dest, const T *source, size_t nelems, int PE_root), \
    (team, dest, source, nelems, PE_root)) \
  SHMEMI_TEAM(NAME, T, collect) SHMEMI_TEAM(NAME, T, fcollect) SHMEMI_TEAM(NAME, T, alltoall) \
  SHMEMI_OVERLOAD(int, NAME, alltoalls, \
    (shmem_team_t team, T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems), \
    (team, dest, source, dst, sst, nelems))
SHMEMI_BASE_TYPES(SHMEMI_ROW)
#undef SHMEMI_ROW

#define SHMEMI_ROW(NAME, T) \
  SHMEMI_OVERLOAD_CTX(T, NAME, atomic_fetch, (const T *source, int pe), (source, pe)) \
  SHMEMI_OVERLOAD_CTX(void, NAME, atomic_fetch_nbi, (T *fetch, const T *source, int pe), (fetch, source, pe)) \
  SHMEMI_UPDATE(NAME, T, atomic_set) SHMEMI_FETCH(NAME, T, atomic_swap) SHMEMI_FETCH_NBI(NAME, T, atomic_swap_nbi)
SHMEMI_AMO_BASE(SHMEMI_ROW) SHMEMI_AMO_FLOATS(SHMEMI_ROW)
#undef SHMEMI_ROW

#define SHMEMI_ROW(NAME, T) \
  SHMEMI_OVERLOAD_CTX(T, NAME, atomic_compare_swap, (T *dest, T cond, T value, int pe), (dest, cond, value, pe)) \
  SHMEMI_OVERLOAD_CTX(void, NAME, atomic_compare_swap_nbi, (T *fetch, T *dest, T cond, T value, int pe), \
    (fetch, dest, cond, value, pe)) \
  SHMEMI_OVERLOAD_CTX(void, NAME, atomic_inc, (T *dest, int pe), (dest, pe)) \
  SHMEMI_OVERLOAD_CTX(T, NAME, atomic_fetch_inc, (T *dest, int pe), (dest, pe)) \
  SHMEMI_OVERLOAD_CTX(void, NAME, atomic_fetch_inc_nbi, (T *fetch, T *dest, int pe), (fetch, dest, pe)) \
  SHMEMI_UPDATE(NAME, T, atomic_add) SHMEMI_FETCH(NAME, T, atomic_fetch_add) SHMEMI_FETCH_NBI(NAME, T, atomic_fetch_add_nbi)
SHMEMI_AMO_BASE(SHMEMI_ROW)
#undef SHMEMI_ROW

/* Programs may declare the variables that they wait for, and locks, as volatile, as in OpenSHMEM before 1.4. */
#define SHMEMI_ROW(NAME, T) \
  static inline void shmem_##NAME##_wait_until(volatile T *ivar, int cmp, T value) { \
    shmem_##NAME##_wait_until(const_cast<T *>(ivar), cmp, value); \
  } \
  static inline int shmem_##NAME##_test(volatile T *ivar, int cmp, T value) { \
    return shmem_##NAME##_test(const_cast<T *>(ivar), cmp, value); \
  } \
  SHMEMI_VOLATILE_SEVERAL(void, NAME, T, wait_until_all) \
  SHMEMI_VOLATILE_SEVERAL(size_t, NAME, T, wait_until_any) \
  SHMEMI_VOLATILE_SOME(NAME, T, wait_until_some) \
  SHMEMI_VOLATILE_SEVERAL(int, NAME, T, test_all) SHMEMI_VOLATILE_SEVERAL(size_t, NAME, T, test_any) \
  SHMEMI_VOLATILE_SOME(NAME, T, test_some)
SHMEMI_WAIT_TYPES(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  static inline void shmem_##NAME##_wait(volatile T *ivar, T value) { shmem_##NAME##_wait(const_cast<T *>(ivar), value); }
SHMEMI_WAIT_TYPES(SHMEMI_ROW)
#undef SHMEMI_ROW
static inline void shmem_set_lock(volatile long *lock) { shmem_set_lock(const_cast<long *>(lock)); }
static inline int shmem_test_lock(volatile long *lock) { return shmem_test_lock(const_cast<long *>(lock)); }
static inline void shmem_clear_lock(volatile long *lock) { shmem_clear_lock(const_cast<long *>(lock)); }

#define SHMEMI_ROW(NAME, T) \
  SHMEMI_WAIT(void, NAME, T, wait_until_all) \
  SHMEMI_WAIT(size_t, NAME, T, wait_until_any) \
  SHMEMI_WAIT_SOME(NAME, T, wait_until_some) \
  SHMEMI_WAIT(int, NAME, T, test_all) SHMEMI_WAIT(size_t, NAME, T, test_any) SHMEMI_WAIT_SOME(NAME, T, test_some) \
  SHMEMI_OVERLOAD(int, NAME, test, (volatile T *ivar, int cmp, T value), (ivar, cmp, value))
SHMEMI_WAIT_BASE(SHMEMI_ROW)
#undef SHMEMI_ROW

#define SHMEMI_ROW(NAME, T) \
  SHMEMI_UPDATE(NAME, T, atomic_and) SHMEMI_FETCH(NAME, T, atomic_fetch_and) SHMEMI_FETCH_NBI(NAME, T, atomic_fetch_and_nbi) \
  SHMEMI_UPDATE(NAME, T, atomic_or) SHMEMI_FETCH(NAME, T, atomic_fetch_or) SHMEMI_FETCH_NBI(NAME, T, atomic_fetch_or_nbi) \
  SHMEMI_UPDATE(NAME, T, atomic_xor) SHMEMI_FETCH(NAME, T, atomic_fetch_xor) SHMEMI_FETCH_NBI(NAME, T, atomic_fetch_xor_nbi)
SHMEMI_AMO_BASE(SHMEMI_ROW)
#undef SHMEMI_ROW

#define SHMEMI_ROW(NAME, T) SHMEMI_OVERLOAD(void, NAME, wait_until, (volatile T *ivar, int cmp, T value), (ivar, cmp, value))
SHMEMI_WAIT_BASE(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) SHMEMI_OVERLOAD(void, NAME, wait, (volatile T *ivar, T value), (ivar, value))
SHMEMI_WAIT_BASE(SHMEMI_ROW)
#undef SHMEMI_ROW

/* Names without "atomic". */
#define SHMEMI_ROW(NAME, T) \
  SHMEMI_OVERLOAD(T, NAME, fetch, (const T *source, int pe), (source, pe)) \
  SHMEMI_OVERLOAD(void, NAME, set, (T *dest, T value, int pe), (dest, value, pe)) \
  SHMEMI_OVERLOAD(T, NAME, swap, (T *dest, T value, int pe), (dest, value, pe))
SHMEMI_AMO_BASE(SHMEMI_ROW) SHMEMI_AMO_FLOATS(SHMEMI_ROW)
#undef SHMEMI_ROW
#define SHMEMI_ROW(NAME, T) \
  SHMEMI_OVERLOAD(T, NAME, cswap, (T *dest, T cond, T value, int pe), (dest, cond, value, pe)) \
  SHMEMI_OVERLOAD(T, NAME, finc, (T *dest, int pe), (dest, pe)) \
  SHMEMI_OVERLOAD(void, NAME, inc, (T *dest, int pe), (dest, pe)) \
  SHMEMI_OVERLOAD(T, NAME, fadd, (T *dest, T value, int pe), (dest, value, pe)) \
  SHMEMI_OVERLOAD(void, NAME, add, (T *dest, T value, int pe), (dest, value, pe))
SHMEMI_AMO_BASE(SHMEMI_ROW)
#undef SHMEMI_ROW

#define SHMEMI_ROW(NAME, T) SHMEMI_TEAM(NAME, T, and_reduce) SHMEMI_TEAM(NAME, T, or_reduce) SHMEMI_TEAM(NAME, T, xor_reduce)
SHMEMI_REDUCE_BITS_GENERIC(SHMEMI_ROW)
#undef SHMEMI_ROW

#define SHMEMI_LONGLONG(name) shmem_##name /* an overload */
SHMEMI_LONGLONG_ALL
#undef SHMEMI_LONGLONG

#define SHMEMI_ROW(NAME, T) SHMEMI_TEAM(NAME, T, max_reduce) SHMEMI_TEAM(NAME, T, min_reduce)
SHMEMI_REDUCE_ORDER_BASE(SHMEMI_ROW)
#undef SHMEMI_ROW

#define SHMEMI_ROW(NAME, T) \
  SHMEMI_TEAM(NAME, T, sum_reduce) SHMEMI_TEAM(NAME, T, prod_reduce) \
  SHMEMI_TEAM(NAME, T, sum_inscan) SHMEMI_TEAM(NAME, T, sum_exscan)
SHMEMI_REDUCE_SUM_BASE(SHMEMI_ROW)
#undef SHMEMI_ROW

static inline void shmem_signal_add(shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe) {
  shmem_ctx_signal_add(ctx, sig_addr, signal, pe);
}
static inline void shmem_signal_set(shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe) {
  shmem_ctx_signal_set(ctx, sig_addr, signal, pe);
}
static inline int shmem_sync(shmem_team_t team) { return shmem_team_sync(team); }
#undef SHMEMI_WAIT_SOME
#undef SHMEMI_WAIT
#undef SHMEMI_VOLATILE_SOME
#undef SHMEMI_VOLATILE_SEVERAL
#undef SHMEMI_OVERLOAD_VOLATILE
#undef SHMEMI_FETCH_NBI
#undef SHMEMI_FETCH
#undef SHMEMI_UPDATE
#undef SHMEMI_TEAM
#undef SHMEMI_SIGNAL
#undef SHMEMI_BLOCKS
#undef SHMEMI_STRIDED
#undef SHMEMI_COPY
#undef SHMEMI_OVERLOAD_CTX
#undef SHMEMI_OVERLOAD
#undef SHMEMI_ALL

}

#endif
#endif
