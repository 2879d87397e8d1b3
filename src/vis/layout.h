/* Layouts: how the elements of a transfer lie in memory, and the engine that moves them. Pure computation on memory of
 * this process: knows nothing of units. Any thread; nothing here waits, allocates or fails.
 */
#ifndef TSR_VIS_LAYOUT_H
#define TSR_VIS_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vis/blocks.h"

enum { TSR_LAYOUT_DIMS = 32 };

/* Elements of elem_bytes at base + sum(index[d] * stride[d]), 0 <= index[d] < count[d]; dimension 0 runs fastest.
 * dims 0 is one element. Strides in bytes, of any sign. Entries from `dims` on are never read. */
typedef struct tsr_layout {
  size_t elem_bytes;
  int dims;
  size_t count[TSR_LAYOUT_DIMS];
  ptrdiff_t stride[TSR_LAYOUT_DIMS];
} tsr_layout;

static inline tsr_layout tsr_layout_contiguous(size_t bytes) {
  tsr_layout layout; /* not cleared: half a KiB of zeros costs more than a small copy */
  layout.elem_bytes = bytes;
  layout.dims = 0;
  return layout;
}
/* `blocks_n` blocks of `block_bytes`, their starts `stride_bytes` apart. */
static inline tsr_layout tsr_layout_strided(size_t block_bytes, size_t blocks_n, ptrdiff_t stride_bytes) {
  tsr_layout layout;
  layout.elem_bytes = block_bytes;
  layout.dims = 1;
  layout.count[0] = blocks_n;
  layout.stride[0] = stride_bytes;
  return layout;
}

/* Bytes of all elements; SIZE_MAX when they are more than a size_t holds. */
size_t tsr_layout_bytes(const tsr_layout *layout);
/* The bytes touched, relative to base: [*low, *high); both 0 when there are no elements. A layout that reaches further
 * than a ptrdiff_t gives [PTRDIFF_MIN, PTRDIFF_MAX), which no range check admits. */
void tsr_layout_extent(const tsr_layout *layout, ptrdiff_t *low, ptrdiff_t *high);

/* What follows takes layouts of real memory: tsr_layout_bytes and tsr_layout_extent do not overflow. Who gets layouts
 * from outside checks their extent against the range first. */

/* Brings one layout into its simplest form that visits the same bytes in the same order: drops dimensions of count 1,
 * folds dimension 0 into the element while contiguous, merges adjacent dimensions; without elements it is one element
 * of 0 bytes. Returns whether it is contiguous (dims 0). `_to` writes the form to `simple`, which may be `layout`. */
int tsr_layout_simplify(tsr_layout *layout);
int tsr_layout_simplify_to(tsr_layout *simple, const tsr_layout *layout);

/* A plan for moving the bytes of one layout to another of the same total size, byte k in order of visit to byte k. The
 * two nests are refined to common counts (which equal counts have already, and a contiguous side takes from the other);
 * then dimensions are reordered, reflected and folded together, and a kernel is chosen. Layouts without a common
 * refinement (blocks of 3 and of 5) are walked side by side. Elements of the destination do not overlap each other,
 * nor the source; those of the source may (stride 0 repeats). Opaque; lives on the stack; may be run any number of
 * times, on any bases, while the two layouts live. */
typedef struct tsr_plan {
  void (*kernel)(const struct tsr_plan *plan, char *dest, const char *src); /* moves all from the first run on */
  void (*inner)(const struct tsr_plan *plan, char *dest, const char *src);  /* more than 2 dims: moves the inner two */
  tsr_blocks_fn blocks;        /* the rows' */
  ptrdiff_t dest_off, src_off; /* of the first run, from the bases */
  size_t run_bytes;            /* contiguous on both sides */
  int dims;                    /* below 2: count and strides are there for two all the same */
  size_t count[TSR_LAYOUT_DIMS];
  ptrdiff_t dest_stride[TSR_LAYOUT_DIMS], src_stride[TSR_LAYOUT_DIMS]; /* the destination's are positive */
  const tsr_layout *dest, *src; /* for the walk side by side; the caller's */
} tsr_plan;
void tsr_plan_make(tsr_plan *plan, const tsr_layout *dest, const tsr_layout *src);
static inline void tsr_plan_run(const tsr_plan *plan, void *dest, const void *src) {
  plan->kernel(plan, (char *)dest + plan->dest_off, (const char *)src + plan->src_off);
}

/* Copies; make and run in one. Ranges do not overlap. */
void tsr_layout_copy(void *dest, const tsr_layout *dest_layout, const void *src, const tsr_layout *src_layout);

/* For who does something else with the bytes than copying them: what is contiguous on both sides, in rows of `n` such runs,
 * each so far from the one before; in any order. The destination may overlap itself: then its bytes come up repeatedly. */
struct tsr_row {
  size_t run_bytes, n;
  ptrdiff_t dest_stride, src_stride; /* the destination's is not negative in rows of tsr_layout_rows */
};
typedef void (*tsr_row_fn)(void *arg, char *dest, const char *src, const struct tsr_row *row);
void tsr_layout_rows(void *dest, const tsr_layout *dest_layout, const void *src, const tsr_layout *src_layout,
                     tsr_row_fn fn, void *arg);

/* Packs bytes [from, from + bytes) of the layout's byte stream (its elements in order of visit) into `packed`, and
 * back. The range lies within the stream. Any cut is allowed, inside an element too; finding the place costs O(dims),
 * so that a transfer may go in chunks. */
void tsr_layout_pack(void *packed, const void *base, const tsr_layout *layout, size_t from, size_t bytes);
void tsr_layout_unpack(void *base, const tsr_layout *layout, size_t from, size_t bytes, const void *packed);

/* A layout as a message carries it: a multiple of 16 bytes, at most TSR_LAYOUT_WIRE_BYTES; any alignment. encode returns the
 * bytes written, which wire_bytes tells before;
 * decode those read, 0 when the bytes are not a layout, or one whose size or extent overflows. Whether its extent lies
 * in memory that the sender may touch is for the caller to check. */
enum { TSR_LAYOUT_WIRE_BYTES = 16 + 16 * TSR_LAYOUT_DIMS };
size_t tsr_layout_wire_bytes(const tsr_layout *layout);
size_t tsr_layout_encode(const tsr_layout *layout, void *wire);
size_t tsr_layout_decode(tsr_layout *layout, const void *wire, size_t bytes);

#endif
