/* Scans and reductions of the extensions, blocking and not: every type and operation, against a loop over the units.
 * Units: 1 2 3 4 5 7 8 16
 */
#include "dart_reference.h"

#include <dash/dart/if/dart_ext.h>

enum { N = 6, UNITS_MAX = 16, CALLS_MAX = 8 };

static int me, n_units;
static const struct basic_type *basic;
static dart_operation_t op;

/* Element 0 of unit i's part, when they have different lengths; of whole pairs. */
static size_t counts[UNITS_MAX], firsts[UNITS_MAX + 1];

static unsigned char *contribution(int who, size_t n) {
  unsigned char *data = private_buffer(n * basic->bytes);
  reference_numbers(basic, op, who, data, n);
  return data;
}

static unsigned char *room(size_t n) {
  unsigned char *data = private_buffer(n * basic->bytes);
  memset(data, GUARD, n * basic->bytes);
  return data;
}

/* Elements [first, first + n) of the result over units 0 to `last`. */
static bool is_result(const unsigned char *got, int last, size_t of, size_t first, size_t n) {
  unsigned char *sum = contribution(0, of);
  for (int who = 1; who <= last; who++) {
    unsigned char *with = contribution(who, of);
    reference_join(basic, op, sum, with, of);
    free(with);
  }
  bool same = reference_differ(basic->type, got, sum + first * basic->bytes, n) == 0 && got[n * basic->bytes] == GUARD;
  free(sum);
  return same;
}

struct results {
  unsigned char *up_to, *before, *block, *part, *reduced, *everywhere;
};

static void expect(const struct results *r, bool has_reductions) {
  int last = n_units - 1;
  size_t all = N * (size_t)n_units;
  CHECK(is_result(r->up_to, me, N, 0, N));
  CHECK(me ? is_result(r->before, me - 1, N, 0, N) : touched(r->before, N * basic->bytes) == 0);
  CHECK(is_result(r->block, last, all, (size_t)me * N, N));
  CHECK(is_result(r->part, last, firsts[n_units], firsts[me], counts[me]));
  if (!has_reductions) return;
  CHECK(me == last ? is_result(r->reduced, last, N, 0, N) : touched(r->reduced, N * basic->bytes) == 0);
  CHECK(is_result(r->everywhere, last, N, 0, N));
}

static void each_way(bool blocks) {
  dart_handle_t handles[CALLS_MAX];
  size_t n = 0;
  dart_datatype_t type = basic->type;
  dart_team_t team = DART_TEAM_ALL;
  dart_team_unit_t last = DART_TEAM_UNIT_ID(n_units - 1);
  unsigned char *few = contribution(me, N), *all = contribution(me, N * (size_t)n_units),
                *uneven = contribution(me, firsts[n_units]);
  struct results r = {room(N), room(N), room(N), room(counts[me]), room(N), room(N)};
  if (blocks) {
    OK(dart_scan(few, r.up_to, N, type, op, team));
    OK(dart_exscan(few, r.before, N, type, op, team));
    OK(dart_reduce_scatter_block(all, r.block, N, type, op, team));
    OK(dart_reduce_scatter(uneven, r.part, counts, type, op, team));
  } else {
    OK(dart_iscan(few, r.up_to, N, type, op, team, &handles[n++]));
    OK(dart_iexscan(few, r.before, N, type, op, team, &handles[n++]));
    OK(dart_ireduce_scatter_block(all, r.block, N, type, op, team, &handles[n++]));
    OK(dart_ireduce_scatter(uneven, r.part, counts, type, op, team, &handles[n++]));
    OK(dart_ireduce(few, r.reduced, N, type, op, last, team, &handles[n++]));
    OK(dart_iallreduce(few, r.everywhere, N, type, op, team, &handles[n++]));
    OK(dart_waitall(handles, n));
  }
  expect(&r, !blocks);
  unsigned char *const used[] = {few, all, uneven, r.up_to, r.before, r.block, r.part, r.reduced, r.everywhere};
  for (size_t i = 0; i < sizeof used / sizeof *used; i++) free(used[i]);
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  me = self;
  n_units = units_n;
  for (int i = 0; i < n_units; i++) {
    counts[i] = 2 * (size_t)(i % 3);
    firsts[i + 1] = firsts[i] + counts[i];
  }
  for (int i = 0; i < BASIC_TYPES_N; i++) {
    basic = &basic_types[i];
    for (op = DART_OP_UNDEFINED; op < DART_OP_LAST; op++) {
      if (!is_reduction_op(basic, op)) continue;
      each_way(true);
      each_way(false);
    }
  }
  return finish();
}
