#include "overlap.h"

struct case_of {
  const struct perf_transfer *transfer;
  uint64_t steps;
};

void perf_compute(uint64_t steps) {
  volatile uint64_t result;
  uint64_t x = steps;
  for (uint64_t i = 0; i < steps; i++) {
    x = x * UINT64_C(6364136223846793005) + i;
    __asm__ __volatile__("" : "+r"(x)); /* each step waits for the one before */
  }
  result = x;
  (void)result;
}

static void transfer_only(void *arg, uint64_t n) {
  const struct case_of *c = arg;
  for (uint64_t i = 0; i < n; i++) {
    c->transfer->start(c->transfer->arg);
    c->transfer->complete(c->transfer->arg);
  }
}

static void compute_only(void *arg, uint64_t n) {
  for (uint64_t i = 0; i < n; i++) perf_compute(((const struct case_of *)arg)->steps);
}

static void both(void *arg, uint64_t n) {
  const struct case_of *c = arg;
  for (uint64_t i = 0; i < n; i++) {
    c->transfer->start(c->transfer->arg);
    perf_compute(c->steps);
    c->transfer->complete(c->transfer->arg);
  }
}

static double median(const struct perf *p, perf_loop loop, struct case_of *c) {
  struct perf_op op = {loop, c, 1, false};
  struct perf_result result;
  perf_measure(p, &op, NULL, &result);
  return result.value.median;
}

/* The computation takes twice as long as the transfer, so that it can hide the whole transfer. */
void perf_overlap(const struct perf *p, const char *work, const char *variant, size_t bytes,
                  const struct perf_transfer *transfer) {
  enum { SOME_STEPS = 1000 };
  struct case_of c = {transfer, SOME_STEPS};
  double base_ns = median(p, transfer_only, &c), step_ns = median(p, compute_only, &c) / SOME_STEPS;
  if (p->unit == 0) c.steps = 1 + (uint64_t)(2 * base_ns / step_ns);
  struct perf_op op = {both, &c, 1, false}, limit = {compute_only, &c, 1, false};
  struct perf_result result;
  perf_measure(p, &op, &limit, &result);
  op.loop = transfer_only;
  perf_check_copy(p, work, &op, transfer->source, transfer->dest, bytes);
  double overhead_ns = result.value.median - result.limit.median, left = 100 * (1 - overhead_ns / base_ns);
  perf_row_figure(p, work, variant, "%", bytes, left < 0 ? 0 : left > 100 ? 100 : left, 100);
}
