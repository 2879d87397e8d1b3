/* Reduce and allreduce between the leaders, by operations that commute. */
#include <stdlib.h>
#include <string.h>

#include "coll/nodes.h"
#include "coll/select.h"

/* Up a binomial tree. All children send at once, and nobody's memory is needed twice. */
static void reduce_tree(const tsr_team *team, const void *mine, void *sum, size_t n, const tsr_reducer *how, tsr_member root) {
  int32_t nodes_n = team->nodes_n, place = tsr_nodes_place(team, root), children_n = 0, bit = 1;
  size_t bytes = n * how->elem_bytes;
  char *theirs = NULL;
  tsr_exchange up;
  for (; bit < nodes_n && !(place & bit); bit *= 2) children_n += place + bit < nodes_n;
  if (children_n) theirs = tsr_coll_memory((size_t)children_n * bytes);
  tsr_exchange_begin(&up, tsr_nodes_tag(team));
  for (int32_t i = 0; i < children_n; i++)
    tsr_exchange_receive(&up, tsr_nodes_at(team, root, place + (1 << i)), theirs + (size_t)i * bytes, bytes);
  tsr_exchange_end(&up);
  for (int32_t i = 1; i < children_n; i++) how->apply(theirs, theirs + (size_t)i * bytes, n, how);
  if (children_n) how->apply(theirs, mine, n, how);
  if (place) tsr_nodes_send(team, tsr_nodes_at(team, root, place - bit), children_n ? theirs : mine, bytes);
  else if (children_n || sum != mine) memcpy(sum, children_n ? theirs : mine, bytes);
  free(theirs);
}

/* Two pieces of a line: one is combined and goes on while the next one comes. */
struct slot {
  tsr_exchange in, out;
  char *memory;
};

struct line {
  const tsr_team *team;
  const char *mine;
  char *sum; /* the root's */
  size_t bytes;
  const tsr_reducer *how;
  tsr_member root;
  int32_t place;
  struct slot slots[2];
};

/* Where a piece from behind goes: into its place at once, when the own part is not there. */
static char *bounce(const struct line *line, size_t at) {
  return line->place == 0 && line->sum != line->mine ? line->sum + at : line->slots[at / TSR_LINE_BYTES % 2].memory;
}

static void expect(struct line *line, size_t at) {
  struct slot *slot = &line->slots[at / TSR_LINE_BYTES % 2];
  if (at >= line->bytes) return;
  tsr_exchange_end(&slot->out);
  tsr_exchange_begin(&slot->in, tsr_nodes_tag(line->team));
  tsr_exchange_receive(&slot->in, tsr_nodes_at(line->team, line->root, line->place + 1), bounce(line, at),
                       tsr_line_piece(line->bytes, at));
}

static void combine(struct line *line, size_t at) {
  char *theirs = bounce(line, at);
  size_t n = tsr_line_piece(line->bytes, at) / line->how->elem_bytes;
  bool in_place = line->place == 0 && line->sum == line->mine;
  if (in_place) line->how->apply(line->sum + at, theirs, n, line->how);
  else line->how->apply(theirs, line->mine + at, n, line->how);
}

static void send_on(struct line *line, size_t at, const char *data) {
  struct slot *slot = &line->slots[at / TSR_LINE_BYTES % 2];
  tsr_exchange_begin(&slot->out, tsr_nodes_tag(line->team));
  tsr_exchange_send(&slot->out, tsr_nodes_at(line->team, line->root, line->place - 1), data,
                    tsr_line_piece(line->bytes, at));
}

static void reduce_line(struct line *line) {
  bool is_last = line->place + 1 == line->team->nodes_n;
  for (int i = 0; i < 2; i++) {
    tsr_exchange_begin(&line->slots[i].out, tsr_nodes_tag(line->team));
    line->slots[i].memory = is_last ? NULL : tsr_coll_memory(TSR_LINE_BYTES);
  }
  if (!is_last) expect(line, 0);
  for (size_t at = 0; at < line->bytes; at += TSR_LINE_BYTES) {
    struct slot *slot = &line->slots[at / TSR_LINE_BYTES % 2];
    if (is_last) {
      tsr_exchange_end(&slot->out);
      send_on(line, at, line->mine + at);
      continue;
    }
    tsr_exchange_end(&slot->in);
    expect(line, at + TSR_LINE_BYTES);
    combine(line, at);
    if (line->place > 0) send_on(line, at, slot->memory);
  }
  for (int i = 0; i < 2; i++) {
    tsr_exchange_end(&line->slots[i].out);
    free(line->slots[i].memory);
  }
}

void tsr_nodes_reduce(const tsr_team *team, const void *mine, void *sum, size_t n, const tsr_reducer *how, tsr_member root) {
  size_t bytes = n * how->elem_bytes;
  if (!n) return; /* there may be no buffers either */
  bool fits = TSR_LINE_BYTES % how->elem_bytes == 0;
  enum tsr_algorithm algorithm = tsr_select_leaders(TSR_COLL_REDUCE, team, bytes);
  if (algorithm == TSR_BY_HALVING) {
    tsr_halves_reduce(team, mine, sum, n, how, root);
  } else if (algorithm == TSR_BY_TREE || !fits) {
    reduce_tree(team, mine, sum, n, how, root);
  } else {
    struct line line = {.team = team, .mine = mine, .sum = sum, .bytes = bytes, .how = how, .root = root,
                        .place = tsr_nodes_place(team, root)};
    reduce_line(&line);
  }
}

/* The nodes as a power of two: of the first 2 * extra, every second one takes its lower neighbour's part along. */
static void allreduce_doubling(const tsr_team *team, char *sum, size_t n, const tsr_reducer *how) {
  int32_t self = team->self_node, whole = 1;
  size_t bytes = n * how->elem_bytes;
  while (whole <= team->nodes_n / 2) whole *= 2;
  int32_t extra = team->nodes_n - whole;
  bool paired = self < 2 * extra;
  if (paired && self % 2 == 0) {
    tsr_unit upper = tsr_nodes_leader(team, self + 1);
    tsr_nodes_send(team, upper, sum, bytes);
    tsr_nodes_receive(team, upper, sum, bytes);
    return;
  }
  void *theirs = tsr_coll_memory(bytes);
  if (paired) {
    tsr_nodes_receive(team, tsr_nodes_leader(team, self - 1), theirs, bytes);
    how->apply(sum, theirs, n, how);
  }
  int32_t corner = paired ? self / 2 : self - extra;
  for (int32_t bit = 1; bit < whole; bit *= 2) {
    int32_t other = corner ^ bit;
    tsr_unit peer = tsr_nodes_leader(team, other < extra ? 2 * other + 1 : other + extra);
    tsr_nodes_swap(team, peer, sum, bytes, peer, theirs, bytes);
    how->apply(sum, theirs, n, how);
  }
  free(theirs);
  if (paired) tsr_nodes_send(team, tsr_nodes_leader(team, self - 1), sum, bytes);
}

/* The sum of each part grows while it goes round a ring; then it goes round once more, whole. */
static void allreduce_ring(const tsr_team *team, const char *mine, char *sum, size_t n, const tsr_reducer *how) {
  int32_t nodes_n = team->nodes_n, self = team->self_node;
  struct tsr_parts parts = {n, how->elem_bytes, nodes_n};
  tsr_unit next = tsr_nodes_leader(team, (self + 1) % nodes_n), before = tsr_nodes_leader(team, (self - 1 + nodes_n) % nodes_n);
  size_t most = tsr_part_bytes(&parts, 0);
  char *held[2] = {tsr_coll_memory(most), tsr_coll_memory(most)};
  const char *value = mine + tsr_part_off(&parts, self);
  for (int32_t step = 1; step < nodes_n; step++) {
    int32_t out = (self - step + 1 + nodes_n) % nodes_n, in = (self - step + nodes_n) % nodes_n;
    size_t off = tsr_part_off(&parts, in), bytes = tsr_part_bytes(&parts, in);
    tsr_nodes_swap(team, next, value, tsr_part_bytes(&parts, out), before, held[step % 2], bytes);
    how->apply(held[step % 2], mine + off, bytes / how->elem_bytes, how);
    value = held[step % 2];
  }
  int32_t own = (self + 1) % nodes_n;
  memcpy(sum + tsr_part_off(&parts, own), value, tsr_part_bytes(&parts, own));
  for (int32_t step = 1; step < nodes_n; step++) {
    int32_t out = (own - step + 1 + nodes_n) % nodes_n, in = (own - step + nodes_n) % nodes_n;
    tsr_nodes_swap(team, next, sum + tsr_part_off(&parts, out), tsr_part_bytes(&parts, out), before,
                   sum + tsr_part_off(&parts, in), tsr_part_bytes(&parts, in));
  }
  free(held[0]);
  free(held[1]);
}

void tsr_nodes_allreduce(const tsr_team *team, const void *mine, void *sum, size_t n, const tsr_reducer *how) {
  size_t bytes = n * how->elem_bytes;
  if (!n) return;
  enum tsr_algorithm algorithm = tsr_select_leaders(TSR_COLL_ALLREDUCE, team, bytes);
  if (algorithm == TSR_BY_RING) {
    allreduce_ring(team, mine, sum, n, how);
    return;
  }
  if (sum != mine) memcpy(sum, mine, bytes);
  if (algorithm == TSR_BY_HALVING) tsr_halves_allreduce(team, sum, n, how);
  else allreduce_doubling(team, sum, n, how);
}
