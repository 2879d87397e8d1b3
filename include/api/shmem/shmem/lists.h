/* The types of OpenSHMEM: ROW(NAME, TYPE) for each type of a list (OpenSHMEM 1.5, tables 3 to 10). */
#ifndef TSR_SHMEM_LISTS_H
#define TSR_SHMEM_LISTS_H

#include <stddef.h>
#include <stdint.h>

__extension__ typedef float _Complex shmemi_complexf;
__extension__ typedef double _Complex shmemi_complexd;

#define SHMEMI_EXACT_UNSIGNED(ROW) ROW(uint8, uint8_t) ROW(uint16, uint16_t) ROW(uint32, uint32_t) ROW(uint64, uint64_t)
#define SHMEMI_EXACT_SIGNED(ROW) ROW(int8, int8_t) ROW(int16, int16_t) ROW(int32, int32_t) ROW(int64, int64_t)

/* Standard RMA types. */
#define SHMEMI_RMA_TYPES(ROW)                                                                                              \
  SHMEMI_BASE_TYPES(ROW) SHMEMI_EXACT_SIGNED(ROW) SHMEMI_EXACT_UNSIGNED(ROW) ROW(size, size_t) ROW(ptrdiff, ptrdiff_t)

/* No two of these are the same type: the rows of generic selections. */
#define SHMEMI_BASE_TYPES(ROW)                                                                                             \
  ROW(float, float) ROW(double, double) ROW(longdouble, long double) ROW(char, char) ROW(schar, signed char)               \
  ROW(short, short) ROW(int, int) ROW(long, long) ROW(longlong, long long) ROW(uchar, unsigned char)                       \
  ROW(ushort, unsigned short) ROW(uint, unsigned int) ROW(ulong, unsigned long) ROW(ulonglong, unsigned long long)

/* Standard AMO types; the first list has no type twice. */
#define SHMEMI_AMO_BASE(ROW)                                                                                               \
  ROW(int, int) ROW(long, long) ROW(longlong, long long) ROW(uint, unsigned int) ROW(ulong, unsigned long)                 \
  ROW(ulonglong, unsigned long long)
#define SHMEMI_AMO_TYPES(ROW)                                                                                              \
  SHMEMI_AMO_BASE(ROW) ROW(int32, int32_t) ROW(int64, int64_t) ROW(uint32, uint32_t) ROW(uint64, uint64_t)                 \
  ROW(size, size_t) ROW(ptrdiff, ptrdiff_t)
/* Types of waits and tests. Those for short are older than the others, or come from other implementations. */
#define SHMEMI_WAIT_SHORT(ROW) ROW(short, short) ROW(ushort, unsigned short)
#define SHMEMI_WAIT_BASE(ROW) SHMEMI_AMO_BASE(ROW) SHMEMI_WAIT_SHORT(ROW)
#define SHMEMI_WAIT_TYPES(ROW) SHMEMI_AMO_TYPES(ROW) SHMEMI_WAIT_SHORT(ROW)
/* Extended AMO types are the standard ones and these. */
#define SHMEMI_AMO_FLOATS(ROW) ROW(float, float) ROW(double, double)
/* Bitwise AMO types. Those named for int, long and long long come from other implementations. */
#define SHMEMI_AMO_BITS(ROW)                                                                                               \
  SHMEMI_AMO_BASE(ROW) ROW(int32, int32_t) ROW(int64, int64_t) ROW(uint32, uint32_t) ROW(uint64, uint64_t)

/* Old names of AMOs: those of int, long and long long; the other types come from other implementations. */
#define SHMEMI_OLD_AMO(ROW) SHMEMI_AMO_TYPES(ROW)

/* Reductions: bitwise, order, arithmetic. The _BASE lists have no type twice. */
#define SHMEMI_REDUCE_BITS_BASE(ROW)                                                                                       \
  ROW(uchar, unsigned char) ROW(ushort, unsigned short) ROW(uint, unsigned int) ROW(ulong, unsigned long)                  \
  ROW(ulonglong, unsigned long long)
#define SHMEMI_REDUCE_BITS_GENERIC(ROW)                                                                                    \
  SHMEMI_REDUCE_BITS_BASE(ROW) ROW(int8, signed char) ROW(int16, short) ROW(int32, int) ROW(int64, long)
#define SHMEMI_REDUCE_BITS(ROW)                                                                                            \
  SHMEMI_REDUCE_BITS_BASE(ROW) SHMEMI_EXACT_SIGNED(ROW) SHMEMI_EXACT_UNSIGNED(ROW) ROW(size, size_t)
#define SHMEMI_REDUCE_ORDER_REST(ROW)                                                                                      \
  ROW(char, char) ROW(schar, signed char) ROW(short, short) ROW(int, int) ROW(long, long) ROW(longlong, long long)         \
  ROW(float, float) ROW(double, double) ROW(longdouble, long double)
#define SHMEMI_REDUCE_ORDER_BASE(ROW) SHMEMI_REDUCE_BITS_BASE(ROW) SHMEMI_REDUCE_ORDER_REST(ROW)
#define SHMEMI_REDUCE_ORDER(ROW) SHMEMI_REDUCE_BITS(ROW) SHMEMI_REDUCE_ORDER_REST(ROW) ROW(ptrdiff, ptrdiff_t)
#define SHMEMI_COMPLEX(ROW) ROW(complexd, shmemi_complexd) ROW(complexf, shmemi_complexf)
#define SHMEMI_REDUCE_SUM_BASE(ROW) SHMEMI_REDUCE_ORDER_BASE(ROW) SHMEMI_COMPLEX(ROW)
#define SHMEMI_REDUCE_SUM(ROW) SHMEMI_REDUCE_ORDER(ROW) SHMEMI_COMPLEX(ROW)

/* Reductions over active sets. */
#define SHMEMI_SET_BITS(ROW) ROW(short, short) ROW(int, int) ROW(long, long) ROW(longlong, long long)
#define SHMEMI_SET_ORDER(ROW)                                                                                              \
  SHMEMI_SET_BITS(ROW) ROW(float, float) ROW(double, double) ROW(longdouble, long double)
#define SHMEMI_SET_SUM(ROW) SHMEMI_SET_ORDER(ROW) SHMEMI_COMPLEX(ROW)

/* ROW(bits) */
#define SHMEMI_SIZES(ROW) ROW(8) ROW(16) ROW(32) ROW(64) ROW(128)
#define SHMEMI_SET_SIZES(ROW) ROW(32) ROW(64)

#endif
