#include "core/place.h"

#include <stdlib.h>

#include "base/status.h"

struct tsr_place tsr_place = {.self = -1};

/* What is counted of a node, at its first rank. */
struct tally {
  int32_t ranks_n, seen_n; /* its processes; those that have their seats */
  int32_t node, first_unit;
};

/* The tables, while they fill up. */
struct filling {
  const struct tsr_place_plan *plan;
  struct tally *tallies; /* by rank */
  int32_t *node_of, *locals, *endpoint_of;
  int32_t seated_n; /* units */
  bool consecutive;
};

static void count_ranks(struct filling *f) {
  for (int32_t rank = 0; rank < f->plan->ranks_n; rank++) f->tallies[f->plan->first_of[rank]].ranks_n++;
}

/* Some node might have no unit left. */
static tessera_status_t check_agents(const struct filling *f) {
  const struct tsr_place_plan *plan = f->plan;
  for (int32_t rank = 0; rank < plan->ranks_n; rank++) {
    int32_t ranks_n = f->tallies[rank].ranks_n;
    if (!ranks_n || ranks_n > plan->agents_n) continue;
    return tsr_fail(TESSERA_ERR_ARG, "%d agents per node leave no unit on the node of rank %d, which has %d processes; start "
                    "more there, or ask for fewer in TESSERA_PROGRESS", plan->agents_n, rank, ranks_n);
  }
  return TESSERA_OK;
}

static int32_t count_nodes(const struct filling *f) {
  int32_t n = 0;
  for (int32_t rank = 0; rank < f->plan->ranks_n; rank++) n += f->tallies[rank].ranks_n > 0;
  return n;
}

static void place_unit(struct filling *f, struct tally *node, int32_t index, bool is_own_node) {
  int32_t number = f->seated_n++;
  if (index == 0) node->first_unit = number;
  if (is_own_node && index == 0) tsr_place.first = (uint32_t)number;
  if (is_own_node && number - (int32_t)tsr_place.first != index) f->consecutive = false;
  f->node_of[number] = node->node;
  f->locals[number] = is_own_node ? index : -1;
  if (f->plan->agents_n > 0)
    f->endpoint_of[number] = tsr_place.units_n + node->node * f->plan->agents_n + index % f->plan->agents_n;
  else
    f->endpoint_of[number] = f->plan->first_serves ? node->first_unit : number;
}

/* First ranks come before their nodes' others, so nodes count up in their order. */
static void place_ranks(struct filling *f) {
  const struct tsr_place_plan *plan = f->plan;
  for (int32_t rank = 0, nodes_n = 0; rank < plan->ranks_n; rank++) {
    struct tally *node = &f->tallies[plan->first_of[rank]];
    if (node->seen_n == 0) node->node = nodes_n++;
    int32_t index = node->seen_n++, agent = index - (node->ranks_n - plan->agents_n);
    if (rank == plan->self) {
      tsr_place.node = node->node;
      tsr_place.self = agent < 0 ? f->seated_n : tsr_place.units_n + node->node * plan->agents_n + agent;
    }
    if (agent < 0) place_unit(f, node, index, plan->first_of[rank] == plan->first_of[plan->self]);
  }
}

/* Keeps the tables that say something. */
static void keep_tables(struct filling *f) {
  const struct tally *own = &f->tallies[f->plan->first_of[f->plan->self]];
  if (f->consecutive) tsr_place.count = (uint32_t)(own->ranks_n - f->plan->agents_n);
  else tsr_place.locals = f->locals;
  if (tsr_place.nodes_n > 1) tsr_place.node_of = f->node_of;
  if (tsr_place.nodes_n > 1 && (f->plan->agents_n > 0 || f->plan->first_serves)) tsr_place.endpoint_of = f->endpoint_of;
}

void tsr_place_forget(void) {
  free((void *)tsr_place.node_of);
  free((void *)tsr_place.locals);
  free((void *)tsr_place.endpoint_of);
  tsr_place = (struct tsr_place){.self = -1};
}

tessera_status_t tsr_place_fill(const struct tsr_place_plan *plan) {
  size_t ranks_n = (size_t)plan->ranks_n;
  struct filling f = {.plan = plan, .consecutive = true};
  f.tallies = calloc(ranks_n, sizeof *f.tallies);
  f.node_of = calloc(ranks_n, sizeof *f.node_of);
  f.locals = calloc(ranks_n, sizeof *f.locals);
  f.endpoint_of = calloc(ranks_n, sizeof *f.endpoint_of);
  tessera_status_t status = TESSERA_ERR_MEMORY;
  if (!f.tallies || !f.node_of || !f.locals || !f.endpoint_of) {
    tsr_fail(status, "no private memory for tables of %d units", plan->ranks_n);
    goto done;
  }
  count_ranks(&f);
  status = check_agents(&f);
  if (status) goto done;
  tsr_place = (struct tsr_place){.nodes_n = count_nodes(&f), .agents_n = plan->agents_n};
  tsr_place.units_n = plan->ranks_n - tsr_place.nodes_n * plan->agents_n;
  place_ranks(&f);
  keep_tables(&f);
done:
  free(f.tallies);
  if (tsr_place.node_of != f.node_of) free(f.node_of);
  if (tsr_place.locals != f.locals) free(f.locals);
  if (tsr_place.endpoint_of != f.endpoint_of) free(f.endpoint_of);
  return status;
}
