/* Wrong calls of DART that convert pointers of other interfaces, one for each message; see support/golden.h. */
#include <armci.h>
#include <dash/dart/if/dart_ext_pointer.h>

#include "support/golden_dart.h"

static dart_global_unit_t owner;
static dart_gptr_t gptr;
static long region[ELEMS];
static void *pointer;

static bool start_both(int *argc, char ***argv) { return !ARMCI_Init_args(argc, argv) && start(argc, argv); }

static void end_both(void) {
  end();
  ARMCI_Finalize();
}

static dart_ret_t convert_registered(void) {
  if (dart_team_memregister(own, ELEMS, DART_TYPE_LONG, region, &gptr) != DART_OK) return DART_OK;
  dart_ret_t result = dart_gptr_getpointer(gptr, &owner, &pointer);
  dart_team_memderegister(gptr);
  return result;
}

#define CALLS(CALL)                                                                 \
  CALL(2043, 0, INVAL, dart_gptr_getpointer(data, NULL, &pointer))                  \
  CALL(2044, 0, INVAL, convert_registered())                                        \
  CALL(2045, 0, INVAL, dart_gptr_setpointer(NULL, DART_GLOBAL_UNIT_ID(0), region))  \
  CALL(2046, 0, INVAL, dart_gptr_setpointer(&gptr, DART_GLOBAL_UNIT_ID(2), region)) \
  CALL(2047, 0, INVAL, dart_gptr_setpointer(&gptr, DART_GLOBAL_UNIT_ID(0), region))

GOLDEN_MAIN(start_both, end_both)
