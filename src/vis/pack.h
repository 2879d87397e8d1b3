/* Splits a range of a layout's byte stream into layouts: the ends of an element, of a row, of a plane and so on, then
 * whole ones, then beginnings. There are at most two pieces per dimension and one between them. */
#ifndef TSR_VIS_PACK_H
#define TSR_VIS_PACK_H

#include <stdbool.h>
#include <stddef.h>

#include "vis/layout.h"

struct tsr_range {
  tsr_layout piece;
  size_t piece_bytes;
  ptrdiff_t piece_off; /* from the base */
  /* private */
  tsr_layout layout;                /* simplified */
  size_t size[TSR_LAYOUT_DIMS + 1]; /* [d]: bytes of all dimensions below d */
  size_t from, left_bytes;          /* of the range */
};

/* The range lies within the stream. */
void tsr_range_start(struct tsr_range *range, const tsr_layout *layout, size_t from, size_t bytes);

/* Makes the next piece; false at the end. */
bool tsr_range_next(struct tsr_range *range);

#endif
