/* Arithmetic on powers of two and on sizes. */
#ifndef TSR_BASE_BITS_H
#define TSR_BASE_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TSR_CACHE_LINE 64
#define TSR_ALIGNED_LINE _Alignas(TSR_CACHE_LINE)

static inline unsigned tsr_log2_floor(uint64_t x) { return 63u - (unsigned)__builtin_clzll(x); } /* x > 0 */
static inline unsigned tsr_log2_ceil(uint64_t x) { return x <= 1 ? 0 : tsr_log2_floor(x - 1) + 1; }
static inline bool tsr_is_pow2(uint64_t x) { return x != 0 && (x & (x - 1)) == 0; }
static inline uint64_t tsr_round_up(uint64_t x, uint64_t pow2) { return (x + pow2 - 1) & ~(pow2 - 1); }
static inline uint64_t tsr_round_down(uint64_t x, uint64_t pow2) { return x & ~(pow2 - 1); }

static inline size_t tsr_min_size(size_t a, size_t b) { return a < b ? a : b; }
static inline size_t tsr_max_size(size_t a, size_t b) { return a > b ? a : b; }

/* Stores a * b; false if it overflows. */
static inline bool tsr_mul_size(size_t a, size_t b, size_t *product) { return !__builtin_mul_overflow(a, b, product); }

#endif
