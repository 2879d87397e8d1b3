#include "vis/blocks.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/bits.h"
#include "base/copy.h"
#include "vis/kernels.h"

#if defined __x86_64__
#include <immintrin.h>
#endif

/* Always inlined, so that `width` is a constant and each copy is a load and a store. With `pair` a block is copied as its
 * first and its last `width` bytes, for sizes that are no power of two. */
#define ALWAYS_INLINE static inline __attribute__((always_inline)) void

/* The current place on one side of a copy. If `listed` is a constant, block_of() has no branch. `apart` is that of
 * tsr_places. */
struct side {
  char *at;
  const tsr_off *offs;
  ptrdiff_t apart;
  bool listed;
};
/* Adds numbers, not pointers: the base of a list of pointers lies in no object. */
static inline __attribute__((always_inline)) char *block_of(const struct side *side, ptrdiff_t k) {
  if (!side->listed) return side->at + k * side->apart;
  return (char *)((uintptr_t)side->at + (uintptr_t)side->offs[k * side->apart]);
}
ALWAYS_INLINE pass_blocks(struct side *side, ptrdiff_t n) {
  if (side->listed) side->offs += n * side->apart;
  else side->at += n * side->apart;
}

/* Copies four small blocks. If the destination is contiguous (`to_dense`), all four are loaded before the first is
 * stored, so that the compiler can merge stores. */
enum { FEW = 4, SMALL = 16 /* bytes */ };
ALWAYS_INLINE copy_few(const struct side *to, const struct side *from, size_t width, bool to_dense) {
  struct { char bytes[SMALL]; } block[FEW];
  for (ptrdiff_t k = 0; k < FEW; k++) {
    memcpy(&block[k], block_of(from, k), width);
    if (!to_dense) memcpy(block_of(to, k), &block[k], width);
  }
  for (ptrdiff_t k = 0; to_dense && k < FEW; k++) memcpy(block_of(to, k), &block[k], width);
}

/* Copies all repetitions; `listed` of both sides is a constant, as are `width`, `pair` and `to_dense`. */
ALWAYS_INLINE copy_all(const tsr_blocks *blocks, struct side to, struct side from, size_t width, bool pair,
                       bool to_dense) {
  const size_t n = blocks->n, last = blocks->bytes - width;
  const ptrdiff_t to_step = blocks->to.step, from_step = blocks->from.step;
  for (size_t times = blocks->times; times > 0; times--, to.at += to_step, from.at += from_step) {
    struct side dest = to, src = from;
    size_t left = n;
    if (width <= SMALL && !pair)
      for (; left >= FEW; left -= FEW, pass_blocks(&dest, FEW), pass_blocks(&src, FEW)) copy_few(&dest, &src, width, to_dense);
    for (; left > 0; left--, pass_blocks(&dest, 1), pass_blocks(&src, 1))
      tsr_copy_constant(block_of(&dest, 0), block_of(&src, 0), width, last, pair);
  }
}

ALWAYS_INLINE copy_each(const tsr_blocks *blocks, char *dest, const char *source, size_t width, bool pair) {
  const ptrdiff_t dense = (ptrdiff_t)width; /* distance of contiguous blocks */
  const tsr_off *to = blocks->to.offs, *from = blocks->from.offs;
  char *src = (char *)source;
  const struct side to_list = {dest, to, blocks->to.apart, true}, to_dense = {dest, NULL, dense, false},
                    to_apart = {dest, NULL, blocks->to.apart, false}, from_list = {src, from, blocks->from.apart, true},
                    from_dense = {src, NULL, dense, false}, from_apart = {src, NULL, blocks->from.apart, false};
  const bool packs = !pair && !to && to_apart.apart == dense, unpacks = !pair && !from && from_apart.apart == dense;
  if (packs && from) copy_all(blocks, to_dense, from_list, width, pair, true);
  else if (packs) copy_all(blocks, to_dense, from_apart, width, pair, true);
  else if (unpacks && to) copy_all(blocks, to_list, from_dense, width, pair, false);
  else if (unpacks) copy_all(blocks, to_apart, from_dense, width, pair, false);
  else if (to && from) copy_all(blocks, to_list, from_list, width, pair, false);
  else if (from) copy_all(blocks, to_apart, from_list, width, pair, false);
  else if (to) copy_all(blocks, to_list, from_apart, width, pair, false);
  else copy_all(blocks, to_apart, from_apart, width, pair, false);
}

/* Up to so many blocks, a loop with a branch for each block is faster than the setup of a specialised loop. */
enum { HANDFUL = 8 };

ALWAYS_INLINE copy_handful(const tsr_blocks *blocks, char *dest, const char *source, size_t width, bool pair) {
  const struct side to = {dest, blocks->to.offs, blocks->to.apart, blocks->to.offs};
  const struct side from = {(char *)source, blocks->from.offs, blocks->from.apart, blocks->from.offs};
  const size_t n = blocks->n, last = blocks->bytes - width;
  for (size_t k = 0; k < n; k++) tsr_copy_constant(block_of(&to, (ptrdiff_t)k), block_of(&from, (ptrdiff_t)k), width, last, pair);
}

#define KERNEL(width, pair, name)                                                                                        \
  static __attribute__((noinline)) void many_##name(const tsr_blocks *blocks, char *dest, const char *src) {             \
    if ((width) <= TSR_SPANS_MOST_BYTES && blocks->n >= TSR_SPANS_FROM && tsr_spans_copy(blocks, dest, src)) return; \
    copy_each(blocks, dest, src, width, pair);                                                                           \
  }                                                                                                                      \
  static void copy_##name(const tsr_blocks *blocks, char *dest, const char *src) {                                       \
    if (blocks->n <= HANDFUL && blocks->times == 1) copy_handful(blocks, dest, src, width, pair);                        \
    else many_##name(blocks, dest, src);                                                                                 \
  }
TSR_KERNEL_SIZES(KERNEL)

static void copy_long(const tsr_blocks *blocks, char *dest, const char *src) {
  for (size_t t = 0; t < blocks->times; t++, dest += blocks->to.step, src += blocks->from.step) {
    const struct side to = {dest, blocks->to.offs, blocks->to.apart, blocks->to.offs};
    const struct side from = {(char *)src, blocks->from.offs, blocks->from.apart, blocks->from.offs};
    for (size_t i = 0; i < blocks->n; i++)
      tsr_copy(block_of(&to, (ptrdiff_t)i), block_of(&from, (ptrdiff_t)i), blocks->bytes);
  }
}

tsr_blocks_fn tsr_blocks_kernel(size_t bytes) {
  static const tsr_blocks_fn power[] = {copy_1, copy_2, copy_4, copy_8, copy_16, copy_32, copy_64};
  static const tsr_blocks_fn pair[] = {NULL, copy_to_3, copy_to_7, copy_to_15, copy_to_31, copy_to_63};
  if (bytes > 64) return copy_long;
  return (tsr_is_pow2(bytes) ? power : pair)[tsr_log2_floor(bytes)];
}

/* ---- streaming ---- */

/* Cache lines are written without being read first, and no other data is evicted. Streamed bytes are ordered before
 * later stores only by end_stream(). */
#if defined __x86_64__
static void stream_copy(char *restrict dest, const char *restrict src, size_t bytes) {
  const size_t before = (0 - (uintptr_t)dest) % TSR_CACHE_LINE;
  if (bytes < before + TSR_CACHE_LINE) {
    memcpy(dest, src, bytes);
    return;
  }
  memcpy(dest, src, before);
  dest += before, src += before, bytes -= before;
  for (; bytes >= TSR_CACHE_LINE; dest += TSR_CACHE_LINE, src += TSR_CACHE_LINE, bytes -= TSR_CACHE_LINE)
    for (int part = 0; part < TSR_CACHE_LINE; part += (int)sizeof(__m128i))
      _mm_stream_si128((__m128i *)(void *)(dest + part), _mm_loadu_si128((const __m128i *)(const void *)(src + part)));
  memcpy(dest, src, bytes);
}

static void end_stream(void) { _mm_sfence(); }

#else

static void stream_copy(char *restrict dest, const char *restrict src, size_t bytes) { memcpy(dest, src, bytes); }
static void end_stream(void) {}

#endif

void tsr_blocks_stream(const tsr_blocks *blocks, char *dest, const char *src) {
  for (size_t t = 0; t < blocks->times; t++, dest += blocks->to.step, src += blocks->from.step) {
    const struct side to = {dest, blocks->to.offs, blocks->to.apart, blocks->to.offs};
    const struct side from = {(char *)src, blocks->from.offs, blocks->from.apart, blocks->from.offs};
    for (size_t i = 0; i < blocks->n; i++)
      stream_copy(block_of(&to, (ptrdiff_t)i), block_of(&from, (ptrdiff_t)i), blocks->bytes);
  }
  end_stream();
}
