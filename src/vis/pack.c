#include "vis/layout.h"

#include "base/bits.h"

void tsr_range_start(struct tsr_range *range, const tsr_layout *layout, size_t from, size_t bytes) {
  tsr_layout_simplify_to(&range->layout, layout);
  range->size[0] = range->layout.elem_bytes;
  for (int d = 0; d < range->layout.dims; d++) range->size[d + 1] = range->size[d] * range->layout.count[d];
  range->from = from;
  range->left_bytes = bytes;
}

static ptrdiff_t offset_of(const struct tsr_range *range, size_t at) {
  const tsr_layout *layout = &range->layout;
  ptrdiff_t off = (ptrdiff_t)(at % layout->elem_bytes);
  for (int d = 0; d < layout->dims && at >= range->size[d]; d++)
    off += (ptrdiff_t)(at / range->size[d] % layout->count[d]) * layout->stride[d];
  return off;
}

/* Whether the range continues at the beginning of the dimensions below d, and covers all of them. */
static bool has_whole(const struct tsr_range *range, int d) {
  return range->left_bytes >= range->size[d] && range->from % range->size[d] == 0;
}

/* Takes all of the dimensions below d, and as much of dimension d as the range covers. */
static void take_whole(struct tsr_range *range, int d) {
  const tsr_layout *layout = &range->layout;
  tsr_layout *piece = &range->piece;
  piece->elem_bytes = layout->elem_bytes;
  piece->dims = d;
  for (int k = 0; k < d; k++) {
    piece->count[k] = layout->count[k];
    piece->stride[k] = layout->stride[k];
  }
  range->piece_bytes = range->size[d];
  if (d == layout->dims) return;
  size_t index = range->from / range->size[d] % layout->count[d];
  piece->count[d] = tsr_min_size(range->left_bytes / range->size[d], layout->count[d] - index);
  piece->stride[d] = layout->stride[d];
  piece->dims = d + 1;
  range->piece_bytes *= piece->count[d];
}

bool tsr_range_next(struct tsr_range *range) {
  if (range->left_bytes == 0) return false;
  range->piece_off = offset_of(range, range->from);
  if (!has_whole(range, 0)) { /* part of an element */
    size_t elem_bytes = range->layout.elem_bytes;
    range->piece_bytes = tsr_min_size(range->left_bytes, elem_bytes - range->from % elem_bytes);
    range->piece = tsr_layout_contiguous(range->piece_bytes);
  } else {
    int d = 0;
    while (d < range->layout.dims && has_whole(range, d + 1)) d++;
    take_whole(range, d);
  }
  range->from += range->piece_bytes;
  range->left_bytes -= range->piece_bytes;
  return true;
}

void tsr_layout_pack(void *packed, const void *base, const tsr_layout *layout, size_t from, size_t bytes) {
  struct tsr_range range;
  tsr_range_start(&range, layout, from, bytes);
  for (char *to = packed; tsr_range_next(&range); to += range.piece_bytes) {
    tsr_layout dense = tsr_layout_contiguous(range.piece_bytes);
    tsr_layout_copy(to, &dense, (const char *)base + range.piece_off, &range.piece);
  }
}

void tsr_layout_unpack(void *base, const tsr_layout *layout, size_t from, size_t bytes, const void *packed) {
  struct tsr_range range;
  tsr_range_start(&range, layout, from, bytes);
  for (const char *from_at = packed; tsr_range_next(&range); from_at += range.piece_bytes) {
    tsr_layout dense = tsr_layout_contiguous(range.piece_bytes);
    tsr_layout_copy((char *)base + range.piece_off, &range.piece, from_at, &dense);
  }
}
