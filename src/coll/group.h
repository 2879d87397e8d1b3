/* The members of a team that take part in an algorithm: all of them, one for each node, or those of one node. An
 * algorithm orders them by *places* (virtual ranks): place 0 is the root, if there is one. Blocks of data are indexed
 * by the *number* of a member in the group: its number in the team, the number of its node, or its number on the node.
 *
 * In a call between nodes one member acts for each node: the root for its own node, and for each other node its leader,
 * which is its first member. */
#ifndef TSR_COLL_GROUP_H
#define TSR_COLL_GROUP_H

#include <stdbool.h>
#include <stdint.h>

#include "core/place.h"
#include "core/team.h"

typedef struct tsr_group {
  const int32_t *list; /* the members by number; NULL: all members of the team in order */
  int32_t n;
  int32_t first;       /* number of the member at place 0 */
  int32_t root;        /* the member at place 0; it may replace the one in the list */
  int32_t self;        /* this member's place; among leaders the place of its node */
  bool acts;           /* this member is in the group */
} tsr_group;

/* Returns the number in the team of the node of a member. */
static inline int32_t tsr_node_of(const tsr_team *team, int32_t member) {
  return tsr_team_find_node(team, tsr_place_node(tsr_team_unit(team, TSR_MEMBER(member))))->number;
}

static inline tsr_group tsr_group_all(const tsr_team *team, int32_t root) {
  int32_t place = team->self - root;
  return (tsr_group){.n = team->size, .first = root, .root = root, .self = place < 0 ? place + team->size : place, .acts = true};
}
/* The members that act for their nodes. Numbers are those of the team's nodes, and place 0 is the root's node. */
static inline tsr_group tsr_group_leaders(const tsr_team *team, int32_t root) {
  int32_t first = tsr_node_of(team, root), place = team->self_node - first;
  return (tsr_group){.list = team->leaders, .n = team->nodes_n, .first = first, .root = root,
                     .self = place < 0 ? place + team->nodes_n : place, .acts = place ? tsr_leads(team) : team->self == root};
}
/* The members on this node. Place 0 is the member that acts for it. */
tsr_group tsr_group_locals(const tsr_team *team, int32_t root);
/* All members, with those of a node one after another. `order` has room for the team. */
tsr_group tsr_group_ring(const tsr_team *team, int32_t root, int32_t order[]);

/* `place` may be up to one group beyond the last place: it wraps around. */
static inline int32_t tsr_group_number(const tsr_group *group, int32_t place) {
  int64_t number = (int64_t)place + group->first;
  while (number >= group->n) number -= group->n;
  return (int32_t)number;
}
static inline int32_t tsr_group_member(const tsr_group *group, int32_t number) {
  return group->list ? group->list[number] : number;
}
static inline int32_t tsr_group_at(const tsr_group *group, int32_t place) {
  return place ? tsr_group_member(group, tsr_group_number(group, place)) : group->root;
}
/* Returns the place `steps` after this member's, or before it if negative, wrapping around at most once. */
static inline int32_t tsr_group_turn(const tsr_group *group, int32_t steps) {
  int64_t place = (int64_t)group->self + steps;
  return (int32_t)(place < 0 ? place + group->n : place >= group->n ? place - group->n : place);
}

/* Returns the lowest set bit b of this member's place p; for p = 0 a power of two that is not below n. In a binomial
 * tree the subtree of p has the places [p, p + b), up to n. */
static inline int32_t tsr_group_bit(const tsr_group *group) {
  int32_t bit = 1;
  while (bit < group->n && !(group->self & bit)) bit *= 2;
  return bit;
}

#endif
