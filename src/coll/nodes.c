#include "coll/nodes.h"

#include <stdlib.h>

#include "coll/select.h"
#include "core/runtime.h"

void *tsr_coll_memory(size_t bytes) {
  void *memory = malloc(bytes ? bytes : 1);
  if (!memory) tsr_abort(1, "no private memory for %zu bytes of a collective", bytes);
  return memory;
}

void tsr_nodes_send(const tsr_team *team, tsr_unit to, const void *data, size_t bytes) {
  tsr_exchange exchange;
  tsr_exchange_begin(&exchange, tsr_nodes_tag(team));
  tsr_exchange_send(&exchange, to, data, bytes);
  tsr_exchange_end(&exchange);
}

void tsr_nodes_receive(const tsr_team *team, tsr_unit from, void *data, size_t bytes) {
  tsr_exchange exchange;
  tsr_exchange_begin(&exchange, tsr_nodes_tag(team));
  tsr_exchange_receive(&exchange, from, data, bytes);
  tsr_exchange_end(&exchange);
}

void tsr_nodes_swap(const tsr_team *team, tsr_unit to, const void *data, size_t bytes, tsr_unit from, void *theirs,
                    size_t their_bytes) {
  tsr_exchange exchange;
  tsr_exchange_begin(&exchange, tsr_nodes_tag(team));
  tsr_exchange_receive(&exchange, from, theirs, their_bytes);
  tsr_exchange_send(&exchange, to, data, bytes);
  tsr_exchange_end(&exchange);
}

/* Binomial: below the node at place p with lowest bit b are those up to p + b. */
static void bcast_tree(const tsr_team *team, void *data, size_t bytes, tsr_member root) {
  int32_t n = team->nodes_n, place = tsr_nodes_place(team, root), bit = 1;
  while (bit < n && !(place & bit)) bit *= 2;
  if (place) tsr_nodes_receive(team, tsr_nodes_at(team, root, place - bit), data, bytes);
  tsr_exchange down;
  tsr_exchange_begin(&down, tsr_nodes_tag(team));
  for (bit /= 2; bit > 0; bit /= 2) {
    if (place + bit < n) tsr_exchange_send(&down, tsr_nodes_at(team, root, place + bit), data, bytes);
  }
  tsr_exchange_end(&down);
}

/* Along a line, in pieces, each of which is passed on while the next one comes. */
static void bcast_line(const tsr_team *team, char *data, size_t bytes, tsr_member root) {
  int32_t place = tsr_nodes_place(team, root);
  bool receives = place > 0, sends = place + 1 < team->nodes_n;
  tsr_exchange in[2], down;
  tsr_exchange_begin(&down, tsr_nodes_tag(team));
  size_t posted = 0;
  for (size_t at = 0, k = 0; at < bytes; at += TSR_LINE_BYTES, k++) {
    for (; receives && posted < bytes && posted <= at + TSR_LINE_BYTES; posted += TSR_LINE_BYTES) {
      tsr_exchange *next = &in[posted / TSR_LINE_BYTES % 2];
      tsr_exchange_begin(next, tsr_nodes_tag(team));
      tsr_exchange_receive(next, tsr_nodes_at(team, root, place - 1), data + posted, tsr_line_piece(bytes, posted));
    }
    if (receives) tsr_exchange_end(&in[k % 2]);
    if (sends) tsr_exchange_send(&down, tsr_nodes_at(team, root, place + 1), data + at, tsr_line_piece(bytes, at));
  }
  tsr_exchange_end(&down);
}

void tsr_nodes_bcast(const tsr_team *team, void *data, size_t bytes, tsr_member root) {
  enum tsr_algorithm algorithm = tsr_select_leaders(TSR_COLL_BCAST, team, bytes);
  if (algorithm == TSR_BY_TREE) bcast_tree(team, data, bytes, root);
  else if (algorithm == TSR_BY_HALVING) tsr_halves_bcast(team, data, bytes, root);
  else bcast_line(team, data, bytes, root);
}
