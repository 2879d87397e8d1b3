/* Non-blocking collectives of the core, every kind from every root, compared with results that each unit computes
 * alone: all calls of one size and team are outstanding at once, and waited for in a random order. Teams in odd orders;
 * operations that do not commute. Argument "brief", or a brief run: fewer sizes and teams.
 * Units: 1 2 3 4 5 7 8 16 20
 * Nodes: 3 18
 * Group: core_collectives
 */
#include "coll_moves.h"

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

/* The outstanding calls, in the order of their start; coll_moves.h has their buffers. */
enum { PENDING_MAX = 1024, BARRIER = -1 };
static struct pending {
  tsr_op op;
  int call; /* number of the call there, or BARRIER */
} pending[PENDING_MAX], *order[PENDING_MAX];
static int pending_n;

static tsr_op *add_pending(int call) {
  if (pending_n == PENDING_MAX) abort();
  struct pending *p = &pending[pending_n];
  *p = (struct pending){.call = call};
  order[pending_n++] = p;
  return &p->op;
}

static void finish_all(void) {
  while (pending_n) {
    int which = (int)(next_random() % (unsigned)pending_n);
    struct pending *p = order[which];
    order[which] = order[--pending_n];
    tsr_op_wait_remote(&p->op, TSR_UNIT(-1));
    if (p->call != BARRIER) coll_check(p->call);
  }
}

static void go(tsr_schedule *schedule) { tsr_schedule_start(schedule, add_pending(coll.calls_n), NULL, NULL); }

static void reductions(const tsr_reducer *reducer, size_t n, int roots_step) {
  const struct coll_how how = core_how(reducer);
  for (int root = 0; root < coll.size; root += roots_step) coll_reduce(&how, n, root, root % 2);
  for (int in_place = 0; in_place < 2; in_place++) coll_combine_everywhere(&how, n, n / (size_t)coll.size, in_place);
  finish_all();
}

static bool brief;

static void everything(tsr_team *team) {
  work_on(team);
  started = go;
  static const size_t sizes[] = {0, 1, 3, 1000, 100000};
  const tsr_reducer ways[] = {tsr_reducer_make(TSR_I64, TSR_SUM), tsr_reducer_make(TSR_F64, TSR_MIN),
                              tsr_reducer_make(TSR_I32, TSR_PROD), tsr_reducer_make(TSR_U8, TSR_MAX),
                              tsr_reducer_make(TSR_F64, TSR_SUM),
                              MAPS_IN_ORDER};
  for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
    size_t n = sizes[s];
    if (brief && n != 1 && n != 100000) continue;
    coll.elem_bytes = 1;
    int step = n > 1000 ? team->size / 2 + 1 : 1;
    for (int root = 0; root < team->size; root += step) {
      coll_rooted(n, root);
      coll_counted(COLL_THIRDS, n, root);
    }
    coll_everywhere(n);
    coll_counted_everywhere(COLL_THIRDS, n);
    coll_pairs(n);
    tsr_schedule_start(tsr_nb_barrier(team), add_pending(BARRIER), NULL, NULL);
    CHECK_EQ(tsr_barrier(team), TESSERA_OK); /* with blocking calls between them */
    finish_all();
    for (size_t w = 0; w < sizeof ways / sizeof ways[0]; w++) {
      if (n > 1000 && w % 5) continue; /* much data takes two of them */
      reductions(&ways[w], n, step);
    }
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

/* Hundreds of calls on two teams; one team ends with all of its calls outstanding. */
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

/* Only one member of each node, the one at `local` there, sends messages to other nodes: `most` in all. */
static void one_sends(tsr_team *team, int32_t local, tsr_schedule *schedule, int64_t most) {
  tsr_reducer sum = tsr_reducer_make(TSR_I64, TSR_SUM);
  sent_n = 0;
  tsr_schedule_run(schedule, NULL, NULL);
  int64_t all_n = sent_n;
  if (team->self_local != local) CHECK_EQ(all_n, 0);
  CHECK_EQ(tsr_allreduce(team, &all_n, &all_n, 1, &sum), TESSERA_OK);
  CHECK(all_n <= most);
}
static void sends_at_most(tsr_team *team, tsr_schedule *schedule, int64_t most) { one_sends(team, 0, schedule, most); }

static bool is_by_nodes(enum tsr_coll_kind kind, const tsr_team *team) {
  return team->nodes_n == 1 || tsr_select(kind, team, 8, true) == TSR_BY_NODES;
}

static void messages_are_few(tsr_team *team) {
  static int64_t mine[64], theirs[64];
  const size_t counts[64] = {1, 2, 0, 1}, offs[64] = {7, 1, 0, 0}; /* 0 for the others */
  tsr_reducer sum = tsr_reducer_make(TSR_I64, TSR_SUM);
  int64_t others_n = team->nodes_n - 1, each_n = team->nodes_n * others_n;
  tsr_member root = TSR_MEMBER(team->leaders[0]);
  static struct tsr_net_ops counted; /* a progress thread may still use it later */
  counted = *tsr_net;
  if (!MAY_COUNT_MESSAGES) return;
  if (tsr_config.check || *tsr_config.coll_table) return; /* checks add messages, and a table may select algorithms with more */
  wire = tsr_net;
  counted.request = count_request;
  CHECK_EQ(tsr_barrier(team), TESSERA_OK);
  tsr_net = &counted;
  if (is_by_nodes(TSR_COLL_BCAST, team)) sends_at_most(team, tsr_nb_bcast(team, mine, 8, root), others_n);
  if (is_by_nodes(TSR_COLL_SCATTER, team)) sends_at_most(team, tsr_nb_scatter(team, theirs, mine, 8, root), others_n);
  if (is_by_nodes(TSR_COLL_GATHER, team)) sends_at_most(team, tsr_nb_gather(team, mine, theirs, 8, root), others_n);
  if (is_by_nodes(TSR_COLL_REDUCE, team)) sends_at_most(team, tsr_nb_reduce(team, mine, theirs, 1, &sum, root), others_n);
  if (is_by_nodes(TSR_COLL_ALLGATHER, team)) {
    sends_at_most(team, tsr_nb_allgather(team, mine, theirs, 8), each_n);
    sends_at_most(team, tsr_nb_allgatherv(team, mine, theirs, (struct tsr_counts){counts, offs}), each_n);
  }
  if (is_by_nodes(TSR_COLL_ALLREDUCE, team)) sends_at_most(team, tsr_nb_allreduce(team, mine, theirs, 1, &sum), each_n);
  if (is_by_nodes(TSR_COLL_REDUCE_SCATTER, team))
    sends_at_most(team, tsr_nb_reduce_scatter(team, mine, theirs, counts, &sum), each_n);
  for (int exclusive = 0; team->is_in_order && exclusive < 2; exclusive++)
    one_sends(team, team->locals_n - 1, tsr_nb_scan(team, mine, theirs, 1, &sum, exclusive), each_n);
  sends_at_most(team, tsr_nb_alltoall(team, mine, theirs, 8), team->largest_n > 1 ? each_n : team->size * (int64_t)team->size);
  CHECK_EQ(tsr_barrier(team), TESSERA_OK);
  tsr_net = wire;
  CHECK_EQ(tsr_barrier(team), TESSERA_OK);
}

int main(int argc, char **argv) {
  if (tessera_init(&argc, &argv)) return EXIT_FAILURE;
  brief = check_is_brief() || (argc > 1 && !strcmp(argv[1], "brief"));
  everything(tsr_team_world);
  tsr_team *mixed = other_team(true), *reversed = other_team(false);
  everything(mixed);
  if (!brief) everything(reversed);
  messages_are_few(tsr_team_world);
  messages_are_few(mixed);
  many(mixed);
  CHECK_EQ(tsr_team_destroy(reversed), TESSERA_OK);
  CHECK_EQ(tessera_exit(), TESSERA_OK);
  return check_result();
}
