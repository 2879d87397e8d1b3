/* Reductions of DART and of its extensions, blocking and not: every type, spread in every layout and in another one on
 * each unit, and every operation, one whose order matters among them; in place, short and long, on teams, against a
 * loop over the units; what lies between the elements stays as it is.
 * Units: 1 2 3 4 5 7 8 16
 * Group: dart_collectives
 */
#include "dart_layouts.h"
#include "dart_reference.h"

#include <dash/dart/if/dart_ext.h>

enum { UNITS_MAX = 16, RESULTS_MAX = 8, SHORT_N = 6, LONG_N = 1506 /* of pairs */ };

/* The team at work, and what is combined there. */
static dart_team_t team;
static int me, n_units;
static const struct basic_type *basic;
static int layout;
static dart_operation_t op; /* predefined, or */
enum { OF_PROGRAM = DART_OP_LAST };

/* Maps of the numbers modulo 3 to m x + b, as the numbers m - 1 + 2 b; the first of two, then the second. */
static int then(int first, int second) {
  int m1 = first % 2 + 1, b1 = first / 2 % 3, m2 = second % 2 + 1, b2 = second / 2 % 3;
  return m1 * m2 % 3 - 1 + (m2 * b1 + b2) % 3 * 2;
}
static void chain(const void *in, void *inout, size_t n, void *user) {
  const struct basic_type *of = user;
  for (size_t i = 0; i < n; i++)
    reference_set(of->type, inout, i, then(reference_get(of->type, in, i), reference_get(of->type, inout, i)));
}
static void join(unsigned char *into, unsigned char *with, size_t n) {
  if (op != OF_PROGRAM) {
    reference_join(basic, op, into, with, n);
    return;
  }
  chain(into, with, n, (void *)basic);
  memcpy(into, with, n * basic->bytes);
}

/* What a unit has, end to end, and where it calls from. */
static unsigned char *contribution(int who, size_t n) {
  unsigned char *data = private_buffer(n * basic->bytes);
  reference_numbers(basic, op, who, data, n);
  return data;
}
static unsigned char *room_for(size_t n) { return private_buffer(layout_room(n) * basic->bytes); }
static unsigned char *own_spread(size_t n) {
  unsigned char *dense = contribution(me, n), *data = room_for(n);
  layout_spread(layout, basic->bytes, data, dense, n);
  free(dense);
  return data;
}

/* Receive buffers, which shall hold elements [first, first + n) of what units 0 to `last` have together, of `of` each;
 * last < 0: what they held before. */
static struct result {
  unsigned char *data;
  bool in_place;
  int last;
  size_t of, first, n;
} results[RESULTS_MAX];
static size_t results_n;

static void *expect(bool in_place, int last, size_t of, size_t first, size_t n) {
  struct result *result = &results[results_n++];
  *result = (struct result){in_place ? own_spread(of) : room_for(n), in_place, last, of, first, n};
  return result->data;
}

static size_t wrong_elements(const struct result *result) {
  unsigned char *sum = contribution(0, result->of), *got = private_buffer(result->n * basic->bytes);
  for (int who = 1; who <= result->last; who++) {
    unsigned char *with = contribution(who, result->of);
    join(sum, with, result->of);
    free(with);
  }
  layout_collect(layout, basic->bytes, got, result->data, result->n);
  size_t bad = reference_differ(basic->type, got, sum + result->first * basic->bytes, result->n);
  free(sum);
  free(got);
  return bad;
}

static void compare(struct result *result) {
  size_t held = result->in_place ? result->of : result->n, written = result->last < 0 ? 0 : held;
  CHECK_EQ(layout_touched_gaps(layout, basic->bytes, result->data, written, layout_room(held)), 0);
  if (result->last >= 0) CHECK_EQ(wrong_elements(result), 0);
  free(result->data);
}

static bool starts;
static dart_handle_t handles[RESULTS_MAX];
static size_t handles_n;
#define RUN(name, ...) OK(starts ? dart_i##name(__VA_ARGS__, &handles[handles_n++]) : dart_##name(__VA_ARGS__))

static unsigned char *sources[3];
static unsigned char *source(int i, size_t n) { return sources[i] = own_spread(n); }

/* Parts of `whole` elements or a multiple, none on every third unit. In place: the buffer twice. */
static void run_kinds(dart_datatype_t type, dart_operation_t with, size_t n, size_t whole, bool in_place, int root) {
  size_t all = n * (size_t)n_units, counts[UNITS_MAX], own_first = 0, total = 0;
  int last = n_units - 1;
  for (int i = 0; i < n_units; total += counts[i++]) {
    counts[i] = n / 6 * whole * (size_t)(i % 3);
    if (i < me) own_first += counts[i];
  }
  unsigned char *few = source(0, n), *many = source(1, all), *uneven = source(2, total), *into;
  bool root_in_place = in_place && me == root;
  into = expect(root_in_place, me == root ? last : -1, n, 0, n);
  RUN(reduce, root_in_place ? into : few, me == root || layout ? into : NULL, n, type, with, DART_TEAM_UNIT_ID(root),
      team);
  into = expect(in_place, last, n, 0, n);
  RUN(allreduce, in_place ? into : few, into, n, type, with, team);
  into = expect(in_place, me, n, 0, n);
  RUN(scan, in_place ? into : few, into, n, type, with, team);
  into = expect(in_place, me || !in_place ? me - 1 : 0, n, 0, n);
  RUN(exscan, in_place ? into : few, into, n, type, with, team);
  into = expect(in_place, last, all, (size_t)me * n, n);
  RUN(reduce_scatter_block, in_place ? into : many, into, n, type, with, team);
  into = expect(in_place, last, total, own_first, counts[me]);
  RUN(reduce_scatter, in_place ? into : uneven, into, counts, type, with, team);
}

/* In one layout, or in another one on each unit. Type and operation are gone before anything is waited for. */
static void all_kinds(int which, size_t n, bool in_place, int root) {
  dart_operation_t with = op;
  layout = which < LAYOUTS_N ? which : me % LAYOUTS_N;
  dart_datatype_t type = layout_type(layout, basic->type);
  if (op == OF_PROGRAM) OK(dart_op_create(chain, (void *)basic, false, basic->type, false, &with));
  results_n = handles_n = 0;
  run_kinds(type, with, n, which == CONTIGUOUS || which == STRIDED ? 2 : 6, in_place, root);
  if (op == OF_PROGRAM) OK(dart_op_destroy(&with));
  layout_drop(layout, &type);
  OK(dart_waitall(handles, handles_n));
  for (size_t i = 0; i < results_n; i++) compare(&results[i]);
  for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) free(sources[i]);
}

/* What all units do not, the teams do; where elements are not spread, all units do it, too. */
static void use(dart_team_t on, bool all_units) {
  int turn = 0;
  team = on;
  me = team_self(on);
  n_units = team_units_n(on);
  for (int i = 0; i < BASIC_TYPES_N; i++) {
    basic = &basic_types[i];
    for (op = DART_OP_UNDEFINED; op <= OF_PROGRAM; op++) {
      if (op != OF_PROGRAM && !is_reduction_op(basic, op)) continue;
      for (int which = 0; which <= LAYOUTS_N; which++) {
        for (int way = 0; way < 2; way++, turn++) {
          bool for_teams = (i + (int)op + which + way) % 2;
          size_t n = (turn / 2 + way) % (which == CONTIGUOUS ? 4 : 12) ? SHORT_N : LONG_N;
          starts = way;
          if (all_units != for_teams || (all_units && which == CONTIGUOUS))
            all_kinds(which, n, turn % 3 == 0, turn % n_units);
        }
      }
    }
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
