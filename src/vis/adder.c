#include "vis/adder.h"

#include <string.h>

#include "base/bits.h"
#include "base/scale.h"
#include "rma/atomic.h"
#include "rma/stripe.h"

void tsr_adder_close(tsr_adder *adder) {
  if (adder->held) tsr_word_unlock(adder->held);
  adder->held = NULL;
}

/* Holds the lock of the stripe of `target`, and no other. */
static inline void hold_stripe(tsr_adder *adder, const char *target) {
  uint64_t stripe = tsr_stripe_number(target);
  if (adder->held && adder->stripe == stripe) return;
  tsr_adder_close(adder);
  adder->stripe = stripe;
  adder->held = tsr_stripe_lock(stripe);
  tsr_word_lock(adder->held);
}

/* How many of `n` elements, `step` bytes apart, begin in the stripe of the first; most often all. */
static size_t count_in_stripe(const char *target, size_t step, size_t n) {
  size_t left = tsr_stripe_left(target);
  if (n == 1 || step == 0 || (n < TSR_STRIPE_BYTES && step < TSR_STRIPE_BYTES && n * step <= left)) return n;
  return tsr_min_size(n, (left + step - 1) / step);
}

/* If not all elements are aligned, tsr_atomic_accumulate chooses for each between a CPU atomic and the stripe lock. */
static void add_integers(const tsr_adder *adder, char *target, ptrdiff_t target_step, const char *source,
                         ptrdiff_t source_step, size_t n) {
  char product[sizeof(int64_t)];
  const bool aligned = (((uintptr_t)target | (uintptr_t)target_step) & (adder->elem_bytes - 1)) == 0;
  if (aligned && adder->arith == TSR_SUM) {
    tsr_atomic_add_row(adder->type, target, target_step, source, source_step, adder->scale, n);
    return;
  }
  for (; n > 0; n--, target += target_step, source += source_step) {
    memcpy(product, source, adder->elem_bytes);
    if (adder->scale) tsr_scale(adder->type, product, adder->scale, 1);
    tsr_atomic_accumulate(adder->type, adder->arith, target, product, 1);
  }
}

void tsr_adder_run(tsr_adder *adder, char *target, const char *source, size_t bytes) {
  const size_t elem_bytes = adder->elem_bytes, n = bytes >> tsr_log2_floor(elem_bytes); /* sizes are powers of two */
  if (tsr_type_is_integer(adder->type)) {
    const ptrdiff_t step = (ptrdiff_t)elem_bytes;
    add_integers(adder, target, step, source, step, n);
    return;
  }
  for (size_t left = n, now; left > 0; left -= now) {
    now = count_in_stripe(target, elem_bytes, left);
    hold_stripe(adder, target);
    tsr_scale_add(adder->type, target, source, adder->scale, now);
    target += now * elem_bytes;
    source += now * elem_bytes;
  }
}

/* Adds a row whose runs are single elements. */
static void add_elements(tsr_adder *adder, char *target, const char *source, const struct tsr_row *row) {
  if (tsr_type_is_integer(adder->type)) {
    add_integers(adder, target, row->dest_stride, source, row->src_stride, row->n);
    return;
  }
  for (size_t left = row->n, now; left > 0; left -= now) {
    now = count_in_stripe(target, (size_t)row->dest_stride, left);
    hold_stripe(adder, target);
    tsr_scale_add_apart(adder->type, target, row->dest_stride, source, row->src_stride, adder->scale, now);
    target += (ptrdiff_t)now * row->dest_stride;
    source += (ptrdiff_t)now * row->src_stride;
  }
}

static void add_row(void *arg, char *target, const char *source, const struct tsr_row *row) {
  tsr_adder *adder = arg;
  if (row->run_bytes == adder->elem_bytes) {
    add_elements(adder, target, source, row);
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
    size_t bytes = tsr_min_size(to.left_bytes, from.left_bytes);
    tsr_adder_run(adder, (char *)target + to.off, (const char *)source + from.off, bytes);
    tsr_iov_pass(&to, bytes);
    tsr_iov_pass(&from, bytes);
  }
}
