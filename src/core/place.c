#include "core/place.h"

#include <stdlib.h>

#include "base/status.h"

struct tsr_place tsr_place = {.self = -1};

/* Counters of a node, stored at its first rank. */
struct tally {
  int32_t ranks_n, seen_n; /* its processes; those that are placed */
  int32_t node;
};

/* The tables, while they fill up. */
struct filling {
  const struct tsr_place_plan *plan;
  struct tally *tallies; /* by rank */
  int32_t *node_of, *first_of;
  uint16_t *index_of;
  int16_t *locals;
  int32_t placed_n;      /* units */
  bool consecutive, all_consecutive; /* units of the own node, and of each */
  bool uniform;          /* all nodes have as many units as the first */
};

/* Counts nodes and their processes. Each node needs a unit, and at most as many processes as its shared memory has room for. */
static tessera_status_t count_nodes(const struct filling *f, int32_t *nodes_n) {
  const struct tsr_place_plan *plan = f->plan;
  *nodes_n = 0;
  for (int32_t rank = 0; rank < plan->ranks_n; rank++) f->tallies[plan->first_of[rank]].ranks_n++;
  for (int32_t rank = 0; rank < plan->ranks_n; rank++) {
    int32_t ranks_n = f->tallies[rank].ranks_n;
    *nodes_n += ranks_n > 0;
    if (ranks_n > TSR_NODE_UNITS_MAX)
      return tsr_fail(TESSERA_ERR_ARG, "TSR-0351 the node of rank %d has %d processes; at most %d can share a node: start "
                      "fewer there, or make several nodes of it with TESSERA_VIRTUAL_NODES", rank, ranks_n,
                      TSR_NODE_UNITS_MAX);
    if (!ranks_n || ranks_n > plan->agents_n) continue;
    return tsr_fail(TESSERA_ERR_ARG, "TSR-0352 with %d agents per node no unit is left on the node of rank %d, which has %d "
                    "processes; start more there, or ask for fewer in TESSERA_PROGRESS", plan->agents_n, rank, ranks_n);
  }
  return TESSERA_OK;
}

/* The first rank of a node comes before its others, so nodes are numbered in the order of their first ranks. */
static void place_ranks(struct filling *f) {
  const struct tsr_place_plan *plan = f->plan;
  for (int32_t rank = 0, nodes_n = 0; rank < plan->ranks_n; rank++) {
    struct tally *node = &f->tallies[plan->first_of[rank]];
    if (node->seen_n == 0) node->node = nodes_n++;
    if (node->ranks_n != f->tallies[0].ranks_n) f->uniform = false;
    int32_t index = node->seen_n++, agent = index - (node->ranks_n - plan->agents_n);
    if (rank == plan->self) {
      tsr_place.node = node->node;
      tsr_place.self = agent < 0 ? f->placed_n : tsr_place.units_n + node->node * plan->agents_n + agent;
    }
    if (agent >= 0) continue;
    bool is_own_node = plan->first_of[rank] == plan->first_of[plan->self];
    int32_t number = f->placed_n++;
    if (index == 0) f->first_of[node->node] = number;
    if (number - f->first_of[node->node] != index) f->all_consecutive = false;
    if (is_own_node && index == 0) tsr_place.first = (uint32_t)number;
    if (is_own_node && number - (int32_t)tsr_place.first != index) f->consecutive = false;
    f->node_of[number] = node->node;
    f->index_of[number] = (uint16_t)index;
    f->locals[number] = (int16_t)(is_own_node ? index : -1);
  }
  f->first_of[tsr_place.nodes_n] = tsr_place.units_n;
}

/* Keeps the tables that are needed. */
static void keep_tables(struct filling *f) {
  const struct tally *own = &f->tallies[f->plan->first_of[f->plan->self]];
  if (f->consecutive) tsr_place.count = (uint32_t)(own->ranks_n - f->plan->agents_n);
  else tsr_place.locals = f->locals;
  if (tsr_place.nodes_n == 1) return;
  tsr_place.first_of = f->first_of;
  tsr_place.shared_endpoints = f->plan->agents_n > 0 || f->plan->first_serves;
  if (f->all_consecutive) {
    tsr_place.per_node = f->uniform ? tsr_place.units_n / tsr_place.nodes_n : 0;
  } else {
    tsr_place.node_of = f->node_of;
    tsr_place.index_of = f->index_of;
  }
}

void tsr_place_forget(void) {
  free((void *)tsr_place.first_of);
  free((void *)tsr_place.node_of);
  free((void *)tsr_place.index_of);
  free((void *)tsr_place.locals);
  tsr_place = (struct tsr_place){.self = -1};
}

tessera_status_t tsr_place_fill(const struct tsr_place_plan *plan) {
  size_t ranks_n = (size_t)plan->ranks_n;
  struct filling f = {.plan = plan, .consecutive = true, .all_consecutive = true, .uniform = true};
  f.tallies = calloc(ranks_n, sizeof *f.tallies);
  f.node_of = calloc(ranks_n, sizeof *f.node_of);
  f.index_of = calloc(ranks_n, sizeof *f.index_of);
  f.locals = calloc(ranks_n, sizeof *f.locals);
  tessera_status_t status = TESSERA_ERR_MEMORY;
  if (!f.tallies || !f.node_of || !f.index_of || !f.locals) goto fail_memory;
  int32_t nodes_n;
  status = count_nodes(&f, &nodes_n);
  if (status) goto done;
  f.first_of = calloc((size_t)nodes_n + 1, sizeof *f.first_of);
  if (!f.first_of) goto fail_memory;
  tsr_place = (struct tsr_place){
      .nodes_n = nodes_n, .agents_n = plan->agents_n, .units_n = plan->ranks_n - nodes_n * plan->agents_n};
  place_ranks(&f);
  keep_tables(&f);
  goto done;
fail_memory:
  status = tsr_fail(TESSERA_ERR_MEMORY, "TSR-0353 no private memory for tables of %d units; " TSR_REMEDY_MEMORY, plan->ranks_n);
done:
  free(f.tallies);
  if (tsr_place.first_of != f.first_of) free(f.first_of);
  if (tsr_place.node_of != f.node_of) free(f.node_of);
  if (tsr_place.index_of != f.index_of) free(f.index_of);
  if (tsr_place.locals != f.locals) free(f.locals);
  return status;
}

size_t tsr_place_bytes(int32_t units_n, int32_t nodes_n, bool consecutive) {
  size_t by_node = nodes_n > 1 ? ((size_t)nodes_n + 1) * sizeof *tsr_place.first_of : 0;
  size_t by_unit = sizeof *tsr_place.locals + (nodes_n > 1 ? sizeof *tsr_place.node_of + sizeof *tsr_place.index_of : 0);
  return by_node + (consecutive ? 0 : (size_t)units_n * by_unit);
}

/* The last node that begins no later than the unit. */
int32_t tsr_place_find_node(tsr_unit unit) {
  if (tsr_place.node_of) return tsr_place.node_of[unit.id];
  int32_t low = 0, high = tsr_place.nodes_n; /* it is in [low, high) */
  while (high - low > 1) {
    int32_t middle = low + (high - low) / 2;
    if (tsr_place.first_of[middle] <= unit.id) low = middle;
    else high = middle;
  }
  return low;
}

int32_t tsr_place_index(tsr_unit unit) {
  if (tsr_place.index_of) return tsr_place.index_of[unit.id];
  return unit.id - tsr_place_first(tsr_place_node(unit)).id;
}

int32_t tsr_place_node_units(int32_t node) {
  if (!tsr_place.first_of) return tsr_place.units_n;
  if (!tsr_place.node_of) return tsr_place.first_of[node + 1] - tsr_place.first_of[node];
  int32_t n = 0;
  for (int32_t unit = 0; unit < tsr_place.units_n; unit++) n += tsr_place.node_of[unit] == node;
  return n;
}

