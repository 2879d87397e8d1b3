/* Transfers of one row, the most frequent kind: they need no plan. Pure computation, as in vis/layout.h. */
#ifndef TSR_VIS_ROW_H
#define TSR_VIS_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bits.h"
#include "vis/kernels.h"
#include "vis/layout.h"

#define TSR_ROW_INLINE static inline __attribute__((always_inline)) /* so that rows stay in registers */

/* A row that is being built from two layouts of the same counts, innermost dimension first. The next dimension
 * continues it if its strides are dest_end and src_end (= n * stride). */
struct tsr_row_fold {
  struct tsr_row row;
  ptrdiff_t dest_end, src_end;
};

TSR_ROW_INLINE struct tsr_row_fold tsr_row_begin(size_t elem_bytes) {
  return (struct tsr_row_fold){{.run_bytes = elem_bytes, .n = 1}, 0, 0};
}

/* Adds a dimension. False: the layouts are more than one row, or are empty, or a size overflows. */
TSR_ROW_INLINE bool tsr_row_add(struct tsr_row_fold *fold, size_t count, ptrdiff_t dest_stride, ptrdiff_t src_stride) {
  struct tsr_row *row = &fold->row;
  const ptrdiff_t run = (ptrdiff_t)row->run_bytes;
  if (count < 2) return count == 1;
  if (row->n == 1 && dest_stride == run && src_stride == run) return tsr_mul_size(row->run_bytes, count, &row->run_bytes);
  if (row->n == 1) {
    row->dest_stride = dest_stride;
    row->src_stride = src_stride;
  } else if (dest_stride != fold->dest_end || src_stride != fold->src_end) {
    return false;
  }
  return tsr_mul_size(row->n, count, &row->n) && !__builtin_mul_overflow(dest_stride, count, &fold->dest_end) &&
         !__builtin_mul_overflow(src_stride, count, &fold->src_end);
}

/* Called after the last dimension. False: the row has no bytes, spans more than a quarter of the address space, or is
 * long enough to be streamed past the caches. */
TSR_ROW_INLINE bool tsr_row_end(const struct tsr_row_fold *fold) {
  const ptrdiff_t most = PTRDIFF_MAX / 4;
  size_t bytes;
  if (!tsr_mul_size(fold->row.run_bytes, fold->row.n, &bytes) || bytes - 1 >= (size_t)most) return false;
  if (fold->row.n == 1) return true;
  return bytes < TSR_STREAM_FROM && fold->dest_end < most && fold->dest_end > -most && fold->src_end < most &&
         fold->src_end > -most;
}

/* Adds all dimensions. False: `row` is not valid, and the transfer needs a plan. */
TSR_ROW_INLINE bool tsr_row_make(struct tsr_row *row, size_t elem_bytes, size_t dims, const size_t count[],
                                 const ptrdiff_t dest_stride[], const ptrdiff_t src_stride[]) {
  struct tsr_row_fold fold = tsr_row_begin(elem_bytes);
  for (size_t d = 0; d < dims; d++)
    if (!tsr_row_add(&fold, count[d], dest_stride[d], src_stride[d])) return false;
  *row = fold.row;
  return tsr_row_end(&fold);
}

/* The bytes touched on a side whose runs are `stride` apart: [*low, *high), relative to the first run. */
TSR_ROW_INLINE void tsr_row_extent(const struct tsr_row *row, ptrdiff_t stride, ptrdiff_t *low, ptrdiff_t *high) {
  const ptrdiff_t reach = (ptrdiff_t)(row->n - 1) * stride;
  *low = reach < 0 ? reach : 0;
  *high = (reach < 0 ? 0 : reach) + (ptrdiff_t)row->run_bytes;
}

TSR_ROW_INLINE void tsr_row_copy(void *dest, const void *src, const struct tsr_row *row) {
  if (row->n == 1) {
    tsr_copy_run((char *)dest, (const char *)src, row->run_bytes);
    return;
  }
  const tsr_blocks blocks = {{NULL, row->dest_stride, 0}, {NULL, row->src_stride, 0}, row->n, 1, row->run_bytes};
  tsr_blocks_kernel(row->run_bytes)(&blocks, dest, src);
}

#undef TSR_ROW_INLINE

#endif
