/* Wrong calls of DART, one for each message: groups, teams and collectives; see support/golden.h. */
#include <dash/dart/if/dart_ext_collective.h>
#include <dash/dart/if/dart_mpi.h>

#include "support/golden_dart.h"

static const size_t zeros[3], one[1] = {1}, far[1] = {8}, most[3] = {PTRDIFF_MAX, PTRDIFF_MAX, PTRDIFF_MAX};
static const int64_t reserved = INT64_MIN + 1;
static dart_team_t team;
static dart_datatype_t type;
static dart_operation_t op;
static size_t n;
static long buffer[ELEMS], region[ELEMS];

/* A group of the units 0 to n - 1. */
static dart_group_t make_group(int units_n) {
  dart_group_t made = DART_GROUP_NULL;
  dart_group_create(&made);
  for (int i = 0; i < units_n; i++) dart_group_addmember(made, DART_GLOBAL_UNIT_ID(i));
  return made;
}

static dart_ret_t drop_group(dart_ret_t result, dart_group_t group) {
  dart_group_destroy(&group);
  return result;
}

static dart_ret_t add_negative(void) {
  dart_group_t group = make_group(0);
  return drop_group(dart_group_addmember(group, DART_GLOBAL_UNIT_ID(-1)), group);
}

static dart_ret_t split_into_none(void) {
  dart_group_t group = make_group(1), part;
  return drop_group(dart_group_split(group, 0, &n, &part), group);
}

static dart_ret_t create_larger_team(void) {
  dart_group_t group = make_group(2);
  return drop_group(dart_team_create(own, group, &team), group);
}

/* A barrier of the calling unit alone is open during the call. */
static dart_ret_t notify_within(void) { return dart_barrier_notify(own, 2); }
static dart_ret_t try_without_answer(void) { return dart_barrier_try(own, NULL); }
static dart_ret_t with_open_barrier(dart_ret_t (*call)(void)) {
  dart_barrier_notify(own, 1);
  dart_ret_t result = call();
  dart_barrier_wait(own);
  return result;
}

static void combine(const void *in, void *inout, size_t len, void *user) {
  (void)in;
  (void)inout;
  (void)len;
  (void)user;
}

/* The operation was made for another type. */
static dart_ret_t reduce_other_type(void) {
  if (dart_op_create(combine, NULL, true, DART_TYPE_LONG, false, &op) != DART_OK) return DART_OK;
  dart_ret_t result = dart_allreduce(buffer, region, 1, DART_TYPE_INT, op, own);
  dart_op_destroy(&op);
  return result;
}

static dart_ret_t reduce_custom_type(void) {
  if (dart_type_create_custom(8, &type) != DART_OK) return DART_OK;
  dart_ret_t result = dart_allreduce(buffer, region, 1, type, DART_OP_SUM, own);
  dart_type_destroy(&type);
  return result;
}

/* ---- all calls ---- */

#define TEAM_UNIT DART_TEAM_UNIT_ID
#define GATHERV(nelem, counts, displs) dart_gatherv(buffer, nelem, DART_TYPE_BYTE, region, counts, displs, TEAM_UNIT(0), own)

#define CALLS(CALL)                                                                                         \
  CALL(2015, GOLDEN_ALL, INVAL, dart_allgather(buffer, region, PTRDIFF_MAX, DART_TYPE_BYTE, DART_TEAM_ALL)) \
  CALL(2016, 0, INVAL, dart_bcast(buffer, 1, DART_TYPE_LONG, TEAM_UNIT(1), own))                            \
  CALL(2017, 0, INVAL, dart_bcast(NULL, 1, DART_TYPE_LONG, TEAM_UNIT(0), own))                              \
  CALL(2019, 0, INVAL, dart_team_comm(own, NULL))                                                           \
  CALL(2022, 0, INVAL, GATHERV(1, most, far))                                                               \
  CALL(2023, 0, INVAL, GATHERV(1, one, NULL))                                                               \
  CALL(2025, 0, INVAL, with_open_barrier(notify_within))                                                    \
  CALL(2026, 0, INVAL, dart_barrier_wait(own))                                                              \
  CALL(2027, 0, INVAL, with_open_barrier(try_without_answer))                                               \
  CALL(2028, 0, INVAL, GATHERV(2, one, zeros))                                                              \
  CALL(2048, 0, INVAL, dart_reduce_scatter(buffer, region, NULL, DART_TYPE_LONG, DART_OP_SUM, own))         \
  CALL(2049, GOLDEN_ALL | GOLDEN_OWN, INVAL,                                                                \
       dart_reduce_scatter(buffer, region, most, DART_TYPE_BYTE, DART_OP_SUM, DART_TEAM_ALL))               \
  CALL(2050, 0, INVAL, dart_group_size(DART_GROUP_NULL, &n))                                                \
  CALL(2052, 0, INVAL, add_negative())                                                                      \
  CALL(2053, 0, INVAL, split_into_none())                                                                   \
  CALL(2115, 0, INVAL, reduce_other_type())                                                                 \
  CALL(2116, 0, INVAL, dart_allreduce(buffer, region, 3, DART_TYPE_LONG, DART_OP_MINMAX, own))              \
  CALL(2117, 0, INVAL, reduce_custom_type())                                                                \
  CALL(2133, 0, INVAL, dart_ibarrier(own, NULL))                                                            \
  CALL(2134, 0, INVAL, dart_team_size(own, NULL))                                                           \
  CALL(2135, 0, INVAL, dart_team_create(own, DART_GROUP_NULL, &team))                                       \
  CALL(2136, 0, INVAL, create_larger_team())                                                                \
  CALL(2137, 0, INVAL, dart_team_destroy(NULL))                                                             \
  CALL(2138, 0, INVAL, dart_team_destroy(&(dart_team_t){DART_TEAM_ALL}))                                    \
  CALL(2139, 0, INVAL, dart_team_unit_l2g(own, TEAM_UNIT(1), &(dart_global_unit_t){0}))                     \
  CALL(2140, 0, INVAL, dart_team_unit_g2l(own, DART_GLOBAL_UNIT_ID(2), &(dart_team_unit_t){0}))             \
  CALL(2158, 0, INVAL, dart_barrier_notify(own, reserved))

GOLDEN_MAIN(start, end)
