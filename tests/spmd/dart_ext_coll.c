/* Collectives of DART that move data, its own and the extended ones, with elements of every basic type, also in strided
 * and indexed types: blocking and all outstanding at once, in place, on teams, compared with results that each unit
 * computes; named barriers, wrong arguments. Reductions are in dart_ext_reduce.c.
 * Units: 1 2 3 4 5 7 8 16
 * Group: dart_collectives
 */
#include "dart_layouts.h"
#include "dart_reductions.h"

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
static int layout;

static void make_type(const struct basic_type *basic, int of) {
  layout = of;
  coll.elem_bytes = basic->bytes;
  coll.place = layouts[layout].place;
  coll.room = layout_room;
  type = layout_type(layout, basic->type);
}
static void drop_type(void) { layout_drop(layout, &type); }

/* ---- The calls: in place, NULL is passed ------------------------------------------------------------- */

static void *data_of(void *data) { return data == COLL_IN_PLACE ? NULL : data; }
static dart_team_unit_t unit(int number) { return DART_TEAM_UNIT_ID(number); }

static void bcast(void *data, size_t n, int root) { RUN(bcast, data, n, type, unit(root), team); }
static void scatter(void *send, void *recv, size_t n, int root) { RUN(scatter, send, recv, n, type, unit(root), team); }
static void gather(void *send, void *recv, size_t n, int root) { RUN(gather, send, recv, n, type, unit(root), team); }
static void allgather(void *send, void *recv, size_t n) { RUN(allgather, data_of(send), recv, n, type, team); }
static void alltoall(void *send, void *recv, size_t n) { RUN(alltoall, data_of(send), recv, n, type, team); }
static void scatterv(void *send, const size_t *counts, const size_t *displs, void *recv, size_t own, int root) {
  RUN(scatterv, send, counts, displs, type, data_of(recv), own, unit(root), team);
}
static void gatherv(void *send, size_t own, void *recv, const size_t *counts, const size_t *displs, int root) {
  RUN(gatherv, data_of(send), own, type, recv, counts, displs, unit(root), team);
}
static void allgatherv(void *send, size_t own, void *recv, const size_t *counts, const size_t *displs) {
  RUN(allgatherv, data_of(send), send == COLL_IN_PLACE ? 0 : own, type, recv, counts, displs, team);
}
static void alltoallv(void *send, const size_t *out, void *recv, const size_t *in, const size_t *displs) {
  bool in_place = send == COLL_IN_PLACE;
  RUN(alltoallv, data_of(send), in_place ? NULL : out, in_place ? NULL : displs, type, recv, in, displs, team);
}
static const struct coll_calls calls = {
  .bcast = bcast, .scatter = scatter, .gather = gather, .allgather = allgather, .alltoall = alltoall, .scatterv = scatterv,
  .gatherv = gatherv, .allgatherv = allgatherv, .alltoallv = alltoallv, .scatters_shares_in_place = true,
  .alltoalls_in_place = true};

static void complete(void) {
  for (size_t i = handles_n; i-- > 0;) {
    int32_t done = 0;
    if (i % 2) OK(dart_test(&handles[i], &done));
    if (!done) OK(dart_wait(&handles[i]));
    CHECK(handles[i] == DART_HANDLE_NULL);
  }
  handles_n = 0;
  coll_check(-1);
}

/* n is a multiple of six. */
static void moves(size_t n, int root) {
  coll_rooted(n, root);
  coll_everywhere(n);
  coll_counted(COLL_THIRDS, n, root);
  coll_counted_everywhere(COLL_THIRDS, n);
}

/* Each type in each layout, and in another one on each unit; with another length and from another root each time,
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
        coll_pairs(n);
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
    complete();
  }
  drop_type();
}

/* ---- The rest ----------------------------------------------------------------------------------------------------- */

static void pairs(void) {
  int mine[4] = {me, me, -me, -me}, got[4] = {0}, root = n_units - 1;
  OK(dart_iallreduce(mine, got, 4, DART_TYPE_INT, DART_OP_MINMAX, team, handle()));
  complete();
  CHECK(got[0] == 0 && got[1] == root && got[2] == -root && got[3] == 0);
}

/* A split-phase barrier beside a collective, with one name, then with several. */
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

/* Wrong on all units alike: no unit waits, and the following calls work. */
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
  if (!getenv("TESSERA_CHECK")) CHECK(h == DART_HANDLE_NULL); /* with it all units complete the call */
  OK(dart_wait(&h));
  OK(dart_ibarrier(team, &h));
  OK(dart_wait(&h));
}

static void use(dart_team_t on) {
  dart_operation_t op = DART_OP_UNDEFINED;
  team = on;
  coll.calls = &calls;
  coll.self = me = team_self(on);
  coll.size = n_units = team_units_n(on);
  every_type(on == DART_TEAM_ALL);
  OK(dart_op_create(dart_chain, (void *)&basic_types[2], false, DART_TYPE_INT, false, &op));
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
  OK(dart_handle_free(&left)); /* outstanding, and dart_exit waits for it */
  return finish();
}
