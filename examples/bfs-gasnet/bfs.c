/* bfs-gasnet: breadth-first search in a Kronecker graph, as Graph500 describes it, of 2^SCALE vertices and DEGREE times
 * as many edges. Each process owns a part of the vertices.
 *
 * A process sends an edge to the owner of the vertex that it leads to: to build the graph, to visit the vertex, and to
 * check the result. Edges to one owner travel together, in an active message whose handler does the work there. So no
 * process has to receive messages of unknown number and origin, and no vertex needs a lock: only its owner changes it.
 *
 * Usage: bfs-gasnet [SCALE [DEGREE]] */
#define GASNET_SEQ 1
#include <gasnetex.h>
#include <gasnet_coll.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "../arguments.h"
#include "../clock.h"
#include "../random.h"

enum { SCALE_MAX = 28, DEGREE_MAX = 1024, BATCH = 256 /* edges in one message */ };

typedef struct {
  uint32_t to, from;
} edge;

static gex_TM_t team;
static gex_Rank_t me, units;
static long scale = 10, degree = 16;

/* Vertex v is own[v / units] of process v % units. Each edge of the graph is in the lists of both of its ends. */
static struct vertex {
  uint32_t parent;
  int level;        /* -1: not visited */
  int proved;       /* an edge from the parent, one level above, has been seen */
  size_t last_link; /* 0: none */
} *own;
static struct link {
  uint32_t other;
  size_t previous;
} *links;
static size_t links_n = 1, links_max;
static uint32_t *queue; /* own visited vertices, level by level */
static size_t queue_n;
static uint64_t followed, wrong; /* edges that were sent to their other end; violations of the rules */

static void *allocated(void *p) { return p ? p : (abort(), p); }

/* ---- What the owner of a vertex does with an edge that leads to it, from a vertex of this level ---- */

static void add(edge e, int level)
{
  (void)level;
  if (links_n >= links_max) links = allocated(realloc(links, (links_max = 2 * links_n) * sizeof *links));
  links[links_n] = (struct link){e.from, own[e.to / units].last_link};
  own[e.to / units].last_link = links_n++;
}

static void visit(edge e, int level)
{
  struct vertex *v = &own[e.to / units];
  if (v->level >= 0) return;
  v->parent = e.from;
  v->level = level + 1;
  queue[queue_n++] = e.to;
}

static void check(edge e, int level)
{
  struct vertex *v = &own[e.to / units];
  wrong += v->level < 0 || abs(v->level - level) > 1;
  v->proved |= v->parent == e.from && v->level == level + 1;
}

enum { ADD, VISIT, CHECK };
static void (*const actions[])(edge, int) = {add, visit, check};

/* ---- Active messages ---- */

static gex_AM_Entry_t handler;
static struct batch {
  uint32_t n;
  edge edges[BATCH];
} *batches;                       /* one for each process */
static uint64_t *sent, *expected; /* messages to each process, from this one and from all */
static volatile uint64_t received;

/* The handler runs in the program's thread, while that thread is in a call of GASNet. */
static void on_edges(gex_Token_t token, void *edges, size_t bytes, gex_AM_Arg_t action, gex_AM_Arg_t level)
{
  (void)token;
  for (size_t i = 0; i < bytes / sizeof(edge); i++) actions[action](((edge *)edges)[i], level);
  received++;
}

static void send_batch(gex_Rank_t owner, int action, int level)
{
  struct batch *b = &batches[owner];
  gex_AM_RequestMedium(team, owner, handler.gex_index, b->edges, b->n * sizeof(edge), GEX_EVENT_NOW, 0, action,
                       level);
  sent[owner]++;
  b->n = 0;
}

static void send_edge(edge e, int action, int level)
{
  struct batch *b = &batches[e.to % units];
  b->edges[b->n++] = e;
  if (b->n == BATCH) send_batch(e.to % units, action, level);
}

static void sum(uint64_t *totals, const uint64_t *values, size_t n)
{
  gex_Event_Wait(
      gex_Coll_ReduceToAllNB(team, totals, values, GEX_DT_U64, sizeof *values, n, GEX_OP_ADD, NULL, NULL, 0));
}

/* Returns when all processes have called and all messages have been handled. Each process learns how many messages it gets. */
static void deliver(int action, int level)
{
  for (gex_Rank_t unit = 0; unit < units; unit++)
    if (batches[unit].n > 0) send_batch(unit, action, level);
  sum(expected, sent, units);
  GASNET_BLOCKUNTIL(received == expected[me]);
  gex_Event_Wait(gex_Coll_BarrierNB(team, 0)); /* no process sends more before all have received these */
}

/* Sends the edges of all vertices of a level, which begins at `at` in the queue. Returns where the next level begins. */
static size_t follow(size_t at, int action, int level)
{
  for (; at < queue_n && own[queue[at] / units].level == level; at++)
    for (size_t k = own[queue[at] / units].last_link; k > 0; k = links[k].previous, followed++)
      send_edge((edge){links[k].other, queue[at]}, action, level);
  deliver(action, level);
  return at;
}

/* ---- The graph ---- */

/* Gives the vertices other numbers, so that those with many edges have different owners. */
static uint32_t shuffled(uint32_t v)
{
  for (int i = 0; i < 3; i++) {
    v = (v * 0x9e3779b1u + 1) & ((1u << scale) - 1);
    v ^= v >> (scale + 1) / 2;
  }
  return v;
}

/* Each bit of the two vertices is 0 0, 0 1, 1 0 or 1 1, with the probabilities 0.57, 0.19, 0.19 and 0.05. */
static edge generate(uint64_t number)
{
  edge e = {0, 0};
  for (long bit = 0; bit < scale; bit++) {
    const uint64_t percent = (random_number(number * SCALE_MAX + (uint64_t)bit) >> 32) * 100 >> 32;
    e.from = e.from << 1 | (percent >= 76);
    e.to = e.to << 1 | ((percent >= 57 && percent < 76) || percent >= 95);
  }
  return (edge){shuffled(e.to), shuffled(e.from)};
}

static void build(void)
{
  const uint64_t all = (uint64_t)degree << scale;
  for (uint64_t i = all * me / units; i < all * (me + 1) / units; i++) {
    const edge e = generate(i);
    send_edge(e, ADD, 0);
    send_edge((edge){e.from, e.to}, ADD, 0);
  }
  deliver(ADD, 0);
}

/* ---- The search ---- */

/* Returns the number of levels. */
static int search(uint32_t root)
{
  size_t at = 0;
  if (root % units == me) visit((edge){root, root}, -1);
  for (int level = 0;; level++) {
    const uint64_t found = queue_n - at;
    uint64_t frontier;
    sum(&frontier, &found, 1);
    if (frontier == 0) return level;
    if (me == 0) printf("bfs-gasnet: vertices of level %d: %ju\n", level, (uintmax_t)frontier);
    at = follow(at, VISIT, level);
  }
}

/* The rules of Graph500: the parents form a tree. Its edges are in the graph, and lead from one level to the next. No edge
 * of the graph leads out of the tree, or over more than one level. Returns the number of violations. */
static uint64_t verify(uint32_t root, int levels)
{
  uint64_t all_wrong;
  size_t at = 0;
  for (int level = 0; level < levels; level++) at = follow(at, CHECK, level);
  for (size_t i = 0; i < queue_n; i++) wrong += queue[i] != root && !own[queue[i] / units].proved;
  if (root % units == me) wrong += own[root / units].level != 0 || own[root / units].parent != root;
  sum(&all_wrong, &wrong, 1);
  return all_wrong;
}

static int start(int *argc, char ***argv)
{
  gex_Client_t client;
  gex_EP_t endpoint;
  const struct argument wanted[] = {{"SCALE", 1, SCALE_MAX, &scale}, {"DEGREE", 1, DEGREE_MAX, &degree}};
  if (gex_Client_Init(&client, &endpoint, &team, "BFS", argc, argv, 0)) return 0;
  me = gex_TM_QueryRank(team);
  units = gex_TM_QuerySize(team);
  if (!read_arguments("bfs-gasnet", *argc, *argv, me == 0, 2, wanted)) gasnet_exit(WRONG_ARGUMENTS);
  const size_t own_n = (1u << scale) / units + 1;
  own = allocated(calloc(own_n, sizeof *own));
  for (size_t v = 0; v < own_n; v++) own[v].level = -1;
  queue = allocated(calloc(own_n, sizeof *queue));
  batches = allocated(calloc(units, sizeof *batches));
  sent = allocated(calloc(units, sizeof *sent));
  expected = allocated(calloc(units, sizeof *expected));
  handler = (gex_AM_Entry_t){0, on_edges, GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REQUEST, 2, NULL, "edges"};
  if (gex_EP_RegisterHandlers(endpoint, &handler, 1)) return 0;
  gex_Event_Wait(gex_Coll_BarrierNB(team, 0)); /* no process sends before all have registered */
  return 1;
}

int main(int argc, char **argv)
{
  if (!start(&argc, &argv)) return 1;
  build();
  const uint32_t root = generate(0).from; /* a vertex with an edge */
  if (me == 0)
    printf("bfs-gasnet: vertices: 2^%ld, edges: %ld, processes: %u, root: %u\n", scale, degree << scale, units, root);
  const double begun = now();
  const int levels = search(root);
  const double elapsed = now() - begun;
  uint64_t ends;
  sum(&ends, &followed, 1);
  const uint64_t wrong_n = verify(root, levels);
  if (me == 0) {
    printf("bfs-gasnet: edges searched: %ju in %.6f s, %.3g edges/s (TEPS)\n", (uintmax_t)ends / 2, elapsed,
           (double)(ends / 2) / elapsed);
    printf("bfs-gasnet: check %s\n", wrong_n ? "FAILED" : "passed");
  }
  gasnet_exit(wrong_n ? 1 : 0);
}
