/* The kernels that plans run, and copies of single runs. */
#ifndef TSR_VIS_KERNELS_H
#define TSR_VIS_KERNELS_H

#include <stddef.h>
#include <string.h>

#include "base/copy.h"
#include "vis/layout.h"

/* Sets kernel and inner of a plan whose run and dimensions are known; may reorder the dimensions. */
void tsr_kernel_choose(tsr_plan *plan);

/* vis/tiles.c, transpositions: the kernel for dimensions 0 and 1 of a plan with runs of 1 to 64 bytes, if the destination
 * is densest along dimension 0 and the source along dimension 1. */
typedef void (*tsr_plan_fn)(const tsr_plan *plan, char *dest, const char *src);
tsr_plan_fn tsr_tiles_kernel(const tsr_plan *plan);

/* An odometer over the dimensions of a plan from `first` on. The inner dimensions begin at offsets dest and src. */
struct tsr_odometer {
  ptrdiff_t dest, src; /* relative to the first run */
  int first;
  size_t index[TSR_LAYOUT_DIMS];
};
static inline void tsr_odometer_start(struct tsr_odometer *odometer, const tsr_plan *plan, int first) {
  odometer->dest = odometer->src = 0;
  odometer->first = first;
  for (int d = first; d < plan->dims; d++) odometer->index[d] = 0;
}
static inline bool tsr_odometer_next(struct tsr_odometer *odometer, const tsr_plan *plan) {
  for (int d = odometer->first; d < plan->dims; d++) {
    odometer->dest += plan->dest_stride[d];
    odometer->src += plan->src_stride[d];
    if (++odometer->index[d] < plan->count[d]) return true;
    odometer->dest -= (ptrdiff_t)plan->count[d] * plan->dest_stride[d];
    odometer->src -= (ptrdiff_t)plan->count[d] * plan->src_stride[d];
    odometer->index[d] = 0;
  }
  return false;
}

/* Run sizes that have a kernel, as KERNEL(width, pair, name). A kernel copies one word of `width` bytes. With `pair` it
 * copies two overlapping words, for all sizes between width and twice the width. */
#define TSR_KERNEL_SIZES(KERNEL)                                                                              \
  KERNEL(1, false, 1) KERNEL(2, false, 2) KERNEL(4, false, 4) KERNEL(8, false, 8) KERNEL(16, false, 16)       \
  KERNEL(32, false, 32) KERNEL(64, false, 64) KERNEL(2, true, to_3) KERNEL(4, true, to_7) KERNEL(8, true, to_15) \
  KERNEL(16, true, to_31) KERNEL(32, true, to_63)

/* Copies a run in such a kernel, where `width` and `pair` are constants; `last` is the run's size less `width`. */
static inline __attribute__((always_inline)) void tsr_copy_constant(char *restrict dest, const char *restrict src, size_t width,
                                                                    size_t last, bool pair) {
  memcpy(dest, src, width);
  if (pair) memcpy(dest + last, src + last, width);
}

/* As tsr_copy, but up to 64 bytes without a call: two copies that overlap in the middle. */
static inline void tsr_copy_run(char *restrict dest, const char *restrict src, size_t bytes) {
#define TSR_COPY_ENDS(width)                                     \
  do {                                                           \
    memcpy(dest, src, width);                                    \
    memcpy(dest + bytes - (width), src + bytes - (width), width); \
  } while (0)
  if (bytes > 64) tsr_copy(dest, src, bytes);
  else if (bytes >= 32) TSR_COPY_ENDS(32);
  else if (bytes >= 16) TSR_COPY_ENDS(16);
  else if (bytes >= 8) TSR_COPY_ENDS(8);
  else if (bytes >= 4) TSR_COPY_ENDS(4);
  else if (bytes >= 2) TSR_COPY_ENDS(2);
  else if (bytes == 1) *dest = *src;
#undef TSR_COPY_ENDS
}

#endif
