#include "coll/gather.h"

#include <stdlib.h>
#include <string.h>

#include "coll/local.h"
#include "coll/nodes.h"
#include "core/coll_error.h"

/* The node's shares, one after another in the order of local members. */
static size_t node_bytes(const tsr_team *team, const struct tsr_count_list *counts_list, int32_t node) {
  size_t total = 0;
  for (int32_t i = 0; i < team->size; i++) {
    if (tsr_nodes_of(team, TSR_MEMBER(i)) == node) total += tsr_count_bytes(counts_list, i);
  }
  return total;
}

/* Where the shares lie in the receive buffer of the whole team. */
struct placement {
  struct tsr_count_list counts_list;
  const size_t *offs; /* NULL: member number times `each` */
  char *recv;
};
static char *place_of(const struct placement *to, int32_t member) {
  return to->recv + (to->offs ? to->offs[member] : (size_t)member * to->counts_list.each);
}

/* Copies between a node's packed shares and their places. */
static void unpack_node(const tsr_team *team, const struct placement *to, int32_t node, const char *packed) {
  for (int32_t i = 0; i < team->size; i++) {
    if (tsr_nodes_of(team, TSR_MEMBER(i)) != node) continue;
    memcpy(place_of(to, i), packed, tsr_count_bytes(&to->counts_list, i));
    packed += tsr_count_bytes(&to->counts_list, i);
  }
}
static void pack_node(const tsr_team *team, const struct placement *from, int32_t node, char *packed) {
  for (int32_t i = 0; i < team->size; i++) {
    if (tsr_nodes_of(team, TSR_MEMBER(i)) != node) continue;
    memcpy(packed, place_of(from, i), tsr_count_bytes(&from->counts_list, i));
    packed += tsr_count_bytes(&from->counts_list, i);
  }
}

/* A node's shares as one block: in their places, when they lie there one after another, else packed. */
struct block {
  char *data, *packed; /* the same, or NULL */
  size_t bytes;
};

static struct block block_of(const tsr_team *team, const struct placement *where, int32_t node) {
  struct block block = {NULL, NULL, 0};
  bool is_one = true;
  for (int32_t i = 0; i < team->size; i++) {
    if (tsr_nodes_of(team, TSR_MEMBER(i)) != node) continue;
    char *place = place_of(where, i);
    if (!block.data) block.data = place;
    is_one = is_one && place == block.data + block.bytes;
    block.bytes += tsr_count_bytes(&where->counts_list, i);
  }
  if (!is_one) block.data = block.packed = tsr_coll_memory(block.bytes);
  return block;
}

/* Collects the local members' shares at their places in a member that has a receive buffer. */
static bool collect_in_place(tsr_team *team, const void *send, const struct placement *to) {
  char **places = NULL;
  if (to->recv) {
    places = tsr_coll_memory((size_t)team->locals_n * sizeof *places);
    for (int32_t i = 0; i < team->locals_n; i++) places[i] = place_of(to, team->locals[i]);
  }
  bool good = tsr_local_collect(team, send, &to->counts_list, places);
  free(places);
  return good;
}

/* Collects them one after another in the leader, which sends them to the root. */
static bool send_node(tsr_team *team, const void *send, const struct tsr_count_list *counts_list, tsr_unit root) {
  if (team->locals_n == 1) {
    tsr_nodes_send(team, root, send, tsr_count_bytes(counts_list, team->self));
    return true;
  }
  bool leads = tsr_nodes_leads(team);
  size_t total = leads ? node_bytes(team, counts_list, team->self_node) : 0;
  char *packed = leads ? tsr_coll_memory(total) : NULL;
  char **places = leads ? tsr_coll_memory((size_t)team->locals_n * sizeof *places) : NULL;
  size_t at = 0;
  for (int32_t i = 0; leads && i < team->locals_n; i++) {
    places[i] = packed + at;
    at += tsr_count_bytes(counts_list, team->locals[i]);
  }
  bool good = tsr_local_collect(team, send, counts_list, places);
  if (leads && good) tsr_nodes_send(team, root, packed, total);
  free(places);
  free(packed);
  return good;
}

/* Of all other nodes, side by side. */
static void receive_nodes(const tsr_team *team, const struct placement *to) {
  struct block *blocks = tsr_coll_memory((size_t)team->nodes_n * sizeof *blocks);
  tsr_exchange in;
  tsr_exchange_begin(&in, tsr_nodes_tag(team));
  for (int32_t node = 0; node < team->nodes_n; node++) {
    if (node == team->self_node) continue;
    blocks[node] = block_of(team, to, node);
    tsr_exchange_receive(&in, tsr_nodes_leader(team, node), blocks[node].data, blocks[node].bytes);
  }
  tsr_exchange_end(&in);
  for (int32_t node = 0; node < team->nodes_n; node++) {
    if (node == team->self_node) continue;
    if (blocks[node].packed) unpack_node(team, to, node, blocks[node].packed);
    free(blocks[node].packed);
  }
  free(blocks);
}

tessera_status_t tsr_gather_begun(tsr_team *team, const void *send, void *recv, size_t bytes, tsr_member root) {
  struct placement to = {.counts_list = {.each = bytes}, .recv = team->self == root.id ? recv : NULL};
  bool with_root = tsr_nodes_of(team, root) == team->self_node;
  bool good = with_root ? collect_in_place(team, send, &to)
                        : send_node(team, send, &to.counts_list, tsr_team_unit(team, root));
  if (!good) return tsr_call_fail(team);
  if (team->self == root.id) receive_nodes(team, &to);
  return TESSERA_OK;
}

tessera_status_t tsr_gather(tsr_team *team, const void *send, void *recv, size_t bytes, tsr_member root) {
  if (!tsr_call_begin(team, "gather", bytes, root.id, 0)) return TESSERA_ERR_PEER;
  return tsr_gather_begun(team, send, recv, bytes, root);
}

/* Round a ring of leaders: each step passes on the node's shares that came in the step before. */
static void circulate(const tsr_team *team, const struct placement *to) {
  int32_t nodes_n = team->nodes_n, self = team->self_node;
  tsr_unit next = tsr_nodes_leader(team, (self + 1) % nodes_n);
  tsr_unit before = tsr_nodes_leader(team, (self - 1 + nodes_n) % nodes_n);
  struct block out = block_of(team, to, self);
  if (out.packed) pack_node(team, to, self, out.packed);
  for (int32_t step = 1; step < nodes_n; step++) {
    int32_t node = (self - step + nodes_n) % nodes_n;
    struct block in = block_of(team, to, node);
    tsr_nodes_swap(team, next, out.data, out.bytes, before, in.data, in.bytes);
    free(out.packed);
    if (in.packed) unpack_node(team, to, node, in.packed);
    out = in;
  }
  free(out.packed);
}

/* The leader has everything; the others take what came from other nodes. */
static void spread_nodes(tsr_team *team, const struct placement *to) {
  for (int32_t i = 0; i < team->size; i++) {
    if (tsr_nodes_of(team, TSR_MEMBER(i)) != team->self_node)
      tsr_local_bcast(team, place_of(to, i), tsr_count_bytes(&to->counts_list, i), 0);
  }
}

static tessera_status_t gather_all(tsr_team *team, const void *send, const struct placement *to) {
  if (!collect_in_place(team, send, to)) return tsr_call_fail(team);
  if (team->nodes_n == 1) return TESSERA_OK;
  if (tsr_nodes_leads(team)) circulate(team, to);
  spread_nodes(team, to);
  return TESSERA_OK;
}

tessera_status_t tsr_allgather(tsr_team *team, const void *send, void *recv, size_t bytes) {
  if (!tsr_call_begin(team, "allgather", bytes, -1, 0)) return TESSERA_ERR_PEER;
  return gather_all(team, send, &(struct placement){.counts_list = {.each = bytes}, .recv = recv});
}

tessera_status_t tsr_allgatherv(tsr_team *team, const void *send, void *recv, const size_t counts[], const size_t offs[]) {
  size_t total = 0;
  for (int32_t i = 0; i < team->size; i++) total += counts[i];
  if (!tsr_call_begin(team, "allgatherv", total, -1, 0)) return TESSERA_ERR_PEER;
  tsr_check_counts(team, "allgatherv", total, counts, team->size); /* nobody refuses what all have begun */
  return gather_all(team, send, &(struct placement){.counts_list = {.counts = counts}, .offs = offs, .recv = recv});
}
