#include "vis/layout.h"

static inline size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

/* A range of a layout's byte stream as a series of layouts: first the rest of an element, of a row, of a plane and so
 * on, then whole ones, then the beginnings: at most two pieces per dimension and one between. */
struct pieces {
  tsr_layout layout; /* simplified */
  size_t size[TSR_LAYOUT_DIMS + 1]; /* bytes of all dimensions below d */
  size_t from, left_bytes;          /* of the range */
  tsr_layout piece;
  size_t piece_bytes;
  ptrdiff_t piece_off; /* from the base */
};

static void pieces_start(struct pieces *pieces, const tsr_layout *layout, size_t from, size_t bytes) {
  tsr_layout_simplify_to(&pieces->layout, layout);
  pieces->size[0] = pieces->layout.elem_bytes;
  for (int d = 0; d < pieces->layout.dims; d++) pieces->size[d + 1] = pieces->size[d] * pieces->layout.count[d];
  pieces->from = from;
  pieces->left_bytes = bytes;
}

static ptrdiff_t offset_of(const struct pieces *pieces, size_t at) {
  const tsr_layout *layout = &pieces->layout;
  ptrdiff_t off = (ptrdiff_t)(at % layout->elem_bytes);
  for (int d = 0; d < layout->dims && at >= pieces->size[d]; d++)
    off += (ptrdiff_t)(at / pieces->size[d] % layout->count[d]) * layout->stride[d];
  return off;
}

/* Whether the range goes on with everything below dimension d. */
static bool has_whole(const struct pieces *pieces, int d) {
  return pieces->left_bytes >= pieces->size[d] && pieces->from % pieces->size[d] == 0;
}

/* Everything below dimension d, and along d as far as the range and the dimension go. */
static void take_whole(struct pieces *pieces, int d) {
  const tsr_layout *layout = &pieces->layout;
  tsr_layout *piece = &pieces->piece;
  piece->elem_bytes = layout->elem_bytes;
  piece->dims = d;
  for (int k = 0; k < d; k++) {
    piece->count[k] = layout->count[k];
    piece->stride[k] = layout->stride[k];
  }
  pieces->piece_bytes = pieces->size[d];
  if (d == layout->dims) return;
  size_t index = pieces->from / pieces->size[d] % layout->count[d];
  piece->count[d] = smaller(pieces->left_bytes / pieces->size[d], layout->count[d] - index);
  piece->stride[d] = layout->stride[d];
  piece->dims = d + 1;
  pieces->piece_bytes *= piece->count[d];
}

static void take_part_of_element(struct pieces *pieces) {
  size_t elem_bytes = pieces->layout.elem_bytes;
  pieces->piece_bytes = smaller(pieces->left_bytes, elem_bytes - pieces->from % elem_bytes);
  pieces->piece = tsr_layout_contiguous(pieces->piece_bytes);
}

/* Makes the next piece; false when there is none. */
static bool pieces_next(struct pieces *pieces) {
  if (pieces->left_bytes == 0) return false;
  pieces->piece_off = offset_of(pieces, pieces->from);
  if (!has_whole(pieces, 0)) {
    take_part_of_element(pieces);
  } else {
    int d = 0;
    while (d < pieces->layout.dims && has_whole(pieces, d + 1)) d++;
    take_whole(pieces, d);
  }
  pieces->from += pieces->piece_bytes;
  pieces->left_bytes -= pieces->piece_bytes;
  return true;
}

void tsr_layout_pack(void *packed, const void *base, const tsr_layout *layout, size_t from, size_t bytes) {
  struct pieces pieces;
  pieces_start(&pieces, layout, from, bytes);
  for (char *to = packed; pieces_next(&pieces); to += pieces.piece_bytes) {
    tsr_layout line = tsr_layout_contiguous(pieces.piece_bytes);
    tsr_layout_copy(to, &line, (const char *)base + pieces.piece_off, &pieces.piece);
  }
}

void tsr_layout_unpack(void *base, const tsr_layout *layout, size_t from, size_t bytes, const void *packed) {
  struct pieces pieces;
  pieces_start(&pieces, layout, from, bytes);
  for (const char *line_at = packed; pieces_next(&pieces); line_at += pieces.piece_bytes) {
    tsr_layout line = tsr_layout_contiguous(pieces.piece_bytes);
    tsr_layout_copy((char *)base + pieces.piece_off, &pieces.piece, line_at, &line);
  }
}
