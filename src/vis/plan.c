#include "vis/layout.h"

#include "base/bits.h"
#include "vis/kernels.h"
#include "vis/row.h"

/* The rest of the dimension of a simplified layout that refine_plan() splits. The bytes of an element are the innermost
 * dimension, of stride 1. */
struct level {
  const tsr_layout *layout;
  int next; /* dimension */
  size_t count;
  ptrdiff_t stride;
};

static struct level level_first(const tsr_layout *layout) {
  return (struct level){.layout = layout, .count = layout->elem_bytes, .stride = 1};
}

/* Goes to the next dimension if nothing is left of this one; false at the end of the layout. */
static bool level_open(struct level *level) {
  if (level->count > 1) return true;
  if (level->next == level->layout->dims) return false;
  level->count = level->layout->count[level->next];
  level->stride = level->layout->stride[level->next++];
  return true;
}

/* Splits `n` steps off; n divides the count. */
static void level_split(struct level *level, size_t n) {
  level->count /= n;
  if (level->count > 1) level->stride *= (ptrdiff_t)n;
}

/* Whether a dimension with these strides is inside of dimension d: the destination's strides ascend. */
static bool comes_before(const tsr_plan *plan, int d, ptrdiff_t dest_stride, ptrdiff_t src_stride) {
  if (dest_stride != plan->dest_stride[d]) return dest_stride < plan->dest_stride[d];
  return src_stride < plan->src_stride[d];
}

/* Inserts a dimension of count > 1 in the order of strides. False: there are too many. */
static bool add_dimension(tsr_plan *plan, size_t count, ptrdiff_t dest_stride, ptrdiff_t src_stride) {
  if (dest_stride < 0) { /* start at the other end, so that the destination ascends */
    plan->dest_off += (ptrdiff_t)(count - 1) * dest_stride;
    plan->src_off += (ptrdiff_t)(count - 1) * src_stride;
    dest_stride = -dest_stride;
    src_stride = -src_stride;
  }
  if (plan->dims == TSR_LAYOUT_DIMS) return false;
  int d = plan->dims++;
  for (; d > 0 && comes_before(plan, d - 1, dest_stride, src_stride); d--) {
    plan->count[d] = plan->count[d - 1];
    plan->dest_stride[d] = plan->dest_stride[d - 1];
    plan->src_stride[d] = plan->src_stride[d - 1];
  }
  plan->count[d] = count;
  plan->dest_stride[d] = dest_stride;
  plan->src_stride[d] = src_stride;
  return true;
}

/* Splits the dimensions of two simplified layouts until both have the same counts, and adds them to the plan. False: no
 * such split exists, or it has too many dimensions. */
static bool refine_plan(tsr_plan *plan, const tsr_layout *dest, const tsr_layout *src) {
  struct level to = level_first(dest), from = level_first(src);
  plan->run_bytes = 1;
  plan->dims = 0;
  plan->dest_off = plan->src_off = 0;
  while (level_open(&to) && level_open(&from)) {
    size_t count = tsr_min_size(to.count, from.count);
    if (to.count != from.count && (to.count % count != 0 || from.count % count != 0)) return false;
    if (to.stride == 1 && from.stride == 1) plan->run_bytes = count;
    else if (!add_dimension(plan, count, to.stride, from.stride)) return false;
    level_split(&to, count);
    level_split(&from, count);
  }
  return true;
}

/* Whether dimension d continues, on both sides, a dimension of `count` steps of the given strides. */
static bool goes_on(const tsr_plan *plan, int d, size_t count, ptrdiff_t dest_stride, ptrdiff_t src_stride) {
  return plan->dest_stride[d] == (ptrdiff_t)count * dest_stride && plan->src_stride[d] == (ptrdiff_t)count * src_stride;
}

/* Extends the run by dimensions that are contiguous on both sides, and merges neighbouring dimensions. */
static void fold_plan(tsr_plan *plan) {
  int dims = 0;
  for (int d = 0; d < plan->dims; d++) {
    if (dims == 0 && goes_on(plan, d, plan->run_bytes, 1, 1)) {
      plan->run_bytes *= plan->count[d];
    } else if (dims > 0 && goes_on(plan, d, plan->count[dims - 1], plan->dest_stride[dims - 1],
                                   plan->src_stride[dims - 1])) {
      plan->count[dims - 1] *= plan->count[d];
    } else {
      plan->count[dims] = plan->count[d];
      plan->dest_stride[dims] = plan->dest_stride[d];
      plan->src_stride[dims++] = plan->src_stride[d];
    }
  }
  plan->dims = dims;
}

/* Walks two layouts that are not empty, in runs that are contiguous in both. Inlined, so that copy_one() is inlined, too. */
static inline __attribute__((always_inline)) void walk_side_by_side(char *dest, const tsr_layout *dest_layout,
                                                                    const char *src, const tsr_layout *src_layout,
                                                                    tsr_row_fn fn, void *arg) {
  tsr_layout_cursor to, from;
  tsr_layout_begin(&to, dest_layout);
  tsr_layout_begin(&from, src_layout);
  for (bool more = true; more;) {
    struct tsr_row run = {.run_bytes = tsr_min_size(to.left_bytes, from.left_bytes), .n = 1};
    fn(arg, dest + to.off, src + from.off, &run);
    bool more_to = tsr_layout_pass(&to, run.run_bytes), more_from = tsr_layout_pass(&from, run.run_bytes);
    more = more_to && more_from;
  }
}

static inline void copy_one(void *unused, char *dest, const char *src, const struct tsr_row *run) {
  (void)unused;
  tsr_copy_run(dest, src, run->run_bytes);
}

/* The kernel for layouts without common counts. */
static void side_by_side(const tsr_plan *plan, char *dest, const char *src) {
  walk_side_by_side(dest, plan->dest, src, plan->src, copy_one, NULL);
}

static void copy_nothing(const tsr_plan *plan, char *dest, const char *src) {
  (void)plan;
  (void)dest;
  (void)src;
}

void tsr_plan_make(tsr_plan *plan, const tsr_layout *dest, const tsr_layout *src) {
  tsr_layout simple_dest, simple_src;
  tsr_layout_simplify_to(&simple_dest, dest);
  tsr_layout_simplify_to(&simple_src, src);
  if (simple_dest.elem_bytes == 0 || simple_src.elem_bytes == 0) {
    plan->dims = 0;
    plan->dest_off = plan->src_off = 0;
    plan->kernel = copy_nothing;
  } else if (refine_plan(plan, &simple_dest, &simple_src)) {
    fold_plan(plan);
    tsr_kernel_choose(plan);
  } else {
    plan->dest = dest;
    plan->src = src;
    plan->dest_off = plan->src_off = 0;
    plan->kernel = side_by_side;
  }
}

/* Whether a copy is one row: two layouts of the same counts, or one dimension to or from contiguous memory. */
static bool fold_row(struct tsr_row *row, const tsr_layout *dest, const tsr_layout *src) {
  if (dest->dims == src->dims && dest->elem_bytes == src->elem_bytes) {
    for (int d = 0; d < dest->dims; d++)
      if (dest->count[d] != src->count[d]) return false;
    return tsr_row_make(row, dest->elem_bytes, (size_t)dest->dims, dest->count, dest->stride, src->stride);
  }
  const tsr_layout *rows = dest->dims ? dest : src;
  const ptrdiff_t dense = (ptrdiff_t)rows->elem_bytes; /* stride of the contiguous side */
  if (dest->dims + src->dims != 1) return false;
  return tsr_row_make(row, rows->elem_bytes, 1, rows->count, dest->dims ? dest->stride : &dense,
                      src->dims ? src->stride : &dense);
}

void tsr_layout_copy(void *dest, const tsr_layout *dest_layout, const void *src, const tsr_layout *src_layout) {
  struct tsr_row row = {0};
  if (fold_row(&row, dest_layout, src_layout)) {
    tsr_row_copy(dest, src, &row);
    return;
  }
  tsr_plan plan;
  tsr_plan_make(&plan, dest_layout, src_layout);
  tsr_plan_run(&plan, dest, src);
}

static void walk_rows(const tsr_plan *plan, char *dest, const char *src, tsr_row_fn fn, void *arg) {
  struct tsr_row row = {.run_bytes = plan->run_bytes, .n = 1};
  if (plan->dims > 0) row = (struct tsr_row){plan->run_bytes, plan->count[0], plan->dest_stride[0], plan->src_stride[0]};
  struct tsr_odometer at;
  tsr_odometer_start(&at, plan, 1);
  dest += plan->dest_off;
  src += plan->src_off;
  do fn(arg, dest + at.dest, src + at.src, &row);
  while (tsr_odometer_next(&at, plan));
}

void tsr_layout_rows(void *dest, const tsr_layout *dest_layout, const void *src, const tsr_layout *src_layout,
                     tsr_row_fn fn, void *arg) {
  tsr_plan plan;
  tsr_layout simple_dest, simple_src;
  tsr_layout_simplify_to(&simple_dest, dest_layout);
  tsr_layout_simplify_to(&simple_src, src_layout);
  if (simple_dest.elem_bytes == 0 || simple_src.elem_bytes == 0) return;
  if (refine_plan(&plan, &simple_dest, &simple_src)) {
    fold_plan(&plan);
    walk_rows(&plan, dest, src, fn, arg);
  } else {
    walk_side_by_side(dest, dest_layout, src, src_layout, fn, arg);
  }
}
