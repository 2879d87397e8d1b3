#include "vis/layout.h"

#include "vis/kernels.h"
#include "vis/row.h"

static inline size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

/* Where the refinement stands in one simplified layout: what is left of the current dimension. The bytes of an element
 * are a dimension too, the innermost, of stride 1. */
struct level {
  const tsr_layout *layout;
  int next; /* dimension */
  size_t count;
  ptrdiff_t stride;
};

static struct level level_first(const tsr_layout *layout) {
  return (struct level){.layout = layout, .count = layout->elem_bytes, .stride = 1};
}

/* Makes sure that something is left; false at the end of the layout. */
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

/* Whether a dimension with these strides comes before dimension d: the destination is densest in the inner ones. */
static bool comes_before(const tsr_plan *plan, int d, ptrdiff_t dest_stride, ptrdiff_t src_stride) {
  if (dest_stride != plan->dest_stride[d]) return dest_stride < plan->dest_stride[d];
  return src_stride < plan->src_stride[d];
}

/* Adds a dimension of count > 1 in its place. False: there are too many. */
static bool add_dimension(tsr_plan *plan, size_t count, ptrdiff_t dest_stride, ptrdiff_t src_stride) {
  if (dest_stride < 0) { /* start at the other end: the destination ascends */
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

/* Splits the dimensions of two simplified layouts until both have the same counts, and adds them to the plan. False:
 * there is no such refinement, or it has too many dimensions. */
static bool refine(tsr_plan *plan, const tsr_layout *dest, const tsr_layout *src) {
  struct level to = level_first(dest), from = level_first(src);
  plan->run_bytes = 1;
  plan->dims = 0;
  plan->dest_off = plan->src_off = 0;
  while (level_open(&to) && level_open(&from)) {
    size_t count = smaller(to.count, from.count);
    if (to.count != from.count && (to.count % count != 0 || from.count % count != 0)) return false;
    if (to.stride == 1 && from.stride == 1) plan->run_bytes = count;
    else if (!add_dimension(plan, count, to.stride, from.stride)) return false;
    level_split(&to, count);
    level_split(&from, count);
  }
  return true;
}

/* Whether dimension d goes on, on both sides, where steps of the given strides end after `count`. */
static bool goes_on(const tsr_plan *plan, int d, size_t count, ptrdiff_t dest_stride, ptrdiff_t src_stride) {
  return plan->dest_stride[d] == (ptrdiff_t)count * dest_stride && plan->src_stride[d] == (ptrdiff_t)count * src_stride;
}

/* Takes what is contiguous on both sides into the run, and merges neighbours. */
static void fold(tsr_plan *plan) {
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

/* A place in the byte stream of a layout, and how far it is contiguous. */
struct cursor {
  tsr_layout layout; /* simplified */
  size_t index[TSR_LAYOUT_DIMS];
  ptrdiff_t off;     /* from the base */
  size_t left_bytes; /* of the current element */
};

static void cursor_start(struct cursor *cursor, const tsr_layout *layout) {
  tsr_layout_simplify_to(&cursor->layout, layout);
  for (int d = 0; d < cursor->layout.dims; d++) cursor->index[d] = 0;
  cursor->off = 0;
  cursor->left_bytes = cursor->layout.elem_bytes;
}

/* Passes `bytes` of the current element. False: that was the last. */
static bool cursor_pass(struct cursor *cursor, size_t bytes) {
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

/* The layouts side by side, in runs that are contiguous in both; neither is empty. Inlined, so that a copy is no call. */
static inline __attribute__((always_inline)) void walk_side_by_side(char *dest, const tsr_layout *dest_layout,
                                                                    const char *src, const tsr_layout *src_layout,
                                                                    tsr_row_fn fn, void *arg) {
  struct cursor to, from;
  cursor_start(&to, dest_layout);
  cursor_start(&from, src_layout);
  for (bool more = true; more;) {
    struct tsr_row run = {.run_bytes = smaller(to.left_bytes, from.left_bytes), .n = 1};
    fn(arg, dest + to.off, src + from.off, &run);
    bool more_to = cursor_pass(&to, run.run_bytes), more_from = cursor_pass(&from, run.run_bytes);
    more = more_to && more_from;
  }
}

static inline void copy_one(void *unused, char *dest, const char *src, const struct tsr_row *run) {
  (void)unused;
  tsr_copy_run(dest, src, run->run_bytes);
}

/* The kernel for layouts without a common refinement. */
static void side_by_side(const tsr_plan *plan, char *dest, const char *src) {
  walk_side_by_side(dest, plan->dest, src, plan->src, copy_one, NULL);
}

static void nothing(const tsr_plan *plan, char *dest, const char *src) {
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
    plan->kernel = nothing;
  } else if (refine(plan, &simple_dest, &simple_src)) {
    fold(plan);
    tsr_kernel_choose(plan);
  } else {
    plan->dest = dest;
    plan->src = src;
    plan->dest_off = plan->src_off = 0;
    plan->kernel = side_by_side;
  }
}

/* One row: two layouts of the same counts, or one dimension beside what is end to end. */
static bool fold_row(struct tsr_row *row, const tsr_layout *dest, const tsr_layout *src) {
  if (dest->dims == src->dims && dest->elem_bytes == src->elem_bytes) {
    for (int d = 0; d < dest->dims; d++)
      if (dest->count[d] != src->count[d]) return false;
    return tsr_row_make(row, dest->elem_bytes, (size_t)dest->dims, dest->count, dest->stride, src->stride);
  }
  const tsr_layout *rows = dest->dims ? dest : src;
  const ptrdiff_t line = (ptrdiff_t)rows->elem_bytes;
  if (dest->dims + src->dims != 1) return false;
  return tsr_row_make(row, rows->elem_bytes, 1, rows->count, dest->dims ? dest->stride : &line, src->dims ? src->stride : &line);
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

/* Row after row. */
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
  if (refine(&plan, &simple_dest, &simple_src)) {
    fold(&plan);
    walk_rows(&plan, dest, src, fn, arg);
  } else {
    walk_side_by_side(dest, dest_layout, src, src_layout, fn, arg);
  }
}
