/* The members of a team that take part in an algorithm: all of them, one for each node, or those of one node. An algorithm
 * counts them by *places*: place 0 is the root, if there is one. Blocks of data are counted by the *number* of a member in
 * the group: its number in the team, of its node, or on its node.
 *
 * For a call between nodes one member acts for each node: the root for its own node, and for each other node its leader,
 * which is its first member.
 */
#ifndef TSR_COLL_GROUP_H
#define TSR_COLL_GROUP_H

#include <stdbool.h>
#include <stdint.h>

#include "core/place.h"
#include "core/team.h"

typedef struct tsr_group {
  const int32_t *list; /* the members by number; NULL: all members of the team, in their order */
  int32_t n;
  int32_t first;       /* number of the member at place 0 */
  int32_t root;        /* the member at place 0, which may act for the one in the list */
  int32_t self;        /* own place */
} tsr_group;

tsr_group tsr_group_all(const tsr_team *team, int32_t root);
/* The members that act for their nodes; one of them calls. Numbers are those of the team's nodes. */
tsr_group tsr_group_leaders(const tsr_team *team, int32_t root);
/* The members on this node. Place 0 is the member that acts for it. */
tsr_group tsr_group_locals(const tsr_team *team, int32_t root);
/* All members, neighbours on a node next to each other. `order` has room for the team. */
tsr_group tsr_group_ring(const tsr_team *team, int32_t root, int32_t order[]);

static inline int32_t tsr_group_number(const tsr_group *group, int32_t place) { return (place + group->first) % group->n; }
static inline int32_t tsr_group_member(const tsr_group *group, int32_t number) {
  return group->list ? group->list[number] : number;
}
static inline int32_t tsr_group_at(const tsr_group *group, int32_t place) {
  return place ? tsr_group_member(group, tsr_group_number(group, place)) : group->root;
}
/* The place so many steps further round the group. */
static inline int32_t tsr_group_turn(const tsr_group *group, int32_t steps) {
  return (int32_t)(((int64_t)group->self + steps + group->n) % group->n);
}

/* In a binomial tree the places below place p, whose lowest bit is b, are those up to p + b. For the own place. */
static inline int32_t tsr_group_bit(const tsr_group *group) {
  int32_t bit = 1;
  while (bit < group->n && !(group->self & bit)) bit *= 2;
  return bit;
}

/* The team's number of the node of a member. */
static inline int32_t tsr_node_of(const tsr_team *team, int32_t member) {
  return team->node_numbers[tsr_place_node(tsr_team_unit(team, TSR_MEMBER(member)))];
}
static inline bool tsr_leads(const tsr_team *team) { return team->self_local == 0; }
static inline bool tsr_is_with(const tsr_team *team, int32_t root) { return tsr_node_of(team, root) == team->self_node; }
static inline bool tsr_acts(const tsr_team *team, int32_t root) {
  return tsr_is_with(team, root) ? team->self == root : tsr_leads(team);
}

#endif
