/* Reductions of DART and of its extensions, blocking and not: every type and operation, in place, short and long, on
 * teams, against a loop over the units.
 * Units: 1 2 3 4 5 7 8 16
 */
#include "dart_reference.h"

#include <dash/dart/if/dart_ext.h>

enum { UNITS_MAX = 16, RESULTS_MAX = 8, SHORT_N = 6, LONG_N = 1506 /* of pairs */ };

/* The team at work, and what is combined there. */
static dart_team_t team;
static int me, n_units;
static const struct basic_type *basic;
static dart_operation_t op;

static unsigned char *contribution(int who, size_t n) {
  unsigned char *data = private_buffer(n * basic->bytes);
  reference_numbers(basic, op, who, data, n);
  return data;
}

/* Receive buffers, which shall hold elements [first, first + n) of what units 0 to `last` have together, of `of` each;
 * last < 0: what they held before. */
static struct result {
  unsigned char *data;
  int last;
  size_t of, first, n;
} results[RESULTS_MAX];
static size_t results_n;

static void *expect(bool in_place, int last, size_t of, size_t first, size_t n) {
  struct result *result = &results[results_n++];
  *result = (struct result){in_place ? contribution(me, of) : private_buffer(n * basic->bytes), last, of, first, n};
  return result->data;
}

static bool is_right(const struct result *result) {
  if (result->last < 0) return touched(result->data, result->n * basic->bytes + 1) == 0;
  unsigned char *sum = contribution(0, result->of);
  for (int who = 1; who <= result->last; who++) {
    unsigned char *with = contribution(who, result->of);
    reference_join(basic, op, sum, with, result->of);
    free(with);
  }
  size_t bad = reference_differ(basic->type, result->data, sum + result->first * basic->bytes, result->n);
  free(sum);
  return bad == 0;
}

static void compare(struct result *result, bool in_place) {
  CHECK(is_right(result));
  CHECK_EQ(result->data[(in_place ? result->of : result->n) * basic->bytes], GUARD);
  free(result->data);
}

static bool starts;
static dart_handle_t handles[RESULTS_MAX];
static size_t handles_n;
#define RUN(name, ...) OK(starts ? dart_i##name(__VA_ARGS__, &handles[handles_n++]) : dart_##name(__VA_ARGS__))

/* In place: the buffer twice. */
static void all_kinds(size_t n, bool in_place, int root) {
  dart_datatype_t type = basic->type;
  size_t all = n * (size_t)n_units, counts[UNITS_MAX], own_first = 0, total = 0;
  int last = n_units - 1;
  for (int i = 0; i < n_units; total += counts[i++]) {
    counts[i] = n / 6 * 2 * (size_t)(i % 3);
    if (i < me) own_first += counts[i];
  }
  unsigned char *few = contribution(me, n), *many = contribution(me, all), *uneven = contribution(me, total), *into;
  results_n = handles_n = 0;
  into = expect(false, me == root ? last : -1, n, 0, n);
  RUN(reduce, few, me == root ? into : NULL, n, type, op, DART_TEAM_UNIT_ID(root), team);
  into = expect(in_place, last, n, 0, n);
  RUN(allreduce, in_place ? into : few, into, n, type, op, team);
  into = expect(in_place, me, n, 0, n);
  RUN(scan, in_place ? into : few, into, n, type, op, team);
  into = expect(in_place, me || !in_place ? me - 1 : 0, n, 0, n);
  RUN(exscan, in_place ? into : few, into, n, type, op, team);
  into = expect(in_place, last, all, (size_t)me * n, n);
  RUN(reduce_scatter_block, in_place ? into : many, into, n, type, op, team);
  into = expect(in_place, last, total, own_first, counts[me]);
  RUN(reduce_scatter, in_place ? into : uneven, into, counts, type, op, team);
  OK(dart_waitall(handles, handles_n));
  for (size_t i = 0; i < results_n; i++) compare(&results[i], in_place && i);
  unsigned char *const used[] = {few, many, uneven};
  for (size_t i = 0; i < sizeof used / sizeof *used; i++) free(used[i]);
}

static void use(dart_team_t on, bool both) {
  int turn = 0;
  team = on;
  me = team_self(on);
  n_units = team_units_n(on);
  for (int i = 0; i < BASIC_TYPES_N; i++) {
    basic = &basic_types[i];
    for (op = DART_OP_UNDEFINED; op < DART_OP_LAST; op++) {
      if (!is_reduction_op(basic, op)) continue;
      for (int way = 0; way < 2; way++, turn++) {
        starts = way;
        size_t n = (turn / 2 + way) % 4 ? SHORT_N : LONG_N;
        if (both || (i + (int)op + way) % 2) all_kinds(n, turn % 3 == 0, turn % n_units);
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
