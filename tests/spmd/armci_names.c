/* A program that defines names of its own before it includes ARMCI's header, as old programs do, and includes no other
 * header for malloc and free.
 * Units: 1 2 */
#define ARMCI_INT -99
#define ARMCI_LONG -101
#define ARMCI_LONG_LONG -102
#define ARMCI_FLOAT -306
#define ARMCI_DOUBLE -307
#define FAIL 77
#define dassert(condition) ((condition) ? 0 : FAIL)
#define armci_die() 78
#include <armci.h>

static void *take_one(size_t bytes) { return malloc(bytes); }

#include "check.h"

/* The numbers are those that the library uses, for five types. */
static void reductions(int units_n) {
  int i = 1;
  long l = 2;
  long long ll = 3;
  float f = 4;
  double d = 5;
  armci_msg_gop_scope(SCOPE_ALL, &i, 1, "+", ARMCI_INT);
  armci_msg_gop_scope(SCOPE_ALL, &l, 1, "+", ARMCI_LONG);
  armci_msg_gop_scope(SCOPE_ALL, &ll, 1, "+", ARMCI_LONG_LONG);
  armci_msg_gop_scope(SCOPE_ALL, &f, 1, "+", ARMCI_FLOAT);
  armci_msg_gop_scope(SCOPE_ALL, &d, 1, "+", ARMCI_DOUBLE);
  CHECK(i == units_n && l == 2 * units_n && ll == 3 * units_n && f == (float)(4 * units_n) && d == 5 * units_n);
}

int main(int argc, char **argv) {
  if (ARMCI_Init_args(&argc, &argv)) return 1;
  reductions(armci_msg_nproc());
  CHECK(dassert(1) == 0 && dassert(0) == 77 && armci_die() == 78);
  dassert1(1, argc > 0, argc); /* names that it does not define are the header's */
  void *memory = take_one(8);
  CHECK(memory);
  free(memory);
  CHECK_EQ(ARMCI_Finalize(), 0);
  return check_result();
}
