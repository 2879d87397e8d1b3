/* Copies of small elements a short distance apart, such as one field of many small structures. They load everything around
 * the elements, permute the bytes, and store under a mask. Bytes between the elements are read if they share a cache
 * line with an element, but never written. */
#include <stdint.h>

#include "base/bits.h"
#include "base/simd.h"
#include "vis/blocks.h"

#if defined __x86_64__
#include <immintrin.h>

/* A gather loads spans of two cache lines, one or more for each cache line that it stores. A scatter stores spans
 * of one cache line. */
enum { LINE = TSR_CACHE_LINE, SPAN = 2 * LINE, SPANS_MOST = 4 };
enum { WORTH_IT = 256 /* from so many blocks on, the tables are worth their setup */ };

static inline size_t divide_up(size_t a, size_t b) { return (a + b - 1) / b; }
/* A mask of the first n bytes. */
static inline __mmask64 first_bytes(ptrdiff_t n) { return n <= 0 ? 0 : n >= LINE ? ~UINT64_C(0) : (UINT64_C(1) << n) - 1; }

/* Returns for each byte i of a line k + k / each * more, where k = i - before. */
TSR_TARGET_AVX512 static inline __m256i half_steps(__m512i i, size_t before, size_t each, ptrdiff_t more) {
  const __m512i at = _mm512_sub_epi16(i, _mm512_set1_epi16((short)before));
  const __m512i inverse = _mm512_set1_epi16((short)(32768 / each + 1));
  const __m512i done = _mm512_mulhi_epu16(_mm512_add_epi16(at, at), inverse); /* at / each; exact for numbers this small */
  return _mm512_cvtepi16_epi8(_mm512_add_epi16(at, _mm512_mullo_epi16(done, _mm512_set1_epi16((short)more))));
}
TSR_TARGET_AVX512 static inline __m512i step_bytes(size_t before, size_t each, ptrdiff_t more) {
  const __m512i low = _mm512_set_epi16(31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9,
                                       8, 7, 6, 5, 4, 3, 2, 1, 0);
  const __m512i high = _mm512_add_epi16(low, _mm512_set1_epi16(32));
  return _mm512_inserti64x4(_mm512_castsi256_si512(half_steps(low, before, each, more)), half_steps(high, before, each, more), 1);
}

/* ---- gather ---- */

struct gather {
  size_t width, stride;
  size_t span_n, step_n;      /* elements of a span, and of a line that is stored */
  size_t free_n;              /* a step needs no mask while so many elements are left */
  ptrdiff_t span_bytes;       /* from one span to the next */
  __mmask64 part[SPANS_MOST]; /* the bytes of the line that a span fills */
  __m512i from[SPANS_MOST];   /* where these bytes are in the span */
};

static inline size_t gather_span_n(size_t width, size_t stride) {
  return tsr_min_size((SPAN - width) / stride + 1, LINE / width);
}

TSR_TARGET_AVX512 static inline __attribute__((always_inline)) struct gather prepare_gather(size_t width, size_t stride,
                                                                                            size_t spans_n) {
  const size_t span_n = gather_span_n(width, stride), part_bytes = span_n * width;
  const size_t reach = (spans_n - 1) * span_n * stride + SPAN; /* what a step reads */
  struct gather g = {.width = width,
                     .stride = stride,
                     .span_n = span_n,
                     .step_n = spans_n * span_n,
                     .free_n = tsr_max_size(divide_up(reach - width, stride) + 1, divide_up(LINE, width)),
                     .span_bytes = (ptrdiff_t)(span_n * stride)};
  for (size_t i = 0; i < spans_n; i++) {
    g.part[i] = first_bytes((ptrdiff_t)((i + 1) * part_bytes)) ^ first_bytes((ptrdiff_t)(i * part_bytes));
    g.from[i] = step_bytes(i * part_bytes, width, (ptrdiff_t)(stride - width));
  }
  return g;
}

/* Loads a line of elements; with `masked` only from the next `left` bytes. */
TSR_TARGET_AVX512 static inline __attribute__((always_inline)) __m512i gather_line(const struct gather *g, const char *src,
                                                                                   ptrdiff_t left, size_t spans_n,
                                                                                   bool masked) {
  __m512i line = _mm512_setzero_si512();
  for (size_t i = 0; i < spans_n; i++, src += g->span_bytes, left -= g->span_bytes) {
    const __m512i low = masked ? _mm512_maskz_loadu_epi8(first_bytes(left), src) : _mm512_loadu_si512(src);
    const __m512i high = masked ? _mm512_maskz_loadu_epi8(first_bytes(left - LINE), src + LINE)
                                : _mm512_loadu_si512(src + LINE);
    if (spans_n == 1) return _mm512_permutex2var_epi8(low, g->from[i], high);
    line = _mm512_or_si512(line, _mm512_maskz_permutex2var_epi8(g->part[i], low, g->from[i], high));
  }
  return line;
}

/* Completely inlined, so that the fields of `g` stay in registers. */
TSR_TARGET_AVX512 static inline __attribute__((always_inline)) void gather_by(const tsr_blocks *blocks, char *dest,
                                                                              const char *src, size_t spans_n) {
  const struct gather g = prepare_gather(blocks->bytes, (size_t)blocks->from.apart, spans_n);
  const size_t to_step = g.step_n * g.width, from_step = g.step_n * g.stride;
  for (size_t t = 0; t < blocks->times; t++, dest += blocks->to.step, src += blocks->from.step) {
    char *to = dest;
    const char *from = src;
    size_t n = blocks->n;
    for (; n >= g.free_n; n -= g.step_n, to += to_step, from += from_step)
      _mm512_storeu_si512(to, gather_line(&g, from, 0, spans_n, false));
    for (size_t now; n > 0; n -= now, to += to_step, from += from_step) {
      now = tsr_min_size(n, g.step_n);
      const __m512i line = gather_line(&g, from, (ptrdiff_t)((n - 1) * g.stride + g.width), spans_n, true);
      _mm512_mask_storeu_epi8(to, first_bytes((ptrdiff_t)(now * g.width)), line);
    }
  }
}

TSR_TARGET_AVX512 static void gather_blocks(const tsr_blocks *blocks, char *dest, const char *src, size_t spans_n) {
  if (spans_n == 1) gather_by(blocks, dest, src, 1);
  else if (spans_n == 2) gather_by(blocks, dest, src, 2);
  else gather_by(blocks, dest, src, SPANS_MOST);
}

/* ---- scatter ---- */

/* Each line that is loaded fills `spans_n` spans. */
TSR_TARGET_AVX512 static inline __attribute__((always_inline)) void scatter_by(const tsr_blocks *blocks, char *dest,
                                                                               const char *src, size_t spans_n) {
  const size_t width = blocks->bytes, stride = (size_t)blocks->to.apart, span_n = (LINE - width) / stride + 1;
  const size_t to_step = span_n * stride, from_step = span_n * width, step_n = spans_n * span_n;
  const size_t free_n = tsr_max_size(step_n, divide_up(LINE, width));
  const __m512i next = _mm512_set1_epi8((char)from_step), where = step_bytes(0, stride, -(ptrdiff_t)(stride - width));
  __mmask64 part = 0;
  for (size_t k = 0; k < span_n; k++) part |= first_bytes((ptrdiff_t)width) << (k * stride);
  for (size_t t = 0; t < blocks->times; t++, dest += blocks->to.step, src += blocks->from.step) {
    char *to = dest;
    const char *from = src;
    size_t n = blocks->n;
    for (; n >= free_n; n -= step_n, from += spans_n * from_step) {
      const __m512i line = _mm512_loadu_si512(from);
      __m512i at = where;
      for (size_t i = 0; i < spans_n; i++, to += to_step, at = _mm512_add_epi8(at, next))
        _mm512_mask_storeu_epi8(to, part, _mm512_permutexvar_epi8(at, line));
    }
    for (size_t now; n > 0; n -= now, to += to_step, from += from_step) {
      now = tsr_min_size(n, span_n);
      const __m512i some = _mm512_maskz_loadu_epi8(first_bytes((ptrdiff_t)(n * width)), from);
      _mm512_mask_storeu_epi8(to, part & first_bytes((ptrdiff_t)((now - 1) * stride + width)),
                              _mm512_permutexvar_epi8(where, some));
    }
  }
}

TSR_TARGET_AVX512 static void scatter_blocks(const tsr_blocks *blocks, char *dest, const char *src, size_t spans_n) {
  if (spans_n == 1) scatter_by(blocks, dest, src, 1);
  else if (spans_n == 2) scatter_by(blocks, dest, src, 2);
  else scatter_by(blocks, dest, src, SPANS_MOST);
}

/* ---- choosing ---- */

static bool lies_close(const tsr_blocks *blocks, ptrdiff_t apart) {
  return apart > (ptrdiff_t)blocks->bytes && apart < LINE;
}

/* The limits below were measured. The other kernels take two copies for a size that is no power of two. */
static bool is_pair(size_t width) { return !tsr_is_pow2(width); }

/* The number of spans of `bytes` in a line, rounded down to a number that has a kernel. */
static size_t spans_for(size_t bytes) { return bytes * SPANS_MOST <= LINE ? SPANS_MOST : bytes * 2 <= LINE ? 2 : 1; }

static bool try_gather(const tsr_blocks *blocks, char *dest, const char *src) {
  const size_t width = blocks->bytes, span_n = gather_span_n(width, (size_t)blocks->from.apart);
  if (span_n * (is_pair(width) ? 3 : width >= 8 ? 2 : 1) < 8) return false;
  gather_blocks(blocks, dest, src, spans_for(span_n * width));
  return true;
}

static bool try_scatter(const tsr_blocks *blocks, char *dest, const char *src) {
  const size_t span_n = (LINE - blocks->bytes) / (size_t)blocks->to.apart + 1;
  if (span_n * (is_pair(blocks->bytes) ? 2 : 1) < 4) return false;
  scatter_blocks(blocks, dest, src, spans_for(span_n * blocks->bytes));
  return true;
}

bool tsr_spans_copy(const tsr_blocks *blocks, char *dest, const char *src) {
  const ptrdiff_t line = (ptrdiff_t)blocks->bytes;
  if (tsr_simd < TSR_SIMD_AVX512 || blocks->to.offs || blocks->from.offs || blocks->n * blocks->times < WORTH_IT) return false;
  if (blocks->to.apart == line && lies_close(blocks, blocks->from.apart)) return try_gather(blocks, dest, src);
  if (blocks->from.apart == line && lies_close(blocks, blocks->to.apart)) return try_scatter(blocks, dest, src);
  return false;
}

#else

bool tsr_spans_copy(const tsr_blocks *blocks, char *dest, const char *src) {
  (void)blocks;
  (void)dest;
  (void)src;
  return false;
}

#endif
