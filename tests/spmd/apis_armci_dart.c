/* One program, two interfaces and MPI: ARMCI writes and accumulates into memory of DART, and DART into memory of ARMCI,
 * with converted pointers; the interfaces end in either order.
 * Group: apis_calls
 */
#include "dart_check.h"

#include <armci.h>
#include <dash/dart/if/dart_ext.h>
#include <tessera/mpi.h>

enum { N = 1000, UNITS_MAX = 64 };

static void write_and_add(void) {
  long *parts[UNITS_MAX], values[N], scale = 2, old = 0;
  dart_gptr_t base = team_alloc(DART_TEAM_ALL, N, DART_TYPE_LONG), own = at(base, self, 0);
  void *address = NULL;
  OK(dart_gptr_getaddr(own, &address));
  OK(dart_allgather(&address, parts, sizeof address, DART_TYPE_BYTE, DART_TEAM_ALL));
  memset(address, 0, N * sizeof(long));
  barrier();
  for (int i = 0; i < N; i++) values[i] = i;
  for (int unit = 0; unit < units_n; unit++)
    CHECK_EQ(ARMCI_Acc(ARMCI_ACC_LNG, &scale, values, parts[unit], sizeof values, unit), 0);
  CHECK_EQ(ARMCI_Rmw(ARMCI_FETCH_AND_ADD_LONG, &old, parts[0], 1, 0), 0);
  OK(dart_fetch_and_op(at(base, 0, 0), values + 1, &old, DART_TYPE_LONG, DART_OP_SUM));
  OK(dart_flush_all(base));
  ARMCI_Barrier();
  for (int unit = 0; unit < units_n; unit++) {
    long got[N];
    OK(dart_get_blocking(got, at(base, unit, 0), N, DART_TYPE_LONG, DART_TYPE_LONG));
    CHECK_EQ(got[0], unit == 0 ? 2 * units_n : 0);
    for (int i = 1; i < N; i++) CHECK_EQ(got[i], 2L * units_n * i);
  }
  barrier();
  OK(dart_team_memfree(base));
}

/* DART writes into memory of ARMCI: each unit one word into the part of every unit. Returns the sum of its own part. */
static long armcis_by_dart(void **memory) {
  long value = 100 + self, sum = 0;
  for (int unit = 0; unit < units_n; unit++) {
    dart_gptr_t gptr;
    dart_global_unit_t owner;
    void *pointer;
    long *there = (long *)memory[unit] + self, got = 0;
    OK(dart_gptr_setpointer(&gptr, DART_GLOBAL_UNIT_ID(unit), there));
    OK(dart_put_blocking(gptr, &value, 1, DART_TYPE_LONG, DART_TYPE_LONG));
    OK(dart_gptr_getpointer(gptr, &owner, &pointer));
    CHECK(owner.id == unit && pointer == there);
    CHECK_EQ(ARMCI_Get(pointer, &got, sizeof got, owner.id), 0);
    CHECK_EQ(got, value);
  }
  barrier();
  for (int i = 0; i < units_n; i++) sum += ((long *)memory[self])[i];
  return sum;
}

/* ARMCI accumulates into memory of a DART team, whose members have other numbers than in the world. */
static long darts_by_armci(dart_team_t team, size_t size) {
  long one = 1, value = 1 + self, *own;
  void *address;
  dart_team_unit_t me;
  OK(dart_team_myid(team, &me));
  dart_gptr_t base = team_alloc(team, 2, DART_TYPE_LONG);
  OK(dart_gptr_getaddr(at(base, me.id, 0), &address));
  own = address;
  own[0] = own[1] = 0;
  OK(dart_barrier(team));
  for (dart_unit_t member = 0; member < (dart_unit_t)size; member++) {
    dart_global_unit_t owner;
    OK(dart_gptr_getpointer(at(base, member, sizeof(long)), &owner, &address));
    CHECK_EQ(ARMCI_Acc(ARMCI_ACC_LNG, &one, &value, address, sizeof value, owner.id), 0);
    ARMCI_Fence(owner.id);
  }
  OK(dart_barrier(team));
  long sum = own[1];
  CHECK_EQ(own[0], 0);
  OK(dart_barrier(team));
  OK(dart_team_memfree(base));
  return sum;
}

/* All units except the first, if there are others. */
static dart_team_t make_team(size_t *size) {
  dart_group_t group;
  dart_team_t team;
  OK(dart_group_create(&group));
  for (int unit = units_n > 1; unit < units_n; unit++) OK(dart_group_addmember(group, DART_GLOBAL_UNIT_ID(unit)));
  OK(dart_team_create(DART_TEAM_ALL, group, &team));
  OK(dart_group_destroy(&group));
  *size = (size_t)(units_n > 1 ? units_n - 1 : 1);
  return team;
}

static void convert(void) {
  void *memory[UNITS_MAX];
  MPI_Comm units;
  size_t size;
  OK(tessera_comm(&units));
  CHECK_EQ(ARMCI_Malloc(memory, units_n * (long)sizeof(long)), 0);
  long sums[2] = {armcis_by_dart(memory), 0}, numbers = (long)units_n * (units_n - 1) / 2;
  dart_team_t team = make_team(&size);
  if (team != DART_TEAM_NULL) {
    sums[1] = darts_by_armci(team, size);
    OK(dart_team_destroy(&team));
  }
  MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_LONG, MPI_SUM, units);
  CHECK_EQ(sums[0], units_n * (100L * units_n + numbers));
  CHECK_EQ(sums[1], (long)size * (units_n > 1 ? numbers + (long)size : 1));
  ARMCI_Barrier();
  CHECK_EQ(ARMCI_Free(memory[self]), 0);
}

static void convert_wrongly(void) {
  dart_gptr_t gptr, registered, base = team_alloc(DART_TEAM_ALL, N, DART_TYPE_LONG);
  dart_global_unit_t owner;
  void *pointer;
  static long own[N];
  OK(dart_team_memregister(DART_TEAM_ALL, N, DART_TYPE_LONG, own, &registered));
  CHECK_EQ(dart_gptr_getpointer(at(registered, 0, 0), &owner, &pointer), DART_ERR_INVAL);
  CHECK_EQ(dart_gptr_getpointer(at(base, units_n, 0), &owner, &pointer), DART_ERR_INVAL);
  CHECK_EQ(dart_gptr_getpointer(at(base, 0, (N + 1) * sizeof(long)), &owner, &pointer), DART_ERR_INVAL);
  CHECK_EQ(dart_gptr_getpointer(at(base, 0, 0), &owner, NULL), DART_ERR_INVAL);
  /* Not the address of a variable: on unit 0, whose variables lie elsewhere, it may be one of the heap. */
  CHECK_EQ(dart_gptr_setpointer(&gptr, DART_GLOBAL_UNIT_ID(0), (void *)sizeof own), DART_ERR_INVAL);
  CHECK_EQ(dart_gptr_setpointer(&gptr, DART_GLOBAL_UNIT_ID(units_n), own), DART_ERR_INVAL);
  CHECK_EQ(dart_gptr_setpointer(NULL, DART_GLOBAL_UNIT_ID(0), own), DART_ERR_INVAL);
  OK(dart_team_memderegister(registered));
  OK(dart_team_memfree(base));
}

int main(int argc, char **argv) {
  void *left[UNITS_MAX];
  start(&argc, &argv);
  CHECK_EQ(ARMCI_Init(), 0);
  write_and_add();
  convert();
  convert_wrongly();
  CHECK_EQ(ARMCI_Malloc(left, 1 << 20), 0);
  CHECK_EQ(ARMCI_Finalize(), 0);
  CHECK_EQ(dart_gptr_setpointer(&(dart_gptr_t){0}, DART_GLOBAL_UNIT_ID(0), left), DART_ERR_NOTINIT);
  barrier();
  CHECK_EQ(ARMCI_Init(), 0);
  write_and_add();
  OK(dart_exit());
  CHECK_EQ(ARMCI_Malloc(left, 1 << 20), 0);
  ARMCI_Barrier();
  CHECK_EQ(ARMCI_Free(left[tessera_unit()]), 0);
  CHECK_EQ(ARMCI_Finalize(), 0);
  return check_result();
}
