/* Extended collectives of DART: every one, with basic, strided and indexed types, against what each unit can compute, all
 * under way at once; operations of the program, in place, counts, handles, wrong arguments.
 * Units: 1 2 3 4 5 7 8 16
 */
#include <dash/dart/if/dart.h>
#include <dash/dart/if/dart_ext.h>

#include "dart_check.h"

#include <string.h>

static int me, n_units;
static const dart_team_t team = DART_TEAM_ALL;

enum { MOST_N = 64, HANDLES_MAX = 512 };
static dart_handle_t handles[HANDLES_MAX];
static size_t handles_n;
static dart_handle_t *handle(void) { return &handles[handles_n++]; }

/* Element `at` of what unit `who` has. */
static int value(int who, size_t at) { return who * 1000 + (int)at; }

/* Buffers of this test live until its end. */
static int *numbers(size_t n) {
  static int *all[HANDLES_MAX * 2];
  static size_t all_n;
  if (!n) {
    while (all_n) free(all[--all_n]);
    return NULL;
  }
  int *one = malloc(n * sizeof *one);
  if (!one || all_n == HANDLES_MAX * 2) abort();
  for (size_t i = 0; i < n; i++) one[i] = -1;
  return all[all_n++] = one;
}

/* A layout: element i lies at place i, or with gaps. */
static size_t place(bool gaps, size_t i) { return gaps ? i / 2 * 3 + i % 2 : i; }

static int *filled(bool gaps, size_t n, int who, size_t from) {
  int *data = numbers(place(gaps, n) + 2);
  for (size_t i = 0; i < n; i++) data[place(gaps, i)] = value(who, from + i);
  return data;
}

/* What a receive shall bring, looked at once all are complete. */
static struct { const int *data; bool gaps; size_t at, n; int who; size_t from; } wishes[4096];
static size_t wishes_n;
static void wish(const int *data, bool gaps, size_t at, size_t n, int who, size_t from) {
  wishes[wishes_n].data = data;
  wishes[wishes_n].gaps = gaps;
  wishes[wishes_n].at = at;
  wishes[wishes_n].n = n;
  wishes[wishes_n].who = who;
  wishes[wishes_n++].from = from;
}

static void complete(void) {
  for (size_t i = handles_n; i-- > 0;) {
    int32_t done = 0;
    if (i % 2) OK(dart_test(&handles[i], &done));
    if (!done) OK(dart_wait(&handles[i]));
    CHECK(handles[i] == DART_HANDLE_NULL);
  }
  handles_n = 0;
  for (size_t i = 0; i < wishes_n; i++) {
    size_t wrong = 0;
    for (size_t k = 0; k < wishes[i].n; k++)
      wrong += wishes[i].data[place(wishes[i].gaps, wishes[i].at + k)] != value(wishes[i].who, wishes[i].from + k);
    if (wrong) fprintf(stderr, "wish %zu of %zu: %zu wrong\n", i, wishes_n, wrong);
    CHECK_EQ(wrong, 0);
    for (size_t k = 1; wishes[i].gaps && k < wishes[i].n / 2; k++)
      CHECK_EQ(wishes[i].data[(wishes[i].at / 2 + k) * 3 - 1], -1);
  }
  wishes_n = 0;
  numbers(0);
}

/* n is even. */
static void moves(dart_datatype_t type, bool gaps, size_t n, int root_number) {
  dart_team_unit_t root = DART_TEAM_UNIT_ID(root_number);
  size_t units = (size_t)n_units, all = n * units, place_of_me = (size_t)me;
  bool is_root = me == root_number;
  int *data = is_root ? filled(gaps, n, root_number, 0) : filled(gaps, n, me, 7777);
  OK(dart_ibcast(data, n, type, root, team, handle()));
  wish(data, gaps, 0, n, root_number, 0);
  int *into = numbers(place(gaps, all) + 2);
  OK(dart_iscatter(is_root ? filled(gaps, all, root_number, 0) : NULL, into, n, type, root, team, handle()));
  wish(into, gaps, 0, n, root_number, place_of_me * n);
  into = numbers(place(gaps, all) + 2);
  OK(dart_igather(filled(gaps, n, me, 3), is_root ? into : NULL, n, type, root, team, handle()));
  for (size_t i = 0; is_root && i < units; i++) wish(into, gaps, i * n, n, (int)i, 3);
  into = numbers(place(gaps, all) + 2);
  OK(dart_iallgather(filled(gaps, n, me, 4), into, n, type, team, handle()));
  for (size_t i = 0; i < units; i++) wish(into, gaps, i * n, n, (int)i, 4);
  into = numbers(place(gaps, all) + 2);
  OK(dart_ialltoall(filled(gaps, all, me, 0), into, n, type, team, handle()));
  for (size_t i = 0; i < units; i++) wish(into, gaps, i * n, n, (int)i, place_of_me * n);
  into = filled(gaps, all, me, 0);
  OK(dart_ialltoall(NULL, into, n, type, team, handle()));
  for (size_t i = 0; i < units; i++) wish(into, gaps, i * n, n, (int)i, place_of_me * n);
}

/* Unit i has n * (i % 3), from the last unit to the first. */
static void counted(dart_datatype_t type, bool gaps, size_t n, int root_number) {
  dart_team_unit_t root = DART_TEAM_UNIT_ID(root_number);
  size_t counts[MOST_N], displs[MOST_N], equal[MOST_N], steps[MOST_N], total = 0;
  size_t units = (size_t)n_units, place_of_me = (size_t)me;
  bool is_root = me == root_number;
  for (size_t i = units; i-- > 0;) {
    counts[i] = n * (i % 3);
    displs[i] = total;
    total += counts[i];
    equal[i] = n * ((i + place_of_me) % 3);
    steps[i] = 2 * n * i;
  }
  const size_t *nc = is_root ? counts : NULL, *nd = is_root ? displs : NULL;
  int *into = numbers(place(gaps, total) + 2);
  const int *from = is_root ? filled(gaps, total, root_number, 0) : NULL;
  OK(dart_iscatterv(from, nc, nd, type, into, counts[me], root, team, handle()));
  wish(into, gaps, 0, counts[me], root_number, displs[me]);
  into = numbers(place(gaps, total) + 2);
  OK(dart_igatherv(filled(gaps, counts[me], me, 5), counts[me], type, is_root ? into : NULL, nc, nd, root, team, handle()));
  for (size_t i = 0; is_root && i < units; i++) wish(into, gaps, displs[i], counts[i], (int)i, 5);
  into = numbers(place(gaps, total) + 2);
  OK(dart_iallgatherv(filled(gaps, counts[me], me, 6), counts[me], type, into, counts, displs, team, handle()));
  for (size_t i = 0; i < units; i++) wish(into, gaps, displs[i], counts[i], (int)i, 6);
  size_t room = 2 * n * units;
  into = numbers(place(gaps, room) + 2);
  OK(dart_ialltoallv(filled(gaps, room, me, 0), equal, steps, type, into, equal, steps, team, handle()));
  for (size_t i = 0; i < units; i++) wish(into, gaps, steps[i], equal[i], (int)i, 2 * n * place_of_me);
  /* blocking, and in place */
  into = is_root ? filled(gaps, total, root_number, 0) : numbers(place(gaps, total) + 2);
  OK(dart_scatterv(into, nc, nd, type, is_root ? NULL : into, counts[me], root, team));
  wish(into, gaps, is_root ? displs[me] : 0, counts[me], root_number, displs[me]);
  into = filled(gaps, is_root ? total : counts[me], me, is_root ? 0 : displs[me]);
  OK(dart_gatherv(is_root ? NULL : into, counts[me], type, into, nc, nd, root, team));
  for (size_t i = 0; is_root && i < units; i++) wish(into, gaps, displs[i], counts[i], (int)i, displs[i]);
  into = filled(gaps, room, me, 0);
  OK(dart_alltoallv(NULL, NULL, NULL, type, into, equal, steps, team));
  for (size_t i = 0; i < units; i++) wish(into, gaps, steps[i], equal[i], (int)i, 2 * n * place_of_me);
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
  OK(dart_ireduce(to_join(n), me == root ? reduced : NULL, n, DART_TYPE_INT, op, DART_TEAM_UNIT_ID(root), team, handle()));
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
  CHECK(h == DART_HANDLE_NULL);
  OK(dart_ibarrier(team, &h));
  OK(dart_wait(&h));
}

int main(int argc, char **argv) {
  dart_global_unit_t id;
  size_t size;
  if (dart_init(&argc, &argv) != DART_OK) return EXIT_FAILURE;
  OK(dart_myid(&id));
  OK(dart_size(&size));
  me = id.id;
  n_units = (int)size;
  dart_datatype_t strided;
  dart_operation_t op;
  OK(dart_type_create_strided(DART_TYPE_INT, 3, 2, &strided));
  OK(dart_op_create(join, NULL, false, DART_TYPE_INT, false, &op));
  static const size_t sizes[] = {2, 60, 6000};
  for (int s = 0; s < 3; s++) {
    for (int root = 0; root < n_units; root++) {
      moves(DART_TYPE_INT, false, sizes[s], root);
      moves(strided, true, sizes[s], root);
      counted(DART_TYPE_INT, false, sizes[s], root);
      counted(strided, true, sizes[s], root);
    }
    complete();
    reductions(op, sizes[s]);
  }
  pairs();
  names();
  wrong_arguments(op);
  dart_handle_t left = DART_HANDLE_NULL;
  OK(dart_ibarrier(team, &left));
  OK(dart_handle_free(&left)); /* goes on, and dart_exit waits for it */
  OK(dart_type_destroy(&strided));
  OK(dart_op_destroy(&op));
  OK(dart_exit());
  return check_result();
}
