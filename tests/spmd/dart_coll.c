/* Collectives of DART against what each unit can compute alone: every root and type, in place, on teams.
 * Units: 1 2 3 4 5 7 8 16
 * Group: dart_collectives
 */
#include "dart_reference.h"

static const size_t counts[] = {0, 1, 7, 1000, 9000, 100000};
enum { COUNTS_N = sizeof counts / sizeof counts[0], LONG_ONES = 9000 };

/* The team at work. */
static dart_team_t team;
static int me, n_units;

static dart_team_unit_t unit(int number) { return DART_TEAM_UNIT_ID(number); }

static unsigned key(int from, int to) { return (unsigned)(from * 29 + to * 3 + 1); }

static void bcast(size_t n, const struct basic_type *basic) {
  size_t bytes = n * basic->bytes;
  unsigned char *data = private_buffer(bytes);
  for (int root = 0; root < n_units; root++) {
    memset(data, GUARD, bytes);
    if (me == root) fill(data, key(root, 0), bytes);
    OK(dart_bcast(data, n, basic->type, unit(root), team));
    CHECK_EQ(wrong(data, key(root, 0), bytes), 0);
    CHECK_EQ(data[bytes], GUARD);
  }
  free(data);
}

static void scatter_and_gather(size_t n, const struct basic_type *basic) {
  size_t bytes = n * basic->bytes, total = bytes * (size_t)n_units;
  unsigned char *all = private_buffer(total), *part = private_buffer(bytes), *back = private_buffer(total);
  for (int root = 0; root < n_units; root++) {
    bool is_root = me == root;
    for (int i = 0; is_root && i < n_units; i++) fill(all + (size_t)i * bytes, key(root, i), bytes);
    OK(dart_scatter(is_root ? all : NULL, part, n, basic->type, unit(root), team));
    CHECK_EQ(wrong(part, key(root, me), bytes), 0);
    OK(dart_gather(part, is_root ? back : NULL, n, basic->type, unit(root), team));
    if (is_root) CHECK(memcmp(all, back, total) == 0);
    CHECK(part[bytes] == GUARD && back[total] == GUARD);
  }
  free(all);
  free(part);
  free(back);
}

/* How the own share is passed: apart, as NULL, or as the buffer itself. */
enum place { APART, AS_NULL, AS_BUFFER, PLACES_N };

static void allgather(size_t n, const struct basic_type *basic, enum place place) {
  size_t bytes = n * basic->bytes, total = bytes * (size_t)n_units;
  unsigned char *part = private_buffer(bytes), *all = private_buffer(total);
  fill(place == APART ? part : all + (size_t)me * bytes, key(me, (int)place), bytes);
  OK(dart_allgather(place == APART ? part : place == AS_NULL ? NULL : all, all, n, basic->type, team));
  for (int i = 0; i < n_units; i++) CHECK_EQ(wrong(all + (size_t)i * bytes, key(i, (int)place), bytes), 0);
  CHECK_EQ(all[total], GUARD);
  free(part);
  free(all);
}

/* Unit i gives i * n / units elements, laid out from the last unit to the first with a gap of two. */
static void allgatherv(size_t n, const struct basic_type *basic, enum place place) {
  size_t shares[64], displs[64], total = 0, size = basic->bytes;
  for (int i = n_units; i-- > 0;) {
    shares[i] = (size_t)i * n / (size_t)n_units;
    displs[i] = total;
    total += shares[i] + 2;
  }
  unsigned char *part = private_buffer(n * size), *all = private_buffer(total * size);
  fill(place == APART ? part : all + displs[me] * size, key(me, 9), shares[me] * size);
  const void *own = place == APART ? part : place == AS_NULL ? NULL : all;
  OK(dart_allgatherv(own, shares[me], basic->type, all, shares, displs, team));
  for (int i = 0; i < n_units; i++) {
    CHECK_EQ(wrong(all + displs[i] * size, key(i, 9), shares[i] * size), 0);
    CHECK_EQ(touched(all + (displs[i] + shares[i]) * size, 2 * size), 0);
  }
  free(part);
  free(all);
}

static void alltoall(size_t n, const struct basic_type *basic, enum place place) {
  size_t bytes = n * basic->bytes, total = bytes * (size_t)n_units;
  unsigned char *out = private_buffer(total), *in = private_buffer(total);
  for (int i = 0; i < n_units; i++) fill((place == APART ? out : in) + (size_t)i * bytes, key(me, i), bytes);
  OK(dart_alltoall(place == APART ? out : place == AS_NULL ? NULL : in, in, n, basic->type, team));
  for (int i = 0; i < n_units; i++) CHECK_EQ(wrong(in + (size_t)i * bytes, key(i, me), bytes), 0);
  CHECK_EQ(in[total], GUARD);
  free(out);
  free(in);
}

/* To each root, then to all, then to all in place. */
static void reduce(size_t n, const struct basic_type *basic, dart_operation_t op, bool every_root) {
  size_t bytes = n * basic->bytes;
  unsigned char *part = private_buffer(bytes), *got = private_buffer(bytes), *expected = private_buffer(bytes);
  reference_numbers(basic, op, 0, expected, n);
  for (int who = 1; who < n_units; who++) {
    reference_numbers(basic, op, who, part, n);
    reference_join(basic, op, expected, part, n);
  }
  reference_numbers(basic, op, me, part, n);
  for (int root = every_root ? 0 : n_units - 1; root < n_units; root++) {
    memset(got, GUARD, bytes);
    OK(dart_reduce(part, me == root ? got : NULL, n, basic->type, op, unit(root), team));
    if (me == root) CHECK_EQ(reference_differ(basic->type, got, expected, n), 0);
  }
  memset(got, GUARD, bytes);
  OK(dart_allreduce(part, got, n, basic->type, op, team));
  CHECK_EQ(reference_differ(basic->type, got, expected, n), 0);
  OK(dart_allreduce(part, part, n, basic->type, op, team));
  CHECK_EQ(reference_differ(basic->type, part, expected, n), 0);
  CHECK(got[bytes] == GUARD && part[bytes] == GUARD);
  free(part);
  free(got);
  free(expected);
}

/* Those that reductions take are in dart_ext_reduce.c. */
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
    const struct basic_type *basic = &basic_types[counts[i] > LONG_ONES ? 2 : 9 - i];
    bcast(counts[i], basic);
    scatter_and_gather(counts[i], basic);
    for (int place = APART; place < PLACES_N; place++) {
      allgather(counts[i], basic, (enum place)place);
      allgatherv(counts[i], basic, (enum place)place);
      alltoall(counts[i], basic, (enum place)place);
    }
    reduce(counts[i], basic, DART_OP_SUM, counts[i] < LONG_ONES);
  }
  reduce(10000, &basic_types[9], DART_OP_MINMAX, false);
  reduce(10000, &basic_types[10], DART_OP_MAX, false);
}

static void every_type(void) {
  for (int i = 0; i < BASIC_TYPES_N; i++) {
    bcast(33, &basic_types[i]);
    scatter_and_gather(33, &basic_types[i]);
    allgather(33, &basic_types[i], APART);
    allgatherv(33, &basic_types[i], APART);
    alltoall(33, &basic_types[i], APART);
  }
}

/* What the owner stored plainly before the barrier, its neighbours get after it, and the other way round. */
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

/* Collectives on global memory, while puts to the same segment are under way. */
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
  me = team_self(on);
  n_units = team_units_n(on);
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
