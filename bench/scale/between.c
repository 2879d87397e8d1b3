/* The part of collectives between nodes, with one rank per node, on simulated hosts (SimGrid's smpirun);
 * bench/scale-model builds and runs it. The algorithms are the library's own: blocking schedules of src/coll, and
 * src/core/{bootstrap,sync}.c. This file implements the functions that they call, on SMPI's messages, and checks the
 * results. The linker drops the sections of src/coll that nothing here uses.
 *
 * between COLLECTIVE ALGORITHM BYTES: rank 0 prints the time in ns until the last rank has ended. */
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/status.h"
#include "base/wait.h"
#include "coll/builders.h"
#include "coll/local.h"
#include "core/bootstrap.h"
#include "core/conflict.h"
#include "core/coll_error.h"
#include "core/sync.h"
#include "core/place.h"
#include "core/runtime.h"

/* ---- functions that the algorithms call ---- */

struct tsr_place tsr_place;
struct tsr_heap tsr_heap;

_Noreturn void tsr_abort(int code, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  MPI_Abort(MPI_COMM_WORLD, code);
  abort();
}

/* Each rank is the only one of its node, so it never waits within the node. */
bool tsr_wait_briefly(tsr_ready_fn ready, const void *arg) { return ready(arg); }
void tsr_wait_slow(tsr_ready_fn ready, const void *arg, struct tsr_wait_why why, tsr_eventcount *eventcount) {
  (void)ready, (void)arg, (void)eventcount;
  tsr_abort(1, "a wait of kind %d on a node with one rank", why.kind);
}
void tsr_bell_wake(tsr_word *bell) { (void)bell; }
void tsr_eventcount_wake(tsr_eventcount *eventcount) { (void)eventcount; }
tessera_status_t tsr_fail(tessera_status_t status, const char *format, ...) { return (void)format, status; }

int32_t tsr_place_find_node(tsr_unit unit) { return unit.id; }

/* Nothing here is long enough for a bounce buffer. */
tessera_status_t tsr_heap_alloc(size_t bytes, enum tsr_heap_use use, uint64_t *off) {
  return (void)bytes, (void)use, (void)off, TESSERA_ERR_MEMORY;
}
tessera_status_t tsr_heap_free(uint64_t off, enum tsr_heap_use use) { return (void)off, (void)use, TESSERA_OK; }

/* The part of an alltoall within the node: the own block. Only nodes of several ranks collect blocks for other nodes. */
static _Noreturn void end_for_several(void) { tsr_abort(1, "an exchange for several ranks of a node, which has one"); }
bool tsr_local_collect(tsr_team *team, const void *send, const struct tsr_coll_buffer *buffer, char *packed) {
  (void)team, (void)send, (void)buffer, (void)packed;
  end_for_several();
}
bool tsr_local_distribute(tsr_team *team, const void *send, size_t bytes, void *recv, int32_t root) {
  (void)team, (void)send, (void)bytes, (void)recv, (void)root;
  end_for_several();
}
bool tsr_local_exchange(tsr_team *team, const char *send, size_t bytes, char *recv) {
  memcpy(recv + (size_t)team->self * bytes, send + (size_t)team->self * bytes, bytes);
  return true;
}

/* No rank fails a call, and nothing is checked. */
struct tsr_config tsr_config;
void tsr_conflict_sync_slow(void) {}
bool tsr_call_begin_slow(tsr_team *team, enum tsr_call_kind kind, uint64_t bytes, int32_t root, uint64_t how) {
  return (void)team, (void)kind, (void)bytes, (void)root, (void)how, true;
}
tessera_status_t tsr_call_fail(tsr_team *team) { tsr_abort(1, "a call of team %d has failed", team->id); }

static enum tsr_algorithm algorithm;

/* Messages under way, each of one exchange. */
static struct pending {
  const tsr_exchange *of;
  MPI_Request request;
} *pending;
static int pending_n, pending_room;

static MPI_Request *one_more(tsr_exchange *exchange) {
  if (pending_n == pending_room) {
    pending_room = 2 * pending_room + 8;
    pending = realloc(pending, (size_t)pending_room * sizeof *pending);
    if (!pending) tsr_abort(1, "no memory for %d messages under way", pending_room);
  }
  pending[pending_n].of = exchange;
  return &pending[pending_n++].request;
}

void tsr_exchange_begin(tsr_exchange *exchange, int tag) { exchange->tag = tag; }

void tsr_exchange_send(tsr_exchange *exchange, tsr_unit to, const void *data, size_t bytes) {
  MPI_Request *request = one_more(exchange);
  MPI_Isend(data, (int)bytes, MPI_BYTE, to.id, exchange->tag, MPI_COMM_WORLD, request);
}

void tsr_exchange_receive(tsr_exchange *exchange, tsr_unit from, void *data, size_t bytes) {
  MPI_Request *request = one_more(exchange);
  MPI_Irecv(data, (int)bytes, MPI_BYTE, from.id, exchange->tag, MPI_COMM_WORLD, request);
}

void tsr_exchange_end(tsr_exchange *exchange) {
  int left_n = 0;
  for (int i = 0; i < pending_n; i++) {
    if (pending[i].of == exchange) MPI_Wait(&pending[i].request, MPI_STATUS_IGNORE);
    else pending[left_n++] = pending[i];
  }
  pending_n = left_n;
}

/* ---- a team of one unit on each node ---- */

static tsr_team team;

const struct tsr_team_node *tsr_team_find_node(const tsr_team *of, int32_t node) { return &of->nodes[node]; }

static void make_team(void) {
  int nodes_n;
  MPI_Comm_size(MPI_COMM_WORLD, &nodes_n);
  MPI_Comm_rank(MPI_COMM_WORLD, &tsr_place.self);
  int32_t *leaders = malloc((size_t)nodes_n * sizeof *leaders);
  struct tsr_team_node *nodes = malloc((size_t)nodes_n * sizeof *nodes);
  for (int i = 0; i < nodes_n; i++) {
    leaders[i] = i;
    nodes[i] = (struct tsr_team_node){i, i};
  }
  tsr_place.nodes_n = nodes_n;
  tsr_place.per_node = 1;
  tsr_place.first = (uint32_t)tsr_place.self;
  tsr_place.count = 1;
  team = (tsr_team){.size = nodes_n, .stride = 1, .self = tsr_place.self, .locals_n = 1, .locals = &tsr_place.self,
                    .nodes_n = nodes_n, .leaders = leaders, .self_node = tsr_place.self, .nodes = nodes};
  if (tsr_sync_attach(&team, calloc(1, tsr_sync_area_bytes(1)))) tsr_abort(1, "no sync area");
}

/* ---- the collectives, on vectors of counts ---- */

static long *vector, *shares, *received; /* n counts, n for each rank, and n from each rank */
static size_t n;
static tsr_schedule schedule;
static tsr_group leaders;

static void add(void *inout, const void *in, size_t elems_n, const struct tsr_reducer *how) {
  (void)how;
  for (size_t i = 0; i < elems_n; i++) ((long *)inout)[i] += ((const long *)in)[i];
}
static const tsr_reducer sum = {.elem_bytes = sizeof(long), .apply = add, .commutes = true};

static tsr_block own_block(void) { return (tsr_block){(char *)vector, n * sizeof *vector}; }
static const tsr_member_blocks *blocks_of_all(void) {
  static tsr_member_blocks blocks;
  blocks = (tsr_member_blocks){NULL, (char *)shares, n * sizeof *shares};
  return &blocks;
}

static void barrier(void) { tsr_bootstrap_barrier(&team); }
static void bcast(void) { tsr_add_bcast(&schedule, &leaders, vector, n * sizeof *vector, algorithm); }
static void scatter(void) { tsr_add_scatter(&schedule, &leaders, blocks_of_all(), own_block(), algorithm); }
static void gather(void) { tsr_add_gather(&schedule, &leaders, own_block(), blocks_of_all(), algorithm); }
static void allgather(void) {
  memcpy(shares + (size_t)team.self * n, vector, n * sizeof *vector);
  tsr_add_allgather(&schedule, &leaders, blocks_of_all(), algorithm);
}
static void alltoall(void) {
  if (tsr_alltoall(&team, shares, received, n * sizeof *shares)) tsr_abort(1, "alltoall has failed");
}
static void reduce(void) { tsr_add_reduce(&schedule, &leaders, vector, vector, n, &sum, algorithm); }
static void allreduce(void) { tsr_add_allreduce(&schedule, &leaders, vector, vector, n, &sum, algorithm); }

/* first: the initial value of element i on rank `self`. The others: the expected results; for reduce only the root has one. */
static long first(int self, size_t i) { return (long)(i % 1000) + self; }
static long whole(size_t i) {
  long ranks_n = team.nodes_n;
  return ranks_n * (long)(i % 1000) + ranks_n * (ranks_n - 1) / 2;
}
static long root_has(size_t i) { return first(0, i); }
static long share(int from, int to, size_t i) { return 1000000L * from + (long)i + to; }
static long share_has(size_t i) { return share(0, team.self, i); }

static const struct collective {
  const char *name;
  void (*run)(void);
  long (*expected)(size_t i); /* of the vector */
  bool at_root_only;
  enum { NO_SHARES, READS_SHARES, FILLS_SHARES, EXCHANGES_SHARES } does;
} collectives[] = {{"barrier", barrier, NULL, false, NO_SHARES},
                   {"bcast", bcast, root_has, false, NO_SHARES},
                   {"scatter", scatter, share_has, false, READS_SHARES},
                   {"gather", gather, NULL, true, FILLS_SHARES},
                   {"allgather", allgather, NULL, false, FILLS_SHARES},
                   {"alltoall", alltoall, NULL, false, EXCHANGES_SHARES},
                   {"reduce", reduce, whole, true, NO_SHARES},
                   {"allreduce", allreduce, whole, false, NO_SHARES}};

static const struct collective *find_collective(const char *name) {
  for (size_t i = 0; i < sizeof collectives / sizeof *collectives; i++)
    if (strcmp(name, collectives[i].name) == 0) return &collectives[i];
  tsr_abort(2, "no collective is called %s", name);
}

static enum tsr_algorithm find_algorithm(const char *name) {
  static const char *const names[] = {[TSR_BY_DIRECT] = "direct", [TSR_BY_TREE] = "tree", [TSR_BY_DOUBLING] = "doubling",
                                      [TSR_BY_RING] = "ring", [TSR_BY_HALVING] = "halving"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (names[i] && strcmp(name, names[i]) == 0) return (enum tsr_algorithm)i;
  tsr_abort(2, "no algorithm is called %s", name);
}

static void check_count(const struct collective *what, size_t i, long found, long wanted) {
  if (found != wanted)
    tsr_abort(1, "%s: element %zu of node %d is %ld, not %ld", what->name, i, team.self, found, wanted);
}

static void check_result(const struct collective *what) {
  if (what->at_root_only && team.self) return;
  for (size_t i = 0; what->expected && i < n; i++) check_count(what, i, vector[i], what->expected(i));
  for (int rank = 0; what->does >= FILLS_SHARES && rank < team.nodes_n; rank++) {
    const size_t at = (size_t)rank * n;
    for (size_t i = 0; i < n && what->does == FILLS_SHARES; i++) check_count(what, i, shares[at + i], first(rank, i));
    for (size_t i = 0; i < n && what->does == EXCHANGES_SHARES; i++)
      check_count(what, i, received[at + i], share(rank, team.self, i));
  }
}

static void make_vectors(const struct collective *what, size_t bytes) {
  n = (bytes + sizeof *vector - 1) / sizeof *vector;
  const int ranks_n = what->does == NO_SHARES ? 0 : team.nodes_n;
  vector = malloc(n * sizeof *vector);
  shares = malloc(((size_t)ranks_n * n + 1) * sizeof *shares);
  received = malloc(((size_t)ranks_n * n + 1) * sizeof *received);
  if (!vector || !shares || !received) tsr_abort(1, "no memory for vectors of %zu elements", n);
  for (size_t i = 0; i < n; i++) vector[i] = first(team.self, i);
  for (int rank = 0; rank < ranks_n; rank++) {
    for (size_t i = 0; i < n; i++) shares[(size_t)rank * n + i] = share(team.self, rank, i);
  }
}

/* Sleeps until the same moment on all ranks, since a barrier releases some ranks before others. Returns that moment. */
static double begin_together(void) {
  double now = MPI_Wtime(), latest;
  MPI_Allreduce(&now, &latest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  double left = latest + 1 - MPI_Wtime();
  struct timespec pause = {.tv_sec = (time_t)left};
  pause.tv_nsec = (long)((left - (double)pause.tv_sec) * 1e9);
  nanosleep(&pause, NULL);
  return latest + 1;
}

__attribute__((visibility("default"))) int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  make_team();
  if (argc != 4 || atol(argv[3]) < 1) tsr_abort(2, "usage: between COLLECTIVE ALGORITHM BYTES");
  const struct collective *what = find_collective(argv[1]);
  algorithm = find_algorithm(argv[2]);
  make_vectors(what, (size_t)atol(argv[3]));
  leaders = tsr_group_leaders(&team, 0);
  double begun = begin_together(), ended, last_ended;
  tsr_schedule_begin_blocking(&schedule, &team);
  what->run();
  tsr_schedule_end_blocking(&schedule);
  ended = MPI_Wtime();
  MPI_Allreduce(&ended, &last_ended, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  check_result(what);
  if (team.self == 0) printf("%.1f\n", (last_ended - begun) * 1e9);
  MPI_Finalize();
  return 0;
}
