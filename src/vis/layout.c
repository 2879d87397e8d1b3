#include "vis/layout.h"

#include <string.h>

#include "base/bits.h"

size_t tsr_layout_bytes(const tsr_layout *layout) {
  size_t bytes = layout->elem_bytes;
  bool fits = true;
  for (int d = 0; d < layout->dims; d++) {
    if (layout->count[d] == 0) return 0;
    if (!tsr_mul_size(bytes, layout->count[d], &bytes)) fits = false;
  }
  return fits ? bytes : SIZE_MAX;
}

static bool is_empty(const tsr_layout *layout) {
  if (layout->elem_bytes == 0) return true;
  for (int d = 0; d < layout->dims; d++)
    if (layout->count[d] == 0) return true;
  return false;
}

/* The extent of a layout that has elements; false if it overflows. */
static bool find_extent(const tsr_layout *layout, ptrdiff_t *low, ptrdiff_t *high) {
  ptrdiff_t below = 0, above = 0;
  for (int d = 0; d < layout->dims; d++) {
    ptrdiff_t *end = layout->stride[d] < 0 ? &below : &above, reach;
    size_t steps = layout->count[d] - 1; /* signed, so that the checked product is one instruction */
    if (steps > PTRDIFF_MAX || __builtin_mul_overflow((ptrdiff_t)steps, layout->stride[d], &reach)) return false;
    if (__builtin_add_overflow(*end, reach, end)) return false;
  }
  if (__builtin_add_overflow(above, layout->elem_bytes, &above)) return false;
  *low = below;
  *high = above;
  return true;
}

void tsr_layout_extent(const tsr_layout *layout, ptrdiff_t *low, ptrdiff_t *high) {
  if (is_empty(layout)) {
    *low = *high = 0;
  } else if (!find_extent(layout, low, high)) {
    *low = PTRDIFF_MIN;
    *high = PTRDIFF_MAX;
  }
}

/* The dimension that is being merged. The next dimension continues it if its stride is `end` (= count * stride). */
struct merging {
  size_t count;
  ptrdiff_t end;
};

/* Adds `count` steps of `stride` if they continue the dimension. */
static inline bool merge_steps(struct merging *inner, size_t count, ptrdiff_t stride) {
  struct merging both;
  if (stride != inner->end || !tsr_mul_size(inner->count, count, &both.count)) return false;
  if (__builtin_mul_overflow(inner->end, count, &both.end)) return false;
  *inner = both;
  return true;
}

static inline struct merging begin_dimension(tsr_layout *simple, size_t count, ptrdiff_t stride) {
  struct merging outer = {.count = count};
  if (__builtin_mul_overflow(stride, count, &outer.end)) outer.end = PTRDIFF_MIN; /* no stride continues here */
  simple->stride[simple->dims++] = stride;
  return outer;
}

int tsr_layout_simplify_to(tsr_layout *simple, const tsr_layout *layout) {
  const int dims = layout->dims;
  struct merging inner = {layout->elem_bytes, (ptrdiff_t)layout->elem_bytes};
  bool empty = layout->elem_bytes == 0;
  size_t *place = &simple->elem_bytes; /* receives the count of the dimension that is being merged */
  simple->dims = 0;
  for (int d = 0; d < dims; d++) { /* works in place: writes only entries that it has read */
    const size_t count = layout->count[d];
    const ptrdiff_t stride = layout->stride[d];
    if (count == 1) continue;
    empty |= count == 0;
    if (merge_steps(&inner, count, stride)) continue;
    *place = inner.count;
    place = &simple->count[simple->dims];
    inner = begin_dimension(simple, count, stride);
  }
  *place = inner.count;
  if (empty) simple->elem_bytes = 0, simple->dims = 0;
  return simple->dims == 0;
}

int tsr_layout_simplify(tsr_layout *layout) { return tsr_layout_simplify_to(layout, layout); }

/* The wire form, in the byte order of the job's machines: this head, then count and stride of each dimension. */
struct wire_head {
  uint64_t elem_bytes;
  uint32_t dims, mark;
};
struct wire_dim {
  uint64_t count;
  int64_t stride;
};
enum { WIRE_MARK = 0x6c796f74 }; /* detects bytes that are no layout */

_Static_assert(sizeof(struct wire_head) + TSR_LAYOUT_DIMS * sizeof(struct wire_dim) == TSR_LAYOUT_WIRE_BYTES,
               "wire form of a layout");

static size_t wire_bytes(uint32_t dims) { return sizeof(struct wire_head) + dims * sizeof(struct wire_dim); }

size_t tsr_layout_wire_bytes(const tsr_layout *layout) { return wire_bytes((uint32_t)layout->dims); }

size_t tsr_layout_encode(const tsr_layout *layout, void *wire) {
  struct wire_head head = {layout->elem_bytes, (uint32_t)layout->dims, WIRE_MARK};
  memcpy(wire, &head, sizeof head);
  for (uint32_t d = 0; d < head.dims; d++) {
    struct wire_dim dim = {layout->count[d], layout->stride[d]};
    memcpy((char *)wire + wire_bytes(d), &dim, sizeof dim);
  }
  return wire_bytes(head.dims);
}

/* Whether neither size nor extent overflows. */
static bool is_sound(const tsr_layout *layout) {
  ptrdiff_t low, high;
  return is_empty(layout) || (tsr_layout_bytes(layout) != SIZE_MAX && find_extent(layout, &low, &high));
}

size_t tsr_layout_decode(tsr_layout *layout, const void *wire, size_t bytes) {
  struct wire_head head;
  if (bytes < sizeof head) return 0;
  memcpy(&head, wire, sizeof head);
  if (head.mark != WIRE_MARK || head.dims > TSR_LAYOUT_DIMS || bytes < wire_bytes(head.dims)) return 0;
  tsr_layout read = {.elem_bytes = head.elem_bytes, .dims = (int)head.dims};
  for (uint32_t d = 0; d < head.dims; d++) {
    struct wire_dim dim;
    memcpy(&dim, (const char *)wire + wire_bytes(d), sizeof dim);
    read.count[d] = dim.count;
    read.stride[d] = (ptrdiff_t)dim.stride;
  }
  if (!is_sound(&read)) return 0;
  *layout = read;
  return wire_bytes(head.dims);
}
