/* Who talks to whom: trees and rings whose edges between nodes are as few as can be. */
#ifndef TSR_COLL_TREE_H
#define TSR_COLL_TREE_H

#include "core/team.h"

enum { TSR_TREE_CHILDREN_MAX = 64 };

/* A member's place in a tree; numbers of members. */
struct tsr_tree {
  int32_t parent; /* -1: the root */
  int32_t children_n;
  int32_t children[TSR_TREE_CHILDREN_MAX]; /* those with the most below them first */
};

/* Binomial, first among one member of each node, then inside the nodes. */
void tsr_tree_make(const tsr_team *team, int32_t root, struct tsr_tree *tree);

/* The first part of it alone: among the first members of the nodes, which call; rooted at that of the first node. */
void tsr_tree_make_leaders(const tsr_team *team, struct tsr_tree *tree);

/* Binomial over the members' numbers, rooted at 0: below each member are those with the next numbers, and its children, from
 * the last to the first, stand for one range after another. */
void tsr_tree_make_ordered(const tsr_team *team, struct tsr_tree *tree);

/* The members in an order in which those of a node are neighbours, the same on all; `order` has room for all of them.
 * Returns the own place. */
int32_t tsr_ring_make(const tsr_team *team, int32_t order[]);

#endif
