/* The part of a collective between the leaders of a team's nodes: the first member on each. Only leaders call. */
#ifndef TSR_COLL_NODES_H
#define TSR_COLL_NODES_H

#include <stddef.h>

#include "coll/coll.h"
#include "core/message.h"
#include "core/place.h"
#include "core/team.h"

static inline bool tsr_nodes_leads(const tsr_team *team) { return team->self_local == 0; }

/* The leader of the team's node number `node`. */
static inline tsr_unit tsr_nodes_leader(const tsr_team *team, int32_t node) {
  return tsr_team_unit(team, TSR_MEMBER(team->leaders[node]));
}

/* The team's node number of a member. */
static inline int32_t tsr_nodes_of(const tsr_team *team, tsr_member member) {
  return team->node_numbers[tsr_place_node(tsr_team_unit(team, member))];
}

void tsr_nodes_send(const tsr_team *team, tsr_unit to, const void *data, size_t bytes);
void tsr_nodes_receive(const tsr_team *team, tsr_unit from, void *data, size_t bytes);

/* Rooted at the leader of node `root`. reduce: the root's `data` becomes the combination of all; the others' is destroyed;
 * allreduce: everybody's does; for operations that commute. */
void tsr_nodes_bcast(tsr_team *team, void *data, size_t bytes, int32_t root);
void tsr_nodes_reduce(tsr_team *team, void *data, size_t n, const tsr_reducer *how, int32_t root);
void tsr_nodes_allreduce(tsr_team *team, void *data, size_t n, const tsr_reducer *how);

#endif
