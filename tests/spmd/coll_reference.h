/* What members of a team contribute to the core's collectives in tests, and what that is together. */
#ifndef COLL_REFERENCE_H
#define COLL_REFERENCE_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "coll/coll.h"
#include "coll_moves.h"

/* x -> a x + b; composition does not commute. */
struct map { uint32_t a, b; };
static inline void compose(void *inout, const void *in, size_t n, const tsr_reducer *reducer) {
  (void)reducer;
  struct map *later = inout;
  const struct map *first = in;
  for (size_t i = 0; i < n; i++) later[i] = (struct map){later[i].a * first[i].a, later[i].a * first[i].b + later[i].b};
}
#define MAPS_IN_ORDER {.elem_bytes = sizeof(struct map), .apply = compose, .commutes = false}

/* Elements from number `from` on of what member `who` has: any bits, but of floating types small whole numbers. */
static inline void fill_elements(const tsr_reducer *how, void *data, int who, size_t from, size_t n) {
  for (size_t i = 0; i < n; i++) {
    uint32_t x = (uint32_t)(who * 7919 + 1) * 2654435761u ^ (uint32_t)(from + i) * 40503u;
    char *at = (char *)data + i * how->elem_bytes;
    if (!how->commutes) memcpy(at, &(struct map){x | 1, x >> 3}, sizeof(struct map));
    else if (how->type == TSR_F32) memcpy(at, &(float){(float)(x % 1000)}, 4);
    else if (how->type == TSR_F64) memcpy(at, &(double){(double)(x % 1000)}, 8);
    else if (how->type == TSR_C128) memcpy(at, (double[]){(double)(x % 1000), (double)(x % 77)}, 16);
    else if (how->type == TSR_I64 || how->type == TSR_U64) memcpy(at, &(int64_t){(int64_t)x - (1 << 30)}, 8);
    else memcpy(at, &x, how->elem_bytes);
  }
}

/* The same for the generator of cases: `call` is the reducer. */
static inline void core_fill(const struct coll_how *how, void *data, int who, size_t from, size_t n) {
  fill_elements((const tsr_reducer *)how->call, data, who, from, n);
}
static inline void core_join(const struct coll_how *how, void *inout, const void *in, size_t from, size_t n) {
  const tsr_reducer *reducer = (const tsr_reducer *)how->call;
  (void)from;
  reducer->apply(inout, in, n, reducer);
}
static inline struct coll_how core_how(const tsr_reducer *reducer) {
  return (struct coll_how){.elem_bytes = reducer->elem_bytes, .fill = core_fill, .join = core_join, .call = reducer};
}

#endif
