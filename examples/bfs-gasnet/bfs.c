/* bfs-gasnet: breadth-first search in a Kronecker graph of 2^SCALE vertices and DEGREE times as many edges. Each process owns
 * a part of the vertices.
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
#include "../kronecker.h"

enum { DEGREE_MAX = 1024, BATCH = 256 /* edges in one message */ };

static gex_TM_t team;
static gex_Rank_t me, units;
static long scale = 10, degree = 16;

/* Vertex v is own[v / units] of process v % units. Each edge of the graph is in the lists of both of its ends. */
static struct vertex {
  uint32_t parent;
  int level;        /* the root's is 1; 0: not visited */
  int proved;       /* an edge from the parent, one level above, has been seen */
  size_t last_link; /* 0: none */
} *own;
static size_t own_n;
static struct link {
  uint32_t other;
  size_t previous;
} *links;
static size_t links_n = 1, links_max;
static uint64_t visited, followed, wrong; /* own vertices; edges that were sent to their other end; violations of the rules */

static void *allocated(void *p) { return p ? p : (abort(), p); }

/* ---- What the owner of a vertex does with an edge that leads to it, from a vertex of this level ---- */

enum action { ADD, VISIT, CHECK };

static void take(edge e, enum action action, int level)
{
  struct vertex *v = &own[e.to / units];
  if (action == ADD) {
    if (links_n >= links_max) links = allocated(realloc(links, (links_max = 2 * links_n) * sizeof *links));
    links[links_n] = (struct link){e.from, v->last_link};
    v->last_link = links_n++;
  } else if (action == VISIT && v->level == 0) {
    v->parent = e.from;
    v->level = level + 1;
    visited++;
  } else if (action == CHECK) {
    wrong += v->level == 0 || abs(v->level - level) > 1;
    v->proved |= v->parent == e.from && v->level == level + 1;
  }
}

/* ---- Active messages ---- */

static struct batch {
  uint32_t n;
  edge edges[BATCH];
} *batches;                       /* one for each process */
static uint64_t *sent, *expected; /* messages to each process, from this one and from all */
static volatile uint64_t received;

/* Runs in the program's thread, while that thread is in a call of GASNet. */
static void on_edges(gex_Token_t token, void *edges, size_t bytes, gex_AM_Arg_t action, gex_AM_Arg_t level)
{
  (void)token;
  for (size_t i = 0; i < bytes / sizeof(edge); i++) take(((edge *)edges)[i], (enum action)action, level);
  received++;
}
static gex_AM_Entry_t handler = {0, on_edges, GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REQUEST, 2, NULL, "edges"};

static void send_batch(gex_Rank_t owner, enum action action, int level)
{
  struct batch *b = &batches[owner];
  gex_AM_RequestMedium(team, owner, handler.gex_index, b->edges, b->n * sizeof(edge), GEX_EVENT_NOW, 0, action, level);
  sent[owner]++;
  b->n = 0;
}

static void send_edge(edge e, enum action action, int level)
{
  struct batch *b = &batches[e.to % units];
  b->edges[b->n++] = e;
  if (b->n == BATCH) send_batch(e.to % units, action, level);
}

static void sum(uint64_t *totals, const uint64_t *values, size_t n)
{
  gex_Event_Wait(gex_Coll_ReduceToAllNB(team, totals, values, GEX_DT_U64, sizeof *values, n, GEX_OP_ADD, NULL, NULL, 0));
}

/* Returns when all processes have called and all messages have been handled. Each process learns how many messages it gets. */
static void deliver(enum action action, int level)
{
  for (gex_Rank_t unit = 0; unit < units; unit++)
    if (batches[unit].n > 0) send_batch(unit, action, level);
  sum(expected, sent, units);
  GASNET_BLOCKUNTIL(received == expected[me]);
  gex_Event_Wait(gex_Coll_BarrierNB(team, 0)); /* no process sends more before all have received these */
}

/* ---- The graph and the search ---- */

static void build(void)
{
  const uint64_t all = (uint64_t)degree << scale;
  for (uint64_t i = all * me / units; i < all * (me + 1) / units; i++) {
    const edge e = kronecker_edge(i, scale);
    send_edge(e, ADD, 0);
    send_edge((edge){e.from, e.to}, ADD, 0);
  }
  deliver(ADD, 0);
}

/* Sends the edges of all vertices of a level to their other ends. */
static void follow(enum action action, int level)
{
  for (uint32_t i = 0; i < own_n; i++)
    for (size_t k = own[i].level == level ? own[i].last_link : 0; k > 0; k = links[k].previous, followed++)
      send_edge((edge){links[k].other, i * units + me}, action, level);
  deliver(action, level);
}

/* Returns the number of levels. */
static int search(uint32_t root)
{
  uint64_t before = 0, frontier;
  if (root % units == me) take((edge){root, root}, VISIT, 0);
  for (int level = 1;; level++) {
    const uint64_t found = visited - before;
    before = visited;
    sum(&frontier, &found, 1);
    if (frontier == 0) return level - 1;
    if (me == 0) printf("bfs-gasnet: vertices of level %d: %ju\n", level - 1, (uintmax_t)frontier);
    follow(VISIT, level);
  }
}

static void start(int *argc, char ***argv)
{
  gex_Client_t client;
  gex_EP_t endpoint;
  const struct argument wanted[] = {{"SCALE", 1, KRONECKER_SCALE_MAX, &scale}, {"DEGREE", 1, DEGREE_MAX, &degree}};
  if (gex_Client_Init(&client, &endpoint, &team, "BFS", argc, argv, 0)) exit(1);
  me = gex_TM_QueryRank(team);
  units = gex_TM_QuerySize(team);
  if (!read_arguments("bfs-gasnet", *argc, *argv, me == 0, 2, wanted)) gasnet_exit(WRONG_ARGUMENTS);
  own_n = (1u << scale) / units + 1;
  own = allocated(calloc(own_n, sizeof *own));
  batches = allocated(calloc(units, sizeof *batches));
  sent = allocated(calloc(2 * units, sizeof *sent));
  expected = sent + units;
  if (gex_EP_RegisterHandlers(endpoint, &handler, 1)) exit(1);
  gex_Event_Wait(gex_Coll_BarrierNB(team, 0)); /* no process sends before all have registered */
}

int main(int argc, char **argv)
{
  start(&argc, &argv);
  build();
  const uint32_t root = kronecker_edge(0, scale).from; /* a vertex with an edge */
  if (me == 0)
    printf("bfs-gasnet: vertices: 2^%ld, edges: %ld, processes: %u, root: %u\n", scale, degree << scale, units, root);
  const double begun = now();
  const int levels = search(root);
  const double elapsed = now() - begun;

  /* The rules of Graph500: the parents form a tree. Its edges are in the graph, and lead from one level to the next. No
   * edge of the graph leads out of the tree, or over more than one level. */
  for (int level = 1; level <= levels; level++) follow(CHECK, level);
  for (size_t i = 0; i < own_n; i++) wrong += own[i].level > 1 && !own[i].proved;
  uint64_t totals[2];
  sum(totals, (uint64_t[]){followed, wrong}, 2);
  const uint64_t edges = totals[0] / 4; /* each was followed from both ends, by the search and by the check */
  if (me == 0)
    printf("bfs-gasnet: edges searched: %ju in %.6f s, %.3g edges/s (TEPS)\nbfs-gasnet: check %s\n", (uintmax_t)edges, elapsed,
           (double)edges / elapsed, totals[1] ? "FAILED" : "passed");
  gasnet_exit(totals[1] ? 1 : 0);
}
