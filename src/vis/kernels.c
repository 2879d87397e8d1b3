#include "vis/kernels.h"

#include "base/bits.h"

/* Every kernel below moves dimensions 0 and 1 of the plan; the nest walks the others. The bodies are templates: always
 * inlined, with a constant `width`, so that each copy becomes a load and a store. A run that is no power of two
 * ("pair") is copied as its first and its last `width` bytes. */
#define TEMPLATE static inline __attribute__((always_inline)) void

enum { SMALL_RUN = 64 }; /* longer ones are left to memcpy */

TEMPLATE copy_constant(char *restrict dest, const char *restrict src, size_t width, size_t last, bool pair) {
  memcpy(dest, src, width);
  if (pair) memcpy(dest + last, src + last, width);
}

/* Row after row, each along dimension 0. */
TEMPLATE rows(const tsr_plan *plan, char *dest, const char *src, size_t width, bool pair) {
  const size_t n = plan->count[0], rows_n = plan->count[1], last = plan->run_bytes - width;
  const ptrdiff_t dest_step = plan->dest_stride[0], src_step = plan->src_stride[0];
  for (size_t row = 0; row < rows_n; row++) {
    char *to = dest + (ptrdiff_t)row * plan->dest_stride[1];
    const char *from = src + (ptrdiff_t)row * plan->src_stride[1];
    for (size_t i = 0; i < n; i++) {
      copy_constant(to, from, width, last, pair);
      to += dest_step;
      from += src_step;
    }
  }
}

static inline size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

/* Transposition: the destination runs along dimension 0, the source along dimension 1. In tiles of about a cache line
 * on each side, so that a line is used up while it is near; no larger, since rows a power of two apart compete for one
 * set of the first cache. */
TEMPLATE tiles(const tsr_plan *plan, char *dest, const char *src, size_t width, bool pair) {
  const size_t side = width <= 4 ? 16 : 8, last = plan->run_bytes - width;
  const ptrdiff_t dest_step = plan->dest_stride[0], src_step = plan->src_stride[0];
  for (size_t j = 0; j < plan->count[1]; j += side) {
    const size_t j_end = smaller(j + side, plan->count[1]);
    for (size_t i = 0; i < plan->count[0]; i += side) {
      const size_t n = smaller(side, plan->count[0] - i);
      for (size_t row = j; row < j_end; row++) {
        char *to = dest + (ptrdiff_t)row * plan->dest_stride[1] + (ptrdiff_t)i * dest_step;
        const char *from = src + (ptrdiff_t)row * plan->src_stride[1] + (ptrdiff_t)i * src_step;
        for (size_t k = 0; k < n; k++) {
          copy_constant(to, from, width, last, pair);
          to += dest_step;
          from += src_step;
        }
      }
    }
  }
}

#define KERNEL(width, pair, name)                                                     \
  static void rows_##name(const tsr_plan *plan, char *dest, const char *src) {        \
    rows(plan, dest, src, width, pair);                                               \
  }                                                                                   \
  static void tiles_##name(const tsr_plan *plan, char *dest, const char *src) {       \
    tiles(plan, dest, src, width, pair);                                              \
  }
TSR_KERNEL_SIZES(KERNEL)

typedef void (*kernel_fn)(const tsr_plan *plan, char *dest, const char *src);
struct kernel {
  kernel_fn rows, tiles;
};
#define ROW(name) {rows_##name, tiles_##name}
/* By floor(log2(run_bytes)). */
static const struct kernel power_kernels[] = {ROW(1), ROW(2), ROW(4), ROW(8), ROW(16), ROW(32), ROW(64)};
static const struct kernel pair_kernels[] = {ROW(1) /* no such run */, ROW(to_3), ROW(to_7), ROW(to_15), ROW(to_31),
                                             ROW(to_63)};

static void contiguous(const tsr_plan *plan, char *dest, const char *src) { memcpy(dest, src, plan->run_bytes); }

static void rows_long(const tsr_plan *plan, char *dest, const char *src) {
  for (size_t row = 0; row < plan->count[1]; row++) {
    char *to = dest + (ptrdiff_t)row * plan->dest_stride[1];
    const char *from = src + (ptrdiff_t)row * plan->src_stride[1];
    for (size_t i = 0; i < plan->count[0]; i++)
      memcpy(to + (ptrdiff_t)i * plan->dest_stride[0], from + (ptrdiff_t)i * plan->src_stride[0], plan->run_bytes);
  }
}

static void nest(const tsr_plan *plan, char *dest, const char *src) {
  struct tsr_odometer at;
  tsr_odometer_start(&at, plan, 2);
  do plan->inner(plan, dest + at.dest, src + at.src);
  while (tsr_odometer_next(&at, plan));
}

static size_t magnitude(ptrdiff_t stride) { return stride < 0 ? 0 - (size_t)stride : (size_t)stride; }

/* The dimension along which the source is densest. */
static int densest_in_source(const tsr_plan *plan) {
  int best = 0;
  for (int d = 1; d < plan->dims; d++)
    if (magnitude(plan->src_stride[d]) < magnitude(plan->src_stride[best])) best = d;
  return best;
}

/* Makes dimension d >= 1 the second. */
static void move_to_second(tsr_plan *plan, int d) {
  size_t count = plan->count[d];
  ptrdiff_t dest_stride = plan->dest_stride[d], src_stride = plan->src_stride[d];
  for (; d > 1; d--) {
    plan->count[d] = plan->count[d - 1];
    plan->dest_stride[d] = plan->dest_stride[d - 1];
    plan->src_stride[d] = plan->src_stride[d - 1];
  }
  plan->count[1] = count;
  plan->dest_stride[1] = dest_stride;
  plan->src_stride[1] = src_stride;
}

/* The kernel for the two inner dimensions. */
static kernel_fn choose_inner(tsr_plan *plan) {
  if (plan->run_bytes > SMALL_RUN) return rows_long;
  unsigned width_log2 = tsr_log2_floor(plan->run_bytes);
  const struct kernel *kernels = tsr_is_pow2(plan->run_bytes) ? power_kernels : pair_kernels;
  int along = densest_in_source(plan);
  if (along == 0) return kernels[width_log2].rows;
  move_to_second(plan, along);
  return kernels[width_log2].tiles;
}

void tsr_kernel_choose(tsr_plan *plan) {
  if (plan->dims == 0) {
    plan->kernel = contiguous;
    return;
  }
  if (plan->dims == 1) {
    plan->count[1] = 1;
    plan->dest_stride[1] = plan->src_stride[1] = 0;
  }
  plan->inner = choose_inner(plan);
  plan->kernel = plan->dims > 2 ? nest : plan->inner;
}
