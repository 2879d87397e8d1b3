#include "vis/listed.h"

#include <string.h>

#include "base/simd.h"
#if defined __x86_64__
#include <immintrin.h>
#endif

enum { LONG_PART_N = 4 * TSR_LIST_PART_N };

static inline size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

static inline __attribute__((always_inline)) bool all_follow(const tsr_off *offs, size_t n, ptrdiff_t bytes) {
  ptrdiff_t differ = 0;
  for (size_t i = 0; i < n; i++) differ |= offs[i] ^ (offs[0] + (ptrdiff_t)i * bytes);
  return differ == 0;
}
#if defined __x86_64__
TSR_TARGET_AVX2 static bool all_follow_avx2(const tsr_off *offs, size_t n, ptrdiff_t bytes) {
  return all_follow(offs, n, bytes);
}

TSR_TARGET_AVX512 static bool all_follow_avx512(const tsr_off *offs, size_t n, ptrdiff_t bytes) {
  enum { AT_ONCE = 4, LANES = 8 };
  const __m512i lane = _mm512_setr_epi64(0, bytes, 2 * bytes, 3 * bytes, 4 * bytes, 5 * bytes, 6 * bytes, 7 * bytes);
  const __m512i step = _mm512_set1_epi64(AT_ONCE * LANES * bytes);
  __m512i right[AT_ONCE], differ[AT_ONCE];
  for (int k = 0; k < AT_ONCE; k++) {
    right[k] = _mm512_add_epi64(lane, _mm512_set1_epi64(offs[0] + k * LANES * bytes));
    differ[k] = _mm512_setzero_si512();
  }
  size_t i = 0;
  for (; i + AT_ONCE * LANES <= n; i += AT_ONCE * LANES)
    for (int k = 0; k < AT_ONCE; k++) {
      const __m512i wrong = _mm512_xor_si512(_mm512_loadu_si512(offs + i + k * LANES), right[k]);
      differ[k] = _mm512_or_si512(differ[k], wrong);
      right[k] = _mm512_add_epi64(right[k], step);
    }
  const __m512i any = _mm512_or_si512(_mm512_or_si512(differ[0], differ[1]), _mm512_or_si512(differ[2], differ[3]));
  const size_t rest = i > 0 ? i - 1 : 0; /* from the last that is known to be right */
  return _mm512_test_epi64_mask(any, any) == 0 && all_follow(offs + rest, n - rest, bytes);
}
#endif

/* Most that are not dense show it by their ends. */
bool tsr_list_is_dense(const tsr_off *offs, size_t n, ptrdiff_t bytes) {
  if (offs[n - 1] - offs[0] != (ptrdiff_t)(n - 1) * bytes) return false;
#if defined __x86_64__
  if (tsr_simd >= TSR_SIMD_AVX512) return all_follow_avx512(offs, n, bytes);
  if (tsr_simd >= TSR_SIMD_AVX2) return all_follow_avx2(offs, n, bytes);
#endif
  return all_follow(offs, n, bytes);
}

/* Of an offset that is too large, or negative, or of what is left above it, the highest bit is set. */
static inline __attribute__((always_inline)) bool all_inside(void *const *list, size_t n, uintptr_t base, size_t room) {
  size_t out = 0;
  for (size_t i = 0; i < n; i++) {
    const size_t off = (uintptr_t)list[i] - base;
    out |= off | (room - off);
  }
  return (ptrdiff_t)out >= 0;
}
/* A length that is not the right one has the highest bit set in itself less the right one, or in the negative of that. */
static inline __attribute__((always_inline)) bool all_even(const tsr_off *pairs, size_t n, size_t bytes, uintptr_t base,
                                                           size_t room) {
  size_t out = 0, differ = 0;
  for (size_t i = 0; i < n; i++) {
    const size_t off = (size_t)pairs[2 * i] - base, more = (size_t)pairs[2 * i + 1] - bytes;
    out |= off | (room - off);
    differ |= more | (0 - more);
  }
  return (ptrdiff_t)(out | differ) >= 0;
}

enum { VECTORS_FROM = 16 /* pointers: of fewer the plain loop takes no longer */ };

#if defined __x86_64__
TSR_TARGET_AVX2 static bool all_inside_avx2(void *const *list, size_t n, uintptr_t base, size_t room) {
  return all_inside(list, n, base, room);
}
TSR_TARGET_AVX2 static bool all_even_avx2(const tsr_off *pairs, size_t n, size_t bytes, uintptr_t base, size_t room) {
  return all_even(pairs, n, bytes, base, room);
}
#endif

bool tsr_list_is_inside(void *const list[], size_t n, uintptr_t base, size_t room) {
#if defined __x86_64__
  if (n >= VECTORS_FROM && tsr_simd >= TSR_SIMD_AVX2) return all_inside_avx2(list, n, base, room);
#endif
  return all_inside(list, n, base, room);
}

bool tsr_list_is_even(const tsr_off *pairs, size_t n, size_t bytes, uintptr_t base, size_t room) {
#if defined __x86_64__
  if (n >= VECTORS_FROM && tsr_simd >= TSR_SIMD_AVX2) return all_even_avx2(pairs, n, bytes, base, room);
#endif
  return all_even(pairs, n, bytes, base, room);
}

static char *place_of(const tsr_places *places, char *base, size_t i) {
  if (!places->offs) return base + (ptrdiff_t)i * places->apart;
  return (char *)((uintptr_t)base + (uintptr_t)places->offs[i]);
}

static tsr_places places_from(const tsr_places *places, size_t i) {
  return places->offs ? (tsr_places){places->offs + i, 0, 0} : (tsr_places){NULL, places->apart, 0};
}

/* Blocks i to i + n, whose lists say all there is to say. */
static void copy_span(const tsr_blocks *all, tsr_blocks_fn kernel, char *dest, char *src, size_t i, size_t n) {
  const tsr_blocks span = {places_from(&all->to, i), places_from(&all->from, i), n, 1, all->bytes};
  if (!n) return;
  kernel(&span, span.to.offs ? dest : place_of(&all->to, dest, i), span.from.offs ? src : place_of(&all->from, src, i));
}

static bool is_line(const tsr_places *places, size_t i, size_t n, ptrdiff_t bytes) {
  return places->offs ? tsr_list_is_dense(places->offs + i, n, bytes) : places->apart == bytes;
}

/* Of a part, which sides are lines. A side that is one anyhow makes no part worth a copy of its own. */
struct part {
  size_t n;
  bool to_line, from_line, dense;
};

static struct part look_at(const tsr_blocks *all, size_t i, size_t most) {
  struct part part = {.n = smaller(most, all->n - i)};
  part.to_line = is_line(&all->to, i, part.n, (ptrdiff_t)all->bytes);
  part.from_line = is_line(&all->from, i, part.n, (ptrdiff_t)all->bytes);
  part.dense = (part.to_line && all->to.offs) || (part.from_line && all->from.offs);
  return part;
}

/* Blocks i and on, of which one side is a line or both are. */
static void copy_dense(const tsr_blocks *all, tsr_blocks_fn kernel, char *dest, char *src, size_t i, const struct part *part) {
  const tsr_places line = {NULL, (ptrdiff_t)all->bytes, 0};
  const tsr_blocks blocks = {part->to_line ? line : places_from(&all->to, i),
                             part->from_line ? line : places_from(&all->from, i), part->n, 1, all->bytes};
  char *to = blocks.to.offs ? dest : place_of(&all->to, dest, i), *from = blocks.from.offs ? src : place_of(&all->from, src, i);
  if (part->to_line && part->from_line) memcpy(to, from, part->n * all->bytes);
  else kernel(&blocks, to, from);
}

/* Once. Parts that are dense on a listed side are copied by themselves, long ones where they are, and all between them by one
 * call. */
static void copy_listed_once(const tsr_blocks *all, tsr_blocks_fn kernel, char *dest, char *src) {
  size_t done = 0;
  struct part part;
  for (size_t i = 0; i < all->n; i += part.n) {
    part = look_at(all, i, LONG_PART_N);
    if (!part.dense) part = look_at(all, i, TSR_LIST_PART_N);
    if (!part.dense) continue;
    copy_span(all, kernel, dest, src, done, i - done);
    copy_dense(all, kernel, dest, src, i, &part);
    done = i + part.n;
  }
  copy_span(all, kernel, dest, src, done, all->n - done);
}

enum { LIST_LEAST = 256 /* blocks: of fewer the kernel takes no longer than a look */ };

void tsr_listed_copy(const tsr_blocks *blocks, char *dest, const char *src) {
  const tsr_blocks_fn kernel = tsr_blocks_kernel(blocks->bytes);
  if ((!blocks->to.offs && !blocks->from.offs) || blocks->n < LIST_LEAST) {
    kernel(blocks, dest, src);
    return;
  }
  for (size_t t = 0; t < blocks->times; t++, dest += blocks->to.step, src += blocks->from.step)
    copy_listed_once(blocks, kernel, dest, (char *)src);
}
