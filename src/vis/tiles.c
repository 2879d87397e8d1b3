#include <string.h>

#include "base/bits.h"
#include "base/simd.h"
#include "vis/kernels.h"

#if defined __x86_64__
#include <immintrin.h>
#endif

/* A tile is about a cache line on each side, so that a cache line is used completely before it is evicted. It is no
 * larger, because rows that lie a power of two apart compete for one set of the L1 cache. Tiles are copied strip by strip:
 * the pages of the source rows in a strip, one page for each row, stay in the TLB, and longer parts of the destination rows are
 * written one after another. */
enum { STRIP_BYTES = 4096, STRIP_MOST = 1024 /* runs */ };

static inline __attribute__((always_inline)) size_t strip_of(size_t width) {
  return tsr_min_size(STRIP_BYTES / width, STRIP_MOST);
}

/* ---- runs of any size, any strides ---- */

/* The strides are local copies, because the compiler must assume that a store changes the plan. */
struct steps {
  ptrdiff_t dest, src, dest_row, src_row;
};
static inline __attribute__((always_inline)) void copy_tile(struct steps step, char *dest, const char *src, size_t n,
                                                            size_t rows_n, size_t width, size_t last, bool pair) {
  for (; rows_n > 0; rows_n--, dest += step.dest_row, src += step.src_row) {
    char *to = dest;
    const char *from = src;
    for (size_t k = 0; k < n; k++, to += step.dest, from += step.src) tsr_copy_constant(to, from, width, last, pair);
  }
}

static inline __attribute__((always_inline)) void copy_tiles(const tsr_plan *plan, char *dest, const char *src, size_t width,
                                                             bool pair) {
  const struct steps step = {plan->dest_stride[0], plan->src_stride[0], plan->dest_stride[1], plan->src_stride[1]};
  const size_t side = width <= 4 ? 16 : 8, n = plan->count[0], rows_n = plan->count[1], last = plan->run_bytes - width;
  for (size_t strip = 0; strip < n; strip += strip_of(width)) {
    const size_t end = tsr_min_size(strip + strip_of(width), n);
    for (size_t row = 0; row < rows_n; row += side)
      for (size_t i = strip; i < end; i += side)
        copy_tile(step, dest + (ptrdiff_t)row * step.dest_row + (ptrdiff_t)i * step.dest,
                  src + (ptrdiff_t)row * step.src_row + (ptrdiff_t)i * step.src, tsr_min_size(side, end - i),
                  tsr_min_size(side, rows_n - row), width, last, pair);
  }
}

#define TILES(width, pair, name)                                                \
  static void tiles_##name(const tsr_plan *plan, char *dest, const char *src) { \
    copy_tiles(plan, dest, src, width, pair);                                   \
  }
TSR_KERNEL_SIZES(TILES)

/* ---- contiguous elements on both sides, in blocks of vectors ---- */

#if __has_builtin(__builtin_shufflevector)

/* block_NAME transposes `across` x `across` elements: vectors of the source that lie `src_apart` apart become vectors
 * of the destination. The last blocks of a row or column overlap the ones before and write the same bytes again. */
#define DENSE(name, attribute, width, side, across)                                                           \
  attribute static void dense_##name(const tsr_plan *plan, char *dest, const char *src) {                     \
    const ptrdiff_t dest_apart = plan->dest_stride[1], src_apart = plan->src_stride[0];                       \
    const size_t n = plan->count[0], rows_n = plan->count[1];                                                 \
    for (size_t strip = 0; strip < n; strip += strip_of(width))                                               \
      for (size_t top = 0; top < rows_n; top += (side))                                                       \
        for (size_t left = strip; left < tsr_min_size(strip + strip_of(width), n); left += (side))                 \
          for (size_t row = top; row < tsr_min_size(top + (side), rows_n); row += (across))                        \
            for (size_t i = left; i < tsr_min_size(left + (side), n); i += (across)) {                             \
              const ptrdiff_t at = (ptrdiff_t)tsr_min_size(i, n - (across));                                       \
              const ptrdiff_t row_at = (ptrdiff_t)tsr_min_size(row, rows_n - (across));                            \
              block_##name(dest + row_at * dest_apart + at * (width), dest_apart,                             \
                           src + at * src_apart + row_at * (width), src_apart);                               \
            }                                                                                                 \
  }

/* Interleaves vectors i and i + half, log2(across) times. */
#define BLOCK(name, width, across, LOW, HIGH)                                                                     \
  typedef uint##name##_t vector_##name __attribute__((vector_size(16)));                                          \
  static inline __attribute__((always_inline)) void block_##name(char *dest, ptrdiff_t dest_apart, const char *src, \
                                                                 ptrdiff_t src_apart) {                           \
    vector_##name row[across], next[across];                                                                      \
    for (int i = 0; i < (across); i++) memcpy(&row[i], src + i * src_apart, sizeof row[i]);                       \
    for (int done = 1; done < (across); done *= 2) {                                                              \
      for (int i = 0; i < (across) / 2; i++) {                                                                    \
        next[2 * i] = __builtin_shufflevector(row[i], row[i + (across) / 2], LOW);                                \
        next[2 * i + 1] = __builtin_shufflevector(row[i], row[i + (across) / 2], HIGH);                           \
      }                                                                                                           \
      for (int i = 0; i < (across); i++) row[i] = next[i];                                                        \
    }                                                                                                             \
    for (int i = 0; i < (across); i++) memcpy(dest + i * dest_apart, &row[i], sizeof row[i]);                     \
  }
#define LOW_OF_2 0, 2
#define HIGH_OF_2 1, 3
#define LOW_OF_4 0, 4, 1, 5
#define HIGH_OF_4 2, 6, 3, 7
#define LOW_OF_8 0, 8, 1, 9, 2, 10, 3, 11
#define HIGH_OF_8 4, 12, 5, 13, 6, 14, 7, 15
#define LOW_OF_16 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define HIGH_OF_16 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
BLOCK(8, 1, 16, LOW_OF_16, HIGH_OF_16)
BLOCK(16, 2, 8, LOW_OF_8, HIGH_OF_8)
BLOCK(32, 4, 4, LOW_OF_4, HIGH_OF_4)
BLOCK(64, 8, 2, LOW_OF_2, HIGH_OF_2)
DENSE(8, , 1, 32, 16)
DENSE(16, , 2, 16, 8)
DENSE(32, , 4, 16, 4)
DENSE(64, , 8, 8, 2)

/* Indexed by log2 of the width. */
struct dense {
  tsr_plan_fn fn;
  size_t across;
};
static const struct dense dense_vectors[] = {{dense_8, 16}, {dense_16, 8}, {dense_32, 4}, {dense_64, 2}};
#endif

#if defined __x86_64__
/* Halves of rows i and i + 4 share a vector, so that no element crosses between the halves. */
TSR_TARGET_AVX2 static inline void block_avx2_32(char *dest, ptrdiff_t dest_apart, const char *src, ptrdiff_t src_apart) {
  for (ptrdiff_t half = 0; half < 2; half++, dest += 4 * dest_apart, src += 16) {
    __m256 row[4];
    for (ptrdiff_t i = 0; i < 4; i++)
      row[i] = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps((const float *)(const void *)(src + i * src_apart))),
                                    _mm_loadu_ps((const float *)(const void *)(src + (i + 4) * src_apart)), 1);
    const __m256 low = _mm256_unpacklo_ps(row[0], row[1]), low_next = _mm256_unpacklo_ps(row[2], row[3]);
    const __m256 high = _mm256_unpackhi_ps(row[0], row[1]), high_next = _mm256_unpackhi_ps(row[2], row[3]);
    _mm256_storeu_ps((float *)(void *)dest, _mm256_shuffle_ps(low, low_next, 0x44));
    _mm256_storeu_ps((float *)(void *)(dest + dest_apart), _mm256_shuffle_ps(low, low_next, 0xee));
    _mm256_storeu_ps((float *)(void *)(dest + 2 * dest_apart), _mm256_shuffle_ps(high, high_next, 0x44));
    _mm256_storeu_ps((float *)(void *)(dest + 3 * dest_apart), _mm256_shuffle_ps(high, high_next, 0xee));
  }
}

TSR_TARGET_AVX2 static inline void block_avx2_64(char *dest, ptrdiff_t dest_apart, const char *src, ptrdiff_t src_apart) {
  __m256d row[4];
  for (ptrdiff_t i = 0; i < 4; i++) row[i] = _mm256_loadu_pd((const double *)(const void *)(src + i * src_apart));
  const __m256d low = _mm256_unpacklo_pd(row[0], row[1]), low_next = _mm256_unpacklo_pd(row[2], row[3]);
  const __m256d high = _mm256_unpackhi_pd(row[0], row[1]), high_next = _mm256_unpackhi_pd(row[2], row[3]);
  _mm256_storeu_pd((double *)(void *)dest, _mm256_permute2f128_pd(low, low_next, 0x20));
  _mm256_storeu_pd((double *)(void *)(dest + dest_apart), _mm256_permute2f128_pd(high, high_next, 0x20));
  _mm256_storeu_pd((double *)(void *)(dest + 2 * dest_apart), _mm256_permute2f128_pd(low, low_next, 0x31));
  _mm256_storeu_pd((double *)(void *)(dest + 3 * dest_apart), _mm256_permute2f128_pd(high, high_next, 0x31));
}
DENSE(avx2_32, TSR_TARGET_AVX2, 4, 16, 8)
DENSE(avx2_64, TSR_TARGET_AVX2, 8, 8, 4)
static const struct dense dense_avx2[] = {{dense_8, 16}, {dense_16, 8}, {dense_avx2_32, 8}, {dense_avx2_64, 4}};
#else
#define dense_avx2 dense_vectors
#endif

/* ---- choosing ---- */

/* NULL: the elements are not contiguous on both sides, or there are too few. */
static tsr_plan_fn choose_dense(const tsr_plan *plan, unsigned width_log2) {
#if __has_builtin(__builtin_shufflevector)
  const ptrdiff_t width = (ptrdiff_t)plan->run_bytes;
  if (tsr_simd == TSR_SIMD_NONE || width > 8 || plan->dest_stride[0] != width || plan->src_stride[1] != width) return NULL;
  const struct dense *dense = &(tsr_simd >= TSR_SIMD_AVX2 ? dense_avx2 : dense_vectors)[width_log2];
  if (plan->count[0] >= dense->across && plan->count[1] >= dense->across) return dense->fn;
#else
  (void)plan;
  (void)width_log2;
#endif
  return NULL;
}

tsr_plan_fn tsr_tiles_kernel(const tsr_plan *plan) {
  static const tsr_plan_fn power[] = {tiles_1, tiles_2, tiles_4, tiles_8, tiles_16, tiles_32, tiles_64};
  static const tsr_plan_fn pair[] = {NULL, tiles_to_3, tiles_to_7, tiles_to_15, tiles_to_31, tiles_to_63};
  const unsigned width_log2 = tsr_log2_floor(plan->run_bytes);
  if (!tsr_is_pow2(plan->run_bytes)) return pair[width_log2];
  tsr_plan_fn dense = choose_dense(plan, width_log2);
  return dense ? dense : power[width_log2];
}
