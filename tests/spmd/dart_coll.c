/* Collectives of DART, compared with results that each unit computes alone: every root and type, in place, on teams.
 * Units: 1 2 3 4 5 7 8 16
 * Group: dart_collectives
 */
#include "dart_reductions.h"

static const size_t counts[] = {0, 1, 7, 1000, 9000, 100000};
enum { COUNTS_N = sizeof counts / sizeof counts[0], LONG_ONES = 9000 };

/* The team at work. */
static dart_team_t team;
static int me, n_units;

static dart_team_unit_t unit(int number) { return DART_TEAM_UNIT_ID(number); }

/* In place, the buffer is passed as NULL, or as the other buffer. */
static bool passes_buffer;
static dart_datatype_t type;
static void *in_place(void *send, void *recv) { return send != COLL_IN_PLACE ? send : passes_buffer ? recv : NULL; }

static void bcast(void *data, size_t n, int root) { OK(dart_bcast(data, n, type, unit(root), team)); }
static void scatter(void *send, void *recv, size_t n, int root) { OK(dart_scatter(send, recv, n, type, unit(root), team)); }
static void gather(void *send, void *recv, size_t n, int root) { OK(dart_gather(send, recv, n, type, unit(root), team)); }
static void allgather(void *send, void *recv, size_t n) { OK(dart_allgather(in_place(send, recv), recv, n, type, team)); }
static void alltoall(void *send, void *recv, size_t n) { OK(dart_alltoall(in_place(send, recv), recv, n, type, team)); }
static void allgatherv(void *send, size_t own, void *recv, const size_t *counts, const size_t *displs) {
  OK(dart_allgatherv(in_place(send, recv), own, type, recv, counts, displs, team));
}
static void reduce(void *send, void *recv, size_t n, int root, const struct coll_how *how) {
  OK(dart_reduce(send, recv, n, basic_types[how->type].type, (dart_operation_t)how->op, unit(root), team));
}
static void allreduce(void *send, void *recv, size_t n, const struct coll_how *how) {
  if (send == COLL_IN_PLACE) send = recv;
  OK(dart_allreduce(send, recv, n, basic_types[how->type].type, (dart_operation_t)how->op, team));
}
static const struct coll_calls calls = {.bcast = bcast, .scatter = scatter, .gather = gather, .allgather = allgather,
                                        .alltoall = alltoall, .allgatherv = allgatherv, .alltoalls_in_place = true,
                                        .reduce = reduce, .allreduce = allreduce};

static void moves(size_t n, const struct basic_type *basic) {
  type = basic->type;
  coll.elem_bytes = basic->bytes;
  for (int root = 0; root < n_units; root++) {
    coll_rooted(n, root);
    coll_check(-1);
  }
  for (int way = 0; way < 2; way++) {
    passes_buffer = way;
    coll_everywhere(n);
    coll_counted_everywhere(COLL_GROWING, n);
    coll_check(-1);
  }
}

/* To each root, then to all, then to all in place. */
static void reductions(size_t n, int basic, dart_operation_t op, bool every_root) {
  const struct coll_how how = dart_how(basic, op);
  for (int root = every_root ? 0 : n_units - 1; root < n_units; root++) coll_reduce(&how, n, root, false);
  coll_allreduce(&how, n, false);
  coll_allreduce(&how, n, true);
  coll_check(-1);
}

/* The types that reductions take are in dart_ext_reduce.c. */
static void no_operations(void) {
  int64_t in[2] = {1, 2}, out[2] = {77, 77};
  for (int i = 0; i < BASIC_TYPES_N; i++) {
    const struct basic_type *basic = &basic_types[i];
    for (dart_operation_t op = DART_OP_UNDEFINED; op <= DART_OP_LAST; op++) {
      if (is_reduction_op(basic, op)) continue;
      CHECK_EQ(dart_allreduce(in, out, 0, basic->type, op, team), DART_ERR_INVAL);
      CHECK_EQ(dart_reduce(in, out, 0, basic->type, op, unit(0), team), DART_ERR_INVAL);
    }
  }
  CHECK_EQ(dart_allreduce(in, out, 1, DART_TYPE_LONG, DART_OP_MINMAX, team), DART_ERR_INVAL); /* half a pair */
  CHECK(out[0] == 77 && out[1] == 77);
}

static void every_size(int n) {
  for (int i = 0; i < n; i++) {
    int basic = counts[i] > LONG_ONES ? 2 : 9 - i;
    moves(counts[i], &basic_types[basic]);
    reductions(counts[i], basic, DART_OP_SUM, counts[i] < LONG_ONES);
  }
  reductions(10000, 9, DART_OP_MINMAX, false);
  reductions(10000, 10, DART_OP_MAX, false);
}

static void every_type(void) {
  for (int i = 0; i < BASIC_TYPES_N; i++) moves(33, &basic_types[i]);
}

/* Neighbours get, after a barrier, data that the owner stored plainly before it, and the other way round. */
static void barriers(void) {
  enum { ROUNDS = 50 };
  dart_gptr_t base = team_alloc(team, 2, DART_TYPE_INT);
  volatile int *mine = own_part(base, me);
  int right = (me + 1) % n_units, left = (me + n_units - 1) % n_units, got = -1;
  for (int round = 0; round < ROUNDS; round++) {
    mine[0] = round * 100 + me;
    int sent = round * 1000 + me;
    OK(dart_put(at(base, right, 4), &sent, 1, DART_TYPE_INT, DART_TYPE_INT));
    OK(dart_flush(at(base, right, 4)));
    OK(dart_barrier(team));
    CHECK_EQ(mine[1], round * 1000 + left);
    OK(dart_get_blocking(&got, at(base, left, 0), 1, DART_TYPE_INT, DART_TYPE_INT));
    CHECK_EQ(got, round * 100 + left);
    OK(dart_get_blocking(&got, at(base, right, 0), 1, DART_TYPE_INT, DART_TYPE_INT));
    CHECK_EQ(got, round * 100 + right);
    OK(dart_barrier(team));
  }
  OK(dart_team_memfree(base));
}

/* Collectives on global memory, while puts to the same segment are outstanding. */
static void beside_puts(void) {
  enum { N = 100 };
  dart_gptr_t base = team_alloc(team, 3 * N, DART_TYPE_LONG);
  int64_t *mine = own_part(base, me), out[N];
  int right = (me + 1) % n_units, left = (me + n_units - 1) % n_units;
  for (int i = 0; i < N; i++) {
    out[i] = me * 1000 + i;
    mine[i] = me + i;
    OK(dart_put(at(base, right, (2 * N + i) * 8), &out[i], 1, DART_TYPE_LONG, DART_TYPE_LONG));
  }
  OK(dart_allreduce(mine, mine + N, N, DART_TYPE_LONG, DART_OP_SUM, team));
  OK(dart_bcast(mine, N, DART_TYPE_LONG, unit(n_units - 1), team));
  OK(dart_flush_all(base));
  OK(dart_barrier(team));
  for (int i = 0; i < N; i++) {
    CHECK_EQ(mine[i], n_units - 1 + i);
    CHECK_EQ(mine[N + i], n_units * i + n_units * (n_units - 1) / 2);
    CHECK_EQ(mine[2 * N + i], left * 1000 + i);
  }
  OK(dart_barrier(team));
  OK(dart_team_memfree(base));
}

static void bad_calls(void) {
  int in[4] = {1, 2, 3, 4}, out[4] = {77, 77, 77, 77};
  CHECK_EQ(dart_bcast(out, 1, DART_TYPE_INT, unit(n_units), team), DART_ERR_INVAL);
  CHECK_EQ(dart_bcast(out, 1, DART_TYPE_INT, unit(-1), team), DART_ERR_INVAL);
  CHECK_EQ(dart_bcast(NULL, 1, DART_TYPE_INT, unit(0), team), DART_ERR_INVAL);
  CHECK_EQ(dart_scatter(in, NULL, 1, DART_TYPE_INT, unit(0), team), DART_ERR_INVAL);
  CHECK_EQ(dart_scatter(NULL, out, 1, DART_TYPE_INT, unit(me), team), DART_ERR_INVAL);
  CHECK_EQ(dart_gather(NULL, out, 1, DART_TYPE_INT, unit(0), team), DART_ERR_INVAL);
  CHECK_EQ(dart_gather(in, NULL, 1, DART_TYPE_INT, unit(me), team), DART_ERR_INVAL);
  CHECK_EQ(dart_gather(in, out, 1, DART_TYPE_INT, unit(n_units), team), DART_ERR_INVAL);
  CHECK_EQ(dart_allgather(in, NULL, 1, DART_TYPE_INT, team), DART_ERR_INVAL);
  CHECK_EQ(dart_allgather(in, out, SIZE_MAX / 2, DART_TYPE_INT, team), DART_ERR_INVAL);
  CHECK_EQ(dart_allgatherv(in, 1, DART_TYPE_INT, out, NULL, &(size_t){0}, team), DART_ERR_INVAL);
  CHECK_EQ(dart_allgatherv(in, 1, DART_TYPE_INT, out, &(size_t){1}, NULL, team), DART_ERR_INVAL);
  CHECK_EQ(dart_allreduce(NULL, out, 1, DART_TYPE_INT, DART_OP_SUM, team), DART_ERR_INVAL);
  CHECK_EQ(dart_allreduce(in, NULL, 1, DART_TYPE_INT, DART_OP_SUM, team), DART_ERR_INVAL);
  CHECK_EQ(dart_reduce(in, out, 1, DART_TYPE_INT, DART_OP_SUM, unit(n_units), team), DART_ERR_INVAL);
  CHECK_EQ(dart_reduce(in, NULL, 1, DART_TYPE_INT, DART_OP_SUM, unit(me), team), DART_ERR_INVAL);
  CHECK_EQ(dart_alltoall(in, NULL, 1, DART_TYPE_INT, team), DART_ERR_INVAL);
  CHECK_EQ(dart_alltoall(in, out, SIZE_MAX / 4, DART_TYPE_INT, team), DART_ERR_INVAL);
  CHECK_EQ(dart_bcast(out, 1, DART_TYPE_LAST, unit(0), team), DART_ERR_INVAL);
  CHECK_EQ(dart_bcast(out, 1, DART_TYPE_UNDEFINED, unit(0), team), DART_ERR_INVAL);
  CHECK_EQ(dart_barrier(DART_TEAM_NULL), DART_ERR_INVAL);
  CHECK(out[0] == 77 && out[1] == 77 && in[0] == 1);
}

static void use(dart_team_t on) {
  team = on;
  coll.calls = &calls;
  coll.self = me = team_self(on);
  coll.size = n_units = team_units_n(on);
  barriers();
  beside_puts();
  bad_calls();
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  use(DART_TEAM_ALL);
  every_size(COUNTS_N);
  no_operations();
  unsigned all = (1u << units_n) - 1;
  dart_team_t even = team_of(EVEN_UNITS & all), odd = units_n > 1 ? team_of(ODD_UNITS & all) : DART_TEAM_NULL;
  use(self % 2 ? odd : even); /* both at once */
  every_size(COUNTS_N - 1);
  every_type();
  barrier();
  return finish();
}
