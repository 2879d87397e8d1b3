/* Non-blocking collectives of the core, every kind from every root, against what each unit can compute alone: all of one
 * size and team under way at once, and waited for in a random order. Teams in odd orders; operations that do not commute.
 * Units: 1 2 3 4 5 7 8 16
 * Nodes: 3
 */
#include "check.h"

#include <stdint.h>
#include <string.h>

#include "coll/nb.h"
#include "coll/select.h"
#include "coll_reference.h"
#include "core/handlers.h"
#include "core/place.h"
#include "net/net.h"

static uint32_t next_random(void) {
  static uint32_t state = 12345;
  state = state * 1664525u + 1013904223u;
  return state >> 8;
}

/* A collective under way, and what it shall have brought. */
struct pending {
  tsr_op op;
  const char *name;
  char *send, *recv;
  char *wanted; /* NULL: nothing */
  size_t bytes, room;
  struct pending *next;
};
static struct pending *list;
static int pending_n;

static struct pending *begin(const char *name, size_t send_bytes, size_t recv_bytes) {
  struct pending *p = calloc(1, sizeof *p);
  *p = (struct pending){.name = name, .send = memory(send_bytes), .recv = memory(recv_bytes), .room = recv_bytes, .next = list};
  list = p;
  pending_n++;
  return p;
}

static void go(struct pending *p, tsr_schedule *schedule, void *wanted, size_t bytes) {
  p->wanted = wanted;
  p->bytes = bytes;
  tsr_schedule_start(schedule, &p->op, NULL, NULL);
}

static void finish(struct pending **link) {
  struct pending *p = *link;
  *link = p->next;
  pending_n--;
  tsr_op_wait_remote(&p->op, TSR_UNIT(-1));
  bool right = !p->wanted || memcmp(p->recv, p->wanted, p->bytes) == 0;
  if (!right) fprintf(stderr, "wrong result of a %s of %zu bytes\n", p->name, p->bytes);
  CHECK(right);
  CHECK_EQ((unsigned char)p->recv[p->room], GUARD);
  free(p->send);
  free(p->recv);
  free(p->wanted);
  free(p);
}

static void finish_all(void) {
  while (list) {
    struct pending **link = &list;
    for (int skip = (int)(next_random() % (unsigned)pending_n); skip > 0; skip--) link = &(*link)->next;
    finish(link);
  }
}

static tsr_reducer bytes_of = {.elem_bytes = 1, .commutes = true, .type = TSR_U8};

static void *pattern(int who, size_t from, size_t bytes) {
  void *data = memory(bytes);
  fill(&bytes_of, data, who, from, bytes);
  return data;
}

/* Byte i of block j of what member who has is that of its pattern at j * n + i. */
static void *pieces_of_all(int size, size_t from, size_t n) {
  char *all = memory((size_t)size * n);
  for (int who = 0; who < size; who++) fill(&bytes_of, all + (size_t)who * n, who, from, n);
  return all;
}

static void rooted(tsr_team *team, size_t n, int root) {
  bool is_root = team->self == root;
  size_t all = (size_t)team->size * n, own = (size_t)team->self * n;
  struct pending *p = begin("bcast", 0, n);
  if (is_root) fill(&bytes_of, p->recv, root, 5, n);
  go(p, tsr_nb_bcast(team, p->recv, n, TSR_MEMBER(root)), pattern(root, 5, n), n);
  p = begin("scatter", all, n);
  fill(&bytes_of, p->send, root, 0, all);
  go(p, tsr_nb_scatter(team, is_root ? p->send : NULL, p->recv, n, TSR_MEMBER(root)), pattern(root, own, n), n);
  p = begin("gather", n, all);
  fill(&bytes_of, p->send, team->self, 1, n);
  go(p, tsr_nb_gather(team, p->send, is_root ? p->recv : NULL, n, TSR_MEMBER(root)),
     is_root ? pieces_of_all(team->size, 1, n) : NULL, all);
}

/* Member i's share has n * (i % 3) bytes; they lie from the last member to the first. */
struct layout { size_t counts[64], offs[64], total; };
static struct layout layout_of(int size, size_t n) {
  struct layout l = {.total = 0};
  for (int i = size - 1; i >= 0; i--) {
    l.counts[i] = n * (size_t)(i % 3);
    l.offs[i] = l.total;
    l.total += l.counts[i];
  }
  return l;
}

static void counted(tsr_team *team, size_t n, int root) {
  struct layout l = layout_of(team->size, n);
  struct tsr_counts shares = {l.counts, l.offs}, none = {NULL, NULL};
  bool is_root = team->self == root;
  size_t own = l.counts[team->self];
  char *all = memory(l.total);
  for (int i = 0; i < team->size; i++) fill(&bytes_of, all + l.offs[i], i, 2, l.counts[i]);
  struct pending *p = begin("scatterv", l.total, own);
  memcpy(p->send, all, l.total);
  go(p, tsr_nb_scatterv(team, p->send, is_root ? shares : none, p->recv, own, TSR_MEMBER(root)),
     pattern(team->self, 2, own), own);
  p = begin("gatherv", own, l.total);
  fill(&bytes_of, p->send, team->self, 2, own);
  void *wanted = memcpy(memory(l.total), all, l.total);
  go(p, tsr_nb_gatherv(team, p->send, own, p->recv, is_root ? shares : none, TSR_MEMBER(root)), is_root ? wanted : NULL,
     l.total);
  if (!is_root) free(wanted);
  if (root == 0) {
    p = begin("allgatherv", 0, l.total);
    fill(&bytes_of, p->recv + l.offs[team->self], team->self, 2, own);
    wanted = memcpy(memory(l.total), all, l.total);
    go(p, tsr_nb_allgatherv(team, p->recv + l.offs[team->self], p->recv, shares), wanted, l.total);
  }
  free(all);
}

static void everywhere(tsr_team *team, size_t n) {
  int size = team->size;
  size_t all = (size_t)size * n;
  struct pending *p = begin("allgather", n, all);
  fill(&bytes_of, p->send, team->self, 3, n);
  go(p, tsr_nb_allgather(team, p->send, p->recv, n), pieces_of_all(size, 3, n), all);
  p = begin("alltoall", all, all);
  fill(&bytes_of, p->send, team->self, 0, all);
  go(p, tsr_nb_alltoall(team, p->send, p->recv, n), pieces_of_all(size, (size_t)team->self * n, n), all);
  p = begin("barrier", 0, 0);
  go(p, tsr_nb_barrier(team), NULL, 0);
  /* i sends j (i + j) % 3 * n bytes, laid out for the largest */
  size_t out[64], in[64], offs[64];
  for (int i = 0; i < size; i++) {
    out[i] = in[i] = n * (size_t)((i + team->self) % 3);
    offs[i] = (size_t)i * 2 * n;
  }
  p = begin("alltoallv", 2 * all, 2 * all);
  fill(&bytes_of, p->send, team->self, 0, 2 * all);
  char *wanted = memory(2 * all);
  for (int i = 0; i < size; i++) fill(&bytes_of, wanted + offs[i], i, (size_t)team->self * 2 * n, in[i]);
  go(p, tsr_nb_alltoallv(team, p->send, (struct tsr_counts){out, offs}, p->recv, (struct tsr_counts){in, offs}), wanted,
     2 * all);
}

static void reductions(tsr_team *team, const tsr_reducer *how, size_t n, int roots_step) {
  int size = team->size, self = team->self;
  size_t bytes = n * how->elem_bytes;
  for (int root = 0; root < size; root += roots_step) {
    struct pending *p = begin("reduce", bytes, bytes);
    bool in_place = root % 2; /* where one cannot tell from outside */
    fill(how, in_place ? p->recv : p->send, self, 0, n);
    go(p, tsr_nb_reduce(team, in_place ? p->recv : p->send, p->recv, n, how, TSR_MEMBER(root)),
       root == self ? expected(how, 0, size - 1, 0, n) : NULL, bytes);
  }
  for (int in_place = 0; in_place < 2; in_place++) {
    struct pending *p = begin("allreduce", bytes, bytes);
    fill(how, in_place ? p->recv : p->send, self, 0, n);
    go(p, tsr_nb_allreduce(team, in_place ? p->recv : p->send, p->recv, n, how), expected(how, 0, size - 1, 0, n), bytes);
    p = begin("scan", bytes, bytes);
    fill(how, in_place ? p->recv : p->send, self, 0, n);
    go(p, tsr_nb_scan(team, in_place ? p->recv : p->send, p->recv, n, how, false), expected(how, 0, self, 0, n), bytes);
    p = begin("exscan", bytes, bytes);
    fill(how, in_place ? p->recv : p->send, self, 0, n);
    go(p, tsr_nb_scan(team, in_place ? p->recv : p->send, p->recv, n, how, true),
       self ? expected(how, 0, self - 1, 0, n) : NULL, bytes);
    size_t counts[64], at = 0, total = 0;
    for (int i = 0; i < size; i++) {
      counts[i] = n / (size_t)size * (size_t)(i % 3);
      total += counts[i];
      if (i < self) at += counts[i];
    }
    p = begin("reduce_scatter", total * how->elem_bytes, total * how->elem_bytes);
    fill(how, in_place ? p->recv : p->send, self, 0, total);
    go(p, tsr_nb_reduce_scatter(team, in_place ? p->recv : p->send, p->recv, counts, how),
       expected(how, 0, size - 1, at, counts[self]), counts[self] * how->elem_bytes);
  }
}

static void everything(tsr_team *team) {
  static const size_t sizes[] = {0, 1, 3, 1000, 100000};
  const tsr_reducer ways[] = {tsr_reducer_make(TSR_I64, TSR_SUM), tsr_reducer_make(TSR_F64, TSR_MIN),
                              tsr_reducer_make(TSR_I32, TSR_PROD), tsr_reducer_make(TSR_U8, TSR_MAX),
                              tsr_reducer_make(TSR_F64, TSR_SUM),
                              MAPS_IN_ORDER};
  for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
    size_t n = sizes[s];
    int step = n > 1000 ? team->size / 2 + 1 : 1;
    for (int root = 0; root < team->size; root += step) {
      rooted(team, n, root);
      counted(team, n, root);
    }
    everywhere(team, n);
    tsr_barrier(team); /* blocking ones may come between */
    finish_all();
    for (size_t w = 0; w < sizeof ways / sizeof ways[0]; w++) {
      if (n > 1000 && w % 5) continue; /* much data takes two of them */
      reductions(team, &ways[w], n, step);
    }
    finish_all();
  }
}

/* Odd units first, then even ones, each from the last to the first; or all from the last to the first. */
static tsr_team *other_team(bool mixed) {
  tsr_unit units[64];
  int32_t n = 0, last = tsr_place.units_n - 1;
  for (int parity = 1; parity >= 0; parity--) {
    for (int32_t unit = last; unit >= 0; unit--) {
      if (mixed ? unit % 2 == parity : parity) units[n++] = TSR_UNIT(unit);
    }
  }
  tsr_team *team = NULL;
  CHECK_EQ(tsr_team_create(tsr_team_world, n, units, &team), TESSERA_OK);
  return team;
}

/* Hundreds on two teams, of which one ends with all of its calls under way. */
static void many(tsr_team *team) {
  enum { N = 300 };
  static tsr_op ops[2 * N];
  static int64_t values[2 * N];
  tsr_reducer sum = tsr_reducer_make(TSR_I64, TSR_SUM);
  int64_t right = 0;
  for (int i = 0; i < 2 * N; i++) {
    tsr_team *on = i % 2 ? team : tsr_team_world;
    values[i] = i;
    tsr_schedule *schedule = i % 3 ? tsr_nb_allreduce(on, &values[i], &values[i], 1, &sum)
                                   : tsr_nb_bcast(on, &values[i], 8, TSR_MEMBER(0));
    tsr_schedule_start(schedule, &ops[i], NULL, NULL);
  }
  CHECK_EQ(tsr_team_destroy(team), TESSERA_OK);
  for (int i = 1; i < 2 * N; i += 2) CHECK(tsr_op_remote_done(&ops[i]));
  for (int i = 2 * N - 1; i >= 0; i--) {
    tsr_op_wait_remote(&ops[i], TSR_UNIT(-1));
    right += values[i] == (i % 3 ? (int64_t)i * tsr_place.units_n : i);
  }
  CHECK_EQ(right, 2 * N);
}

/* Messages to other nodes that this unit has sent. */
static const struct tsr_net_ops *wire;
static _Atomic int sent_n;
static tessera_status_t count_request(const struct tsr_net_request *request) {
  tessera_status_t status = wire->request(request);
  if (!status && request->handler == TSR_H_MESSAGE) sent_n++;
  return status;
}

/* Only the members that act for their nodes send messages to other nodes: `most` in all. */
static void sends_at_most(tsr_team *team, tsr_schedule *schedule, int64_t most) {
  tsr_reducer sum = tsr_reducer_make(TSR_I64, TSR_SUM);
  sent_n = 0;
  CHECK_EQ(tsr_schedule_run(schedule, NULL, NULL), TESSERA_OK);
  int64_t all_n = sent_n;
  if (team->self_local > 0) CHECK_EQ(all_n, 0);
  CHECK_EQ(tsr_allreduce(team, &all_n, &all_n, 1, &sum), TESSERA_OK);
  CHECK(all_n <= most);
}

static bool is_by_nodes(enum tsr_coll_kind kind, const tsr_team *team) {
  return team->nodes_n == 1 || tsr_select(kind, team, 8, true) == TSR_BY_NODES;
}

/* A table that TESSERA_COLL_TABLE names may choose other algorithms. */
static void messages_are_few(tsr_team *team) {
  static int64_t mine[64], theirs[64];
  tsr_reducer sum = tsr_reducer_make(TSR_I64, TSR_SUM);
  int64_t others_n = team->nodes_n - 1, each_n = team->nodes_n * others_n;
  tsr_member root = TSR_MEMBER(team->leaders[0]);
  struct tsr_net_ops counted = *tsr_net;
  if (tsr_config.check) return; /* which adds messages */
  wire = tsr_net;
  counted.request = count_request;
  tsr_barrier(team);
  tsr_net = &counted;
  if (is_by_nodes(TSR_COLL_BCAST, team)) sends_at_most(team, tsr_nb_bcast(team, mine, 8, root), others_n);
  if (is_by_nodes(TSR_COLL_SCATTER, team)) sends_at_most(team, tsr_nb_scatter(team, theirs, mine, 8, root), others_n);
  if (is_by_nodes(TSR_COLL_GATHER, team)) sends_at_most(team, tsr_nb_gather(team, mine, theirs, 8, root), others_n);
  if (is_by_nodes(TSR_COLL_REDUCE, team)) sends_at_most(team, tsr_nb_reduce(team, mine, theirs, 1, &sum, root), others_n);
  if (is_by_nodes(TSR_COLL_ALLGATHER, team)) sends_at_most(team, tsr_nb_allgather(team, mine, theirs, 8), each_n);
  if (is_by_nodes(TSR_COLL_ALLREDUCE, team)) sends_at_most(team, tsr_nb_allreduce(team, mine, theirs, 1, &sum), each_n);
  sends_at_most(team, tsr_nb_alltoall(team, mine, theirs, 8), team->largest_n > 1 ? each_n : team->size * (int64_t)team->size);
  tsr_barrier(team);
  tsr_net = wire;
  tsr_barrier(team);
}

int main(int argc, char **argv) {
  if (tessera_init(&argc, &argv)) return EXIT_FAILURE;
  bytes_of.apply = NULL;
  everything(tsr_team_world);
  tsr_team *mixed = other_team(true), *reversed = other_team(false);
  everything(mixed);
  everything(reversed);
  messages_are_few(tsr_team_world);
  messages_are_few(mixed);
  many(mixed);
  CHECK_EQ(tsr_team_destroy(reversed), TESSERA_OK);
  CHECK_EQ(tessera_exit(), TESSERA_OK);
  return check_result();
}
