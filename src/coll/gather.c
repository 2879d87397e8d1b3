#include "coll/gather.h"

#include <stdlib.h>
#include <string.h>

#include "coll/local.h"
#include "coll/nodes.h"
#include "core/refusal.h"

/* The node's shares, one after another in the order of local members. */
static size_t node_bytes(const tsr_team *team, const struct tsr_share_list *shares, int32_t node) {
  size_t total = 0;
  for (int32_t i = 0; i < team->size; i++) {
    if (tsr_nodes_of(team, TSR_MEMBER(i)) == node) total += tsr_share_bytes(shares, i);
  }
  return total;
}

/* Where the shares lie in the receive buffer of the whole team. */
struct placement {
  struct tsr_share_list shares;
  const size_t *offs; /* NULL: member number times `each` */
  char *recv;
};
static char *place_of(const struct placement *to, int32_t member) {
  return to->recv + (to->offs ? to->offs[member] : (size_t)member * to->shares.each);
}

/* Copies between a node's packed shares and their places. */
static void unpack_node(const tsr_team *team, const struct placement *to, int32_t node, const char *packed) {
  for (int32_t i = 0; i < team->size; i++) {
    if (tsr_nodes_of(team, TSR_MEMBER(i)) != node) continue;
    memcpy(place_of(to, i), packed, tsr_share_bytes(&to->shares, i));
    packed += tsr_share_bytes(&to->shares, i);
  }
}
static void pack_node(const tsr_team *team, const struct placement *from, int32_t node, char *packed) {
  for (int32_t i = 0; i < team->size; i++) {
    if (tsr_nodes_of(team, TSR_MEMBER(i)) != node) continue;
    memcpy(packed, place_of(from, i), tsr_share_bytes(&from->shares, i));
    packed += tsr_share_bytes(&from->shares, i);
  }
}

/* Collects the local members' shares at their places in a member that has a receive buffer. */
static bool collect_in_place(tsr_team *team, const void *send, const struct placement *to) {
  char **places = NULL;
  if (to->recv) {
    places = tsr_coll_memory((size_t)team->locals_n * sizeof *places);
    for (int32_t i = 0; i < team->locals_n; i++) places[i] = place_of(to, team->locals[i]);
  }
  bool good = tsr_local_collect(team, send, &to->shares, places);
  free(places);
  return good;
}

/* Collects them one after another in the leader, which sends them to the root. */
static bool send_node(tsr_team *team, const void *send, const struct tsr_share_list *shares, tsr_unit root) {
  bool leads = tsr_nodes_leads(team);
  size_t total = leads ? node_bytes(team, shares, team->self_node) : 0;
  char *packed = leads ? tsr_coll_memory(total) : NULL;
  char **places = leads ? tsr_coll_memory((size_t)team->locals_n * sizeof *places) : NULL;
  size_t at = 0;
  for (int32_t i = 0; leads && i < team->locals_n; i++) {
    places[i] = packed + at;
    at += tsr_share_bytes(shares, team->locals[i]);
  }
  bool good = tsr_local_collect(team, send, shares, places);
  if (leads && good) tsr_nodes_send(team, root, packed, total);
  free(places);
  free(packed);
  return good;
}

static void receive_nodes(const tsr_team *team, const struct placement *to) {
  for (int32_t node = 0; node < team->nodes_n; node++) {
    if (node == team->self_node) continue;
    size_t bytes = node_bytes(team, &to->shares, node);
    char *packed = tsr_coll_memory(bytes);
    tsr_nodes_receive(team, tsr_nodes_leader(team, node), packed, bytes);
    unpack_node(team, to, node, packed);
    free(packed);
  }
}

tessera_status_t tsr_gather_begun(tsr_team *team, const void *send, void *recv, size_t bytes, tsr_member root) {
  struct placement to = {.shares = {.each = bytes}, .recv = team->self == root.id ? recv : NULL};
  bool with_root = tsr_nodes_of(team, root) == team->self_node;
  bool good = with_root ? collect_in_place(team, send, &to)
                        : send_node(team, send, &to.shares, tsr_team_unit(team, root));
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
  for (int32_t step = 0; step + 1 < nodes_n; step++) {
    int32_t sent = (self - step + nodes_n) % nodes_n, got = (sent - 1 + nodes_n) % nodes_n;
    size_t out_bytes = node_bytes(team, &to->shares, sent), in_bytes = node_bytes(team, &to->shares, got);
    char *out = tsr_coll_memory(out_bytes), *in = tsr_coll_memory(in_bytes);
    pack_node(team, to, sent, out);
    tsr_block_exchange(TSR_TAG_TEAM + team->id, (struct tsr_block){next, out, out_bytes},
                       (struct tsr_block){before, in, in_bytes});
    unpack_node(team, to, got, in);
    free(out);
    free(in);
  }
}

/* The leader has everything; the others take what came from other nodes. */
static void spread_nodes(tsr_team *team, const struct placement *to) {
  for (int32_t i = 0; i < team->size; i++) {
    if (tsr_nodes_of(team, TSR_MEMBER(i)) != team->self_node)
      tsr_local_bcast(team, place_of(to, i), tsr_share_bytes(&to->shares, i), 0);
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
  return gather_all(team, send, &(struct placement){.shares = {.each = bytes}, .recv = recv});
}

tessera_status_t tsr_allgatherv(tsr_team *team, const void *send, void *recv, const size_t counts[], const size_t offs[]) {
  size_t total = 0;
  for (int32_t i = 0; i < team->size; i++) total += counts[i];
  if (!tsr_call_begin(team, "allgatherv", total, -1, 0)) return TESSERA_ERR_PEER;
  return gather_all(team, send, &(struct placement){.shares = {.counts = counts}, .offs = offs, .recv = recv});
}
