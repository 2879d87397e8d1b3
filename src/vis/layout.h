/* Layouts: where the elements of a transfer lie in memory, and copies between layouts. The functions compute and copy
 * in the memory of this process; they know no units. Any thread may call them. None of them waits, allocates or fails.
 */
#ifndef TSR_VIS_LAYOUT_H
#define TSR_VIS_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vis/blocks.h"

enum { TSR_LAYOUT_DIMS = 32 };

/* Elements of elem_bytes at base + sum(index[d] * stride[d]), 0 <= index[d] < count[d]; dimension 0 runs fastest.
 * dims 0 is one element. Strides are in bytes and may be negative. Entries from `dims` on are never read. */
typedef struct tsr_layout {
  size_t elem_bytes;
  int dims;
  size_t count[TSR_LAYOUT_DIMS];
  ptrdiff_t stride[TSR_LAYOUT_DIMS];
} tsr_layout;

static inline tsr_layout tsr_layout_contiguous(size_t bytes) {
  tsr_layout layout; /* not cleared: writing half a KiB of zeros costs more than a small copy */
  layout.elem_bytes = bytes;
  layout.dims = 0;
  return layout;
}
/* `blocks_n` blocks of `block_bytes`, which start `stride_bytes` apart. */
static inline tsr_layout tsr_layout_strided(size_t block_bytes, size_t blocks_n, ptrdiff_t stride_bytes) {
  tsr_layout layout;
  layout.elem_bytes = block_bytes;
  layout.dims = 1;
  layout.count[0] = blocks_n;
  layout.stride[0] = stride_bytes;
  return layout;
}

/* Bytes of all elements; SIZE_MAX if the sum overflows. */
size_t tsr_layout_bytes(const tsr_layout *layout);
/* The bytes touched, relative to base: [*low, *high); both are 0 if there are no elements. If the extent overflows a
 * ptrdiff_t, the result is [PTRDIFF_MIN, PTRDIFF_MAX), which fails every range check. */
void tsr_layout_extent(const tsr_layout *layout, ptrdiff_t *low, ptrdiff_t *high);

/* The functions below require that tsr_layout_bytes and tsr_layout_extent do not overflow. A caller that receives a
 * layout from outside therefore checks its extent against the range first. */

/* Brings a layout into the simplest form that visits the same bytes in the same order: drops dimensions of count 1,
 * folds dimension 0 into the element while contiguous, and merges adjacent dimensions. A layout without elements
 * becomes one element of 0 bytes. Returns whether the layout is contiguous (dims 0). `_to` writes the form to `simple`,
 * which may be `layout`. */
int tsr_layout_simplify(tsr_layout *layout);
int tsr_layout_simplify_to(tsr_layout *simple, const tsr_layout *layout);

/* A place in the byte stream of a layout (its elements in order of visit): `left_bytes` of the current element begin at
 * `off` from the base. */
typedef struct tsr_layout_cursor {
  ptrdiff_t off;
  size_t left_bytes; /* 0: the layout has no elements */
  /* private */
  tsr_layout layout; /* simplified */
  size_t index[TSR_LAYOUT_DIMS];
} tsr_layout_cursor;
static inline void tsr_layout_begin(tsr_layout_cursor *cursor, const tsr_layout *layout) {
  tsr_layout_simplify_to(&cursor->layout, layout);
  for (int d = 0; d < cursor->layout.dims; d++) cursor->index[d] = 0;
  cursor->off = 0;
  cursor->left_bytes = cursor->layout.elem_bytes;
}
/* Passes `bytes` <= left_bytes. False: that was the end of the layout. */
static inline bool tsr_layout_pass(tsr_layout_cursor *cursor, size_t bytes) {
  const tsr_layout *layout = &cursor->layout;
  cursor->off += (ptrdiff_t)bytes;
  cursor->left_bytes -= bytes;
  if (cursor->left_bytes > 0) return true;
  cursor->off -= (ptrdiff_t)layout->elem_bytes;
  cursor->left_bytes = layout->elem_bytes;
  for (int d = 0; d < layout->dims; d++) {
    cursor->off += layout->stride[d];
    if (++cursor->index[d] < layout->count[d]) return true;
    cursor->off -= (ptrdiff_t)layout->count[d] * layout->stride[d];
    cursor->index[d] = 0;
  }
  return false;
}

/* A plan for copying one layout to another of the same total size: byte k of the source's stream to byte k of the
 * destination's. The dimensions of both are split to common counts, reordered, reflected and merged, then a kernel is
 * chosen. Layouts without common counts (blocks of 3 and of 5 bytes) are walked side by side. Elements of the
 * destination overlap neither each other nor the source; elements of the source may overlap each other (stride 0
 * repeats). Opaque; lives on the stack. It may run any number of times, on any bases, while the two layouts live. */
typedef struct tsr_plan {
  void (*kernel)(const struct tsr_plan *plan, char *dest, const char *src); /* copies all runs; dest, src: of the first run */
  void (*inner)(const struct tsr_plan *plan, char *dest, const char *src);  /* copies dimensions 0 and 1 */
  tsr_blocks_fn blocks;        /* copies the runs of a row */
  ptrdiff_t dest_off, src_off; /* of the first run, from the bases */
  size_t run_bytes;            /* contiguous on both sides */
  int dims;                    /* a kernel may read two counts and strides even if dims is below 2 */
  size_t count[TSR_LAYOUT_DIMS];
  ptrdiff_t dest_stride[TSR_LAYOUT_DIMS], src_stride[TSR_LAYOUT_DIMS]; /* the destination's are positive */
  const tsr_layout *dest, *src; /* for the walk side by side; owned by the caller */
} tsr_plan;
void tsr_plan_make(tsr_plan *plan, const tsr_layout *dest, const tsr_layout *src);
static inline void tsr_plan_run(const tsr_plan *plan, void *dest, const void *src) {
  plan->kernel(plan, (char *)dest + plan->dest_off, (const char *)src + plan->src_off);
}

/* Makes a plan and runs it. The ranges do not overlap. */
void tsr_layout_copy(void *dest, const tsr_layout *dest_layout, const void *src, const tsr_layout *src_layout);

/* For operations other than copies: calls `fn` for rows of `n` runs that are contiguous on both sides, in any order. If
 * elements of the destination overlap each other, the common bytes are passed once for each of these elements. */
struct tsr_row {
  size_t run_bytes, n;
  ptrdiff_t dest_stride, src_stride; /* from run to run; tsr_layout_rows gives no negative dest_stride */
};
typedef void (*tsr_row_fn)(void *arg, char *dest, const char *src, const struct tsr_row *row);
void tsr_layout_rows(void *dest, const tsr_layout *dest_layout, const void *src, const tsr_layout *src_layout,
                     tsr_row_fn fn, void *arg);

/* Packs bytes [from, from + bytes) of the layout's byte stream into `packed`, and unpacks them. The range lies within
 * the stream and may begin and end inside an element. Finding the place costs O(dims), so a transfer can go in chunks.
 */
void tsr_layout_pack(void *packed, const void *base, const tsr_layout *layout, size_t from, size_t bytes);
void tsr_layout_unpack(void *base, const tsr_layout *layout, size_t from, size_t bytes, const void *packed);

/* Splits such a range into layouts: the ends of an element, of a row, of a plane and so on, then whole ones, then
 * beginnings. There are at most two pieces per dimension and one between them. */
struct tsr_range {
  tsr_layout piece;
  size_t piece_bytes;
  ptrdiff_t piece_off; /* from the base */
  /* private */
  tsr_layout layout;                /* simplified */
  size_t size[TSR_LAYOUT_DIMS + 1]; /* [d]: bytes of all dimensions below d */
  size_t from, left_bytes;          /* of the range */
};
void tsr_range_start(struct tsr_range *range, const tsr_layout *layout, size_t from, size_t bytes);
/* Makes the next piece; false at the end. */
bool tsr_range_next(struct tsr_range *range);

/* The wire form of a layout: a multiple of 16 bytes, at most TSR_LAYOUT_WIRE_BYTES, at any alignment. wire_bytes
 * returns its length. encode returns the bytes written. decode returns the bytes read, or 0 if they are no layout, or
 * if size or extent overflow. The caller checks that the extent lies in memory that the sender may access. */
enum { TSR_LAYOUT_WIRE_BYTES = 16 + 16 * TSR_LAYOUT_DIMS };
size_t tsr_layout_wire_bytes(const tsr_layout *layout);
size_t tsr_layout_encode(const tsr_layout *layout, void *wire);
size_t tsr_layout_decode(tsr_layout *layout, const void *wire, size_t bytes);

#endif
