/* The placement of units: the only place that decides "same node or not". The rank of a unit in the transport is its number. If the
 * units of each node are consecutive, as launchers place them by default, all tables are by node. */
#ifndef TSR_CORE_PLACE_H
#define TSR_CORE_PLACE_H

#include <stdbool.h>
#include <stdint.h>

#include <tessera.h>

#include "core/address.h"
#include "node/heap.h"

struct tsr_place {
  int32_t self, units_n; /* own number in the world (an agent's: its rank), units of the world */
  int32_t node, nodes_n;
  uint32_t first, count; /* the node's units, when they are consecutive in the world: [first, first + count) */
  const int16_t *locals;    /* otherwise: local index of each unit, -1 off the node; NULL when consecutive */
  const int32_t *first_of;  /* first unit of each node, and after the last one's units_n; NULL with one node */
  int32_t per_node;         /* units of each node, if equal on all nodes and consecutive; else 0 */
  const int32_t *node_of;   /* node of each unit, where those of some node are not consecutive; else NULL */
  const uint16_t *index_of; /* with node_of: index of each unit on its node */
  bool shared_endpoints;    /* requests to a unit's heap go to an endpoint of its node; else to the unit itself */
  int32_t agents_n;         /* processes of this node that are agents, not units: its last local indices */
};
extern struct tsr_place tsr_place;

/* Determines the placement of all processes. */
struct tsr_place_plan {
  int32_t ranks_n, self;   /* processes, and which one this is */
  const int32_t *first_of; /* first rank of each one's node */
  int32_t agents_n;        /* processes of each node, the last ones, that are agents */
  bool first_serves;       /* the first unit of each node serves requests to all of the node */
};

/* Fills in tsr_place: units are numbered in the order of their ranks, nodes in the order of their first ranks. Agents have the
 * numbers after the last unit, node by node. TESSERA_ERR_MEMORY. TESSERA_ERR_ARG: a node has no unit, or more than
 * TSR_NODE_UNITS_MAX processes; all processes log it, because a launcher may drop the output of all but the first that ends. */
tessera_status_t tsr_place_fill(const struct tsr_place_plan *plan);
/* At the end of the job: frees the tables. */
void tsr_place_forget(void);

/* The unit's index on this node; negative when it is elsewhere. */
static inline int32_t tsr_place_local(tsr_unit unit) {
  uint32_t local = (uint32_t)unit.id - tsr_place.first;
  if (__builtin_expect(local < tsr_place.count, 1)) return (int32_t)local;
  return tsr_place.locals ? tsr_place.locals[unit.id] : -1;
}
/* The same of a rank, which may be an agent's: negative. */
static inline int32_t tsr_place_rank_local(int rank) {
  return rank < tsr_place.units_n ? tsr_place_local((tsr_unit){rank}) : -1;
}
static inline bool tsr_place_is_local(tsr_unit unit) { return tsr_place_local(unit) >= 0; }

/* Memory outside the heaps can be accessed only by the unit that it belongs to. */
static inline void *tsr_place_outside(tsr_addr address) {
  return address.unit.id == tsr_place.self ? tsr_addr_outside_pointer(address) : NULL;
}

/* The address in this process; NULL: an access takes a request. */
static inline void *tsr_place_pointer(tsr_addr address) {
  if (__builtin_expect(tsr_addr_is_outside(address), 0)) return tsr_place_outside(address);
  int32_t local = tsr_place_local(address.unit);
  return __builtin_expect(local >= 0, 1) ? tsr_heap_at((uint32_t)local, address.off) : NULL;
}

int32_t tsr_place_find_node(tsr_unit unit);
static inline int32_t tsr_place_node(tsr_unit unit) {
  if (tsr_place.nodes_n == 1) return 0;
  return tsr_place.per_node ? unit.id / tsr_place.per_node : tsr_place_find_node(unit);
}
static inline tsr_unit tsr_place_first(int32_t node) { return TSR_UNIT(tsr_place.first_of ? tsr_place.first_of[node] : 0); }

/* How many units a node has, and a unit's index among those of its node. */
int32_t tsr_place_node_units(int32_t node);
int32_t tsr_place_index(tsr_unit unit);

static inline bool tsr_place_is_agent(void) { return tsr_place.self >= tsr_place.units_n; }
static inline uint32_t tsr_place_local_units(void) { return tsr_heap.units_n - (uint32_t)tsr_place.agents_n; }

/* The rank of the unit itself, for requests that it has to serve itself. */
static inline int tsr_place_rank(tsr_unit unit) { return unit.id; }

/* The rank that serves requests to this memory: an endpoint of the unit's node; for memory outside the heaps, the unit itself. */
static inline int tsr_place_endpoint(tsr_addr address) {
  if (!tsr_place.shared_endpoints || tsr_addr_is_outside(address)) return tsr_place_rank(address.unit);
  int32_t node = tsr_place_node(address.unit);
  if (!tsr_place.agents_n) return tsr_place_rank(tsr_place_first(node));
  return tsr_place.units_n + node * tsr_place.agents_n + tsr_place_index(address.unit) % tsr_place.agents_n;
}

/* Bytes of the tables in a job of that many units and nodes. `consecutive`: the units of each node are consecutive. */
size_t tsr_place_bytes(int32_t units_n, int32_t nodes_n, bool consecutive);

/* World number of a unit of this node. */
static inline tsr_unit tsr_place_unit(uint32_t local) { return TSR_UNIT(tsr_heap_unit(local)->unit); }

#endif
