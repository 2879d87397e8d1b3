#include "vis/blocks.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/bits.h"
#include "base/copy.h"
#include "vis/kernels.h"
#include "vis/stream.h"
#include "vis/windows.h"

/* Templates: with a constant `width` each copy is a load and a store; a block that is no power of two ("pair") is copied as
 * its first and its last `width` bytes. */
#define ALWAYS_INLINE static inline __attribute__((always_inline)) void

/* One side of a copy on its way. The compiler knows which of three kinds it is: listed, or at a constant distance (a line: end
 * to end), or neither. `apart` is that of tsr_places. */
struct side {
  char *at;
  const tsr_off *offs;
  ptrdiff_t apart;
  bool listed;
};
/* A list of pointers has no object that its base would lie in: numbers are added. */
static inline __attribute__((always_inline)) char *block_of(const struct side *side, ptrdiff_t k) {
  if (!side->listed) return side->at + k * side->apart;
  return (char *)((uintptr_t)side->at + (uintptr_t)side->offs[k * side->apart]);
}
ALWAYS_INLINE pass(struct side *side, ptrdiff_t n) {
  if (side->listed) side->offs += n * side->apart;
  else side->at += n * side->apart;
}

/* Small ones go by fours, */
enum { FEW = 4, SMALL = 16 };

/* and into a line so that all four are read before the first is written: then one store may do for two. */
ALWAYS_INLINE copy_few(const struct side *to, const struct side *from, size_t width, bool to_line) {
  struct { char bytes[SMALL]; } block[FEW];
  for (ptrdiff_t k = 0; k < FEW; k++) {
    memcpy(&block[k], block_of(from, k), width);
    if (!to_line) memcpy(block_of(to, k), &block[k], width);
  }
  for (ptrdiff_t k = 0; to_line && k < FEW; k++) memcpy(block_of(to, k), &block[k], width);
}

/* Each time over, with the kinds of both sides known to the compiler. */
ALWAYS_INLINE copy_all(const tsr_blocks *blocks, struct side to, struct side from, size_t width, bool pair,
                       bool to_line) {
  const size_t n = blocks->n, last = blocks->bytes - width;
  const ptrdiff_t to_step = blocks->to.step, from_step = blocks->from.step;
  for (size_t times = blocks->times; times > 0; times--, to.at += to_step, from.at += from_step) {
    struct side dest = to, src = from;
    size_t left = n;
    if (width <= SMALL && !pair)
      for (; left >= FEW; left -= FEW, pass(&dest, FEW), pass(&src, FEW)) copy_few(&dest, &src, width, to_line);
    for (; left > 0; left--, pass(&dest, 1), pass(&src, 1))
      tsr_copy_constant(block_of(&dest, 0), block_of(&src, 0), width, last, pair);
  }
}

ALWAYS_INLINE copy_each(const tsr_blocks *blocks, char *dest, const char *source, size_t width, bool pair) {
  const ptrdiff_t line = (ptrdiff_t)width;
  const tsr_off *to = blocks->to.offs, *from = blocks->from.offs;
  char *src = (char *)source;
  const struct side to_list = {dest, to, blocks->to.apart, true}, to_line = {dest, NULL, line, false},
                    to_apart = {dest, NULL, blocks->to.apart, false}, from_list = {src, from, blocks->from.apart, true},
                    from_line = {src, NULL, line, false}, from_apart = {src, NULL, blocks->from.apart, false};
  const bool into_line = !pair && !to && to_apart.apart == line, out_of_line = !pair && !from && from_apart.apart == line;
  if (into_line && from) copy_all(blocks, to_line, from_list, width, pair, true);
  else if (into_line) copy_all(blocks, to_line, from_apart, width, pair, true);
  else if (out_of_line && to) copy_all(blocks, to_list, from_line, width, pair, false);
  else if (out_of_line) copy_all(blocks, to_apart, from_line, width, pair, false);
  else if (to && from) copy_all(blocks, to_list, from_list, width, pair, false);
  else if (from) copy_all(blocks, to_apart, from_list, width, pair, false);
  else if (to) copy_all(blocks, to_list, from_apart, width, pair, false);
  else copy_all(blocks, to_apart, from_apart, width, pair, false);
}

/* So few that a loop which asks for each where it lies is over before a quicker one has begun. */
enum { HANDFUL = 8 };

ALWAYS_INLINE copy_handful(const tsr_blocks *blocks, char *dest, const char *source, size_t width, bool pair) {
  const struct side to = {dest, blocks->to.offs, blocks->to.apart, blocks->to.offs};
  const struct side from = {(char *)source, blocks->from.offs, blocks->from.apart, blocks->from.offs};
  const size_t n = blocks->n, last = blocks->bytes - width;
  for (size_t k = 0; k < n; k++) tsr_copy_constant(block_of(&to, (ptrdiff_t)k), block_of(&from, (ptrdiff_t)k), width, last, pair);
}

#define KERNEL(width, pair, name)                                                                                        \
  static __attribute__((noinline)) void many_##name(const tsr_blocks *blocks, char *dest, const char *src) {             \
    if ((width) <= TSR_WINDOWS_MOST_BYTES && blocks->n >= TSR_WINDOWS_FROM && tsr_windows_copy(blocks, dest, src)) return; \
    copy_each(blocks, dest, src, width, pair);                                                                           \
  }                                                                                                                      \
  static void copy_##name(const tsr_blocks *blocks, char *dest, const char *src) {                                       \
    if (blocks->n <= HANDFUL && blocks->times == 1) copy_handful(blocks, dest, src, width, pair);                        \
    else many_##name(blocks, dest, src);                                                                                 \
  }
TSR_KERNEL_SIZES(KERNEL)
/* Each is a call of its own. */
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

void tsr_blocks_stream(const tsr_blocks *blocks, char *dest, const char *src) {
  for (size_t t = 0; t < blocks->times; t++, dest += blocks->to.step, src += blocks->from.step) {
    const struct side to = {dest, blocks->to.offs, blocks->to.apart, blocks->to.offs};
    const struct side from = {(char *)src, blocks->from.offs, blocks->from.apart, blocks->from.offs};
    for (size_t i = 0; i < blocks->n; i++)
      tsr_stream_copy(block_of(&to, (ptrdiff_t)i), block_of(&from, (ptrdiff_t)i), blocks->bytes);
  }
  tsr_stream_end();
}
