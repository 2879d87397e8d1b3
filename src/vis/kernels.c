#include "vis/kernels.h"

/* Every inner kernel moves dimensions 0 and 1 of the plan; copy_nest() walks the others. */

enum { SMALL_RUN = 64 }; /* bytes; longer runs fill cache lines on both sides and need no tiles */

static void copy_contiguous(const tsr_plan *plan, char *dest, const char *src) { tsr_copy(dest, src, plan->run_bytes); }

/* Rows along dimension 0. */
static void copy_rows(const tsr_plan *plan, char *dest, const char *src) {
  const tsr_blocks blocks = {.to = {NULL, plan->dest_stride[0], plan->dest_stride[1]},
                             .from = {NULL, plan->src_stride[0], plan->src_stride[1]},
                             .n = plan->count[0],
                             .times = plan->count[1],
                             .bytes = plan->run_bytes};
  plan->blocks(&blocks, dest, src);
}

static void copy_nest(const tsr_plan *plan, char *dest, const char *src) {
  struct tsr_odometer at;
  tsr_odometer_start(&at, plan, 2);
  do plan->inner(plan, dest + at.dest, src + at.src);
  while (tsr_odometer_next(&at, plan));
}

static size_t abs_stride(ptrdiff_t stride) { return stride < 0 ? 0 - (size_t)stride : (size_t)stride; }

/* The dimension along which the source is densest. */
static int densest_in_source(const tsr_plan *plan) {
  int best = 0;
  for (int d = 1; d < plan->dims; d++)
    if (abs_stride(plan->src_stride[d]) < abs_stride(plan->src_stride[best])) best = d;
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

/* Whether to bypass the caches: for many bytes in long runs that are not contiguous at the destination. For a contiguous
 * destination streaming was measured to be no faster. */
static bool worth_streaming(const tsr_plan *plan) {
  size_t bytes = plan->run_bytes;
  for (int d = 0; d < plan->dims; d++) bytes *= plan->count[d];
  return plan->run_bytes >= TSR_STREAM_RUN && bytes >= TSR_STREAM_FROM &&
         plan->dest_stride[0] > (ptrdiff_t)plan->run_bytes;
}

static tsr_plan_fn choose_inner(tsr_plan *plan) {
  int along = plan->run_bytes > SMALL_RUN ? 0 : densest_in_source(plan);
  if (along > 0) {
    move_to_second(plan, along);
    return tsr_tiles_kernel(plan);
  }
  plan->blocks = worth_streaming(plan) ? tsr_blocks_stream : tsr_blocks_kernel(plan->run_bytes);
  return copy_rows;
}

void tsr_kernel_choose(tsr_plan *plan) {
  if (plan->dims == 0) {
    plan->kernel = copy_contiguous;
    return;
  }
  if (plan->dims == 1) {
    plan->count[1] = 1;
    plan->dest_stride[1] = plan->src_stride[1] = 0;
  }
  plan->inner = choose_inner(plan);
  plan->kernel = plan->dims > 2 ? copy_nest : plan->inner;
}
