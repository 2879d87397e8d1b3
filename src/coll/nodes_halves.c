/* Long data among many leaders. The vector is in as many parts as there are nodes, and each step has half the distance,
 * and half the parts, of the one before: as few steps as a tree has, for any number of nodes, and each byte passes a
 * node's link about twice. A node at place p ends with part p; the same steps back give everybody all parts. */
#include <stdlib.h>
#include <string.h>

#include "coll/nodes.h"

/* The places are counted from the root's. */
struct halves {
  const tsr_team *team;
  tsr_member root;
  struct tsr_parts parts;
  int32_t place;
  char *data;
};

/* Neighbouring parts; after the last comes part 0. */
struct range {
  int32_t first, n;
};
struct span {
  size_t off, bytes;
};
enum { SPANS_N = 2 };

/* Where they lie: in one piece, or, past the end, in two. */
static void find_spans(const struct tsr_parts *parts, struct range range, struct span spans[SPANS_N]) {
  int32_t end = range.first + range.n, over = end > parts->parts_n ? end - parts->parts_n : 0;
  size_t off = tsr_part_off(parts, range.first);
  spans[0] = (struct span){off, tsr_part_off(parts, end - over) - off};
  spans[1] = (struct span){0, tsr_part_off(parts, over)};
}

static int32_t nodes_n(const struct halves *halves) { return halves->team->nodes_n; }

static tsr_unit unit_at(const struct halves *halves, int32_t place) {
  return tsr_nodes_at(halves->team, halves->root, place % nodes_n(halves));
}

static struct range range_at(const struct halves *halves, int32_t place, int32_t n) {
  return (struct range){place % nodes_n(halves), n};
}

/* Their spans begin and end at the same parts as ours. NULL: each goes where it belongs. */
static void swap(const struct halves *halves, int32_t to, struct range mine, int32_t from, struct range ours,
                 char *theirs) {
  struct span out[SPANS_N], in[SPANS_N];
  tsr_exchange exchange;
  find_spans(&halves->parts, mine, out);
  find_spans(&halves->parts, ours, in);
  tsr_exchange_begin(&exchange, tsr_nodes_tag(halves->team));
  for (int i = 0; i < SPANS_N; i++) {
    char *bounce = theirs ? theirs + (i ? in[0].bytes : 0) : halves->data + in[i].off;
    if (in[i].bytes) tsr_exchange_receive(&exchange, unit_at(halves, from), bounce, in[i].bytes);
  }
  for (int i = 0; i < SPANS_N; i++) {
    if (out[i].bytes) tsr_exchange_send(&exchange, unit_at(halves, to), halves->data + out[i].off, out[i].bytes);
  }
  tsr_exchange_end(&exchange);
}

static void add(const struct halves *halves, struct range range, const char *theirs, const tsr_reducer *how) {
  struct span spans[SPANS_N];
  find_spans(&halves->parts, range, spans);
  for (int i = 0; i < SPANS_N; i++) {
    if (spans[i].bytes) how->apply(halves->data + spans[i].off, theirs, spans[i].bytes / how->elem_bytes, how);
    theirs += spans[i].bytes;
  }
}

/* Parts of which a node still has a sum in hand after so many steps. */
static int32_t held(const struct halves *halves, int step) {
  return (int32_t)(((int64_t)nodes_n(halves) + (1ll << step) - 1) >> step);
}

/* Every node gets the sum of the part of its place; what the others then hold of it is spoilt. */
static void sum_up(const struct halves *halves, const tsr_reducer *how) {
  size_t most = (size_t)(nodes_n(halves) / 2) * tsr_part_bytes(&halves->parts, 0);
  char *theirs = tsr_coll_memory(most);
  for (int step = 0; held(halves, step) > 1; step++) {
    int32_t keeps = held(halves, step + 1), gives = held(halves, step) - keeps, place = halves->place;
    struct range own = range_at(halves, place, gives);
    swap(halves, place + keeps, range_at(halves, place + keeps, gives), place - keeps + nodes_n(halves), own, theirs);
    add(halves, own, theirs, how);
  }
  free(theirs);
}

/* From the part of its place every node comes to all of them. */
static void collect(const struct halves *halves) {
  int step = 0;
  while (held(halves, step) > 1) step++;
  while (step-- > 0) {
    int32_t has = held(halves, step + 1), gets = held(halves, step) - has, place = halves->place;
    swap(halves, place - has + nodes_n(halves), range_at(halves, place, gets), place + has,
         range_at(halves, place + has, gets), NULL);
  }
}

/* From the root every node gets the part of its place, with those that it passes on: the most first, and alone, since
 * whoever gets them has the longest way to go. */
static void spread(const struct halves *halves) {
  for (int32_t low = 0, end = nodes_n(halves); end - low > 1;) {
    int32_t middle = end - (end - low) / 2;
    size_t off = tsr_part_off(&halves->parts, middle), bytes = tsr_part_off(&halves->parts, end) - off;
    if (halves->place == low) tsr_nodes_send(halves->team, unit_at(halves, middle), halves->data + off, bytes);
    if (halves->place == middle) tsr_nodes_receive(halves->team, unit_at(halves, low), halves->data + off, bytes);
    if (halves->place < middle) end = middle;
    else low = middle;
  }
}

/* The same way back. */
static void bring_in(const struct halves *halves) {
  tsr_exchange up;
  int32_t parent = 0;
  struct span own = {0, 0};
  tsr_exchange_begin(&up, tsr_nodes_tag(halves->team));
  for (int32_t low = 0, end = nodes_n(halves); end - low > 1;) {
    int32_t middle = end - (end - low) / 2;
    size_t off = tsr_part_off(&halves->parts, middle), bytes = tsr_part_off(&halves->parts, end) - off;
    if (halves->place == low) tsr_exchange_receive(&up, unit_at(halves, middle), halves->data + off, bytes);
    if (halves->place < middle) {
      end = middle;
      continue;
    }
    if (halves->place == middle) {
      parent = low;
      own = (struct span){off, bytes};
    }
    low = middle;
  }
  tsr_exchange_end(&up);
  if (halves->place) tsr_nodes_send(halves->team, unit_at(halves, parent), halves->data + own.off, own.bytes);
}

static struct halves halves_of(const tsr_team *team, tsr_member root, void *data, size_t n, size_t elem_bytes) {
  return (struct halves){team, root, {n, elem_bytes, team->nodes_n}, tsr_nodes_place(team, root), data};
}

void tsr_halves_bcast(const tsr_team *team, void *data, size_t bytes, tsr_member root) {
  struct halves halves = halves_of(team, root, data, bytes, 1);
  spread(&halves);
  collect(&halves);
}

void tsr_halves_reduce(const tsr_team *team, const void *mine, void *sum, size_t n, const tsr_reducer *how,
                       tsr_member root) {
  size_t bytes = n * how->elem_bytes;
  bool is_root = tsr_nodes_place(team, root) == 0;
  char *data = is_root ? sum : tsr_coll_memory(bytes);
  if (data != mine) memcpy(data, mine, bytes);
  struct halves halves = halves_of(team, root, data, n, how->elem_bytes);
  sum_up(&halves, how);
  bring_in(&halves);
  if (!is_root) free(data);
}

void tsr_halves_allreduce(const tsr_team *team, void *sum, size_t n, const tsr_reducer *how) {
  struct halves halves = halves_of(team, TSR_MEMBER(team->leaders[0]), sum, n, how->elem_bytes);
  sum_up(&halves, how);
  collect(&halves);
}
