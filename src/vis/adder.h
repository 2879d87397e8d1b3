/* target += scale * source, or target ^= source, on memory of this node, atomic as rma/atomic.h requires: one CPU atomic for each
 * aligned integer, the stripe lock of the address for everything else. An adder keeps the lock of a stripe until it comes to an
 * element of another stripe, or is closed. Any unit and any thread; while an adder is open its thread waits for nothing else. */
#ifndef TSR_VIS_ADDER_H
#define TSR_VIS_ADDER_H

#include <stddef.h>
#include <stdint.h>

#include "base/arith.h"
#include "base/wait.h"
#include "vis/layout.h"
#include "vis/iov.h"

/* All private. */
typedef struct tsr_adder {
  tsr_type type;
  tsr_arith arith;
  size_t elem_bytes;
  const void *scale; /* the caller's; NULL: 1 */
  tsr_word *held;    /* the stripe's lock; NULL: none is held */
  uint64_t stripe;
} tsr_adder;

/* `arith` is TSR_SUM or, for integers without a scale, TSR_BXOR. */
static inline tsr_adder tsr_adder_open(tsr_type type, tsr_arith arith, const void *scale) {
  return (tsr_adder){.type = type, .arith = arith, .elem_bytes = tsr_type_bytes(type), .scale = scale};
}
/* Whole elements, at any addresses. */
void tsr_adder_run(tsr_adder *adder, char *target, const char *source, size_t bytes);
void tsr_adder_layout(tsr_adder *adder, void *target, const tsr_layout *target_layout, const void *source,
                      const tsr_layout *source_layout);
void tsr_adder_iov(tsr_adder *adder, void *target, const tsr_iov *target_iov, const void *source,
                    const tsr_iov *source_iov);
/* Releases the lock. */
void tsr_adder_close(tsr_adder *adder);

#endif
