#include "coll/nodes.h"

#include <stdlib.h>

#include "core/runtime.h"

void *tsr_coll_memory(size_t bytes) {
  void *memory = malloc(bytes ? bytes : 1);
  if (!memory) tsr_abort(1, "no private memory for %zu bytes of a collective", bytes);
  return memory;
}

static const struct tsr_block nothing = {.unit = {-1}};

void tsr_nodes_send(const tsr_team *team, tsr_unit to, const void *data, size_t bytes) {
  tsr_block_exchange(TSR_TAG_TEAM + team->id, (struct tsr_block){to, (void *)data, bytes}, nothing);
}

void tsr_nodes_receive(const tsr_team *team, tsr_unit from, void *data, size_t bytes) {
  tsr_block_exchange(TSR_TAG_TEAM + team->id, nothing, (struct tsr_block){from, data, bytes});
}

/* Position in a tree rooted at 0, and back to the leader at a position. */
static int32_t position(const tsr_team *team, int32_t root) { return (team->self_node - root + team->nodes_n) % team->nodes_n; }
static tsr_unit leader_at(const tsr_team *team, int32_t position, int32_t root) {
  return tsr_nodes_leader(team, (position + root) % team->nodes_n);
}

void tsr_nodes_bcast(const tsr_team *team, void *data, size_t bytes, int32_t root) {
  int32_t self = position(team, root), bit = 1;
  while (bit < team->nodes_n && !(self & bit)) bit <<= 1;
  if (self) tsr_nodes_receive(team, leader_at(team, self - bit, root), data, bytes);
  for (bit >>= 1; bit > 0; bit >>= 1) {
    if (self + bit < team->nodes_n) tsr_nodes_send(team, leader_at(team, self + bit, root), data, bytes);
  }
}

void tsr_nodes_reduce(const tsr_team *team, void *data, size_t n, const tsr_reducer *how, int32_t root) {
  size_t bytes = n * how->elem_bytes;
  void *theirs = tsr_coll_memory(bytes);
  int32_t self = position(team, root);
  for (int32_t bit = 1; bit < team->nodes_n; bit <<= 1) {
    if (self & bit) {
      tsr_nodes_send(team, leader_at(team, self - bit, root), data, bytes);
      break;
    }
    if (self + bit >= team->nodes_n) continue;
    tsr_nodes_receive(team, leader_at(team, self + bit, root), theirs, bytes);
    how->apply(data, theirs, n, how);
  }
  free(theirs);
}
