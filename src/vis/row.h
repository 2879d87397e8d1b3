/* Transfers of a few pieces: what is one row, as most are, is found without a plan. Pure computation, as in vis/layout.h. */
#ifndef TSR_VIS_ROW_H
#define TSR_VIS_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bits.h"
#include "vis/kernels.h"
#include "vis/layout.h"
#include "vis/stream.h"

/* A row being folded: where its steps end, and those of the next dimension would go on. */
struct tsr_row_ends {
  ptrdiff_t dest, src;
};

/* Adds `count` > 1 steps. False: the row ends before. */
static inline bool tsr_row_add(struct tsr_row *row, struct tsr_row_ends *ends, size_t count, ptrdiff_t dest_stride,
                               ptrdiff_t src_stride) {
  const ptrdiff_t run = (ptrdiff_t)row->run_bytes;
  if (row->n == 1 && dest_stride == run && src_stride == run) return tsr_mul_size(row->run_bytes, count, &row->run_bytes);
  if (row->n == 1) {
    row->dest_stride = dest_stride;
    row->src_stride = src_stride;
  } else if (dest_stride != ends->dest || src_stride != ends->src) {
    return false;
  }
  return tsr_mul_size(row->n, count, &row->n) && count && !__builtin_mul_overflow(dest_stride, count, &ends->dest) &&
         !__builtin_mul_overflow(src_stride, count, &ends->src);
}

/* Folds two nests of the same counts into one row of at least one run. False: they are more than that, or nothing, or reach
 * beyond a quarter of all memory, or are long enough to be streamed past the caches; then `row` means nothing. */
static inline bool tsr_row_fold(struct tsr_row *row, size_t elem_bytes, size_t dims, const size_t count[],
                                const ptrdiff_t dest_stride[], const ptrdiff_t src_stride[]) {
  struct tsr_row_ends ends = {0, 0};
  size_t bytes;
  *row = (struct tsr_row){.run_bytes = elem_bytes, .n = 1};
  for (size_t d = 0; d < dims; d++)
    if (count[d] != 1 && !tsr_row_add(row, &ends, count[d], dest_stride[d], src_stride[d])) return false;
  if (!tsr_mul_size(row->run_bytes, row->n, &bytes) || bytes - 1 >= SIZE_MAX / 4 - 1) return false;
  if (row->n > 1 && bytes >= TSR_STREAM_FROM) return false;
  const ptrdiff_t most = PTRDIFF_MAX / 2;
  return ends.dest < most && ends.dest > -most && ends.src < most && ends.src > -most;
}

/* The bytes touched on a side whose runs are `stride` apart: [*low, *high) from the first. */
static inline void tsr_row_extent(const struct tsr_row *row, ptrdiff_t stride, ptrdiff_t *low, ptrdiff_t *high) {
  const ptrdiff_t reach = (ptrdiff_t)(row->n - 1) * stride;
  *low = reach < 0 ? reach : 0;
  *high = (reach < 0 ? 0 : reach) + (ptrdiff_t)row->run_bytes;
}

static inline void tsr_row_copy(void *dest, const void *src, const struct tsr_row *row) {
  if (row->n == 1) {
    tsr_copy_run(dest, src, row->run_bytes);
    return;
  }
  const tsr_blocks blocks = {{NULL, row->dest_stride, 0}, {NULL, row->src_stride, 0}, row->n, 1, row->run_bytes};
  tsr_blocks_kernel(row->run_bytes)(&blocks, dest, src);
}

#endif
