/* Types that spread elements over a buffer, and the place of element i in each. */
#ifndef DART_LAYOUTS_H
#define DART_LAYOUTS_H

#include "dart_check.h"

/* An indexed type has six elements, in three blocks that are not in the order of their places; the extent of seven
 * leaves a gap in each instance, and one before the first. A shifted type is a single block after such a gap. */
static const size_t block_lens[] = {2, 3, 1}, block_offs[] = {4, 1, 7}, six_places[] = {4, 5, 1, 2, 3, 7};
static size_t place_contiguous(size_t i) { return i; }
static size_t place_strided(size_t i) { return i / 2 * 3 + i % 2; }
static size_t place_indexed(size_t i) { return i / 6 * 7 + six_places[i % 6]; }
static size_t place_shifted(size_t i) { return i + 3; }

enum { CONTIGUOUS, STRIDED, INDEXED, SHIFTED, LAYOUTS_N };
static const struct layout {
  size_t (*place)(size_t i);
  size_t whole; /* numbers of elements are multiples of it */
} layouts[LAYOUTS_N] = {{place_contiguous, 1}, {place_strided, 2}, {place_indexed, 6}, {place_shifted, 2}};

/* The number of elements for which a buffer for n elements has room, in any layout. */
static inline size_t layout_room(size_t n) { return place_strided(n) + 8; }

/* Contiguous: the base itself. */
static inline dart_datatype_t layout_type(int layout, dart_datatype_t base) {
  dart_datatype_t type = base;
  if (layout == STRIDED) OK(dart_type_create_strided(base, 3, 2, &type));
  if (layout == INDEXED) OK(dart_type_create_indexed(base, 3, block_lens, block_offs, &type));
  if (layout == SHIFTED) OK(dart_type_create_indexed(base, 1, (size_t[]){2}, (size_t[]){3}, &type));
  return type;
}
static inline void layout_drop(int layout, dart_datatype_t *type) {
  if (layout != CONTIGUOUS) OK(dart_type_destroy(type));
}

/* Copy n elements into their places, and out of them. */
static inline void layout_spread(int layout, size_t elem_bytes, unsigned char *to, const unsigned char *from,
                                 size_t n) {
  for (size_t i = 0; i < n; i++)
    memcpy(to + layouts[layout].place(i) * elem_bytes, from + i * elem_bytes, elem_bytes);
}
static inline void layout_collect(int layout, size_t elem_bytes, unsigned char *to, const unsigned char *from,
                                  size_t n) {
  for (size_t i = 0; i < n; i++)
    memcpy(to + i * elem_bytes, from + layouts[layout].place(i) * elem_bytes, elem_bytes);
}

/* In a buffer for `room` elements and one byte more: the number of bytes outside of n elements' places that differ from
 * the guard. */
static inline size_t layout_touched_gaps(int layout, size_t elem_bytes, const unsigned char *data, size_t n,
                                         size_t room) {
  bool *used = calloc(room + 1, sizeof *used);
  size_t bad = touched(data + room * elem_bytes, 1);
  if (!used) abort();
  for (size_t i = 0; i < n; i++) used[layouts[layout].place(i)] = true;
  for (size_t i = 0; i < room; i++) bad += used[i] ? 0 : touched(data + i * elem_bytes, elem_bytes);
  free(used);
  return bad;
}

#endif
