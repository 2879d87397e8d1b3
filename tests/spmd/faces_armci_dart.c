/* One program, two faces: memory that DART allocated is written and added to through ARMCI, and the faces end in either order. */
#include "dart_check.h"

#include <armci.h>

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

int main(int argc, char **argv) {
  void *left[UNITS_MAX];
  start(&argc, &argv);
  CHECK_EQ(ARMCI_Init(), 0);
  write_and_add();
  CHECK_EQ(ARMCI_Malloc(left, 1 << 20), 0);
  CHECK_EQ(ARMCI_Finalize(), 0);
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
