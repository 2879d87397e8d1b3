/* Random interleavings of all non-blocking collectives, of several types and operations, on overlapping teams, with
 * blocking ones and messages. All units draw the same calls; each waits for its own in its own order. The seed is an
 * argument, or COLL_RANDOM_SEED.
 * Units: 1 2 3 4 5 7 8 16
 * Nodes: 3 18
 * Group: core_collectives
 */
#include "coll_moves.h"

#include <time.h>

#include "coll_reference.h"
#include "core/place.h"
#include "p2p/p2p.h"

#ifndef SECONDS /* the soak test has a time instead of a number of rounds, and another seed each time */
#define SECONDS 0
#endif
enum { ROUNDS_N = 1500, TEAMS_N = 5, SLOTS_N = 48, UNITS_MAX = 64 };

struct draw { uint64_t state; };
static uint32_t next(struct draw *draw, uint32_t below) {
  draw->state = draw->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(draw->state >> 33) % below;
}

static tsr_team *teams[TEAMS_N]; /* NULL: this unit is no member */

/* All units; all in reverse; all but the last; every second one; all but the first. */
static void make_teams(void) {
  int32_t n = tsr_place.units_n;
  teams[0] = tsr_team_world;
  for (int t = 1; t < TEAMS_N; t++) {
    tsr_unit units[UNITS_MAX];
    int32_t units_n = 0;
    for (int32_t i = 0; i < n; i++) {
      if (t == 1) units[units_n++] = TSR_UNIT(n - 1 - i);
      if (t == 2 && (i < n - 1 || n == 1)) units[units_n++] = TSR_UNIT(i);
      if (t == 3 && i % 2 == 0) units[units_n++] = TSR_UNIT(i);
      if (t == 4 && (i > 0 || n == 1)) units[units_n++] = TSR_UNIT(i);
    }
    CHECK_EQ(tsr_team_create(tsr_team_world, units_n, units, &teams[t]), TESSERA_OK);
  }
}

enum kind {
  BARRIER, BCAST, SCATTER, GATHER, ALLGATHER, ALLTOALL, REDUCE, ALLREDUCE, /* including blocking ones */
  SCATTERV, GATHERV, ALLGATHERV, ALLTOALLV, REDUCE_SCATTER, SCAN, EXSCAN, KINDS_N
};

static tsr_reducer ways[] = {
  {.type = TSR_I64, .op = TSR_SUM}, {.type = TSR_F64, .op = TSR_SUM}, {.type = TSR_U8, .op = TSR_MAX},
  {.type = TSR_I8, .op = TSR_BXOR}, {.type = TSR_U16, .op = TSR_LOR}, {.type = TSR_I16, .op = TSR_MIN},
  {.type = TSR_U32, .op = TSR_PROD}, {.type = TSR_I32, .op = TSR_BAND}, {.type = TSR_F32, .op = TSR_SUM},
  {.type = TSR_C128, .op = TSR_SUM}, MAPS_IN_ORDER,
};
enum { WAYS_N = sizeof ways / sizeof *ways };

/* The outstanding calls. */
enum { NO_BUFFERS = 1 << 30 };
static struct slot {
  tsr_op op;
  int call; /* its number in coll_moves.h, which has the buffers, or NO_BUFFERS */
  bool used;
} slots[SLOTS_N], *slot; /* and that of the next call */

static void end(struct slot *ended) {
  if (!ended->used) return;
  tsr_op_wait_remote(&ended->op, TSR_UNIT(-1));
  ended->used = false;
  coll_check(ended->call);
}

static void go(tsr_schedule *schedule) {
  slot->op = (tsr_op){0};
  slot->used = true;
  slot->call = coll.calls_n;
  tsr_schedule_start(schedule, &slot->op, NULL, NULL);
}
static struct coll_how hows[WAYS_N];

/* On n elements, or on a few more bytes. */
static void call(enum kind kind, size_t n, int root, const struct coll_how *how, bool in_place) {
  const size_t bytes = n * how->elem_bytes;
  coll.elem_bytes = 1;
  switch (kind) {
    case BARRIER:
      if (blocks) CHECK_EQ(tsr_barrier(at_work), TESSERA_OK);
      else go(tsr_nb_barrier(at_work)), slot->call = NO_BUFFERS;
      break;
    case BCAST: coll_bcast(bytes, root); break;
    case SCATTER: coll_scatter(bytes, root, false); break;
    case GATHER: coll_gather(bytes, root, false); break;
    case ALLGATHER: coll_allgather(bytes, false); break;
    case ALLTOALL: coll_alltoall(bytes, false); break;
    case SCATTERV: coll_scatterv(COLL_THIRDS, bytes / 2, root, false); break;
    case GATHERV: coll_gatherv(COLL_THIRDS, bytes / 2, root, false); break;
    case ALLGATHERV: coll_allgatherv(COLL_THIRDS, bytes / 2, false); break;
    case ALLTOALLV: coll_alltoallv(bytes / 2, false); break;
    case REDUCE: coll_reduce(how, n, root, in_place); break;
    case ALLREDUCE: coll_allreduce(how, n, in_place); break;
    case REDUCE_SCATTER: coll_reduce_scatter(how, n / 2, in_place); break;
    case SCAN: coll_scan(how, n, in_place); break;
    default: coll_exscan(how, n, in_place); break;
  }
}

/* Around a ring of all units. */
static void pass_on(size_t n) {
  int32_t size = tsr_place.units_n, self = tsr_place.self, before = (self - 1 + size) % size;
  coll.elem_bytes = sizeof(int64_t);
  struct coll_buffer *out = coll_filled(n, self, 0), *in = coll_empty(n);
  coll_wish(in, 0, n, before, 0);
  tsr_outgoing send;
  tsr_incoming receive;
  CHECK_EQ(tsr_p2p_send_start(&send, TSR_UNIT((self + 1) % size), TSR_P2P_DART, 3, out->data, n * 8), TESSERA_OK);
  tsr_p2p_receive(&receive, TSR_UNIT(before), TSR_P2P_DART, 3, in->data, n * 8);
  tsr_p2p_send_wait(&send);
  coll_check(coll.calls_n++);
}

/* One call in ten is a message, and two block. */
static void one_round(int64_t round, struct draw *common, struct draw *own) {
  uint32_t what = next(common, 10), kind = next(common, KINDS_N), any_root = next(common, 1 << 20);
  tsr_team *team = teams[next(common, TEAMS_N)];
  const struct coll_how *how = &hows[next(common, WAYS_N)];
  size_t n = next(common, 8) ? next(common, 200) : next(common, 20000);
  coll.first = (size_t)round * 132;
  blocks = what == 1 || what == 2;
  if (what == 0) {
    pass_on(n);
  } else if (team) {
    slot = &slots[next(own, SLOTS_N)];
    if (blocks) kind %= ALLREDUCE + 1;
    if (kind == ALLTOALL || kind == ALLTOALLV || kind == ALLGATHER) n /= 4;
    work_on(team);
    end(slot);
    const int number = coll.calls_n;
    call((enum kind)kind, n, (int)(any_root % (uint32_t)team->size), how, next(own, 2));
    if (blocks) coll_check(number);
  }
  if (next(own, 4) == 0) end(&slots[next(own, SLOTS_N)]);
}

/* Unit 0 reads the clock, for all. */
static bool goes_on(int64_t round) {
  static time_t begun;
  if (!SECONDS) return round < ROUNDS_N;
  if (!begun) begun = time(NULL);
  int32_t more = time(NULL) - begun < SECONDS;
  if (round % 1000 == 0) CHECK_EQ(tsr_bcast(tsr_team_world, &more, sizeof more, TSR_MEMBER(0)), TESSERA_OK);
  return round % 1000 || more;
}

/* Unit 0's seed, which it prints. */
static uint64_t common_seed(int argc, char **argv) {
  const char *text = argc > 1 ? argv[1] : getenv("COLL_RANDOM_SEED");
  uint64_t seed = text ? strtoull(text, NULL, 0) : SECONDS ? (uint64_t)time(NULL) : 42;
  CHECK_EQ(tsr_bcast(tsr_team_world, &seed, sizeof seed, TSR_MEMBER(0)), TESSERA_OK);
  if (tsr_place.self == 0) printf("seed %llu\n", (unsigned long long)seed);
  fflush(stdout);
  return seed;
}

int main(int argc, char **argv) {
  if (tessera_init(&argc, &argv)) return EXIT_FAILURE;
  for (int i = 0; i < WAYS_N; i++) {
    if (ways[i].elem_bytes == 0) ways[i] = tsr_reducer_make(ways[i].type, ways[i].op);
    hows[i] = core_how(&ways[i]);
  }
  started = go;
  make_teams();
  uint64_t seed = common_seed(argc, argv);
  struct draw common = {seed}, own = {seed * 1000 + (uint64_t)tsr_place.self + 1};
  for (int64_t round = 0; goes_on(round); round++) one_round(round, &common, &own);
  for (int i = SLOTS_N - 1; i >= 0; i--) end(&slots[i]);
  CHECK(!coll_buffers);
  for (int t = 1; t < TEAMS_N; t++) {
    if (teams[t]) CHECK_EQ(tsr_team_destroy(teams[t]), TESSERA_OK);
  }
  CHECK_EQ(tessera_exit(), TESSERA_OK);
  return check_result();
}
