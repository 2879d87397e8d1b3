/* Random layouts of real memory, and a naive definition of a layout, for the tests of the engine. */
#ifndef TESTS_UNIT_RANDOM_LAYOUT_H
#define TESTS_UNIT_RANDOM_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "vis/layout.h"

enum { RANDOM_DIMS = 8, RANDOM_BYTES = 6000 /* about the largest number of all elements */, GUARD_BYTES = 64 };

/* A generator of the tests' own, so that a seed gives the same numbers on every system. */
struct random {
  uint64_t state;
};
static inline uint64_t random_next(struct random *random) {
  uint64_t x = random->state += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}
static inline size_t random_below(struct random *random, size_t n) { return (size_t)(random_next(random) % n); }
static inline bool random_chance(struct random *random, unsigned percent) {
  return random_below(random, 100) < percent;
}

/* The offset of byte `at` of the stream: element by element, dimension 0 fastest. */
static inline ptrdiff_t naive_offset(const tsr_layout *layout, size_t at) {
  size_t element = at / layout->elem_bytes;
  ptrdiff_t off = (ptrdiff_t)(at % layout->elem_bytes);
  for (int d = 0; d < layout->dims; d++) {
    off += (ptrdiff_t)(element % layout->count[d]) * layout->stride[d];
    element /= layout->count[d];
  }
  return off;
}
static inline size_t naive_bytes(const tsr_layout *layout) {
  size_t bytes = layout->elem_bytes;
  for (int d = 0; d < layout->dims; d++) bytes *= layout->count[d];
  return bytes;
}

/* Element size and counts; 1 is frequent, 0 rare. */
static inline void random_shape(struct random *random, tsr_layout *layout) {
  static const size_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 8, 8, 11, 12, 16, 24, 31, 32, 33, 40, 63, 64, 65, 100, 300};
  size_t bytes = layout->elem_bytes = sizes[random_below(random, sizeof sizes / sizeof *sizes)];
  layout->dims = (int)random_below(random, RANDOM_DIMS + 1);
  for (int d = 0; d < layout->dims; d++) {
    size_t count = random_chance(random, 35) ? 1 : 1 + random_below(random, random_chance(random, 15) ? 40 : 6);
    if (bytes * count > RANDOM_BYTES) count = 1;
    if (random_chance(random, 1)) count = 0;
    layout->count[d] = count;
    if (count > 0) bytes *= count;
  }
}

/* Strides for a given shape, such that no two elements overlap: dimensions are nested in a random order, dense or with
 * gaps, upwards or downwards. A dimension of count 1 gets an arbitrary stride. */
static inline void random_strides(struct random *random, tsr_layout *layout) {
  int order[RANDOM_DIMS * 4];
  bool sorted = random_chance(random, 50);
  for (int d = 0; d < layout->dims; d++) {
    int at = sorted ? d : (int)random_below(random, (size_t)d + 1);
    order[d] = order[at];
    order[at] = d;
  }
  unsigned gaps_percent = (unsigned)random_below(random, 3) * 40, down_percent = (unsigned)random_below(random, 3) * 30;
  ptrdiff_t span = (ptrdiff_t)layout->elem_bytes;
  for (int k = 0; k < layout->dims; k++) {
    int d = order[k];
    ptrdiff_t stride = span + (random_chance(random, gaps_percent) ? (ptrdiff_t)random_below(random, 20) : 0);
    if (layout->count[d] > 1) span = stride * (ptrdiff_t)layout->count[d];
    if (layout->count[d] == 1 && random_chance(random, 50)) stride = (ptrdiff_t)random_next(random);
    layout->stride[d] = random_chance(random, down_percent) ? (ptrdiff_t)(0 - (size_t)stride) : stride;
  }
}

/* Another shape of the same number of bytes, which is not 0. */
static inline void random_reshape(struct random *random, tsr_layout *layout, size_t bytes) {
  size_t divisors[64];
  layout->dims = -1; /* first factor: the element */
  while (bytes > 1 || layout->dims < 0) {
    size_t n = 0;
    for (size_t x = 1; x <= bytes && n < 64; x++)
      if (bytes % x == 0) divisors[n++] = x;
    size_t factor = layout->dims == RANDOM_DIMS - 1 ? bytes : divisors[random_below(random, n)];
    if (layout->dims < 0) layout->elem_bytes = factor;
    else layout->count[layout->dims] = factor;
    layout->dims++;
    bytes /= factor;
  }
}

/* Memory of a layout, with guard bytes at both ends, filled with random bytes. */
struct arena {
  char *memory, *base;
  size_t bytes;
};
static inline struct arena arena_new(struct random *random, const tsr_layout *layout) {
  ptrdiff_t low, high;
  tsr_layout_extent(layout, &low, &high);
  struct arena arena = {.bytes = (size_t)(high - low) + 2 * GUARD_BYTES};
  arena.memory = malloc(arena.bytes);
  arena.base = arena.memory + GUARD_BYTES - low;
  for (size_t i = 0; i < arena.bytes; i++) arena.memory[i] = (char)random_next(random);
  return arena;
}
static inline struct arena arena_copy(const struct arena *other) {
  struct arena arena = {malloc(other->bytes), NULL, other->bytes};
  arena.base = arena.memory + (other->base - other->memory);
  memcpy(arena.memory, other->memory, arena.bytes);
  return arena;
}

#endif
