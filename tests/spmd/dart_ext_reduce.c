/* Reductions of DART and of its extensions, blocking and not: every type, spread in every layout and in another one on
 * each unit, and every operation, one of which does not commute; in place, short and long, on teams, compared with a
 * loop over the units; the bytes between the elements do not change.
 * Units: 1 2 3 4 5 7 8 16
 * Group: dart_collectives
 */
#include "dart_layouts.h"
#include "dart_reductions.h"

#include <dash/dart/if/dart_ext.h>

enum { UNITS_MAX = 16, HANDLES_MAX = 8, SHORT_N = 6, LONG_N = 1506 /* of pairs */, LONGER_N = 6000 };

/* The team at work, and the type and operation of the calls. */
static dart_team_t team;
static int me, n_units;
static dart_datatype_t type;
static int layout;
static dart_operation_t with;

static bool starts;
static dart_handle_t handles[HANDLES_MAX];
static size_t handles_n;
#define RUN(name, ...) OK(starts ? dart_i##name(__VA_ARGS__, &handles[handles_n++]) : dart_##name(__VA_ARGS__))

/* In place: both arguments are the buffer. */
static void *own_of(void *send, void *recv) { return send == COLL_IN_PLACE ? recv : send; }

static void reduce(void *send, void *recv, size_t n, int root, const struct coll_how *how) {
  (void)how;
  RUN(reduce, own_of(send, recv), recv, n, type, with, DART_TEAM_UNIT_ID(root), team);
}
static void allreduce(void *send, void *recv, size_t n, const struct coll_how *how) {
  (void)how;
  RUN(allreduce, own_of(send, recv), recv, n, type, with, team);
}
static void scan(void *send, void *recv, size_t n, const struct coll_how *how) {
  (void)how;
  RUN(scan, own_of(send, recv), recv, n, type, with, team);
}
/* The first unit may pass NULL. */
static void exscan(void *send, void *recv, size_t n, const struct coll_how *how) {
  void *into = me || send == COLL_IN_PLACE || layout ? recv : NULL;
  (void)how;
  RUN(exscan, own_of(send, recv), into, n, type, with, team);
}
static void reduce_scatter_block(void *send, void *recv, size_t n, const struct coll_how *how) {
  (void)how;
  RUN(reduce_scatter_block, own_of(send, recv), recv, n, type, with, team);
}
static void reduce_scatter(void *send, void *recv, const size_t *counts, const struct coll_how *how) {
  (void)how;
  RUN(reduce_scatter, own_of(send, recv), recv, counts, type, with, team);
}
static const struct coll_calls calls = {.reduce = reduce, .allreduce = allreduce, .scan = scan, .exscan = exscan,
                                        .reduce_scatter_block = reduce_scatter_block, .reduce_scatter = reduce_scatter,
                                        .keeps_unused = true};

/* In one layout, or in another one on each unit. Type and operation are destroyed before any wait. */
static void all_kinds(int basic, dart_operation_t op, int which, size_t n, bool in_place, int root) {
  const struct basic_type *of = &basic_types[basic];
  const struct coll_how how = dart_how(basic, op);
  layout = which < LAYOUTS_N ? which : me % LAYOUTS_N;
  coll.place = layouts[layout].place;
  coll.room = layout_room;
  type = layout_type(layout, of->type);
  with = op;
  if (op == OF_PROGRAM) OK(dart_op_create(dart_chain, (void *)of, false, of->type, false, &with));
  handles_n = 0;
  coll_reduce(&how, n, root, in_place);
  coll_combine_everywhere(&how, n, n / 6 * (which == CONTIGUOUS || which == STRIDED ? 2 : 6), in_place);
  if (op == OF_PROGRAM) OK(dart_op_destroy(&with));
  layout_drop(layout, &type);
  OK(dart_waitall(handles, handles_n));
  coll_check(-1);
}

static void every_layout(int basic, dart_operation_t op, bool all_units) {
  static int turn;
  for (int which = 0; which <= LAYOUTS_N; which++) {
    for (int way = 0; way < 2; way++, turn++) {
      bool for_teams = (basic + (int)op + which + way) % 2;
      size_t n = (turn / 2 + way) % (which == CONTIGUOUS ? 4 : 12) ? SHORT_N : LONG_N;
      starts = way;
      if (all_units != for_teams || (all_units && which == CONTIGUOUS))
        all_kinds(basic, op, which, n, turn % 3 == 0, turn % n_units);
    }
  }
}

/* The teams run the cases that all units do not; all units also run those in which elements are not spread. */
static void use(dart_team_t on, bool all_units) {
  team = on;
  coll.calls = &calls;
  coll.self = me = team_self(on);
  coll.size = n_units = team_units_n(on);
  for (int basic = 0; basic < BASIC_TYPES_N; basic++) {
    for (dart_operation_t op = DART_OP_UNDEFINED; op <= OF_PROGRAM; op++) {
      if (op == OF_PROGRAM || is_reduction_op(&basic_types[basic], op)) every_layout(basic, op, all_units);
    }
  }
  for (int way = 0; way < 2; way++) {
    starts = way;
    all_kinds(2, OF_PROGRAM, CONTIGUOUS, LONGER_N, way, n_units - 1);
  }
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  if (units_n > UNITS_MAX) return check_skip();
  use(DART_TEAM_ALL, true);
  unsigned all = (1u << units_n) - 1;
  dart_team_t even = team_of(EVEN_UNITS & all), odd = units_n > 1 ? team_of(ODD_UNITS & all) : DART_TEAM_NULL;
  use(self % 2 ? odd : even, false); /* both at once */
  return finish();
}
