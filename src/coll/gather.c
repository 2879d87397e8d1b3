#include "coll/gather.h"

#include <stdlib.h>
#include <string.h>

#include "coll/local.h"
#include "coll/nodes.h"
#include "coll/select.h"
#include "core/coll_error.h"

static size_t run_bytes(const struct tsr_count_list *counts_list, const struct tsr_run *run) {
  size_t total = 0;
  if (!counts_list->counts) return (size_t)run->n * counts_list->each;
  for (int32_t i = 0; i < run->n; i++) total += counts_list->counts[run->first + i * run->stride];
  return total;
}

/* The node's shares, one after another in the order of local members. */
static size_t node_bytes(const tsr_team *team, const struct tsr_count_list *counts_list, int32_t node) {
  size_t total = 0;
  for (const struct tsr_run *run = tsr_team_iov(team, node); run < tsr_team_runs_end(team, node); run++)
    total += run_bytes(counts_list, run);
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

/* Whether the shares of the run's members lie one after another. */
static bool is_one_block(const struct placement *where, const struct tsr_run *run) {
  if (!where->offs) return run->n == 1 || run->stride == 1;
  for (int32_t i = 1; i < run->n; i++) {
    int32_t member = run->first + i * run->stride, before = member - run->stride;
    if (place_of(where, member) != place_of(where, before) + tsr_count_bytes(&where->counts_list, before)) return false;
  }
  return true;
}

/* Copies between a node's packed shares and their places. */
static void copy_node(const tsr_team *team, const struct placement *where, int32_t node, char *packed, bool packs) {
  for (const struct tsr_run *run = tsr_team_iov(team, node); run < tsr_team_runs_end(team, node); run++) {
    bool is_one = is_one_block(where, run);
    for (int32_t i = 0; i < (is_one ? 1 : run->n); i++) {
      int32_t member = run->first + i * run->stride;
      size_t bytes = is_one ? run_bytes(&where->counts_list, run) : tsr_count_bytes(&where->counts_list, member);
      if (packs && bytes) memcpy(packed, place_of(where, member), bytes);
      if (!packs && bytes) memcpy(place_of(where, member), packed, bytes);
      packed += bytes;
    }
  }
}

/* A node's shares as one block: in their places, when they lie there one after another, else packed. */
struct block {
  char *data, *packed; /* the same, or NULL */
  size_t bytes;
};

static struct block block_of(const tsr_team *team, const struct placement *where, int32_t node) {
  const struct tsr_run *run = tsr_team_iov(team, node);
  struct block block = {place_of(where, run->first), NULL, 0};
  bool is_one = true;
  for (; run < tsr_team_runs_end(team, node); run++) {
    is_one = is_one && place_of(where, run->first) == block.data + block.bytes && is_one_block(where, run);
    block.bytes += run_bytes(&where->counts_list, run);
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

/* Of all other nodes, some at a time. */
static void receive_nodes(const tsr_team *team, const struct placement *to) {
  struct block blocks[TSR_NODES_WINDOW_N];
  for (int32_t first = 1, n; first < team->nodes_n; first += n) {
    tsr_exchange in;
    n = team->nodes_n - first < TSR_NODES_WINDOW_N ? team->nodes_n - first : TSR_NODES_WINDOW_N;
    tsr_exchange_begin(&in, tsr_nodes_tag(team));
    for (int32_t i = 0; i < n; i++) {
      int32_t node = (team->self_node + first + i) % team->nodes_n;
      blocks[i] = block_of(team, to, node);
      tsr_exchange_receive(&in, tsr_nodes_leader(team, node), blocks[i].data, blocks[i].bytes);
    }
    tsr_exchange_end(&in);
    for (int32_t i = 0; i < n; i++) {
      if (blocks[i].packed) copy_node(team, to, (team->self_node + first + i) % team->nodes_n, blocks[i].packed, false);
      free(blocks[i].packed);
    }
  }
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
  if (!tsr_call_begin(team, TSR_CALL_GATHER, bytes, root.id, 0)) return TESSERA_ERR_PEER;
  return tsr_gather_begun(team, send, recv, bytes, root);
}

/* Round a ring of leaders: each step passes on the node's shares that came in the step before. */
static void circulate(const tsr_team *team, const struct placement *to) {
  int32_t nodes_n = team->nodes_n, self = team->self_node;
  tsr_unit next = tsr_nodes_leader(team, (self + 1) % nodes_n);
  tsr_unit before = tsr_nodes_leader(team, (self - 1 + nodes_n) % nodes_n);
  struct block out = block_of(team, to, self);
  if (out.packed) copy_node(team, to, self, out.packed, true);
  for (int32_t step = 1; step < nodes_n; step++) {
    int32_t node = (self - step + nodes_n) % nodes_n;
    struct block in = block_of(team, to, node);
    tsr_nodes_swap(team, next, out.data, out.bytes, before, in.data, in.bytes);
    free(out.packed);
    if (in.packed) copy_node(team, to, node, in.packed, false);
    out = in;
  }
  free(out.packed);
}

/* Each leader holds the packed shares of its own node and of those behind it: of twice as many after each step. */
static void gather_doubling(const tsr_team *team, const struct placement *to) {
  int32_t n = team->nodes_n, self = team->self_node;
  size_t *offs = tsr_coll_memory((size_t)(n + 1) * sizeof *offs);
  offs[0] = 0;
  for (int32_t i = 0; i < n; i++) offs[i + 1] = offs[i] + node_bytes(team, &to->counts_list, (self + i) % n);
  char *held = tsr_coll_memory(offs[n]);
  copy_node(team, to, self, held, true);
  for (int32_t have = 1, more; have < n; have += more) {
    more = have < n - have ? have : n - have;
    tsr_nodes_swap(team, tsr_nodes_leader(team, (self - have + n) % n), held, offs[more],
                   tsr_nodes_leader(team, (self + have) % n), held + offs[have], offs[have + more] - offs[have]);
  }
  for (int32_t i = 1; i < n; i++) copy_node(team, to, (self + i) % n, held + offs[i], false);
  free(held);
  free(offs);
}

static void exchange_nodes(const tsr_team *team, const struct placement *to) {
  size_t total = 0;
  for (int32_t i = 0; to->counts_list.counts && i < team->size; i++) total += to->counts_list.counts[i];
  if (!to->counts_list.counts) total = (size_t)team->size * to->counts_list.each;
  if (tsr_select_leaders(TSR_COLL_ALLGATHER, team, total / (size_t)team->nodes_n) == TSR_BY_RING) circulate(team, to);
  else gather_doubling(team, to);
}

/* The shares of other nodes as pieces of the receive buffer, neighbours together. Returns how many. */
static size_t find_remote(const tsr_team *team, const struct placement *to, struct tsr_piece pieces[]) {
  size_t n = 0;
  int32_t begin = 0;
  for (int32_t i = 0; i <= team->locals_n; i++) {
    int32_t end = i < team->locals_n ? team->locals[i] : team->size;
    for (int32_t member = begin; to->offs && member < end; member++) {
      bool continues = n > 0 && pieces[n - 1].off + pieces[n - 1].bytes == to->offs[member];
      if (continues) pieces[n - 1].bytes += to->counts_list.counts[member];
      else pieces[n++] = (struct tsr_piece){to->offs[member], to->counts_list.counts[member]};
    }
    if (!to->offs && begin < end)
      pieces[n++] =
          (struct tsr_piece){(size_t)begin * to->counts_list.each, (size_t)(end - begin) * to->counts_list.each};
    begin = end + 1;
  }
  return n;
}

/* The leader has everything; the others take what came from other nodes. */
static bool spread_nodes(tsr_team *team, const struct placement *to) {
  size_t most = (size_t)(to->offs ? team->size : team->locals_n + 1);
  struct tsr_piece *pieces = tsr_coll_memory(most * sizeof *pieces);
  size_t n = find_remote(team, to, pieces);
  bool good = tsr_local_bcast_pieces(team, to->recv, pieces, n, 0);
  free(pieces);
  return good;
}

static tessera_status_t gather_all(tsr_team *team, const void *send, const struct placement *to) {
  if (!collect_in_place(team, send, to)) return tsr_call_fail(team);
  if (team->nodes_n == 1) return TESSERA_OK;
  if (tsr_nodes_leads(team)) exchange_nodes(team, to);
  return spread_nodes(team, to) ? TESSERA_OK : tsr_call_fail(team);
}

tessera_status_t tsr_allgather(tsr_team *team, const void *send, void *recv, size_t bytes) {
  if (!tsr_call_begin(team, TSR_CALL_ALLGATHER, bytes, -1, 0)) return TESSERA_ERR_PEER;
  return gather_all(team, send, &(struct placement){.counts_list = {.each = bytes}, .recv = recv});
}

tessera_status_t tsr_allgatherv(tsr_team *team, const void *send, void *recv, const size_t counts[], const size_t offs[]) {
  size_t total = 0;
  for (int32_t i = 0; i < team->size; i++) total += counts[i];
  if (!tsr_call_begin(team, TSR_CALL_ALLGATHERV, total, -1, 0)) return TESSERA_ERR_PEER;
  tsr_check_counts(team, "allgatherv", total, counts, team->size); /* nobody refuses what all have begun */
  return gather_all(team, send, &(struct placement){.counts_list = {.counts = counts}, .offs = offs, .recv = recv});
}
