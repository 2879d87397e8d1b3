#include "vis/adder.h"

#include <string.h>

#include "base/bits.h"
#include "base/scale.h"
#include "rma/atomic.h"
#include "rma/stripe.h"

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

void tsr_adder_close(tsr_adder *adder) {
  if (adder->held) tsr_word_unlock(adder->held);
  adder->held = NULL;
}

/* Holds the lock of the element at `target`, and no other. */
static inline void hold(tsr_adder *adder, const char *target) {
  uint64_t stripe = tsr_stripe_number(target);
  if (adder->held && adder->stripe == stripe) return;
  tsr_adder_close(adder);
  adder->stripe = stripe;
  adder->held = tsr_stripe_lock(stripe);
  tsr_word_lock(adder->held);
}

/* How many of `n` elements, each `step` bytes behind the one before, begin in the stripe of the first. Most often all. */
static size_t count_local(const char *target, size_t step, size_t n) {
  size_t left = tsr_stripe_left(target);
  if (n == 1 || step == 0 || (n < TSR_STRIPE_BYTES && step < TSR_STRIPE_BYTES && n * step <= left)) return n;
  return smaller(n, (left + step - 1) / step);
}

/* So many bytes apart. Where not all are aligned each is looked at: those that are have atomics of the CPU. */
static void add_integers(const tsr_adder *adder, char *target, ptrdiff_t target_step, const char *source,
                         ptrdiff_t source_step, size_t n) {
  char product[sizeof(int64_t)];
  if ((((uintptr_t)target | (uintptr_t)target_step) & (adder->elem_bytes - 1)) == 0) {
    tsr_atomic_add_row(adder->type, target, target_step, source, source_step, adder->scale, n);
    return;
  }
  for (; n > 0; n--, target += target_step, source += source_step) {
    memcpy(product, source, adder->elem_bytes);
    if (adder->scale) tsr_scale(adder->type, product, adder->scale, 1);
    tsr_atomic_accumulate(adder->type, TSR_SUM, target, product, 1);
  }
}

void tsr_adder_run(tsr_adder *adder, char *target, const char *source, size_t bytes) {
  const size_t elem_bytes = adder->elem_bytes, n = bytes >> tsr_log2_floor(elem_bytes); /* a power of two */
  if (tsr_type_is_integer(adder->type)) {
    const ptrdiff_t step = (ptrdiff_t)elem_bytes;
    add_integers(adder, target, step, source, step, n);
    return;
  }
  for (size_t left = n, local_n; left > 0; left -= local_n) {
    local_n = count_local(target, elem_bytes, left);
    hold(adder, target);
    tsr_scale_add(adder->type, target, source, adder->scale, local_n);
    target += local_n * elem_bytes;
    source += local_n * elem_bytes;
  }
}

/* A row of runs of one element each. */
static void add_apart(tsr_adder *adder, char *target, const char *source, const struct tsr_row *row) {
  if (tsr_type_is_integer(adder->type)) {
    add_integers(adder, target, row->dest_stride, source, row->src_stride, row->n);
    return;
  }
  for (size_t left = row->n, local_n; left > 0; left -= local_n) {
    local_n = count_local(target, (size_t)row->dest_stride, left);
    hold(adder, target);
    tsr_scale_add_apart(adder->type, target, row->dest_stride, source, row->src_stride, adder->scale, local_n);
    target += (ptrdiff_t)local_n * row->dest_stride;
    source += (ptrdiff_t)local_n * row->src_stride;
  }
}

static void add_row(void *arg, char *target, const char *source, const struct tsr_row *row) {
  tsr_adder *adder = arg;
  if (row->run_bytes == adder->elem_bytes) {
    add_apart(adder, target, source, row);
    return;
  }
  for (size_t i = 0; i < row->n; i++)
    tsr_adder_run(adder, target + (ptrdiff_t)i * row->dest_stride, source + (ptrdiff_t)i * row->src_stride, row->run_bytes);
}

void tsr_adder_layout(tsr_adder *adder, void *target, const tsr_layout *target_layout, const void *source,
                      const tsr_layout *source_layout) {
  if (target_layout->dims == 0 && source_layout->dims == 0)
    tsr_adder_run(adder, target, source, target_layout->elem_bytes);
  else
    tsr_layout_rows(target, target_layout, source, source_layout, add_row, adder);
}

void tsr_adder_iov(tsr_adder *adder, void *target, const tsr_iov *target_iov, const void *source,
                    const tsr_iov *source_iov) {
  tsr_iov_cursor to = tsr_iov_begin(target_iov), from = tsr_iov_begin(source_iov);
  while (to.left_bytes && from.left_bytes) {
    size_t bytes = smaller(to.left_bytes, from.left_bytes);
    tsr_adder_run(adder, (char *)target + to.off, (const char *)source + from.off, bytes);
    tsr_iov_pass(&to, bytes);
    tsr_iov_pass(&from, bytes);
  }
}
