#include "strided.h"

enum { GAP = 0x5a };

long log2_elements = 12, from_element = 8, to_element = 64, milliseconds = 20, samples_n = 5;

const struct option strided_options[STRIDED_OPTIONS_N] = {
    {"log2-elements", 0, 16, &log2_elements, NULL, NULL},
    {"from", 8, 1 << 10, &from_element, NULL, NULL},
    {"to", 8, 1 << 10, &to_element, NULL, NULL},
    {"ms", 1, MS_MAX, &milliseconds, NULL, NULL},
    {"samples", 1, SAMPLES_MAX, &samples_n, NULL, NULL},
};

static const int dimensions_of[] = {1, 3, 8, 32};

static void *get_memory(size_t bytes) {
  void *p = malloc(bytes);
  if (!p) abort();
  return p;
}

/* ---- Shapes ---- */

/* Spreads the factors of two over the dimensions. */
static void choose_extents(struct shape *s) {
  for (int d = 0; d < s->dimensions; d++)
    s->extents[d] = (size_t)1 << ((d + 1) * log2_elements / s->dimensions - d * log2_elements / s->dimensions);
}

static void choose_strides(struct shape *s, bool padded) {
  const ptrdiff_t element = (ptrdiff_t)s->element;
  ptrdiff_t stride = 2 * element;
  s->span = s->element;
  for (int d = 0; d < s->dimensions; d++) {
    s->strides[d] = stride;
    s->span += (s->extents[d] - 1) * (size_t)stride;
    stride = stride * (ptrdiff_t)s->extents[d] + (padded ? element : 0);
  }
}

static void list_offsets(struct shape *s) {
  s->elements_n = (size_t)1 << log2_elements;
  s->offsets = get_memory(s->elements_n * sizeof *s->offsets);
  for (size_t i = 0; i < s->elements_n; i++) {
    size_t rest = i, off = 0;
    for (int d = 0; d < s->dimensions; d++) {
      off += rest % s->extents[d] * (size_t)s->strides[d];
      rest /= s->extents[d];
    }
    s->offsets[i] = (uint32_t)off;
  }
}

static bool is_padded(int i) { return i % 2 == 1; }

struct shape *make_shapes(size_t element) {
  struct shape *shapes = get_memory(STRIDED_SHAPES_N * sizeof *shapes);
  for (int i = 0; i < STRIDED_SHAPES_N; i++) {
    shapes[i] = (struct shape){.dimensions = dimensions_of[i / 2], .element = element};
    choose_extents(&shapes[i]);
    choose_strides(&shapes[i], is_padded(i));
    list_offsets(&shapes[i]);
  }
  return shapes;
}

void free_shapes(struct shape *shapes) {
  for (int i = 0; i < STRIDED_SHAPES_N; i++) free(shapes[i].offsets);
  free(shapes);
}

size_t shape_bytes(const struct shape *s) { return s->elements_n * s->element; }

const char *shape_variant(int i) { return is_padded(i) ? "padded" : "foldable"; }

const char *shape_work(const char *way, const struct shape *s) {
  static char name[64];
  snprintf(name, sizeof name, "%s.%dd", way, s->dimensions);
  return name;
}

size_t largest_span(void) {
  struct shape *shapes = make_shapes((size_t)to_element);
  size_t largest = 0;
  for (int i = 0; i < STRIDED_SHAPES_N; i++)
    if (shapes[i].span > largest) largest = shapes[i].span;
  free_shapes(shapes);
  return largest;
}

/* ---- Packing ---- */

/* A copy of a constant size compiles to a few instructions, and of a size that is not known to a call. */
static inline void gather(char *restrict to, const char *restrict base, const uint32_t *offsets, size_t n, size_t element) {
  for (size_t i = 0; i < n; i++) memcpy(to + i * element, base + offsets[i], element);
}
static inline void scatter(char *restrict base, const char *restrict from, const uint32_t *offsets, size_t n, size_t element) {
  for (size_t i = 0; i < n; i++) memcpy(base + offsets[i], from + i * element, element);
}

void pack(char *to, const struct shape *s, const char *base, size_t first, size_t n) {
  const uint32_t *offsets = s->offsets + first;
  if (s->element == 8) gather(to, base, offsets, n, 8);
  else if (s->element == 64) gather(to, base, offsets, n, 64);
  else gather(to, base, offsets, n, s->element);
}

void unpack(const struct shape *s, char *base, const char *from, size_t first, size_t n) {
  const uint32_t *offsets = s->offsets + first;
  if (s->element == 8) scatter(base, from, offsets, n, 8);
  else if (s->element == 64) scatter(base, from, offsets, n, 64);
  else scatter(base, from, offsets, n, s->element);
}

/* ---- Data ---- */

/* Each word of each element is different. */
static void fill_element(char *place, size_t bytes, uint32_t key, size_t number) {
  for (size_t at = 0; at + 8 <= bytes; at += 8) {
    const uint64_t word = (uint64_t)key << 40 ^ (uint64_t)number << 8 ^ at / 8;
    memcpy(place + at, &word, 8);
  }
}

void fill_section(const struct shape *s, char *base, uint32_t key) {
  clear_section(s, base);
  for (size_t i = 0; i < s->elements_n; i++) fill_element(base + s->offsets[i], s->element, key, i);
}

void clear_section(const struct shape *s, char *base) { memset(base, GAP, s->span); }

bool section_is(const struct shape *s, const char *base, uint32_t key) {
  char *expected = get_memory(s->span);
  fill_section(s, expected, key);
  const bool good = memcmp(expected, base, s->span) == 0;
  free(expected);
  return good;
}
