/* Collectives of DART that move data, its own and the extended ones, with elements of every basic type, as strided
 * and as indexed types have them, too: blocking and all under way at once, in place, on teams, against what each unit
 * can compute; operations of the program, named barriers, wrong arguments.
 * Units: 1 2 3 4 5 7 8 16
 * Group: dart_collectives
 */
#include "dart_layouts.h"

#include <dash/dart/if/dart_ext.h>

/* The team at work. */
static dart_team_t team;
static int me, n_units;

enum { MOST_N = 64, HANDLES_MAX = 512 };
static dart_handle_t handles[HANDLES_MAX];
static size_t handles_n;
static dart_handle_t *handle(void) { return &handles[handles_n++]; }

/* Each call is made blocking, or started and waited for later. */
static bool starts;
#define RUN(name, ...) OK(starts ? dart_i##name(__VA_ARGS__, handle()) : dart_##name(__VA_ARGS__))

/* ---- Types ------------------------------------------------------------------------------------------------------ */

static dart_datatype_t type;
static size_t elem_bytes;
static int layout;
static size_t place(size_t i) { return layouts[layout].place(i); }

static void make_type(const struct basic_type *basic, int of) {
  elem_bytes = basic->bytes;
  layout = of;
  type = layout_type(layout, basic->type);
}
static void drop_type(void) { layout_drop(layout, &type); }

/* ---- Buffers: what the call sees, and what shall be there in the end, gaps and all ------------------------------ */

struct buffer {
  struct buffer *next;
  unsigned char *data, *wanted;
  size_t bytes;
};
static struct buffer *buffers;

static struct buffer *empty(size_t n) {
  struct buffer *buffer = malloc(sizeof *buffer);
  if (!buffer) abort();
  buffer->bytes = layout_room(n) * elem_bytes;
  buffer->data = private_buffer(buffer->bytes);
  buffer->wanted = private_buffer(buffer->bytes);
  buffer->next = buffers;
  return buffers = buffer;
}

/* n elements from place `at` on, as unit `who` has them from number `from` on. */
static void put(unsigned char *data, size_t at, size_t n, int who, size_t from) {
  for (size_t i = 0; i < n; i++) {
    for (size_t k = 0; k < elem_bytes; k++)
      data[place(at + i) * elem_bytes + k] = pattern((unsigned)who * 7 + 1, (from + i) * elem_bytes + k);
  }
}
static void wish(struct buffer *buffer, size_t at, size_t n, int who, size_t from) {
  put(buffer->wanted, at, n, who, from);
}

static struct buffer *filled(size_t n, int who, size_t from) {
  struct buffer *buffer = empty(n);
  put(buffer->data, 0, n, who, from);
  wish(buffer, 0, n, who, from);
  return buffer;
}
static void *data_of(const struct buffer *buffer) { return buffer ? buffer->data : NULL; }

static void complete(void) {
  for (size_t i = handles_n; i-- > 0;) {
    int32_t done = 0;
    if (i % 2) OK(dart_test(&handles[i], &done));
    if (!done) OK(dart_wait(&handles[i]));
    CHECK(handles[i] == DART_HANDLE_NULL);
  }
  handles_n = 0;
  while (buffers) {
    struct buffer *buffer = buffers;
    CHECK(!memcmp(buffer->data, buffer->wanted, buffer->bytes + 1));
    buffers = buffer->next;
    free(buffer->data);
    free(buffer->wanted);
    free(buffer);
  }
}

/* ---- Moves: n is a multiple of six ------------------------------------------------------------------------------ */

static void moves(size_t n, int root_number) {
  dart_team_unit_t root = DART_TEAM_UNIT_ID(root_number);
  size_t units = (size_t)n_units, all = n * units, own = (size_t)me * n;
  bool is_root = me == root_number;
  struct buffer *into = is_root ? filled(n, root_number, 0) : empty(n);
  RUN(bcast, data_of(into), n, type, root, team);
  wish(into, 0, n, root_number, 0);
  into = empty(n);
  RUN(scatter, data_of(is_root ? filled(all, root_number, 0) : NULL), data_of(into), n, type, root, team);
  wish(into, 0, n, root_number, own);
  into = is_root ? empty(all) : NULL;
  RUN(gather, data_of(filled(n, me, 3)), data_of(into), n, type, root, team);
  for (size_t i = 0; is_root && i < units; i++) wish(into, i * n, n, (int)i, 3);
  into = empty(all);
  RUN(allgather, data_of(filled(n, me, 4)), data_of(into), n, type, team);
  for (size_t i = 0; i < units; i++) wish(into, i * n, n, (int)i, 4);
  into = filled(all, me, 0);
  RUN(allgather, NULL, data_of(into), n, type, team);
  for (size_t i = 0; i < units; i++) wish(into, i * n, n, (int)i, i * n);
  into = empty(all);
  RUN(alltoall, data_of(filled(all, me, 0)), data_of(into), n, type, team);
  for (size_t i = 0; i < units; i++) wish(into, i * n, n, (int)i, own);
  into = filled(all, me, 0);
  RUN(alltoall, NULL, data_of(into), n, type, team);
  for (size_t i = 0; i < units; i++) wish(into, i * n, n, (int)i, own);
}

/* Unit i has n * (i % 3), from the last unit to the first. */
static void counted(size_t n, int root_number) {
  dart_team_unit_t root = DART_TEAM_UNIT_ID(root_number);
  size_t counts[MOST_N], displs[MOST_N], total = 0, units = (size_t)n_units;
  bool is_root = me == root_number;
  for (size_t i = units; i-- > 0; total += counts[i]) {
    counts[i] = n * (i % 3);
    displs[i] = total;
  }
  const size_t *nc = is_root ? counts : NULL, *nd = is_root ? displs : NULL, own = counts[me];
  struct buffer *into = empty(own), *from = is_root ? filled(total, root_number, 0) : NULL;
  RUN(scatterv, data_of(from), nc, nd, type, data_of(into), own, root, team);
  wish(into, 0, own, root_number, displs[me]);
  into = is_root ? filled(total, root_number, 0) : empty(own);
  RUN(scatterv, data_of(into), nc, nd, type, is_root ? NULL : data_of(into), own, root, team);
  if (!is_root) wish(into, 0, own, root_number, displs[me]);
  into = is_root ? empty(total) : NULL;
  RUN(gatherv, data_of(filled(own, me, 5)), own, type, data_of(into), nc, nd, root, team);
  for (size_t i = 0; is_root && i < units; i++) wish(into, displs[i], counts[i], (int)i, 5);
  into = filled(is_root ? total : own, me, is_root ? 0 : displs[me]);
  RUN(gatherv, is_root ? NULL : data_of(into), own, type, data_of(into), nc, nd, root, team);
  for (size_t i = 0; is_root && i < units; i++) wish(into, displs[i], counts[i], (int)i, displs[i]);
  into = empty(total);
  RUN(allgatherv, data_of(filled(own, me, 6)), own, type, data_of(into), counts, displs, team);
  for (size_t i = 0; i < units; i++) wish(into, displs[i], counts[i], (int)i, 6);
  into = filled(total, me, 0);
  RUN(allgatherv, NULL, 0, type, data_of(into), counts, displs, team);
  for (size_t i = 0; i < units; i++) wish(into, displs[i], counts[i], (int)i, displs[i]);
}

/* Units i and j pass each other n * ((i + j) % 3), and have room for 2 * n. */
static void pairwise(size_t n) {
  size_t counts[MOST_N], steps[MOST_N], units = (size_t)n_units, room = 2 * n * units, own = 2 * n * (size_t)me;
  for (size_t i = 0; i < units; i++) {
    counts[i] = n * ((i + (size_t)me) % 3);
    steps[i] = 2 * n * i;
  }
  struct buffer *into = empty(room);
  RUN(alltoallv, data_of(filled(room, me, 0)), counts, steps, type, data_of(into), counts, steps, team);
  for (size_t i = 0; i < units; i++) wish(into, steps[i], counts[i], (int)i, own);
  into = filled(room, me, 0);
  RUN(alltoallv, NULL, NULL, NULL, type, data_of(into), counts, steps, team);
  for (size_t i = 0; i < units; i++) wish(into, steps[i], counts[i], (int)i, own);
}

/* Each type in each layout, and in another one on each unit; in another length and from another root each time,
 * blocking and not, or one after the other. */
static void every_type(bool both) {
  static const size_t lengths[] = {6, 60, 600};
  int turn = 0;
  for (int i = 0; i < BASIC_TYPES_N; i++) {
    for (int which = 0; which <= LAYOUTS_N; which++, turn++) {
      make_type(&basic_types[i], which < LAYOUTS_N ? which : (turn + me) % LAYOUTS_N);
      for (int way = both ? 0 : turn % 2; way < (both ? 2 : turn % 2 + 1); way++) {
        size_t n = lengths[(turn + i + way) % 3];
        int root = (turn + way) % n_units;
        starts = way;
        moves(n, root);
        counted(n, root);
        pairwise(n);
        complete();
      }
      drop_type();
    }
  }
}

/* Long shares. */
static void long_ones(void) {
  make_type(&basic_types[2], INDEXED);
  for (int root = 0; root < n_units; root += n_units / 2 + 1) {
    starts = !starts;
    moves(6000, root);
    counted(6000, root);
    complete();
  }
  drop_type();
}

/* ---- Reductions by an operation of the program ------------------------------------------------------------------ */

/* Buffers of these tests live until the end of one. */
static int *numbers(size_t n) {
  static int *all[64];
  static size_t all_n;
  if (!n) {
    while (all_n) free(all[--all_n]);
    return NULL;
  }
  int *one = malloc(n * sizeof *one);
  if (!one || all_n == sizeof all / sizeof *all) abort();
  for (size_t i = 0; i < n; i++) one[i] = -1;
  return all[all_n++] = one;
}

/* out = in, which lies before it, and then out: keeps the first digit of the lower, adds the lengths. */
static void join(const void *in, void *out, size_t n, void *user) {
  (void)user;
  const int *first = in;
  int *second = out;
  for (size_t i = 0; i < n; i++) second[i] = first[i] / 1000 * 1000 + (first[i] % 1000 + second[i] % 1000) % 1000;
}

/* Joined, units first to last have the first's thousands and the sum of the rest. */
static int joined(int first, int last, size_t at) {
  int rest = 0;
  for (int who = first; who <= last; who++) rest += (int)(at % 10) + who;
  return first * 1000 + rest % 1000;
}
static int *to_join(size_t n) {
  int *data = numbers(n + 1);
  for (size_t i = 0; i < n; i++) data[i] = me * 1000 + (int)(i % 10) + me;
  return data;
}
static void check_joined(const int *data, int first, int last, size_t from, size_t n) {
  size_t wrong = 0;
  for (size_t i = 0; i < n; i++) wrong += data[i] != joined(first, last, from + i);
  CHECK_EQ(wrong, 0);
}

static void reductions(dart_operation_t op, size_t n) {
  size_t all = n * (size_t)n_units, counts[MOST_N], before = 0, total = 0;
  for (int i = 0; i < n_units; i++) {
    counts[i] = n * (size_t)(i % 3);
    if (i < me) before += counts[i];
    total += counts[i];
  }
  int *reduced = numbers(n + 1), *block = to_join(all), *part = numbers(counts[me] + 1), *everywhere = to_join(n),
      *up_to = numbers(n + 1), *before_me = to_join(n), root = n_units - 1;
  OK(dart_ireduce(to_join(n), me == root ? reduced : NULL, n, DART_TYPE_INT, op, DART_TEAM_UNIT_ID(root), team,
                  handle()));
  OK(dart_iallreduce(everywhere, everywhere, n, DART_TYPE_INT, op, team, handle()));
  OK(dart_ireduce_scatter_block(block, block, n, DART_TYPE_INT, op, team, handle()));
  OK(dart_ireduce_scatter(to_join(total), part, counts, DART_TYPE_INT, op, team, handle()));
  OK(dart_iscan(to_join(n), up_to, n, DART_TYPE_INT, op, team, handle()));
  OK(dart_iexscan(before_me, before_me, n, DART_TYPE_INT, op, team, handle()));
  OK(dart_ibarrier(team, handle()));
  OK(dart_waitall(handles, handles_n));
  if (me == root) check_joined(reduced, 0, root, 0, n);
  check_joined(everywhere, 0, root, 0, n);
  check_joined(block, 0, root, (size_t)me * n, n);
  check_joined(part, 0, root, before, counts[me]);
  check_joined(up_to, 0, me, 0, n);
  if (me) check_joined(before_me, 0, me - 1, 0, n);
  else check_joined(before_me, 0, 0, 0, n);
  OK(dart_scan(to_join(n), up_to, n, DART_TYPE_INT, op, team));
  OK(dart_exscan(to_join(n), me ? before_me : NULL, n, DART_TYPE_INT, op, team));
  OK(dart_reduce_scatter_block(to_join(all), block, n, DART_TYPE_INT, op, team));
  OK(dart_reduce_scatter(to_join(total), part, counts, DART_TYPE_INT, op, team));
  check_joined(up_to, 0, me, 0, n);
  if (me) check_joined(before_me, 0, me - 1, 0, n);
  check_joined(block, 0, root, (size_t)me * n, n);
  check_joined(part, 0, root, before, counts[me]);
  complete();
  numbers(0);
}

static void pairs(void) {
  int mine[4] = {me, me, -me, -me}, got[4] = {0}, root = n_units - 1;
  OK(dart_iallreduce(mine, got, 4, DART_TYPE_INT, DART_OP_MINMAX, team, handle()));
  complete();
  CHECK(got[0] == 0 && got[1] == root && got[2] == -root && got[3] == 0);
}

/* A barrier in two halves beside a collective, with one name, then with several. */
static void names(void) {
  int32_t over = 0, mine = 1, sum = 0;
  dart_handle_t h;
  CHECK_EQ(dart_barrier_wait(team), DART_ERR_INVAL);
  OK(dart_barrier_notify(team, 11));
  CHECK_EQ(dart_barrier_notify(team, 11), DART_ERR_INVAL);
  OK(dart_iallreduce(&mine, &sum, 1, DART_TYPE_INT, DART_OP_SUM, team, &h));
  OK(dart_wait(&h));
  CHECK_EQ(sum, n_units);
  while (!over) OK(dart_barrier_try(team, &over));
  OK(dart_barrier_notify(team, me ? DART_BARRIER_UNNAMED : 12));
  CHECK_EQ(dart_barrier_try(team, NULL), DART_ERR_INVAL);
  OK(dart_barrier_wait(team));
  OK(dart_barrier_notify(team, me));
  CHECK_EQ(dart_barrier_wait(team), n_units > 1 ? DART_ERR_INVAL : DART_OK);
  CHECK_EQ(dart_barrier_try(team, &over), DART_ERR_INVAL);
}

/* Wrong on all units alike: nobody waits, and what follows works. */
static void wrong_arguments(dart_operation_t op) {
  int a[MOST_N] = {0}, b[MOST_N] = {0};
  size_t some[MOST_N] = {0};
  dart_handle_t h = DART_HANDLE_NULL;
  dart_team_unit_t zero = DART_TEAM_UNIT_ID(0), bad = DART_TEAM_UNIT_ID(n_units);
  CHECK_EQ(dart_ibarrier(team, NULL), DART_ERR_INVAL);
  CHECK_EQ(dart_ibarrier(12345, &h), DART_ERR_INVAL);
  CHECK_EQ(dart_ibcast(a, 1, DART_TYPE_INT, bad, team, &h), DART_ERR_INVAL);
  CHECK_EQ(dart_ibcast(NULL, 1, DART_TYPE_INT, zero, team, &h), DART_ERR_INVAL);
  CHECK_EQ(dart_ibcast(a, 1, DART_TYPE_UNDEFINED, zero, team, &h), DART_ERR_INVAL);
  CHECK_EQ(dart_iallreduce(a, b, 1, DART_TYPE_DOUBLE, DART_OP_BAND, team, &h), DART_ERR_INVAL);
  CHECK_EQ(dart_iallreduce(a, b, 1, DART_TYPE_DOUBLE, op, team, &h), DART_ERR_INVAL);
  CHECK_EQ(dart_scan(a, NULL, 1, DART_TYPE_INT, DART_OP_SUM, team), DART_ERR_INVAL);
  CHECK_EQ(dart_igatherv(a, 1, DART_TYPE_INT, b, NULL, NULL, bad, team, &h), DART_ERR_INVAL);
  CHECK_EQ(dart_iallgatherv(a, 1, DART_TYPE_INT, b, NULL, some, team, &h), DART_ERR_INVAL);
  CHECK_EQ(dart_reduce_scatter(a, b, NULL, DART_TYPE_INT, DART_OP_SUM, team), DART_ERR_INVAL);
  CHECK_EQ(dart_ialltoall(a, b, (size_t)1 << 61, DART_TYPE_INT, team, &h), DART_ERR_INVAL);
  CHECK(h == DART_HANDLE_NULL);
  OK(dart_ibcast(NULL, 0, DART_TYPE_INT, zero, team, &h));
  if (!getenv("TESSERA_CHECK")) CHECK(h == DART_HANDLE_NULL); /* with it they meet all the same */
  OK(dart_wait(&h));
  OK(dart_ibarrier(team, &h));
  OK(dart_wait(&h));
}

static void use(dart_team_t on) {
  dart_operation_t op = DART_OP_UNDEFINED;
  team = on;
  me = team_self(on);
  n_units = team_units_n(on);
  every_type(on == DART_TEAM_ALL);
  OK(dart_op_create(join, NULL, false, DART_TYPE_INT, false, &op));
  reductions(op, 2);
  reductions(op, 6000);
  pairs();
  names();
  wrong_arguments(op);
  OK(dart_op_destroy(&op));
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  use(DART_TEAM_ALL);
  long_ones();
  unsigned all = (1u << units_n) - 1;
  dart_team_t even = team_of(EVEN_UNITS & all), odd = units_n > 1 ? team_of(ODD_UNITS & all) : DART_TEAM_NULL;
  use(self % 2 ? odd : even); /* both at once */
  dart_handle_t left = DART_HANDLE_NULL;
  OK(dart_ibarrier(team, &left));
  OK(dart_handle_free(&left)); /* goes on, and dart_exit waits for it */
  return finish();
}
