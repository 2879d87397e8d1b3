#include "vis/listed.h"

#include "base/bits.h"
#include "base/copy.h"
#include "base/simd.h"

enum { LONG_PART_N = 4 * TSR_LIST_PART_N }; /* blocks at a constant distance that are copied together */

#define ALWAYS_INLINE static inline __attribute__((always_inline)) /* so that descriptions of blocks stay in registers */

/* ---- checks of lists ---- */

/* Entries of a list are offsets, or offsets and lengths in turn. A vector holds eight. Its values for even and odd
 * entries are passed in registers, because loading a vector from memory that was just written stalls. */
#if defined __x86_64__
enum { LANES = 8, LANES_BYTES = LANES * sizeof(size_t) };
typedef size_t lanes __attribute__((vector_size(LANES_BYTES), aligned(sizeof(size_t)), may_alias));
#define IN_TURN(even, odd) ((lanes){even, odd, even, odd, even, odd, even, odd})

ALWAYS_INLINE bool none_differs(const lanes *differ) {
  size_t any = 0;
  for (size_t lane = 0; lane < LANES; lane++) any |= (*differ)[lane];
  return any == 0;
}

/* Whether the even entries are even, even + even_step, ..., and the odd ones likewise. n is a multiple of LANES *
 * at_once. */
ALWAYS_INLINE bool all_step(const tsr_off *entries, size_t n, size_t even, size_t odd, size_t even_step,
                            size_t odd_step, size_t at_once) {
  const lanes first = IN_TURN(even, odd), step = IN_TURN(even_step, odd_step), pair = {0, 0, 1, 1, 2, 2, 3, 3};
  const lanes eight = step * (LANES / 2), more = eight * at_once;
  lanes right[4], differ[4];
  right[0] = first + pair * step;
  for (size_t k = 0; k < at_once; k++) {
    differ[k] = (lanes){0};
    if (k > 0) right[k] = right[k - 1] + eight;
  }
  for (size_t i = 0; i < n; i += at_once * LANES)
    for (size_t k = 0; k < at_once; k++) {
      differ[k] |= *(const lanes *)(entries + i + k * LANES) ^ right[k];
      right[k] += more;
    }
  for (size_t k = 1; k < at_once; k++) differ[0] |= differ[k];
  return none_differs(&differ[0]);
}

/* Whether the even ones of n >= LANES entries are in [even, even + even_room], and the odd ones likewise. An entry
 * outside sets the highest bit of its distance from one of the ends. */
ALWAYS_INLINE bool all_inside(const tsr_off *entries, size_t n, size_t even, size_t odd, size_t even_room,
                              size_t odd_room) {
  const lanes least = IN_TURN(even, odd), room = IN_TURN(even_room, odd_room), high = IN_TURN((size_t)1 << 63, (size_t)1 << 63);
  lanes out = {0};
  for (size_t i = 0; i < n - LANES; i += LANES) {
    const lanes off = *(const lanes *)(entries + i) - least;
    out |= off | (room - off);
  }
  const lanes last = *(const lanes *)(entries + n - LANES) - least; /* may overlap entries that were checked before */
  out |= last | (room - last);
  out &= high;
  return none_differs(&out);
}

TSR_TARGET_AVX2 static bool all_step_avx2(const tsr_off *entries, size_t n, size_t even, size_t odd, size_t even_step,
                                          size_t odd_step) {
  return all_step(entries, n, even, odd, even_step, odd_step, 1);
}
TSR_TARGET_AVX2 static bool all_inside_avx2(const tsr_off *entries, size_t n, size_t even, size_t odd, size_t even_room,
                                            size_t odd_room) {
  return all_inside(entries, n, even, odd, even_room, odd_room);
}
TSR_TARGET_AVX512 static bool all_step_avx512(const tsr_off *entries, size_t n, size_t even, size_t odd, size_t even_step,
                                              size_t odd_step) {
  return all_step(entries, n, even, odd, even_step, odd_step, 4);
}
TSR_TARGET_AVX512 static bool all_inside_avx512(const tsr_off *entries, size_t n, size_t even, size_t odd, size_t even_room,
                                                size_t odd_room) {
  return all_inside(entries, n, even, odd, even_room, odd_room);
}
#endif

/* Checks as many of the first blocks as fill whole vectors. Returns their number if they lie `step` apart; -1: they do not. */
static inline ptrdiff_t step_by_vectors(const tsr_places *places, size_t n, size_t bytes, size_t step) {
#if defined __x86_64__
  const size_t first = (size_t)places->offs[0], entries_n = n * (size_t)places->apart;
  const size_t at_once = tsr_simd >= TSR_SIMD_AVX512 ? 4 * LANES : LANES, some_n = entries_n - entries_n % at_once;
  const bool pairs = places->apart == 2;
  const size_t odd = pairs ? bytes : first + step, even_step = pairs ? step : 2 * step, odd_step = pairs ? 0 : 2 * step;
  if (tsr_simd < TSR_SIMD_AVX2 || !some_n) return 0;
  const bool good = tsr_simd >= TSR_SIMD_AVX512 ? all_step_avx512(places->offs, some_n, first, odd, even_step, odd_step)
                                                : all_step_avx2(places->offs, some_n, first, odd, even_step, odd_step);
  return good ? (ptrdiff_t)(some_n / (size_t)places->apart) : -1;
#else
  (void)places, (void)n, (void)bytes, (void)step;
  return 0;
#endif
}

/* A quick test of a few blocks that rejects most lists whose blocks do not lie `step` apart. */
ALWAYS_INLINE bool some_lie_apart(const tsr_places *places, size_t n, size_t step) {
  const size_t some[] = {n - 1, n / 2, n / 4, n / 3, n / 5, n - 1 - n / 7};
  for (size_t k = 0; k < sizeof some / sizeof *some; k++)
    if ((size_t)places->offs[(ptrdiff_t)some[k] * places->apart] - (size_t)places->offs[0] != some[k] * step) return false;
  return true;
}

/* Whether n > 0 blocks lie `step` apart, and in a list of pairs have `bytes`. */
static bool all_lie_apart(const tsr_off *offs, ptrdiff_t apart, size_t n, size_t bytes, size_t step) {
  const tsr_places list = {offs, apart, 0}, *places = &list;
  const size_t first = (size_t)offs[0];
  const ptrdiff_t known = step_by_vectors(places, n, bytes, step);
  if (known < 0) return false;
  for (size_t i = (size_t)known; i < n; i++) {
    const tsr_off *entry = places->offs + (ptrdiff_t)i * places->apart;
    if ((size_t)entry[0] != first + i * step || (places->apart == 2 && (size_t)entry[1] != bytes)) return false;
  }
  return true;
}

bool tsr_list_is_dense(const tsr_places *places, size_t n, size_t bytes) {
  return some_lie_apart(places, n, bytes) && all_lie_apart(places->offs, places->apart, n, bytes, bytes);
}

/* Whether the blocks begin inside, and in a list of pairs have `bytes`. */
ALWAYS_INLINE bool all_begin_inside(const tsr_places *places, size_t n, size_t bytes, const tsr_bounds *bounds) {
  const bool pairs = places->apart == 2;
  const size_t base = bounds->base, room = bounds->room;
#if defined __x86_64__
  const size_t entries_n = n * (size_t)places->apart, odd = pairs ? bytes : base, odd_room = pairs ? 0 : room;
  if (entries_n >= LANES && tsr_simd >= TSR_SIMD_AVX512)
    return all_inside_avx512(places->offs, entries_n, base, odd, room, odd_room);
  if (entries_n >= LANES && tsr_simd >= TSR_SIMD_AVX2)
    return all_inside_avx2(places->offs, entries_n, base, odd, room, odd_room);
#endif
  for (size_t i = 0; i < n; i++) {
    const tsr_off *entry = places->offs + (ptrdiff_t)i * places->apart;
    if ((size_t)entry[0] - base > room || (pairs && (size_t)entry[1] != bytes)) return false;
  }
  return true;
}

bool tsr_list_is_inside(const tsr_places *places, size_t n, size_t bytes, const tsr_bounds *bounds) {
  return all_begin_inside(places, n, bytes, bounds);
}

/* ---- copies ---- */

/* The copy of one repetition. */
struct copy {
  tsr_blocks all;
  tsr_blocks_fn kernel;
  char *dest, *src;
  const tsr_bounds *to, *from; /* NULL: the side is not checked */
};

ALWAYS_INLINE char *place_of(const tsr_places *places, char *base, size_t i) {
  const ptrdiff_t at = (ptrdiff_t)i * places->apart;
  return (char *)((uintptr_t)base + (uintptr_t)(places->offs ? places->offs[at] : at));
}

ALWAYS_INLINE bool is_inside(const tsr_places *places, size_t n, size_t bytes, const tsr_bounds *bounds) {
  return !bounds || !places->offs || all_begin_inside(places, n, bytes, bounds);
}

ALWAYS_INLINE size_t step_of(const tsr_places *places) {
  return (size_t)places->offs[places->apart] - (size_t)places->offs[0];
}

/* A quick test whether n > 1 blocks lie at a constant distance, which must be less than 2^47 bytes. */
ALWAYS_INLINE bool may_step(const tsr_places *places, size_t n) {
  const size_t least = (size_t)1 << 47;
  return places->offs && step_of(places) + least < 2 * least && some_lie_apart(places, n, step_of(places));
}

bool tsr_list_steps(const tsr_places *places, size_t n, size_t bytes, ptrdiff_t *step) {
  *step = (ptrdiff_t)step_of(places);
  return may_step(places, n) && all_lie_apart(places->offs, places->apart, n, bytes, step_of(places));
}

/* One side of some of the blocks. */
struct span {
  tsr_places places;
  char *base;
  bool steps; /* listed, but at a constant distance */
};

ALWAYS_INLINE struct span span_of(const tsr_places *all, char *base, size_t i, size_t n, size_t bytes) {
  const tsr_places places = {all->offs ? all->offs + (ptrdiff_t)i * all->apart : NULL, all->apart, 0};
  const bool steps = n > 1 && may_step(&places, n) && all_lie_apart(places.offs, places.apart, n, bytes, step_of(&places));
  return (struct span){places, all->offs ? base : place_of(all, base, i), steps};
}

/* Whether the blocks begin inside their bounds. For blocks at a constant distance, checks only the first and the last block, and
 * drops the list. */
ALWAYS_INLINE bool use_span(struct span *span, size_t n, size_t bytes, const tsr_bounds *bounds) {
  if (!span->steps) return is_inside(&span->places, n, bytes, bounds);
  const size_t first = (size_t)span->places.offs[0], last = (size_t)span->places.offs[(ptrdiff_t)(n - 1) * span->places.apart];
  const bool inside = !bounds || (first - bounds->base <= bounds->room && last - bounds->base <= bounds->room);
  span->base = place_of(&span->places, span->base, 0);
  span->places = (tsr_places){NULL, (ptrdiff_t)step_of(&span->places), 0};
  return inside;
}

/* False: a block begins outside or has another length; none is copied. */
ALWAYS_INLINE bool copy_span(const struct copy *copy, struct span to, struct span from, size_t n) {
  const size_t bytes = copy->all.bytes;
  if (!use_span(&to, n, bytes, copy->to) || !use_span(&from, n, bytes, copy->from)) return false;
  const tsr_blocks blocks = {to.places, from.places, n, 1, bytes};
  const bool to_dense = !to.places.offs && to.places.apart == (ptrdiff_t)bytes;
  const bool from_dense = !from.places.offs && from.places.apart == (ptrdiff_t)bytes;
  if (to_dense && from_dense) tsr_copy(to.base, from.base, n * bytes);
  else copy->kernel(&blocks, to.base, from.base);
  return true;
}

/* Copies part by part; parts are longer if a side needs no list. Returns the number of blocks that were copied. */
static size_t copy_parts(const struct copy *copy) {
  const tsr_blocks *all = &copy->all;
  for (size_t i = 0, n; i < all->n; i += n) {
    n = tsr_min_size(LONG_PART_N, all->n - i);
    struct span to = span_of(&all->to, copy->dest, i, n, all->bytes), from = span_of(&all->from, copy->src, i, n, all->bytes);
    if (!to.steps && !from.steps && n > TSR_LIST_PART_N) {
      n = TSR_LIST_PART_N;
      to = span_of(&all->to, copy->dest, i, n, all->bytes);
      from = span_of(&all->from, copy->src, i, n, all->bytes);
    }
    if (!copy_span(copy, to, from, n)) return i;
  }
  return all->n;
}

/* Whether the kernel copies by the lists as they are: the lists are short, or no constant distance was found. */
enum { LIST_LEAST = 128 /* blocks; copying fewer takes no longer than the checks */ };
ALWAYS_INLINE bool needs_lists(const tsr_blocks *blocks) {
  if (blocks->n < LIST_LEAST) return true;
  return blocks->n <= TSR_LIST_PART_N && !may_step(&blocks->to, blocks->n) && !may_step(&blocks->from, blocks->n);
}

void tsr_listed_copy(const tsr_blocks *blocks, char *dest, const char *src) {
  if ((!blocks->to.offs && !blocks->from.offs) || needs_lists(blocks)) {
    tsr_blocks_kernel(blocks->bytes)(blocks, dest, src);
    return;
  }
  struct copy copy = {*blocks, tsr_blocks_kernel(blocks->bytes), dest, (char *)src, NULL, NULL};
  for (size_t t = 0; t < blocks->times; t++, copy.dest += blocks->to.step, copy.src += blocks->from.step) copy_parts(&copy);
}

size_t tsr_listed_copy_many(const tsr_blocks *blocks, char *dest, const tsr_bounds *to, const char *src, const tsr_bounds *from) {
  const size_t n = blocks->n, bytes = blocks->bytes;
  if (needs_lists(blocks)) {
    const bool inside = is_inside(&blocks->to, n, bytes, to) && is_inside(&blocks->from, n, bytes, from);
    if (inside) tsr_blocks_kernel(bytes)(blocks, dest, src);
    return inside ? n : 0;
  }
  const struct copy copy = {*blocks, tsr_blocks_kernel(bytes), dest, (char *)src, to, from};
  return copy_parts(&copy);
}
