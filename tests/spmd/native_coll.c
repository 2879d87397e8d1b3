/* Teams and the collectives of the native interface that move data, through the public header only: each kind from each
 * root, compared with results that each unit computes, blocking and not, also in place, on teams in several orders;
 * requests; wrong arguments. Reductions are in native_matrix.c.
 * Units: 1 2 3 4 5 7 8 16
 * Nodes: 3 18
 * Group: core_collectives
 */
#include <tessera/coll.h>

#include "coll_moves.h"

#define OK(call) CHECK_EQ(call, TESSERA_OK)

enum { MEMBERS_MAX = COLL_MEMBERS_MAX, STARTED_MAX = 64 };

static tessera_team_t team;
static int32_t me, members_n;

static tessera_request_t requests[STARTED_MAX];
static size_t requests_n;
static tessera_request_t *request(void) { return &requests[requests_n++]; }

/* Each call is made blocking, or started and waited for later. */
static bool starts;
#define RUN(name, ...) OK(starts ? tessera_##name##_nb(__VA_ARGS__, request()) : tessera_##name(__VA_ARGS__))

static void complete(void) {
  for (size_t i = 0; i < requests_n / 2; i++) {
    bool done = false;
    OK(tessera_test(&requests[i], &done));
    if (!done) OK(tessera_wait(&requests[i]));
    CHECK_EQ(requests[i].id, 0);
  }
  OK(tessera_wait_all(requests, requests_n));
  for (size_t i = 0; i < requests_n; i++) CHECK_EQ(requests[i].id, 0);
  requests_n = 0;
  coll_check(-1);
}

/* ---- The interface's calls: elements of 8 bytes ---- */

static void *data_of(void *data) { return data == COLL_IN_PLACE ? TESSERA_IN_PLACE : data; }

/* Counts or displacements in bytes. */
struct byte_list { size_t of[MEMBERS_MAX]; };
static const size_t *bytes_of(struct byte_list *list, const size_t *elements) {
  for (int32_t i = 0; elements && i < members_n; i++) list->of[i] = elements[i] * sizeof(int64_t);
  return elements ? list->of : NULL;
}

static void bcast(void *data, size_t n, int root) { RUN(bcast, team, data, 8 * n, root); }
static void scatter(void *send, void *recv, size_t n, int root) { RUN(scatter, team, send, data_of(recv), 8 * n, root); }
static void gather(void *send, void *recv, size_t n, int root) { RUN(gather, team, data_of(send), recv, 8 * n, root); }
static void allgather(void *send, void *recv, size_t n) { RUN(allgather, team, data_of(send), recv, 8 * n); }
static void alltoall(void *send, void *recv, size_t n) { RUN(alltoall, team, data_of(send), recv, 8 * n); }
static void scatterv(void *send, const size_t *counts, const size_t *offs, void *recv, size_t own, int root) {
  struct byte_list c, o;
  RUN(scatterv, team, send, bytes_of(&c, counts), bytes_of(&o, offs), data_of(recv), 8 * own, root);
}
static void gatherv(void *send, size_t own, void *recv, const size_t *counts, const size_t *offs, int root) {
  struct byte_list c, o;
  RUN(gatherv, team, data_of(send), 8 * own, recv, bytes_of(&c, counts), bytes_of(&o, offs), root);
}
static void allgatherv(void *send, size_t own, void *recv, const size_t *counts, const size_t *offs) {
  struct byte_list c, o;
  RUN(allgatherv, team, data_of(send), send == COLL_IN_PLACE ? 0 : 8 * own, recv, bytes_of(&c, counts), bytes_of(&o, offs));
}
static void alltoallv(void *send, const size_t *out, void *recv, const size_t *in, const size_t *offs) {
  struct byte_list sent, got, o;
  bool in_place = send == COLL_IN_PLACE;
  bytes_of(&o, offs);
  RUN(alltoallv, team, data_of(send), in_place ? NULL : bytes_of(&sent, out), in_place ? NULL : o.of, recv, bytes_of(&got, in),
      o.of);
}
static const struct coll_calls calls = {
  .bcast = bcast, .scatter = scatter, .gather = gather, .allgather = allgather, .alltoall = alltoall, .scatterv = scatterv,
  .gatherv = gatherv, .allgatherv = allgatherv, .alltoallv = alltoallv, .scatters_in_place = true, .scatters_shares_in_place = true,
  .alltoalls_in_place = true};

static void all_kinds(tessera_team_t which) {
  static const size_t sizes[] = {1, 9000, 0, 9};
  const size_t sizes_n = check_is_brief() && which.id != tessera_team_world().id ? 2 : sizeof sizes / sizeof *sizes;
  team = which;
  me = tessera_team_rank(team);
  members_n = tessera_team_size(team);
  coll.calls = &calls;
  coll.self = me;
  coll.size = members_n;
  coll.elem_bytes = sizeof(int64_t);
  for (int way = 0; way < 2; way++) {
    starts = way;
    for (size_t i = 0; i < sizes_n; i++) {
      int32_t step = sizes[i] < 1000 ? 1 : members_n / 3 + 1; /* much data has some roots only */
      for (int32_t root = way * (step - 1); root < members_n; root += step) {
        coll_rooted(sizes[i], root);
        coll_counted(COLL_THIRDS, sizes[i], root);
        complete();
      }
      OK(starts ? tessera_barrier_nb(team, request()) : tessera_barrier(team));
      coll_everywhere(sizes[i]);
      coll_counted_everywhere(COLL_THIRDS, sizes[i]);
      coll_pairs(sizes[i]);
      complete();
    }
  }
}

/* All members make a wrong call, so that no unit waits. After any call that all members of a team get wrong, the next
 * one works. */
#define ALL_REFUSE(expected, call)   \
  do {                               \
    CHECK_EQ(call, expected);        \
    CHECK_EQ(pending.id, 4711);      \
    OK(tessera_barrier(team));       \
  } while (0)

static void combine_nothing(void *inout, const void *in, size_t n, void *user) {
  (void)inout, (void)in, (void)n, (void)user;
}

static void wrong_arguments(void) {
  int64_t in[MEMBERS_MAX] = {0}, out[MEMBERS_MAX];
  size_t counts[MEMBERS_MAX] = {0}, offs[MEMBERS_MAX] = {0}, huge[MEMBERS_MAX] = {SIZE_MAX, 2};
  tessera_request_t pending = {4711};
  tessera_reduction_t sum = tessera_builtin(TESSERA_I64, TESSERA_SUM);
  tessera_team_t no_team = {-1}, unknown = {12345};
  ALL_REFUSE(TESSERA_ERR_NOT_FOUND, tessera_barrier(no_team));
  ALL_REFUSE(TESSERA_ERR_NOT_FOUND, tessera_bcast(unknown, out, 8, 0));
  ALL_REFUSE(TESSERA_ERR_NOT_FOUND, tessera_bcast_nb(unknown, out, 8, 0, &pending));
  ALL_REFUSE(TESSERA_ERR_RANGE, tessera_bcast(team, out, 8, members_n));
  ALL_REFUSE(TESSERA_ERR_RANGE, tessera_bcast(team, out, 8, -1));
  ALL_REFUSE(TESSERA_ERR_ARG, tessera_bcast(team, NULL, 8, 0));
  ALL_REFUSE(TESSERA_ERR_ARG, tessera_bcast(team, TESSERA_IN_PLACE, 8, 0));
  ALL_REFUSE(TESSERA_ERR_ARG, tessera_bcast_nb(team, NULL, 8, 0, &pending));
  ALL_REFUSE(TESSERA_ERR_ARG, tessera_bcast_nb(team, out, 8, 0, NULL));
  ALL_REFUSE(TESSERA_ERR_ARG, tessera_barrier_nb(team, NULL));
  ALL_REFUSE(TESSERA_ERR_ARG, tessera_allgather(team, in, out, SIZE_MAX));
  ALL_REFUSE(TESSERA_ERR_ARG, tessera_allgather(team, out, out, 8));
  ALL_REFUSE(TESSERA_ERR_ARG, tessera_alltoall(team, out, out, 8));
  ALL_REFUSE(TESSERA_ERR_RANGE, tessera_scatter(team, in, out, 8, members_n));
  ALL_REFUSE(TESSERA_ERR_ARG, tessera_gather(team, NULL, out, 8, 0));
  ALL_REFUSE(TESSERA_ERR_ARG, tessera_allgatherv(team, in, 8, out, NULL, offs));
  ALL_REFUSE(TESSERA_ERR_ARG, tessera_allgatherv(team, in, 8, out, counts, offs)); /* which has 0 */
  ALL_REFUSE(TESSERA_ERR_ARG, tessera_allgatherv_nb(team, in, 8, out, huge, offs, &pending));
  ALL_REFUSE(TESSERA_ERR_ARG, tessera_alltoallv(team, in, counts, NULL, out, counts, offs));
  ALL_REFUSE(TESSERA_ERR_ARG, tessera_alltoallv(team, in, counts, offs, out, huge, offs));
  ALL_REFUSE(TESSERA_ERR_ARG, tessera_reduce_scatter(team, in, out, NULL, sum));
  ALL_REFUSE(TESSERA_ERR_ARG, tessera_reduce_scatter_nb(team, in, out, huge, sum, &pending));
  ALL_REFUSE(TESSERA_ERR_ARG, tessera_allreduce(team, NULL, out, 1, sum));
  ALL_REFUSE(TESSERA_ERR_ARG, tessera_allreduce(team, in, out, SIZE_MAX / 2, sum));
  ALL_REFUSE(TESSERA_ERR_ARG, tessera_scan(team, in, NULL, 1, sum));
  ALL_REFUSE(TESSERA_ERR_ARG, tessera_exscan(team, TESSERA_IN_PLACE, NULL, 1, sum));
  ALL_REFUSE(TESSERA_ERR_ARG, tessera_allreduce(team, in, out, 1, tessera_builtin((tessera_type_t)99, TESSERA_SUM)));
  ALL_REFUSE(TESSERA_ERR_ARG, tessera_allreduce(team, in, out, 1, tessera_builtin(TESSERA_I64, (tessera_op_t)10)));
  ALL_REFUSE(TESSERA_ERR_UNSUPPORTED, tessera_scan(team, in, out, 1, tessera_builtin(TESSERA_F64, TESSERA_BXOR)));
  ALL_REFUSE(TESSERA_ERR_UNSUPPORTED, tessera_allreduce(team, in, out, 1, tessera_builtin(TESSERA_C64, TESSERA_MIN)));
  ALL_REFUSE(TESSERA_ERR_ARG, tessera_allreduce(team, in, out, 1, tessera_user_op(NULL, NULL, 8, true)));
  ALL_REFUSE(TESSERA_ERR_ARG, tessera_allreduce(team, in, out, 1, tessera_user_op(combine_nothing, NULL, 0, true)));
}

/* On one node, a call of more than one step: the unit with the wrong argument has its error, and the others get one. */
static void one_is_wrong(void) {
  enum { LONG = 100000 };
  if (tessera_nodes() > 1) return;
  char *data = calloc(2, LONG);
  bool wrong = me == members_n - 1;
  if (!data) abort();
  CHECK_EQ(tessera_bcast(team, wrong ? NULL : data, LONG, 0), wrong ? TESSERA_ERR_ARG : TESSERA_ERR_PEER);
  CHECK_EQ(tessera_allreduce(team, data, data + LONG, LONG, tessera_builtin(wrong ? TESSERA_C64 : TESSERA_U8, TESSERA_MAX)),
           wrong ? TESSERA_ERR_UNSUPPORTED : TESSERA_ERR_PEER);
  OK(tessera_bcast(team, data, LONG, 0));
  free(data);
}

static void wrong_requests(void) {
  tessera_request_t first = {0}, copy, none = {0};
  bool done = false;
  OK(tessera_barrier_nb(team, &first));
  copy = first;
  CHECK_EQ(tessera_test(&first, NULL), TESSERA_ERR_ARG);
  OK(tessera_wait(&first));
  if (copy.id) {
    CHECK_EQ(tessera_wait(&copy), TESSERA_ERR_NOT_FOUND);
    CHECK_EQ(tessera_test(&copy, &done), TESSERA_ERR_NOT_FOUND);
    tessera_request_t both[] = {none, copy};
    CHECK_EQ(tessera_wait_all(both, 2), TESSERA_ERR_NOT_FOUND);
  }
  CHECK_EQ(tessera_wait(NULL), TESSERA_ERR_ARG);
  CHECK_EQ(tessera_wait_all(NULL, 1), TESSERA_ERR_ARG);
  OK(tessera_wait_all(NULL, 0));
  OK(tessera_test(&none, &done));
  CHECK(done);
}

/* Every `step`th unit from `first` on; the others are in no team. */
static void some_units(int32_t first, int32_t step) {
  int32_t units[MEMBERS_MAX], n = 0;
  tessera_team_t some = {-1};
  for (int32_t unit = first; unit < tessera_units(); unit += step) units[n++] = unit;
  OK(tessera_team_create(tessera_team_world(), units, n, &some));
  if (some.id >= 0) all_kinds(some);
  OK(tessera_team_free(&some));
}

/* All members get an error, and the next creation works. */
static void lists_overlap(void) {
  int32_t list[64], n = tessera_units();
  tessera_team_t world = tessera_team_world(), made = {77};
  bool odd = tessera_unit() == n - 1;
  if (n == 1) return;
  for (int32_t i = 0; i < n; i++) list[i] = i;
  CHECK_EQ(tessera_team_create(world, list, odd ? n - 1 : n, &made), TESSERA_ERR_ARG);
  if (n > 2) CHECK_EQ(tessera_team_create(world, odd ? list + 1 : list, n - 1, &made), TESSERA_ERR_ARG);
  CHECK_EQ(tessera_team_create(world, odd ? NULL : list, n, &made), odd ? TESSERA_ERR_ARG : TESSERA_ERR_PEER);
  CHECK_EQ(made.id, 77);
  some_units(0, 1);
}

static void teams(void) {
  lists_overlap();
  int32_t units_n = tessera_units(), backwards[MEMBERS_MAX], bad[2] = {0, units_n};
  tessera_team_t world = tessera_team_world(), reverse = {-1}, inner = {-1}, unused = {77};
  CHECK_EQ(tessera_team_size(world), units_n);
  CHECK_EQ(tessera_team_rank(world), tessera_unit());
  for (int32_t i = 0; i < units_n; i++) backwards[i] = units_n - 1 - i;
  OK(tessera_team_create(world, backwards, units_n, &reverse));
  CHECK_EQ(tessera_team_rank(reverse), units_n - 1 - tessera_unit());
  CHECK_EQ(tessera_team_unit(reverse, 0), units_n - 1);
  CHECK_EQ(tessera_team_member(reverse, units_n - 1), 0);
  CHECK_EQ(tessera_team_of_id(reverse.id).id, reverse.id);
  CHECK_EQ(tessera_team_unit(reverse, units_n), -1);
  CHECK_EQ(tessera_team_member(reverse, -1), -1);
  /* all but the last member, in reverse again */
  OK(tessera_team_create(reverse, backwards + 1, units_n - 1, &inner));
  CHECK_EQ(inner.id < 0, tessera_unit() == 0 || units_n == 1);
  if (inner.id >= 0) CHECK_EQ(tessera_team_unit(inner, 0), 1);
  all_kinds(reverse);
  if (inner.id >= 0) all_kinds(inner);
  some_units(0, 2);
  some_units(0, units_n);
  CHECK_EQ(tessera_team_create(reverse, bad, units_n > 1 ? 2 : 1, NULL), TESSERA_ERR_ARG);
  if (units_n > 1) CHECK_EQ(tessera_team_create(reverse, bad, 2, &unused), TESSERA_ERR_RANGE);
  CHECK_EQ(tessera_team_create(reverse, NULL, 1, &unused), TESSERA_ERR_ARG);
  CHECK_EQ(tessera_team_create(reverse, backwards, units_n + 1, &unused), TESSERA_ERR_ARG);
  CHECK_EQ(tessera_team_create(reverse, backwards, -1, &unused), TESSERA_ERR_ARG);
  CHECK_EQ(unused.id, 77);
  OK(tessera_team_create(reverse, NULL, 0, &unused));
  CHECK_EQ(unused.id, -1);
  CHECK_EQ(tessera_team_free(&world), TESSERA_ERR_UNSUPPORTED);
  CHECK_EQ(tessera_team_free(NULL), TESSERA_ERR_ARG);
  tessera_team_t gone = reverse;
  OK(tessera_team_free(&inner));
  OK(tessera_team_free(&inner));
  OK(tessera_team_free(&reverse));
  CHECK_EQ(tessera_team_free(&gone), TESSERA_ERR_NOT_FOUND);
  CHECK_EQ(tessera_team_size(gone), -1);
  CHECK_EQ(tessera_team_of_id(gone.id).id, -1);
}

int main(int argc, char **argv) {
  bool done;
  tessera_request_t none = {0};
  CHECK_EQ(tessera_barrier(tessera_team_world()), TESSERA_ERR_STATE);
  CHECK_EQ(tessera_test(&none, &done), TESSERA_ERR_STATE);
  OK(tessera_init(&argc, &argv));
  all_kinds(tessera_team_world());
  wrong_arguments();
  one_is_wrong();
  wrong_requests();
  teams();
  OK(tessera_exit());
  CHECK_EQ(tessera_team_size(tessera_team_world()), -1);
  return check_result();
}
