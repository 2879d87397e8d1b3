/* Random interleavings of all non-blocking collectives, of several types and operations, on overlapping teams with
 * blocking ones and messages. All units draw the same calls; each waits for its own in an order of its own. An
 * argument, or COLL_RANDOM_SEED, is what the drawing begins with.
 * Units: 1 2 3 4 5 7 8 16
 */
#include "check.h"

#include <stdint.h>
#include <string.h>
#include <time.h>

#include "coll/nb.h"
#include "coll_reference.h"
#include "core/place.h"
#include "p2p/p2p.h"

#ifndef SECONDS /* the soak test takes time instead of rounds, and another seed each time */
#define SECONDS 0
#endif
enum { ROUNDS_N = 1500, TEAMS_N = 5, SLOTS_N = 48, UNITS_MAX = 64 };

struct draw { uint64_t state; };
static uint32_t next(struct draw *draw, uint32_t below) {
  draw->state = draw->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(draw->state >> 33) % below;
}

static tsr_team *teams[TEAMS_N]; /* NULL: this unit is no member */

/* Everybody; everybody backwards; all but the last; every second one; all but the first. */
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
  BARRIER, BCAST, SCATTER, GATHER, ALLGATHER, ALLTOALL, REDUCE, ALLREDUCE, /* those that block, too */
  SCATTERV, GATHERV, ALLGATHERV, ALLTOALLV, REDUCE_SCATTER, SCAN, EXSCAN, KINDS_N
};
static const char *const names[KINDS_N] = {
  "barrier", "bcast", "scatter", "gather", "allgather", "alltoall", "reduce", "allreduce",
  "scatterv", "gatherv", "allgatherv", "alltoallv", "reduce_scatter", "scan", "exscan",
};

static tsr_reducer ways[] = {
  {.type = TSR_I64, .op = TSR_SUM}, {.type = TSR_F64, .op = TSR_SUM}, {.type = TSR_U8, .op = TSR_MAX},
  {.type = TSR_I8, .op = TSR_BXOR}, {.type = TSR_U16, .op = TSR_LOR}, {.type = TSR_I16, .op = TSR_MIN},
  {.type = TSR_U32, .op = TSR_PROD}, {.type = TSR_I32, .op = TSR_BAND}, {.type = TSR_F32, .op = TSR_SUM},
  {.type = TSR_C128, .op = TSR_SUM}, MAPS_IN_ORDER,
};
enum { WAYS_N = sizeof ways / sizeof *ways };

/* What all members draw alike. Elements are numbered from `first` on, which differs from call to call. */
struct call {
  tsr_team *team;
  enum kind kind;
  int32_t root;
  size_t n, first;
  const tsr_reducer *how;
  size_t counts[UNITS_MAX], offs[UNITS_MAX], total; /* in elements: of shares of about n */
  size_t out[UNITS_MAX], at[UNITS_MAX];             /* in bytes: the same; or of pairs of members */
};

/* A call under way: its buffers, and what shall be in `recv` then; NULL: anything. In place `send` is `recv`. */
struct slot {
  tsr_op op;
  bool used;
  enum kind kind;
  char *send, *recv, *wanted;
  size_t bytes, room;
};
static struct slot slots[SLOTS_N];

static void end(struct slot *slot) {
  if (!slot->used) return;
  tsr_op_wait_remote(&slot->op, TSR_UNIT(-1));
  bool right = !slot->wanted || !memcmp(slot->recv, slot->wanted, slot->bytes);
  if (!right) fprintf(stderr, "wrong result of a %s of %zu bytes\n", names[slot->kind], slot->bytes);
  CHECK(right);
  CHECK_EQ((unsigned char)slot->recv[slot->room], GUARD);
  if (slot->send != slot->recv) free(slot->send);
  free(slot->recv);
  free(slot->wanted);
  slot->used = false;
}

/* n elements of member `who`, from `from` on. */
static char *part_of(const struct call *c, int32_t who, size_t from, size_t n) {
  char *data = memory(n * c->how->elem_bytes);
  fill_elements(c->how, data, who, c->first + from, n);
  return data;
}

/* Those from `from` on of all members, each at its place. */
static char *parts_of_all(const struct call *c, size_t from, size_t room, const size_t counts[], const size_t offs[]) {
  char *data = memory(room * c->how->elem_bytes);
  for (int32_t who = 0; who < c->team->size; who++)
    fill_elements(c->how, data + offs[who] * c->how->elem_bytes, who, c->first + from, counts[who]);
  return data;
}

static void set(struct slot *slot, char *send, char *recv, size_t room, char *wanted, size_t bytes) {
  slot->send = send;
  slot->recv = recv;
  slot->room = room;
  slot->wanted = wanted;
  slot->bytes = bytes;
}

/* Shares: n for each, or n / 2 * (i % 3) from the last member to the first. */
static void make_counts(struct call *c, bool equal) {
  c->total = 0;
  for (int32_t i = c->team->size - 1; i >= 0; i--) {
    c->counts[i] = equal ? c->n : c->n / 2 * (size_t)(i % 3);
    c->offs[i] = equal ? (size_t)i * c->n : c->total;
    c->total += c->counts[i];
  }
  for (int32_t i = 0; i < c->team->size; i++) {
    c->out[i] = c->counts[i] * c->how->elem_bytes;
    c->at[i] = c->offs[i] * c->how->elem_bytes;
  }
}

static void prepare_counts(struct call *c, struct slot *slot) {
  size_t e = c->how->elem_bytes;
  int32_t self = c->team->self;
  bool is_root = self == c->root;
  make_counts(c, c->kind == SCATTER || c->kind == GATHER || c->kind == ALLGATHER);
  size_t own = c->counts[self], all = c->total * e;
  if (c->kind == SCATTER || c->kind == SCATTERV) {
    set(slot, part_of(c, c->root, 0, is_root ? c->total : 0), memory(own * e), own * e,
        part_of(c, c->root, c->offs[self], own), own * e);
    return;
  }
  char *wanted = parts_of_all(c, 0, c->total, c->counts, c->offs), *recv = memory(all);
  bool takes = is_root || c->kind == ALLGATHER || c->kind == ALLGATHERV;
  if (!takes) free(wanted);
  set(slot, part_of(c, self, 0, own), recv, all, takes ? wanted : NULL, all);
}

/* Members i and j pass each other n elements, or n / 2 * ((i + j) % 3) of room for n. */
static void prepare_pairs(struct call *c, struct slot *slot) {
  size_t e = c->how->elem_bytes, self = (size_t)c->team->self;
  make_counts(c, true);
  for (size_t i = 0; c->kind == ALLTOALLV && i < (size_t)c->team->size; i++) {
    c->counts[i] = c->n / 2 * ((i + self) % 3);
    c->out[i] = c->counts[i] * e;
  }
  char *wanted = parts_of_all(c, self * c->n, c->total, c->counts, c->offs);
  set(slot, part_of(c, c->team->self, 0, c->total), memory(c->total * e), c->total * e, wanted, c->total * e);
}

static void prepare_reduction(struct call *c, struct slot *slot, bool in_place) {
  size_t e = c->how->elem_bytes, n = c->n, from = 0, result_n = n;
  int32_t self = c->team->self, last = c->team->size - 1;
  if (c->kind == SCAN) last = self;
  if (c->kind == EXSCAN) last = self - 1;
  bool takes = c->kind != REDUCE || self == c->root;
  if (c->kind == REDUCE_SCATTER) {
    make_counts(c, false);
    for (int32_t i = 0; i < self; i++) from += c->counts[i];
    n = c->total;
    result_n = c->counts[self];
  }
  char *recv = in_place ? part_of(c, self, 0, n) : memory(n * e);
  set(slot, in_place ? recv : part_of(c, self, 0, n), recv, n * e,
      takes && last >= 0 ? expected(c->how, 0, last, c->first + from, result_n) : NULL, result_n * e);
}

static void prepare(struct call *c, struct slot *slot, bool in_place) {
  bool is_root = c->team->self == c->root;
  size_t bytes = c->n * c->how->elem_bytes;
  slot->op = (tsr_op){0};
  slot->kind = c->kind;
  slot->used = true;
  switch (c->kind) {
    case BARRIER: set(slot, memory(0), memory(0), 0, NULL, 0); break;
    case BCAST:
      set(slot, memory(0), is_root ? part_of(c, c->root, 0, c->n) : memory(bytes), bytes, part_of(c, c->root, 0, c->n),
          bytes);
      break;
    case SCATTER: case GATHER: case ALLGATHER: prepare_counts(c, slot); break;
    case SCATTERV: case GATHERV: case ALLGATHERV: prepare_counts(c, slot); break;
    case ALLTOALL: case ALLTOALLV: prepare_pairs(c, slot); break;
    default: prepare_reduction(c, slot, in_place); break;
  }
}

static tsr_schedule *schedule_of(const struct call *c, const struct slot *slot) {
  tsr_team *team = c->team;
  tsr_member root = TSR_MEMBER(c->root);
  struct tsr_counts shares = {c->out, c->at};
  size_t bytes = c->n * c->how->elem_bytes;
  const char *send = slot->send;
  char *recv = slot->recv;
  switch (c->kind) {
    case BARRIER: return tsr_nb_barrier(team);
    case BCAST: return tsr_nb_bcast(team, recv, bytes, root);
    case SCATTER: return tsr_nb_scatter(team, send, recv, bytes, root);
    case GATHER: return tsr_nb_gather(team, send, recv, bytes, root);
    case ALLGATHER: return tsr_nb_allgather(team, send, recv, bytes);
    case ALLTOALL: return tsr_nb_alltoall(team, send, recv, bytes);
    case REDUCE: return tsr_nb_reduce(team, send, recv, c->n, c->how, root);
    case ALLREDUCE: return tsr_nb_allreduce(team, send, recv, c->n, c->how);
    case SCATTERV: return tsr_nb_scatterv(team, send, shares, recv, c->out[team->self], root);
    case GATHERV: return tsr_nb_gatherv(team, send, c->out[team->self], recv, shares, root);
    case ALLGATHERV: return tsr_nb_allgatherv(team, send, recv, shares);
    case ALLTOALLV: return tsr_nb_alltoallv(team, send, shares, recv, shares);
    case REDUCE_SCATTER: return tsr_nb_reduce_scatter(team, send, recv, c->counts, c->how);
    default: return tsr_nb_scan(team, send, recv, c->n, c->how, c->kind == EXSCAN);
  }
}

static tessera_status_t block(const struct call *c, const struct slot *slot) {
  tsr_team *team = c->team;
  tsr_member root = TSR_MEMBER(c->root);
  size_t bytes = c->n * c->how->elem_bytes;
  switch (c->kind) {
    case BARRIER: return tsr_barrier(team);
    case BCAST: return tsr_bcast(team, slot->recv, bytes, root);
    case SCATTER: return tsr_scatter(team, slot->send, slot->recv, bytes, root);
    case GATHER: return tsr_gather(team, slot->send, slot->recv, bytes, root);
    case ALLGATHER: return tsr_allgather(team, slot->send, slot->recv, bytes);
    case ALLTOALL: return tsr_alltoall(team, slot->send, slot->recv, bytes);
    case REDUCE: return tsr_reduce(team, slot->send, slot->recv, c->n, c->how, root);
    default: return tsr_allreduce(team, slot->send, slot->recv, c->n, c->how);
  }
}

/* Round a ring of all units. */
static void pass_on(size_t first, size_t n) {
  int32_t size = tsr_place.units_n, self = tsr_place.self, before = (self - 1 + size) % size;
  struct call c = {.how = &ways[0], .first = first};
  char *out = part_of(&c, self, 0, n), *in = memory(n * 8), *wanted = part_of(&c, before, 0, n);
  tsr_outgoing send;
  tsr_incoming receive;
  CHECK_EQ(tsr_p2p_send_start(&send, TSR_UNIT((self + 1) % size), TSR_P2P_DART, 3, out, n * 8), TESSERA_OK);
  tsr_p2p_receive(&receive, TSR_UNIT(before), TSR_P2P_DART, 3, in, n * 8);
  tsr_p2p_send_wait(&send);
  CHECK(memcmp(in, wanted, n * 8) == 0);
  free(out);
  free(in);
  free(wanted);
}

/* One call in ten is a message, and two block. */
static void one_round(int64_t round, struct draw *common, struct draw *own) {
  uint32_t what = next(common, 10), kind = next(common, KINDS_N), any_root = next(common, 1 << 20);
  struct call c = {.team = teams[next(common, TEAMS_N)], .kind = (enum kind)kind, .how = &ways[next(common, WAYS_N)],
                   .first = (size_t)round * 131};
  c.n = next(common, 8) ? next(common, 200) : next(common, 20000);
  bool blocks = what == 1 || what == 2;
  if (what == 0) {
    pass_on(c.first, c.n);
  } else if (c.team) {
    struct slot *slot = &slots[next(own, SLOTS_N)];
    c.root = (int32_t)(any_root % (uint32_t)c.team->size);
    if (blocks) c.kind = (enum kind)(kind % (ALLREDUCE + 1));
    if (c.kind == ALLTOALL || c.kind == ALLTOALLV || c.kind == ALLGATHER) c.n /= 4;
    end(slot);
    prepare(&c, slot, next(own, 2));
    if (blocks) CHECK_EQ(block(&c, slot), TESSERA_OK);
    else tsr_schedule_start(schedule_of(&c, slot), &slot->op, NULL, NULL);
    if (blocks) end(slot);
  }
  if (next(own, 4) == 0) end(&slots[next(own, SLOTS_N)]);
}

/* Unit 0 looks at the clock, for all. */
static bool goes_on(int64_t round) {
  static time_t begun;
  if (!SECONDS) return round < ROUNDS_N;
  if (!begun) begun = time(NULL);
  int32_t more = time(NULL) - begun < SECONDS;
  if (round % 1000 == 0) tsr_bcast(tsr_team_world, &more, sizeof more, TSR_MEMBER(0));
  return round % 1000 || more;
}

/* Unit 0's, which says it. */
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
  }
  make_teams();
  uint64_t seed = common_seed(argc, argv);
  struct draw common = {seed}, own = {seed * 1000 + (uint64_t)tsr_place.self + 1};
  for (int64_t round = 0; goes_on(round); round++) one_round(round, &common, &own);
  for (int i = SLOTS_N - 1; i >= 0; i--) end(&slots[i]);
  for (int t = 1; t < TEAMS_N; t++) {
    if (teams[t]) CHECK_EQ(tsr_team_destroy(teams[t]), TESSERA_OK);
  }
  CHECK_EQ(tessera_exit(), TESSERA_OK);
  return check_result();
}
