/* The native interface and DART without private memory, a case for each message; see support/golden.h. */
#include "support/no_memory.h"

#include <dash/dart/if/dart_ext_collective.h>
#include <dash/dart/if/dart_ext_message.h>
#include <dash/dart/if/dart_locality.h>
#include <tessera/coll.h>
#include <tessera/message.h>

#include "support/golden_dart.h"

static const size_t one[1] = {1}, zero[1];
static const int32_t self[1];
static tessera_team_t team;
static tessera_request_t request;
static dart_allocator_t allocator;
static dart_group_t group;
static dart_handle_t handle;
static dart_lock_t lock;
static dart_operation_t op;
static dart_datatype_t type;
static dart_domain_locality_t *domain;
static char buffer[8], region[8];
static int result;

static void combine(const void *in, void *inout, size_t n, void *user) {
  (void)in;
  (void)inout;
  (void)n;
  (void)user;
}

static bool start_both(int *argc, char ***argv) {
  if (!start(argc, argv) || tessera_init(NULL, NULL)) return false;
  team = tessera_team_of_id(own);
  return true;
}

static void end_both(void) {
  tessera_exit();
  end();
}

/* The call gets memory so many times, and then no more. */
#define WITHOUT(after, call) (no_memory_after(after), result = (int)(call), no_memory_end(), result)
#define BYTE DART_TYPE_BYTE
#define TO_SELF DART_GLOBAL_UNIT_ID(0)

#define MEMORY_CALLS(CALL)                                                             \
  CALL(0349, TESSERA_ERR_MEMORY, 1, tessera_send_nb(buffer, 8, 0, 0, &request))        \
  CALL(1039, TESSERA_ERR_MEMORY, 0, tessera_send_nb(buffer, 8, 0, 0, &request))        \
  CALL(1056, TESSERA_ERR_MEMORY, 0, tessera_team_create(team, self, 1, &team))         \
  CALL(2002, DART_ERR_NOMEM, 0, dart_allocator_new(64, own, &allocator))               \
  CALL(2003, DART_ERR_NOMEM, 1, dart_allocator_new(64, own, &allocator))               \
  CALL(2031, DART_ERR_NOMEM, 0, dart_isend(buffer, 1, BYTE, 0, TO_SELF, &handle))      \
  CALL(2051, DART_ERR_NOMEM, 0, dart_group_create(&group))                             \
  CALL(2058, DART_ERR_NOMEM, 0, dart_domain_create(&domain))                           \
  CALL(2081, DART_ERR_NOMEM, 0, dart_team_lock_init(own, &lock))                       \
  CALL(2105, DART_ERR_NOMEM, 0, dart_op_create(combine, NULL, true, BYTE, false, &op)) \
  CALL(2148, DART_ERR_NOMEM, 1, dart_type_create_custom(8, &type))

#define FUNCTION(number, error, after, call) \
  static bool wrong_##number(void) { return WITHOUT(after, call) == error; }
#define ROW(number, error, after, call) {#number, wrong_##number, 0},
MEMORY_CALLS(FUNCTION)

/* Other units would have to be told that this one fails the call, which takes memory, too. */
static bool gather(void) {
  return WITHOUT(0, dart_gatherv(buffer, 1, BYTE, region, one, zero, DART_TEAM_UNIT_ID(0), own)) == DART_ERR_NOMEM;
}

static const struct golden_case cases[] = {MEMORY_CALLS(ROW){"0308", gather, GOLDEN_OWN}, {"2024", gather, GOLDEN_OWN}};

int main(int argc, char **argv) {
  size_t cases_n = NO_MEMORY_FAILS ? sizeof cases / sizeof cases[0] : 0;
  return golden_main(argc, argv, &(struct golden_program){cases, cases_n, start_both, end_both, unit, barrier});
}
