#include "coll/tree.h"

#include <stdlib.h>
#include <string.h>

#include "coll/local.h"
#include "coll/nodes.h"

/* The binomial tree over places 0 to n - 1: below place p with lowest bit b are those up to p + b. */
static int32_t lowest_bit(int32_t place, int32_t n) {
  int32_t bit = 1;
  while (bit < n && !(place & bit)) bit <<= 1;
  return bit;
}

/* The leader of a node in a tree with this root. */
static int32_t leader_of(const tsr_team *team, int32_t node, int32_t root, int32_t root_node) {
  return node == root_node ? root : team->leaders[node];
}

static void add_nodes(const tsr_team *team, int32_t root, int32_t root_node, struct tsr_tree *tree) {
  int32_t n = team->nodes_n, place = (team->self_node - root_node + n) % n, bit = lowest_bit(place, n);
  if (place) tree->parent = leader_of(team, (place - bit + root_node) % n, root, root_node);
  for (bit >>= 1; bit > 0; bit >>= 1) {
    if (place + bit >= n) continue;
    tree->children[tree->children_n++] = leader_of(team, (place + bit + root_node) % n, root, root_node);
  }
}

static void add_locals(const tsr_team *team, int32_t first, struct tsr_tree *tree) {
  int32_t n = team->locals_n, place = (team->self_local - first + n) % n, bit = lowest_bit(place, n);
  if (place) tree->parent = team->locals[(place - bit + first) % n];
  for (bit >>= 1; bit > 0; bit >>= 1) {
    if (place + bit < n) tree->children[tree->children_n++] = team->locals[(place + bit + first) % n];
  }
}

void tsr_tree_make(const tsr_team *team, int32_t root, struct tsr_tree *tree) {
  int32_t root_node = tsr_nodes_of(team, TSR_MEMBER(root));
  int32_t leader = leader_of(team, team->self_node, root, root_node);
  tree->parent = -1;
  tree->children_n = 0;
  if (team->self == leader) add_nodes(team, root, root_node, tree);
  add_locals(team, tsr_local_of(team, TSR_MEMBER(leader)), tree);
}

void tsr_tree_make_leaders(const tsr_team *team, struct tsr_tree *tree) {
  tree->parent = -1;
  tree->children_n = 0;
  add_nodes(team, team->leaders[0], 0, tree);
}

void tsr_tree_make_ordered(const tsr_team *team, struct tsr_tree *tree) {
  int32_t bit = lowest_bit(team->self, team->size);
  tree->parent = team->self ? team->self - bit : -1;
  tree->children_n = 0;
  for (bit >>= 1; bit > 0; bit >>= 1) {
    if (team->self + bit < team->size) tree->children[tree->children_n++] = team->self + bit;
  }
}

/* In the order of nodes, and of numbers inside a node. */
int32_t tsr_ring_make(const tsr_team *team, int32_t order[]) {
  int32_t self = team->self;
  size_t *ends = tsr_coll_memory((size_t)(team->nodes_n + 1) * sizeof *ends);
  memset(ends, 0, (size_t)(team->nodes_n + 1) * sizeof *ends);
  for (int32_t i = 0; i < team->size; i++) ends[tsr_nodes_of(team, TSR_MEMBER(i)) + 1]++;
  for (int32_t node = 0; node < team->nodes_n; node++) ends[node + 1] += ends[node];
  for (int32_t i = 0; i < team->size; i++) {
    size_t place = ends[tsr_nodes_of(team, TSR_MEMBER(i))]++;
    order[place] = i;
    if (i == team->self) self = (int32_t)place;
  }
  free(ends);
  return self;
}
