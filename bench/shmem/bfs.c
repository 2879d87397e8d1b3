/* bfs: breadth-first search in a Kronecker graph, as Graph500 describes it.
 *
 * The graph has 2^scale vertices and 2^scale * edgefactor edges. Each PE generates a part of the edges, and puts each
 * one to the owners of its two vertices (this is not timed). A search goes level by level: a PE that meets a vertex
 * claims it at its owner by an atomic compare-and-swap of the vertex's parent, and the first one to come appends the
 * vertex to the owner's queue of the next level. Checked, for each search, are the five properties of a tree that
 * Graph500 names.
 *
 * Options: --scale, --edgefactor, --roots: how many searches. The rate is that of all edges of all searches. */
#include "bench.h"

enum { NONE = -1 };

struct edge {
  long from, to;
};

static int me, pes;
static long scale = 14, edgefactor = 16, roots_n = 8;
static long share; /* vertices of each PE but the last, which may have less */

/* Own vertices are numbered from `first` on. The edges of vertex v lead to to[begin[v - first]] up to
 * to[begin[v - first + 1] - 1]. */
static long first, own_n;
static long *begin; /* symmetric: all PEs ask for degrees */
static long *to;

/* Of own vertices, symmetric: their parents, and those of the current level and of the next one. */
static long *parent, *queue[2];
static long queued_n[2];
static bool *seen; /* of all vertices: those that this PE has tried to claim */

static int owner_of(long vertex) { return (int)(vertex / share); }

/* ---- generator and construction ---- */

/* Gives vertices other numbers, so that their degrees do not follow from these. */
static long shuffled(long vertex) {
  const unsigned long mask = (1UL << scale) - 1;
  unsigned long v = (unsigned long)vertex;
  for (int turn = 0; turn < 3; turn++) {
    v = v * 0x9e3779b97f4a7c15 & mask;
    v ^= v >> (scale + 1) / 2;
  }
  return (long)v;
}

/* Edge number i: each bit of its vertices is drawn with the probabilities 0.57, 0.19, 0.19, 0.05. */
static struct edge generate(long i) {
  uint64_t state = (uint64_t)i << 20;
  struct edge edge = {0, 0};
  for (long bit = 0; bit < scale; bit++) {
    const uint64_t hundredth = (draw(&state) >> 32) * 100 >> 32;
    edge.from = edge.from << 1 | (hundredth >= 76);
    edge.to = edge.to << 1 | ((hundredth >= 57 && hundredth < 76) || hundredth >= 95);
  }
  return (struct edge){shuffled(edge.from), shuffled(edge.to)};
}

/* Both directions of the edges of this PE: edge k of them. */
static struct edge directed(long k) {
  const long total = edgefactor << scale;
  const struct edge edge = generate(total * me / pes + k / 2);
  return k % 2 ? (struct edge){edge.to, edge.from} : edge;
}

/* Puts all edges to the owners of the vertices that they come from. Returns them, and how many have come. */
static struct edge *exchange_edges(long *arrived_n) {
  static long reserved_n, most;
  const long total = edgefactor << scale, n = 2 * (total * (me + 1) / pes - total * me / pes);
  long *place = private_memory((size_t)pes, sizeof *place);
  for (long k = 0; k < n; k++) place[owner_of(directed(k).from)]++;
  for (int pe = 0; pe < pes; pe++) place[pe] = shmem_long_atomic_fetch_add(&reserved_n, place[pe], pe);
  shmem_barrier_all();
  shmem_long_max_reduce(SHMEM_TEAM_WORLD, &most, &reserved_n, 1);
  struct edge *arrivals = symmetric_memory((size_t)most, sizeof *arrivals);
  for (long k = 0; k < n; k++) {
    const struct edge edge = directed(k);
    const int owner = owner_of(edge.from);
    shmem_putmem(&arrivals[place[owner]++], &edge, sizeof edge, owner);
  }
  shmem_barrier_all();
  free(place);
  *arrived_n = reserved_n;
  return arrivals;
}

static void construct(void) {
  long n, most = 1L << scale;
  share = (most + pes - 1) / pes;
  first = share * me < most ? share * me : most;
  own_n = first + share < most ? share : most - first;
  begin = symmetric_memory((size_t)share + 2, sizeof *begin);
  parent = symmetric_memory((size_t)share, sizeof *parent);
  for (int i = 0; i < 2; i++) queue[i] = symmetric_memory((size_t)share, sizeof *queue[i]);
  seen = private_memory((size_t)most, sizeof *seen);
  struct edge *arrivals = exchange_edges(&n);
  to = private_memory((size_t)n, sizeof *to);
  for (long k = 0; k < n; k++) begin[arrivals[k].from - first + 2]++;
  for (long v = 0; v < own_n; v++) begin[v + 2] += begin[v + 1];
  for (long k = 0; k < n; k++) to[begin[arrivals[k].from - first + 1]++] = arrivals[k].to;
  shmem_free(arrivals);
}

/* ---- search ---- */

static void claim(long vertex, long by, int level) {
  if (seen[vertex]) return;
  seen[vertex] = true;
  const int owner = owner_of(vertex);
  if (shmem_long_atomic_compare_swap(&parent[vertex - owner * share], NONE, by, owner) != NONE) return;
  const long place = shmem_long_atomic_fetch_inc(&queued_n[level % 2], owner);
  shmem_long_p(&queue[level % 2][place], vertex, owner);
}

static void search(long root) {
  static long found_n;
  if (owner_of(root) == me) claim(root, root, 0);
  shmem_barrier_all();
  for (int level = 0;; level++) {
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &found_n, &queued_n[level % 2], 1);
    if (found_n == 0) return;
    for (long i = 0; i < queued_n[level % 2]; i++) {
      const long vertex = queue[level % 2][i];
      for (long k = begin[vertex - first]; k < begin[vertex - first + 1]; k++) claim(to[k], vertex, level + 1);
    }
    queued_n[level % 2] = 0;
    shmem_barrier_all();
  }
}

static void prepare(void) {
  memset(seen, 0, (size_t)1 << scale);
  for (long v = 0; v < own_n; v++) parent[v] = NONE;
  shmem_barrier_all();
}

/* ---- validation ---- */

/* The level of every vertex by the parents alone; NONE for those that are not reached from the root. */
static void find_levels(long root, const long *parents, int *levels) {
  bool more = true;
  for (long v = 0; v < 1L << scale; v++) levels[v] = NONE;
  levels[root] = 0;
  for (int level = 0; more; level++) {
    more = false;
    for (long v = 0; v < 1L << scale; v++) {
      if (levels[v] != NONE || parents[v] == NONE || levels[parents[v]] != level) continue;
      levels[v] = level + 1;
      more = true;
    }
  }
}

static long wrong_edges(long vertex, const long *parents, const int *levels) {
  const int level = levels[vertex];
  bool has_parent = false;
  long wrong_n = 0;
  for (long k = begin[vertex - first]; k < begin[vertex - first + 1]; k++) {
    has_parent |= to[k] == parents[vertex];
    wrong_n += (level == NONE) != (levels[to[k]] == NONE) || labs(level - levels[to[k]]) > 1;
  }
  return wrong_n + (level > 0 && (!has_parent || levels[parents[vertex]] != level - 1));
}

/* Returns this PE's errors: vertices that have a parent but cannot be reached from the root (property 1: no cycles),
 * edges of the tree that do not lead one level up (2), edges over more than one level (3) or out of the tree (4), edges
 * of the tree that are not in the graph (5). Adds the searched edges, in both directions, to *directed_n. */
static long validate(long root, long *directed_n) {
  long *parents = private_memory((size_t)(share * pes), sizeof *parents), wrong_n = 0;
  int *levels = private_memory((size_t)1 << scale, sizeof *levels);
  for (int pe = 0; pe < pes; pe++) shmem_long_get(parents + pe * share, parent, (size_t)share, pe);
  find_levels(root, parents, levels);
  wrong_n += parents[root] != root;
  for (long v = first; v < first + own_n; v++) {
    wrong_n += (parents[v] == NONE) != (levels[v] == NONE);
    wrong_n += wrong_edges(v, parents, levels);
    if (levels[v] != NONE) *directed_n += begin[v - first + 1] - begin[v - first];
  }
  free(parents), free(levels);
  shmem_barrier_all();
  return wrong_n;
}

/* The next vertex that has an edge: the same one on all PEs, which ask its owner. */
static long next_root(uint64_t *state) {
  for (;;) {
    const long root = (long)(draw(state) >> (64 - scale)), at = root % share;
    long bounds[2];
    shmem_long_get(bounds, &begin[at], 2, owner_of(root));
    if (bounds[1] > bounds[0]) return root;
  }
}

int main(int argc, char **argv) {
  shmem_init();
  me = shmem_my_pe();
  pes = shmem_n_pes();
  const struct option options[] = {
      {"scale", 4, 30, &scale}, {"edgefactor", 1, 1000, &edgefactor}, {"roots", 1, 1000, &roots_n}};
  if (!read_options("bfs", argc, argv, 3, options)) {
    shmem_finalize();
    return WRONG_ARGUMENTS;
  }
  construct();

  static long directed_n, directed_all;
  uint64_t state = 500;
  double seconds = 0;
  long errors_n = 0;
  for (long i = 0; i < roots_n; i++) {
    prepare();
    const long root = next_root(&state);
    const double since = now();
    search(root);
    seconds += now() - since;
    errors_n += validate(root, &directed_n);
  }
  shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &directed_all, &directed_n, 1);
  const int status = report("bfs", seconds, 0.5e-6 * (double)directed_all, "Medge", errors_n);
  for (int i = 1; i >= 0; i--) shmem_free(queue[i]);
  shmem_free(parent), shmem_free(begin);
  free(to), free(seen);
  shmem_finalize();
  return status;
}
