/* Teams and the collectives of the native interface that move data, through the public header only: each kind from each
 * root against what each unit can compute, blocking and not, in place too, on teams in several orders; requests; wrong
 * arguments. Reductions are in native_matrix.c.
 * Units: 1 2 3 4 5 7 8 16
 * Nodes: 3
 * Group: core_collectives
 */
#include <tessera/coll.h>

#include "check.h"

#include <string.h>

#define OK(call) CHECK_EQ(call, TESSERA_OK)

enum { MEMBERS_MAX = 64, STARTED_MAX = 32 };

static tessera_team_t team;
static int32_t me, members_n;
static size_t self, size; /* the same */

static tessera_request_t requests[STARTED_MAX];
static size_t requests_n;
static tessera_request_t *request(void) { return &requests[requests_n++]; }

/* Each call is made blocking, or started and waited for later. */
static bool starts;
#define RUN(name, ...) (starts ? tessera_##name##_nb(__VA_ARGS__, request()) : tessera_##name(__VA_ARGS__))

/* Element `at` of what member `who` has. */
static int64_t value(int32_t who, size_t at) { return who * 100000 + (int64_t)at; }

/* Buffers of a round, which live until its end, and what they shall hold then. */
static int64_t *buffers[4 * STARTED_MAX];
static size_t buffers_n;
static int64_t *filled(size_t n, int32_t who, size_t from) {
  int64_t *buffer = malloc((n + 1) * sizeof *buffer);
  if (!buffer || buffers_n == sizeof buffers / sizeof *buffers) abort();
  for (size_t i = 0; i < n; i++) buffer[i] = value(who, from + i);
  return buffers[buffers_n++] = buffer;
}
static int64_t *empty(size_t n) { return filled(n, -7, 0); }

static struct { const int64_t *data; size_t n; int32_t who; size_t from; } wishes[STARTED_MAX * MEMBERS_MAX];
static size_t wishes_n;
static void wish(const int64_t *data, size_t n, int32_t who, size_t from) {
  wishes[wishes_n].data = data;
  wishes[wishes_n].n = n;
  wishes[wishes_n].who = who;
  wishes[wishes_n++].from = from;
}

static void complete(void) {
  for (size_t i = 0; i < requests_n / 2; i++) {
    bool done = false;
    OK(tessera_test(&requests[i], &done));
    if (!done) OK(tessera_wait(&requests[i]));
    CHECK_EQ(requests[i].id, 0);
  }
  OK(tessera_wait_all(requests, requests_n));
  for (size_t i = 0; i < requests_n; i++) CHECK_EQ(requests[i].id, 0);
  for (size_t i = 0; i < wishes_n; i++) {
    size_t wrong = 0;
    for (size_t k = 0; k < wishes[i].n; k++) wrong += wishes[i].data[k] != value(wishes[i].who, wishes[i].from + k);
    if (wrong) fprintf(stderr, "wish %zu of %zu: %zu wrong\n", i, wishes_n, wrong);
    CHECK_EQ(wrong, 0);
  }
  while (buffers_n) free(buffers[--buffers_n]);
  requests_n = wishes_n = 0;
}

static void from_root(size_t n, int32_t root) {
  const size_t bytes = n * sizeof(int64_t);
  bool is_root = me == root;
  int64_t *into = is_root ? filled(n, root, 0) : empty(n);
  OK(RUN(bcast, team, into, bytes, root));
  wish(into, n, root, 0);
  into = empty(n);
  OK(RUN(scatter, team, is_root ? filled(size * n, root, 0) : NULL, into, bytes, root));
  wish(into, n, root, self * n);
  into = is_root ? filled(size * n, root, 0) : empty(n);
  OK(RUN(scatter, team, is_root ? into : NULL, is_root ? TESSERA_IN_PLACE : into, bytes, root));
  wish(into, n, root, is_root ? 0 : self * n);
  into = empty(size * n);
  OK(RUN(gather, team, filled(n, me, 3), is_root ? into : NULL, bytes, root));
  for (int32_t i = 0; is_root && i < members_n; i++) wish(into + (size_t)i * n, n, i, 3);
  into = is_root ? filled(size * n, me, 0) : filled(n, me, self * n);
  OK(RUN(gather, team, is_root ? TESSERA_IN_PLACE : into, is_root ? into : NULL, bytes, root));
  for (int32_t i = 0; is_root && i < members_n; i++) wish(into + (size_t)i * n, n, i, (size_t)i * n);
  complete();
}

static void everywhere(size_t n) {
  const size_t bytes = n * sizeof(int64_t);
  OK(starts ? tessera_barrier_nb(team, request()) : tessera_barrier(team));
  int64_t *into = empty(size * n);
  OK(RUN(allgather, team, filled(n, me, 4), into, bytes));
  for (int32_t i = 0; i < members_n; i++) wish(into + (size_t)i * n, n, i, 4);
  into = filled(size * n, me, 0);
  OK(RUN(allgather, team, TESSERA_IN_PLACE, into, bytes));
  for (int32_t i = 0; i < members_n; i++) wish(into + (size_t)i * n, n, i, (size_t)i * n);
  into = empty(size * n);
  OK(RUN(alltoall, team, filled(size * n, me, 0), into, bytes));
  for (int32_t i = 0; i < members_n; i++) wish(into + (size_t)i * n, n, i, self * n);
  into = filled(size * n, me, 0);
  OK(RUN(alltoall, team, TESSERA_IN_PLACE, into, bytes));
  for (int32_t i = 0; i < members_n; i++) wish(into + (size_t)i * n, n, i, self * n);
  complete();
}

/* Member i has n * (i % 3) elements, which lie from the last member to the first. */
static void counted(size_t n, int32_t root) {
  size_t counts[MEMBERS_MAX], offs[MEMBERS_MAX], first[MEMBERS_MAX], total = 0;
  bool is_root = me == root;
  for (size_t i = size; i-- > 0; total += n * (i % 3)) {
    first[i] = total;
    offs[i] = total * sizeof(int64_t);
    counts[i] = n * (i % 3) * sizeof(int64_t);
  }
  const size_t own_n = n * (self % 3), own = counts[self], *c = is_root ? counts : NULL, *o = is_root ? offs : NULL;
  int64_t *into = empty(own_n);
  OK(RUN(scatterv, team, is_root ? filled(total, root, 0) : NULL, c, o, into, own, root));
  wish(into, own_n, root, first[self]);
  into = is_root ? filled(total, root, 0) : empty(own_n);
  OK(RUN(scatterv, team, is_root ? into : NULL, c, o, is_root ? TESSERA_IN_PLACE : into, own, root));
  wish(into, is_root ? total : own_n, root, is_root ? 0 : first[self]);
  into = empty(total);
  OK(RUN(gatherv, team, filled(own_n, me, 5), own, into, c, o, root));
  for (int32_t i = 0; is_root && i < members_n; i++) wish(into + first[i], counts[i] / sizeof *into, i, 5);
  into = filled(is_root ? total : own_n, me, is_root ? 0 : first[self]);
  OK(RUN(gatherv, team, is_root ? TESSERA_IN_PLACE : into, own, is_root ? into : NULL, c, o, root));
  for (int32_t i = 0; is_root && i < members_n; i++) wish(into + first[i], counts[i] / sizeof *into, i, first[i]);
  into = empty(total);
  OK(RUN(allgatherv, team, filled(own_n, me, 6), own, into, counts, offs));
  for (int32_t i = 0; i < members_n; i++) wish(into + first[i], counts[i] / sizeof *into, i, 6);
  into = filled(total, me, 0);
  OK(RUN(allgatherv, team, TESSERA_IN_PLACE, 0, into, counts, offs));
  for (int32_t i = 0; i < members_n; i++) wish(into + first[i], counts[i] / sizeof *into, i, first[i]);
  complete();
}

static void pairs(size_t n) {
  size_t counts[MEMBERS_MAX], offs[MEMBERS_MAX];
  for (size_t i = 0; i < size; i++) {
    counts[i] = n * ((i + self) % 3) * sizeof(int64_t);
    offs[i] = 2 * n * i * sizeof(int64_t);
  }
  for (int in_place = 0; in_place < 2; in_place++) {
    int64_t *into = in_place ? filled(2 * n * size, me, 0) : empty(2 * n * size);
    if (in_place) OK(RUN(alltoallv, team, TESSERA_IN_PLACE, NULL, NULL, into, counts, offs));
    else OK(RUN(alltoallv, team, filled(2 * n * size, me, 0), counts, offs, into, counts, offs));
    for (size_t i = 0; i < size; i++) wish(into + 2 * n * i, counts[i] / sizeof *into, (int32_t)i, 2 * n * self);
  }
  complete();
}

static void all_kinds(tessera_team_t which) {
  static const size_t sizes[] = {0, 1, 9, 9000};
  team = which;
  me = tessera_team_rank(team);
  members_n = tessera_team_size(team);
  self = (size_t)me;
  size = (size_t)members_n;
  for (int way = 0; way < 2; way++) {
    starts = way;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
      int32_t step = sizes[i] < 1000 ? 1 : members_n / 3 + 1; /* much data has some roots only */
      for (int32_t root = way * (step - 1); root < members_n; root += step) {
        from_root(sizes[i], root);
        counted(sizes[i], root);
      }
      everywhere(sizes[i]);
      pairs(sizes[i]);
    }
  }
}

/* All members call wrongly, so that nobody waits. Any call that every member of a team refuses leaves the next good. */
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
  ALL_REFUSE(TESSERA_ERR_ARG, tessera_allgatherv(team, in, 8, out, counts, offs)); /* which says 0 */
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

/* On one node, a call of more than one step: who is wrong has its error, and the others know. */
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

/* Every `step`th unit from `first` on; what is left has no part. */
static void some_units(int32_t first, int32_t step) {
  int32_t units[MEMBERS_MAX], n = 0;
  tessera_team_t some = {-1};
  for (int32_t unit = first; unit < tessera_units(); unit += step) units[n++] = unit;
  OK(tessera_team_create(tessera_team_world(), units, n, &some));
  if (some.id >= 0) all_kinds(some);
  OK(tessera_team_free(&some));
}

/* All members hear of it, and the next creation is good. */
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
  /* all but the last member, backwards again */
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
