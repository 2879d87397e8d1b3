/* Operations of the program: every unit has the same result as a loop over all units, in their order if that matters.
 * Group: dart_calls
 */
#include "dart_layouts.h"

/* Matrices of integers modulo a prime: their product is associative and depends on the order. */
enum { PRIME = 10007 };
struct matrix {
  int32_t m[2][2];
};

static struct matrix times(struct matrix a, struct matrix b) {
  struct matrix c;
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++)
      c.m[i][j] = (int32_t)(((int64_t)a.m[i][0] * b.m[0][j] + (int64_t)a.m[i][1] * b.m[1][j]) % PRIME);
  return c;
}

static int calls_n;

static void multiply(const void *in, void *inout, size_t len, void *user) {
  const struct matrix *left = in;
  struct matrix *right = inout;
  CHECK(user == &calls_n);
  ++*(int *)user;
  for (size_t i = 0; i < len; i++) right[i] = times(left[i], right[i]);
}

/* The largest number up to the user's limit. */
static void largest_below(const void *in, void *inout, size_t len, void *user) {
  const int *numbers = in, *limit = user;
  int *best = inout;
  for (size_t i = 0; i < len; i++) {
    if (best[i] > *limit) best[i] = *limit;
    if (numbers[i] > best[i] && numbers[i] <= *limit) best[i] = numbers[i];
  }
}

/* Sums of one long element. */
struct wide {
  int64_t word[5000];
};
static void add_wide(const void *in, void *inout, size_t len, void *user) {
  const struct wide *from = in;
  struct wide *to = inout;
  (void)user;
  for (size_t i = 0; i < len; i++)
    for (size_t k = 0; k < 5000; k++) to[i].word[k] += from[i].word[k];
}

static struct matrix of(int who, size_t i) {
  return (struct matrix){{{who + 1, (int32_t)(i % 97) + 1}, {(int32_t)(i % 5), who * 3 + 2}}};
}

static dart_team_t team;
static int me, n_units;

static void check_product(const struct matrix *got, size_t n) {
  size_t bad = 0;
  for (size_t i = 0; i < n; i++) {
    struct matrix wanted = of(0, i);
    for (int who = 1; who < n_units; who++) wanted = times(wanted, of(who, i));
    bad += memcmp(&got[i], &wanted, sizeof wanted) != 0;
  }
  CHECK_EQ(bad, 0);
}

static void products(size_t n, dart_datatype_t type, dart_operation_t op) {
  struct matrix *own = private_buffer(n * sizeof *own), *got = private_buffer(n * sizeof *got);
  for (size_t i = 0; i < n; i++) own[i] = of(me, i);
  for (int root = 0; root < n_units; root++) {
    memset(got, GUARD, n * sizeof *got);
    OK(dart_reduce(own, me == root ? got : NULL, n, type, op, DART_TEAM_UNIT_ID(root), team));
    if (me == root) check_product(got, n);
  }
  OK(dart_allreduce(own, got, n, type, op, team));
  check_product(got, n);
  OK(dart_allreduce(own, own, n, type, op, team));
  check_product(own, n);
  free(own);
  free(got);
}

/* Types and operations may be destroyed in any order. */
static void ordered(bool is_tmp, bool type_first) {
  dart_datatype_t type = DART_TYPE_UNDEFINED;
  dart_operation_t op = DART_OP_UNDEFINED;
  OK(dart_type_create_custom(sizeof(struct matrix), &type));
  OK(dart_op_create(multiply, &calls_n, false, type, is_tmp, &op));
  products(0, type, op);
  products(1, type, op);
  products(33, type, op);
  products(5000, type, op);
  if (type_first) OK(dart_type_destroy(&type));
  OK(dart_op_destroy(&op));
  CHECK_EQ(op, DART_OP_UNDEFINED);
  if (!type_first) OK(dart_type_destroy(&type));
}

/* Matrices with gaps between them; their base type is destroyed. */
static void spread_products(int layout, size_t n) {
  enum { BYTES = sizeof(struct matrix) };
  unsigned char *own = private_buffer(layout_room(n) * BYTES), *got = private_buffer(layout_room(n) * BYTES);
  struct matrix *dense = private_buffer(n * BYTES);
  dart_datatype_t matrix = DART_TYPE_UNDEFINED, type;
  dart_operation_t op = DART_OP_UNDEFINED;
  OK(dart_type_create_custom(BYTES, &matrix));
  OK(dart_op_create(multiply, &calls_n, false, matrix, false, &op));
  type = layout_type(layout, matrix);
  OK(dart_type_destroy(&matrix));
  for (size_t i = 0; i < n; i++) dense[i] = of(me, i);
  layout_spread(layout, BYTES, own, (unsigned char *)dense, n);
  OK(dart_allreduce(own, got, n, type, op, team));
  layout_collect(layout, BYTES, (unsigned char *)dense, got, n);
  check_product(dense, n);
  CHECK_EQ(layout_touched_gaps(layout, BYTES, got, n, layout_room(n)), 0);
  OK(dart_op_destroy(&op));
  OK(dart_type_destroy(&type));
  free(own);
  free(got);
  free(dense);
}

static void basic_elements(void) {
  int own[3] = {me, 10 + me, -me}, got[3] = {77, 77, 77}, limit = 10 + n_units / 2;
  dart_operation_t op = DART_OP_UNDEFINED;
  OK(dart_op_create(largest_below, &limit, true, DART_TYPE_INT, false, &op));
  OK(dart_allreduce(own, got, 3, DART_TYPE_INT, op, team));
  CHECK_EQ(got[0], n_units - 1);
  if (n_units > 1) CHECK_EQ(got[1], limit);
  CHECK_EQ(got[2], 0);
  OK(dart_op_destroy(&op));
}

/* One element larger than one step through shared memory. */
static void long_elements(bool commutes) {
  struct wide *own = private_buffer(sizeof *own), *got = private_buffer(sizeof *got);
  dart_datatype_t type = DART_TYPE_UNDEFINED;
  dart_operation_t op = DART_OP_UNDEFINED;
  for (int k = 0; k < 5000; k++) own->word[k] = me * 5000 + k;
  OK(dart_type_create_custom(sizeof *own, &type));
  OK(dart_op_create(add_wide, NULL, commutes, type, true, &op));
  OK(dart_allreduce(own, got, 1, type, op, team));
  for (int k = 0; k < 5000; k += 499) CHECK_EQ(got->word[k], (int64_t)n_units * (n_units - 1) / 2 * 5000 + n_units * k);
  OK(dart_op_destroy(&op));
  OK(dart_type_destroy(&type));
  free(own);
  free(got);
}

static void bad_calls(void) {
  int in[4] = {1, 2, 3, 4}, out[4] = {77, 77, 77, 77};
  dart_datatype_t custom, spread;
  dart_operation_t op = DART_OP_UNDEFINED, on_custom = DART_OP_UNDEFINED, none = DART_OP_UNDEFINED, gone;
  dart_gptr_t local = DART_GPTR_NULL;
  OK(dart_type_create_custom(4, &custom));
  OK(dart_type_create_strided(DART_TYPE_INT, 2, 1, &spread));
  OK(dart_op_create(largest_below, in, true, DART_TYPE_INT, false, &op));
  OK(dart_op_create(largest_below, in, true, custom, true, &on_custom));
  OK(dart_memalloc(4, DART_TYPE_INT, &local));
  CHECK_EQ(dart_allreduce(in, out, 4, DART_TYPE_UINT, op, team), DART_ERR_INVAL);
  CHECK_EQ(dart_allreduce(in, out, 4, custom, op, team), DART_ERR_INVAL);
  CHECK_EQ(dart_allreduce(in, out, 4, DART_TYPE_INT, on_custom, team), DART_ERR_INVAL);
  CHECK_EQ(dart_allreduce(in, out, 4, spread, on_custom, team), DART_ERR_INVAL);
  CHECK_EQ(dart_reduce(in, out, 4, custom, DART_OP_SUM, DART_TEAM_UNIT_ID(0), team), DART_ERR_INVAL);
  CHECK_EQ(dart_accumulate(local, in, 4, DART_TYPE_INT, op), DART_ERR_INVAL);
  CHECK_EQ(dart_accumulate_blocking_local(local, in, 4, DART_TYPE_INT, op), DART_ERR_INVAL);
  CHECK_EQ(dart_fetch_and_op(local, in, out, DART_TYPE_INT, op), DART_ERR_INVAL);
  CHECK_EQ(dart_op_create(largest_below, in, true, spread, false, &none), DART_ERR_INVAL);
  CHECK_EQ(dart_op_create(NULL, in, true, custom, false, &none), DART_ERR_INVAL);
  CHECK_EQ(dart_op_create(largest_below, in, true, custom, false, NULL), DART_ERR_INVAL);
  CHECK_EQ(none, DART_OP_UNDEFINED);
  gone = op;
  OK(dart_op_destroy(&op));
  CHECK_EQ(dart_allreduce(in, out, 4, DART_TYPE_INT, gone, team), DART_ERR_INVAL);
  CHECK_EQ(dart_op_destroy(&gone), DART_ERR_INVAL);
  CHECK_EQ(dart_op_destroy(&(dart_operation_t){DART_OP_SUM}), DART_ERR_INVAL);
  CHECK(out[0] == 77 && out[3] == 77);
  OK(dart_op_destroy(&on_custom));
  OK(dart_memfree(local));
  OK(dart_type_destroy(&custom));
  OK(dart_type_destroy(&spread));
}

static void use(dart_team_t on) {
  team = on;
  me = team_self(on);
  n_units = team_units_n(on);
  ordered(true, false);
  ordered(false, true);
  for (int layout = STRIDED; layout < LAYOUTS_N; layout++) {
    spread_products(layout, 6);
    spread_products(layout, 3000);
  }
  basic_elements();
  long_elements(true);
  long_elements(false);
  bad_calls();
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  use(DART_TEAM_ALL);
  CHECK(units_n == 1 || calls_n > 0);
  unsigned all = (1u << units_n) - 1;
  dart_team_t even = team_of(EVEN_UNITS & all), odd = units_n > 1 ? team_of(ODD_UNITS & all) : DART_TEAM_NULL;
  use(self % 2 ? odd : even);
  barrier();
  return finish();
}
