/* Collectives of the core, compared with results that each unit computes alone: every root, sizes around the steps,
 * teams in odd orders, operations that do not commute, elements larger than a bounce buffer, buffers in heaps, in
 * private memory, and in both. A brief run: some of the sizes. Argument "brief": fewer still, and two teams.
 * Units: 1 2 3 4 5 7 8 16 20
 * Nodes: 3 18
 * Group: core_collectives
 */
#include "coll_moves.h"

#include "coll/coll.h"
#include "coll/select.h"
#include "coll_reference.h"
#include "core/place.h"
#include "core/sync.h"
#include "core/team.h"
#include "net/net.h"
#include "node/heap.h"

static const size_t sizes[] = {0, 1, 7, 8, 9, 16, 17, 48, 49, 64, 1000, 2048, 2049, 8192, 8193, 16 << 10, (16 << 10) + 1,
                               (32 << 10) - 1, 32 << 10, (32 << 10) + 1, (64 << 10) + 1,
                               300001 /* three pieces of a line of nodes */};
enum { SIZES_N = sizeof sizes / sizeof sizes[0], LARGE_BYTES = 2 << 10 /* from here on the place of buffers matters */ };

static int size_step = 1; /* 1: all sizes are taken; N: every Nth, and the last one */

static enum { PRIVATE, IN_HEAP, MIXED, PLACES_N } place;

static bool in_heap(void) { return place == IN_HEAP || (place == MIXED && tsr_place.self % 2); }

/* With one byte more, which must not change. */
static void *buffer(size_t bytes) {
  unsigned char *memory = NULL;
  uint64_t off;
  if (!in_heap()) memory = malloc(bytes + 1);
  else if (!tsr_heap_alloc(bytes + 1, TSR_HEAP_LOCAL, &off)) memory = tsr_heap_at(tsr_heap.self, off);
  if (!memory) abort();
  memset(memory, 0xee, bytes + 1);
  return memory;
}
static void release(void *memory) {
  uint32_t local;
  uint64_t off;
  if (!tsr_heap_contains(memory, &local, &off)) free(memory);
  else CHECK_EQ(tsr_heap_free(off, TSR_HEAP_LOCAL), TESSERA_OK);
}

/* Every root of a few members; with more members every second one, and the others with the next size; with many only some. */
static int first_root;
static int next_root(const tsr_team *team, int root) { return root + (team->size > 8 ? 5 : team->size > 4 ? 2 : 1); }
static int start_root(const tsr_team *team) { return team->size > 4 ? first_root : 0; }

static void moves(tsr_team *team, size_t bytes) {
  coll.elem_bytes = 1;
  for (int root = start_root(team); root < team->size; root = next_root(team, root)) {
    coll_rooted(bytes, root);
    coll_check(-1);
  }
  coll_everywhere(bytes);
  coll_counted_everywhere(COLL_GROWING, bytes);
  coll_check(-1);
}

/* The last turn is an allreduce in place. */
static void sums(tsr_team *team, size_t n) {
  const tsr_reducer reducer = tsr_reducer_make(TSR_I64, TSR_SUM);
  const struct coll_how how = core_how(&reducer);
  for (int root = start_root(team); root < team->size; root = next_root(team, root)) {
    coll_reduce(&how, n, root, false);
    coll_check(-1);
  }
  coll_allreduce(&how, n, true);
  coll_check(-1);
}

static void ordered(size_t n) {
  static const tsr_reducer maps = MAPS_IN_ORDER;
  const struct coll_how how = core_how(&maps);
  coll_allreduce(&how, n, false);
  coll_check(-1);
}

/* One element of 100000 bytes, combined by exclusive or. */
enum { WIDE = 100000 };
static void mix(void *inout, const void *in, size_t n, const tsr_reducer *reducer) {
  (void)reducer;
  for (size_t i = 0; i < n * WIDE; i++) ((unsigned char *)inout)[i] ^= ((const unsigned char *)in)[i];
}
static void fill_wide(const struct coll_how *how, void *data, int who, size_t from, size_t n) {
  (void)how, (void)from;
  fill(data, (unsigned)who, n * WIDE);
}
static void wide(void) {
  static const tsr_reducer mixed = {.elem_bytes = WIDE, .apply = mix, .commutes = true};
  struct coll_how how = core_how(&mixed);
  how.fill = fill_wide;
  coll_allreduce(&how, 1, false);
  coll_check(-1);
}

static void everything(tsr_team *team, size_t from_bytes) {
  work_on(team);
  blocks = true;
  coll.take = buffer;
  coll.release = release;
  for (int i = 0; i < SIZES_N; i++) {
    if (sizes[i] < from_bytes || (i % size_step && i + 1 < SIZES_N)) continue;
    first_root = i % 2;
    moves(team, sizes[i]);
    sums(team, sizes[i] / 8);
    ordered(sizes[i] / 8);
  }
  wide();
  coll.elem_bytes = 1;
  coll_counted_everywhere(COLL_EVEN, 100);
  coll_check(-1);
  CHECK_EQ(tsr_barrier(team), TESSERA_OK);
}

/* The number of messages between nodes that this unit has sent. */
static const struct tsr_net_ops *wire;
static struct tsr_net_ops counted; /* filled in once, since a progress thread may still use it later */
static _Atomic int sent_n;
static void count_sent(const void *data, const struct tsr_net_message *message) {
  sent_n++;
  wire->send(data, message);
}

static void start_counting(tsr_team *team) {
  if (!wire) counted = *tsr_net;
  wire = tsr_net;
  counted.send = count_sent;
  CHECK_EQ(tsr_barrier(team), TESSERA_OK);
  tsr_net = &counted;
  sent_n = 0;
}

/* Returns the number of messages of all members. */
static int64_t stop_counting(tsr_team *team) {
  const tsr_reducer sum = tsr_reducer_make(TSR_I64, TSR_SUM);
  int64_t mine = sent_n, all = 0;
  tsr_net = wire;
  CHECK_EQ(tsr_allreduce(team, &mine, &all, 1, &sum), TESSERA_OK);
  return all;
}

enum { MEMBERS_MAX = 64 };
static int64_t mine[MEMBERS_MAX], theirs[MEMBERS_MAX];

/* Small data of many members takes as many steps and messages as that of one member per node. */
static void steps_are_few(tsr_team *team) {
  int rounds_n = 0;
  while (1 << rounds_n < team->nodes_n) rounds_n++;
  size_t node_bytes = (size_t)team->size * sizeof mine[0] / (size_t)team->nodes_n;
  if (tsr_select_leaders(TSR_COLL_ALLGATHER, team, node_bytes) != TSR_BY_DOUBLING) rounds_n = team->nodes_n - 1;
  start_counting(team);
  uint64_t before = tsr_sync_next(team);
  CHECK_EQ(tsr_allgather(team, mine, theirs, sizeof mine[0]), TESSERA_OK);
  CHECK(tsr_sync_next(team) - before <= 2);
  CHECK_EQ(sent_n, team->self_local ? 0 : rounds_n);
  before = tsr_sync_next(team);
  sent_n = 0;
  CHECK_EQ(tsr_alltoall(team, mine, theirs, sizeof mine[0]), TESSERA_OK);
  CHECK(tsr_sync_next(team) - before <= 2);
  CHECK_EQ(sent_n, team->self_local ? 0 : team->nodes_n - 1);
  stop_counting(team);
}

/* From one member, or to one, small data takes a message for each other node. */
static void messages_are_few(tsr_team *team) {
  for (int32_t i = 0; i < 2; i++) {
    const tsr_member root = TSR_MEMBER(i ? team->size - 1 : 0);
    start_counting(team);
    CHECK_EQ(tsr_scatter(team, theirs, mine, sizeof mine[0], root), TESSERA_OK);
    CHECK_EQ(stop_counting(team), team->nodes_n - 1);
    start_counting(team);
    CHECK_EQ(tsr_gather(team, mine, theirs, sizeof mine[0], root), TESSERA_OK);
    CHECK_EQ(stop_counting(team), team->nodes_n - 1);
  }
}

/* Interleaves the members of the nodes, as many as each node has. */
static tsr_team *alternating_team(void) {
  tsr_unit list[64];
  int32_t n = 0, half = (tsr_place.units_n + 1) / 2;
  for (int32_t i = 0; i < half; i++) {
    list[n++] = TSR_UNIT(i);
    if (half + i < tsr_place.units_n) list[n++] = TSR_UNIT(half + i);
  }
  tsr_team *team = NULL;
  CHECK_EQ(tsr_team_create(tsr_team_world, n, list, &team), TESSERA_OK);
  return team;
}

/* Odd units first, then even ones, each from the last to the first: leaders and numbers are in no order. */
static tsr_team *mixed_team(void) {
  tsr_unit list[64];
  int32_t n = 0;
  for (int parity = 1; parity >= 0; parity--) {
    for (int32_t unit = tsr_place.units_n - 1; unit >= 0; unit--) {
      if (unit % 2 == parity) list[n++] = TSR_UNIT(unit);
    }
  }
  tsr_team *team = NULL;
  CHECK_EQ(tsr_team_create(tsr_team_world, n, list, &team), TESSERA_OK);
  return team;
}

int main(int argc, char **argv) {
  if (tessera_init(&argc, &argv)) return EXIT_FAILURE;
  if (check_is_brief()) size_step = 3;
  const bool is_briefest = argc > 1 && !strcmp(argv[1], "brief");
  if (is_briefest) size_step = 5;
  everything(tsr_team_world, 0);
  tsr_team *mixed = mixed_team();
  if (mixed) everything(mixed, 0);
  tsr_team *alternating = is_briefest ? NULL : alternating_team();
  if (alternating) everything(alternating, 0);
  if (alternating && MAY_COUNT_MESSAGES) {
    steps_are_few(alternating);
    messages_are_few(alternating);
  }
  if (alternating) CHECK_EQ(tsr_team_destroy(alternating), TESSERA_OK);
  for (place = is_briefest ? MIXED : IN_HEAP; mixed && place < PLACES_N; place++) everything(mixed, LARGE_BYTES);
  if (mixed) CHECK_EQ(tsr_team_destroy(mixed), TESSERA_OK);
  CHECK_EQ(tessera_exit(), TESSERA_OK);
  return check_result();
}
