/* One unit's arguments are wrong in a collective call: it gets the error of the interface, the others an error too,
 * no unit hangs, and the next calls work. Across nodes that needs TESSERA_CHECK=1. On one node, a unit that depends
 * on a root only, or on none, may have completed a call of little data before it can know, and has the data that it
 * needs. */
#include "dart_check.h"

#include <dash/dart/if/dart_mpi.h>

enum { N = 3, LONG = 40000 /* more than one step through the node's memory */ };

static dart_team_t team = DART_TEAM_ALL;
static dart_unit_t me, members_n;
static bool wrong_here;       /* this unit has the wrong arguments */
static dart_unit_t wrong_unit; /* the number of that unit */
static bool checked;          /* TESSERA_CHECK=1 */
static long numbers[LONG * 8], out[LONG * 8];
static size_t counts[64], displs[64];

static dart_team_unit_t zero = {0};

/* The unit with wrong arguments gets DART_ERR_INVAL, those of the others that learn of it DART_ERR_OTHER. */
#define REFUSED_TO(heard, call)                                     \
  do {                                                              \
    dart_ret_t answer_ = (call);                                    \
    if (wrong_here) CHECK_EQ(answer_, DART_ERR_INVAL);              \
    else CHECK_EQ(answer_, (heard) ? DART_ERR_OTHER : DART_OK);     \
    still_good();                                                   \
  } while (0)
#define REFUSED(call) REFUSED_TO(true, call)
#define REFUSED_FROM(root, n, call) REFUSED_TO(all_hear(n) || (wrong_unit == (root) && me != (root)), call)
#define REFUSED_AT(root, n, call) REFUSED_TO(all_hear(n) || me == (root), call)
#define PICK(wrong, right) (wrong_here ? (wrong) : (right))

static void still_good(void) {
  long sum = 0, one = 1, root = me == members_n - 1 ? 4711 : 0;
  OK(dart_allreduce(&one, &sum, 1, DART_TYPE_LONG, DART_OP_SUM, team));
  CHECK_EQ(sum, members_n);
  OK(dart_bcast(&root, 1, DART_TYPE_LONG, DART_TEAM_UNIT_ID(members_n - 1), team));
  CHECK_EQ(root, 4711);
}

static bool all_hear(size_t n) { return checked || n > N; }

static void buffers(size_t n) {
  REFUSED_FROM(0, n, dart_bcast(PICK(NULL, out), n, DART_TYPE_LONG, zero, team));
  REFUSED_FROM(0, n, dart_scatter(numbers, PICK(NULL, out), n, DART_TYPE_LONG, zero, team));
  REFUSED_AT(0, n, dart_gather(PICK(NULL, numbers), out, n, DART_TYPE_LONG, zero, team));
  REFUSED(dart_allgather(numbers, PICK(NULL, out), n, DART_TYPE_LONG, team));
  REFUSED(dart_alltoall(numbers, PICK(NULL, out), n, DART_TYPE_LONG, team));
  REFUSED_AT(0, n, dart_reduce(PICK(NULL, numbers), out, n, DART_TYPE_LONG, DART_OP_SUM, zero, team));
  REFUSED(dart_allreduce(PICK(NULL, numbers), out, n, DART_TYPE_LONG, DART_OP_SUM, team));
  REFUSED(dart_allreduce(numbers, PICK(NULL, out), n, DART_TYPE_LONG, DART_OP_SUM, team));
}

/* Only the root's arguments matter. */
static void buffers_of_roots(void) {
  dart_team_unit_t root = {members_n - 1};
  bool before = wrong_here;
  dart_unit_t unit_before = wrong_unit;
  wrong_unit = root.id;
  wrong_here = me == root.id;
  REFUSED_FROM(root.id, N, dart_scatter(PICK(NULL, numbers), out, N, DART_TYPE_LONG, root, team));
  REFUSED_AT(root.id, N, dart_gather(numbers, PICK(NULL, out), N, DART_TYPE_LONG, root, team));
  REFUSED_AT(root.id, N, dart_reduce(numbers, PICK(NULL, out), N, DART_TYPE_LONG, DART_OP_SUM, root, team));
  wrong_here = before;
  wrong_unit = unit_before;
}

static void roots(int root) {
  dart_team_unit_t given = {PICK(root, 0)};
  REFUSED_FROM(0, N, dart_bcast(out, N, DART_TYPE_LONG, given, team));
  REFUSED_FROM(0, N, dart_scatter(numbers, out, N, DART_TYPE_LONG, given, team));
  REFUSED_AT(0, N, dart_gather(numbers, out, N, DART_TYPE_LONG, given, team));
  REFUSED_AT(0, N, dart_reduce(numbers, out, N, DART_TYPE_LONG, DART_OP_SUM, given, team));
}

static void sizes_and_types(size_t n, dart_datatype_t type) {
  REFUSED_FROM(0, N, dart_bcast(out, n, type, zero, team));
  REFUSED_FROM(0, N, dart_scatter(numbers, out, n, type, zero, team));
  REFUSED_AT(0, N, dart_gather(numbers, out, n, type, zero, team));
  REFUSED(dart_allgather(numbers, out, n, type, team));
  REFUSED(dart_alltoall(numbers, out, n, type, team));
  REFUSED_AT(0, N, dart_reduce(numbers, out, n, type, DART_OP_SUM, zero, team));
  REFUSED(dart_allreduce(numbers, out, n, type, DART_OP_SUM, team));
}

static void tables(size_t each) {
  for (size_t i = 0; i < 64; i++) counts[i] = each, displs[i] = i * each;
  REFUSED(dart_allgatherv(numbers, each, DART_TYPE_LONG, out, PICK(NULL, counts), displs, team));
  REFUSED(dart_allgatherv(numbers, each, DART_TYPE_LONG, out, counts, PICK(NULL, displs), team));
  REFUSED(dart_allgatherv(numbers, each, PICK(DART_TYPE_UNDEFINED, DART_TYPE_LONG), out, counts, displs, team));
  if (each) {
    REFUSED(dart_allgatherv(numbers, each, DART_TYPE_LONG, PICK(NULL, out), counts, displs, team));
    REFUSED(dart_allgatherv(numbers, PICK(each + 1, each), DART_TYPE_LONG, out, counts, displs, team));
  }
  OK(dart_allgatherv(numbers, each, DART_TYPE_LONG, out, counts, displs, team));
}

static void sum(const void *in, void *inout, size_t n, void *user) {
  (void)user;
  for (size_t i = 0; i < n; i++) ((long *)inout)[i] += ((const long *)in)[i];
}

/* One unit has not created the operation, or has destroyed it. */
static void operations(bool commutes) {
  dart_operation_t op = DART_OP_UNDEFINED, gone;
  OK(dart_op_create(sum, NULL, commutes, DART_TYPE_LONG, false, &op));
  gone = op;
  if (wrong_here) OK(dart_op_destroy(&op));
  REFUSED_AT(0, N, dart_reduce(numbers, out, N, DART_TYPE_LONG, PICK(DART_OP_UNDEFINED, op), zero, team));
  REFUSED(dart_allreduce(numbers, out, N, DART_TYPE_LONG, gone, team));
  REFUSED(dart_allreduce(numbers, out, 2, DART_TYPE_LONG, PICK(DART_OP_REPLACE, DART_OP_SUM), team));
  REFUSED(dart_allreduce(numbers, out, 2, DART_TYPE_DOUBLE, PICK(DART_OP_BAND, DART_OP_SUM), team));
  if (!wrong_here) OK(dart_op_destroy(&op));
}

/* A call that packs into copies does not change its input. */
static void scattered(void) {
  dart_datatype_t type = DART_TYPE_UNDEFINED;
  OK(dart_type_create_strided(DART_TYPE_LONG, 2, 1, &type));
  memset(out, GUARD, sizeof out);
  REFUSED(dart_allgather(numbers, PICK(NULL, out), N, type, team));
  REFUSED_FROM(0, N, dart_bcast(out, N, type, DART_TEAM_UNIT_ID(PICK(members_n, 0)), team));
  tables(2);
  OK(dart_type_destroy(&type));
}

static void creations(void) {
  dart_group_t group = DART_GROUP_NULL;
  dart_team_t made = DART_TEAM_NULL;
  dart_lock_t lock = DART_LOCK_NULL;
  dart_gptr_t gptr = DART_GPTR_NULL;
  dart_allocator_t pool = DART_ALLOCATOR_NULL;
  OK(dart_team_get_group(team, &group));
  REFUSED(dart_team_create(team, PICK(DART_GROUP_NULL, group), &made));
  REFUSED(dart_team_create(team, group, PICK(NULL, &made)));
  REFUSED(dart_team_clone(team, PICK(NULL, &made)));
  if (wrong_here) OK(dart_group_addmember(group, DART_GLOBAL_UNIT_ID(units_n)));
  REFUSED(dart_team_create(team, group, &made));
  REFUSED(dart_team_lock_init(team, PICK(NULL, &lock)));
  REFUSED(dart_team_memalloc_aligned(team, N, DART_TYPE_LONG, PICK(NULL, &gptr)));
  REFUSED(dart_team_memalloc_aligned(team, N, PICK(DART_TYPE_UNDEFINED, DART_TYPE_LONG), &gptr));
  REFUSED(dart_team_memregister(team, N, DART_TYPE_LONG, PICK(NULL, numbers), &gptr));
  REFUSED(dart_allocator_new(64, team, PICK(NULL, &pool)));
  CHECK(made == DART_TEAM_NULL && lock == DART_LOCK_NULL && DART_GPTR_ISNULL(gptr) && !pool);
  OK(dart_group_destroy(&group));
}

static void communicator(void) {
  MPI_Comm comm = MPI_COMM_NULL;
  dart_ret_t answer = dart_team_comm(team, PICK(NULL, &comm));
  CHECK_EQ(answer, PICK(DART_ERR_INVAL, DART_OK));
  still_good();
}

static void all_of(dart_unit_t wrong) {
  me = team_self(team);
  members_n = team_units_n(team);
  wrong_unit = wrong;
  wrong_here = me == wrong;
  buffers(N);
  buffers(LONG);
  buffers_of_roots();
  roots(-1);
  roots(members_n);
  sizes_and_types(PICK(SIZE_MAX, N), DART_TYPE_LONG);
  sizes_and_types(PICK(SIZE_MAX / 9, N), DART_TYPE_LONG);
  sizes_and_types(N, PICK(DART_TYPE_UNDEFINED, DART_TYPE_LONG));
  sizes_and_types(N, PICK(77777, DART_TYPE_LONG));
  tables(0);
  tables(N);
  operations(true);
  operations(false);
  scattered();
  creations();
  communicator();
}

int main(int argc, char **argv) {
  if (getenv("TESSERA_VIRTUAL_NODES")) setenv("TESSERA_CHECK", "1", 1);
  const char *check = getenv("TESSERA_CHECK");
  checked = check && strcmp(check, "1") == 0;
  start(&argc, &argv);
  all_of(0);
  all_of(units_n / 2);
  all_of(units_n - 1);
  team = team_of(EVEN_UNITS);
  if (team != DART_TEAM_NULL) {
    all_of(team_units_n(team) - 1);
    OK(dart_team_destroy(&team));
  }
  return finish();
}
