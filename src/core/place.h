/* Where units are: the one place that decides "same node or not". */
#ifndef TSR_CORE_PLACE_H
#define TSR_CORE_PLACE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/address.h"
#include "node/heap.h"

struct tsr_place {
  int32_t self, units_n; /* own number in the world, units of the world */
  int32_t node, nodes_n;
  uint32_t first, count; /* the node's units, when they are consecutive in the world: [first, first + count) */
  const int32_t *locals; /* otherwise: local index of each unit, -1 off the node; NULL when consecutive */
  const int32_t *node_of; /* node of each unit; NULL with one node */
  const int32_t *rank_of; /* endpoint that serves each unit; NULL: rank = unit */
};
extern struct tsr_place tsr_place;

/* The unit's index on this node; negative when it is elsewhere. */
static inline int32_t tsr_place_local(tsr_unit unit) {
  uint32_t local = (uint32_t)unit.id - tsr_place.first;
  if (__builtin_expect(local < tsr_place.count, 1)) return (int32_t)local;
  return tsr_place.locals ? tsr_place.locals[unit.id] : -1;
}
static inline bool tsr_place_is_here(tsr_unit unit) { return tsr_place_local(unit) >= 0; }

/* Memory outside the heaps is reached by its unit only. */
static inline void *tsr_place_outside(tsr_addr address) {
  return address.unit.id == tsr_place.self ? tsr_addr_outside_pointer(address) : NULL;
}

/* The byte itself when this process can load and store it; NULL: it takes a request. */
static inline void *tsr_place_pointer(tsr_addr address) {
  if (__builtin_expect(tsr_addr_is_outside(address), 0)) return tsr_place_outside(address);
  int32_t local = tsr_place_local(address.unit);
  return __builtin_expect(local >= 0, 1) ? tsr_heap_at((uint32_t)local, address.off) : NULL;
}

static inline int32_t tsr_place_node(tsr_unit unit) { return tsr_place.node_of ? tsr_place.node_of[unit.id] : 0; }

/* The rank that serves requests to this unit (an endpoint of its node). */
static inline int tsr_place_endpoint(tsr_unit unit) { return tsr_place.rank_of ? tsr_place.rank_of[unit.id] : unit.id; }

/* World number of a unit of this node. */
static inline tsr_unit tsr_place_unit(uint32_t local) { return TSR_UNIT(tsr_heap_unit(local)->unit); }

#endif
