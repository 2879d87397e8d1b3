/* Wrong calls of the native interface, one for each message; see support/golden.h. */
#include <tessera/am.h>
#include <tessera/coll.h>
#include <tessera/memory.h>
#include <tessera/message.h>

#include "support/golden.h"

enum { BYTES = 1024, TAG = 5 };
static const size_t huge[2] = {SIZE_MAX / 2, SIZE_MAX / 2}, one[2] = {1, 1}, offs[2] = {0, 1};
static const tessera_team_t none = {-1}, unknown = {9999};
static tessera_team_t world, own; /* all units, the calling unit alone */
static tessera_memory_t memory, registered, freed;
static tessera_team_t team;
static tessera_memory_t made;
static tessera_am_room_t room;
static tessera_request_t request;
static uint64_t place;
static char buffer[BYTES], region[BYTES];

static tessera_address_t at(uint64_t offset) { return tessera_address(memory, 1, offset); }
static tessera_address_t at_home(uint64_t offset) { return tessera_address(memory, 0, offset); }

/* ---- active messages ---- */

static void ignore(const tessera_am_t *message, void *context) {
  (void)message;
  (void)context;
}

static bool is_never(const void *arg) {
  (void)arg;
  return false;
}

static tessera_status_t send_to_no_handler(void) {
  tessera_status_t status = tessera_am_request_short(0, 7, NULL, 0, 0);
  return status ? status : tessera_am_wait(is_never, NULL);
}

static tessera_status_t send_more_than_room(void) {
  tessera_status_t status = tessera_am_prepare_medium(&room, 0, 8, 8, 0);
  if (status) return status;
  status = tessera_am_commit(&room, 0, room.bytes + 1, NULL, 0, 0);
  tessera_am_cancel(&room);
  return status;
}

static struct {
  bool has_run;
  tessera_status_t status; /* of its last call */
} handler;

static void poll_within(const tessera_am_t *message, void *context) {
  (void)message;
  (void)context;
  handler.status = tessera_am_poll();
  handler.has_run = true;
}

static void reply_twice(const tessera_am_t *message, void *context) {
  (void)context;
  tessera_am_reply_short(message, 0, NULL, 0, 0);
  handler.status = tessera_am_reply_short(message, 0, NULL, 0, 0);
  handler.has_run = true;
}

static tessera_status_t run_handler(tessera_am_handler_t what) {
  handler.has_run = false;
  tessera_am_register(1, what, NULL);
  tessera_am_request_short(0, 1, NULL, 0, 0);
  while (!handler.has_run) tessera_am_poll();
  return handler.status;
}

/* ---- other calls of several steps ---- */

static tessera_status_t notify_twice(void) {
  tessera_barrier_notify(own, 0);
  tessera_status_t status = tessera_barrier_notify(own, 0);
  tessera_barrier_wait(own);
  return status;
}

static tessera_status_t try_without_answer(void) {
  tessera_barrier_notify(own, 0);
  tessera_status_t status = tessera_barrier_try(own, NULL);
  tessera_barrier_wait(own);
  return status;
}

static tessera_status_t receive_half(void) {
  tessera_send_buffered(buffer, 8, 0, TAG);
  return tessera_receive(region, 4, 0, TAG, NULL);
}

static tessera_status_t put_blocks(int dims, size_t count, ptrdiff_t stride) {
  return tessera_put_blocks(at(0), buffer, &(tessera_blocks_t){8, dims, &count, &stride, &stride});
}

/* Unit 0 writes to memory of unit 1 whose registration has ended. */
static tessera_status_t put_to_deregistered(void) {
  bool is_first = tessera_unit() == 0;
  tessera_memory_t kept = registered;
  if (!is_first) tessera_memory_deregister(&registered);
  tessera_barrier(world);
  tessera_status_t status = is_first ? tessera_put(tessera_address(kept, 1, 0), buffer, 8) : TESSERA_ERR_NOT_FOUND;
  if (is_first) tessera_memory_deregister(&registered);
  return status;
}

static tessera_status_t number_of(int32_t answer) { return answer < 0 ? TESSERA_ERR_RANGE : TESSERA_OK; }

/* ---- all calls: number of the message, when and by whom, error that is returned, call ---- */

#define BUILTIN(type, op) tessera_builtin(TESSERA_##type, TESSERA_##op)
#define OF_NO_TYPE tessera_builtin((tessera_type_t)99, TESSERA_SUM)
#define NO_OPERATION tessera_user_op(NULL, NULL, 8, true)
#define PAIR ((int32_t[]){0, 1})

#define CALLS(CALL)                                                                             \
  CALL(1000, GOLDEN_OWN, ARG, send_to_no_handler())                                             \
  CALL(1001, 0, RANGE, tessera_am_register(TESSERA_AM_HANDLERS_MAX, ignore, NULL))              \
  CALL(1002, 0, ARG, tessera_am_place(NULL, &place))                                            \
  CALL(1003, 0, RANGE, tessera_am_place(&place, &place))                                        \
  CALL(1004, 0, ARG, tessera_am_wait(NULL, NULL))                                               \
  CALL(1005, 0, ARG, tessera_am_state(0, NULL))                                                 \
  CALL(1006, 0, RANGE, tessera_am_request_short(2, 0, NULL, 0, 0))                              \
  CALL(1007, 0, ARG, tessera_am_request_short(0, 0, NULL, 0, 6))                                \
  CALL(1008, 0, RANGE, tessera_am_request_long(0, 0, buffer, 8, (uint64_t)1 << 60, NULL, 0, 0)) \
  CALL(1009, 0, ARG, tessera_am_request_medium(0, 0, buffer, SIZE_MAX, NULL, 0, 0))             \
  CALL(1010, 0, ARG, tessera_am_request_medium(0, 0, NULL, 8, NULL, 0, 0))                      \
  CALL(1011, 0, RANGE, tessera_am_request_short(0, -1, NULL, 0, 0))                             \
  CALL(1012, 0, ARG, tessera_am_request_short(0, 0, NULL, 3, 0))                                \
  CALL(1013, 0, STATE, run_handler(poll_within))                                                \
  CALL(1014, 0, STATE, tessera_am_reply_short(NULL, 0, NULL, 0, 0))                             \
  CALL(1015, 0, STATE, run_handler(reply_twice))                                                \
  CALL(1016, 0, ARG, tessera_am_prepare_medium(NULL, 0, 8, 8, 0))                               \
  CALL(1017, 0, ARG, tessera_am_prepare_medium(&room, 0, 9, 8, 0))                              \
  CALL(1018, 0, ARG, tessera_am_cancel(&(tessera_am_room_t){.data = NULL}))                     \
  CALL(1019, 0, ARG, send_more_than_room())                                                     \
  CALL(1020, 0, ARG, tessera_am_request_medium_nb(0, 0, buffer, 8, NULL, 0, 0, NULL))           \
  CALL(1021, GOLDEN_EARLY, STATE, tessera_barrier(tessera_team_world()))                        \
  CALL(1022, 0, NOT_FOUND, tessera_barrier(none))                                               \
  CALL(1023, 0, NOT_FOUND, tessera_barrier(unknown))                                            \
  CALL(1024, 0, ARG, tessera_barrier_nb(own, NULL))                                             \
  CALL(1025, 0, ARG, tessera_bcast(own, buffer, SIZE_MAX, 0))                                   \
  CALL(1026, 0, RANGE, tessera_bcast(own, buffer, 8, 1))                                        \
  CALL(1027, 0, ARG, tessera_bcast(own, TESSERA_IN_PLACE, 8, 0))                                \
  CALL(1028, 0, ARG, tessera_bcast(own, NULL, 8, 0))                                            \
  CALL(1029, 0, ARG, tessera_allgather(own, buffer, buffer, 8))                                 \
  CALL(1030, 0, ARG, tessera_gatherv(own, buffer, 1, region, one, NULL, 0))                     \
  CALL(1031, 0, ARG, tessera_gatherv(own, buffer, 1, region, huge, offs + 1, 0))                \
  CALL(1032, 0, ARG, tessera_gatherv(own, buffer, 3, region, one, offs, 0))                     \
  CALL(1033, 0, RANGE, tessera_send(buffer, 8, 2, 0))                                           \
  CALL(1034, 0, ARG, tessera_send(buffer, 8, 0, -5))                                            \
  CALL(1035, 0, ARG, tessera_receive(buffer, SIZE_MAX, 0, 0, NULL))                             \
  CALL(1036, 0, ARG, tessera_send(NULL, 8, 0, 0))                                               \
  CALL(1037, 0, ARG, tessera_send_nb(buffer, 8, 0, 0, NULL))                                    \
  CALL(1038, 0, ARG, receive_half())                                                            \
  CALL(1040, 0, ARG, tessera_probe_now(0, 0, NULL, NULL))                                       \
  CALL(1041, 0, STATE, notify_twice())                                                          \
  CALL(1042, 0, STATE, tessera_barrier_wait(own))                                               \
  CALL(1043, 0, ARG, try_without_answer())                                                      \
  CALL(1044, 0, ARG, tessera_allreduce(own, buffer, region, 1, NO_OPERATION))                   \
  CALL(1045, 0, ARG, tessera_allreduce(own, buffer, region, 1, OF_NO_TYPE))                     \
  CALL(1046, 0, UNSUPPORTED, tessera_allreduce(own, buffer, region, 1, BUILTIN(F32, BXOR)))     \
  CALL(1047, 0, ARG, tessera_reduce_scatter(own, buffer, region, NULL, BUILTIN(I8, SUM)))       \
  CALL(1048, 0, ARG, tessera_reduce_scatter(own, buffer, region, huge, BUILTIN(I64, SUM)))      \
  CALL(1049, 0, ARG, tessera_wait(NULL))                                                        \
  CALL(1050, 0, NOT_FOUND, tessera_wait(&(tessera_request_t){.id = 0x123}))                     \
  CALL(1051, 0, ARG, tessera_test(&request, NULL))                                              \
  CALL(1052, GOLDEN_ALL, ARG, tessera_team_create(world, PAIR, 2, NULL))                        \
  CALL(1053, GOLDEN_ALL, ARG, tessera_team_create(world, PAIR, 3, &team))                       \
  CALL(1054, GOLDEN_ALL, ARG, tessera_team_create(world, NULL, 2, &team))                       \
  CALL(1055, GOLDEN_ALL, RANGE, tessera_team_create(world, (int32_t[]){0, 2}, 2, &team))        \
  CALL(1057, 0, ARG, tessera_team_free(NULL))                                                   \
  CALL(1058, 0, UNSUPPORTED, tessera_team_free(&world))                                         \
  CALL(1059, 0, RANGE, number_of(tessera_team_unit(own, 1)))                                    \
  CALL(1060, 0, RANGE, number_of(tessera_team_member(own, 2)))                                  \
  CALL(1061, 0, ARG, tessera_barrier_notify(own, INT64_MIN + 1))                                \
  CALL(1062, 0, ARG, tessera_address_pointer(at(0), 8, NULL))                                   \
  CALL(1063, 0, NOT_FOUND, tessera_put(tessera_address(freed, 0, 0), buffer, 8))                \
  CALL(1064, 0, RANGE, tessera_put(tessera_address(memory, 2, 0), buffer, 8))                   \
  CALL(1065, GOLDEN_ALL, NOT_FOUND, put_to_deregistered())                                      \
  CALL(1066, 0, RANGE, tessera_put(at(BYTES - 4), buffer, 8))                                   \
  CALL(1067, 0, ARG, tessera_memory_allocate(own, SIZE_MAX, &made))                             \
  CALL(1068, 0, ARG, tessera_memory_register(own, NULL, 8, &made))                              \
  CALL(1069, 0, ARG, tessera_memory_free(NULL))                                                 \
  CALL(1070, 0, UNSUPPORTED, tessera_memory_deregister(&memory))                                \
  CALL(1071, 0, NOT_FOUND, tessera_local_free(at(0)))                                           \
  CALL(1072, 0, ARG, tessera_put(at(0), NULL, 8))                                               \
  CALL(1073, 0, ARG, put_blocks(1, 3, PTRDIFF_MAX / 2))                                         \
  CALL(1074, 0, ARG, put_blocks(99, 1, 8))                                                      \
  CALL(1077, 0, ARG, tessera_accumulate(at(0), TESSERA_I64, TESSERA_SUM, buffer, SIZE_MAX / 2)) \
  CALL(1078, 0, UNSUPPORTED, tessera_compare_swap(at(0), TESSERA_F80, buffer, buffer, region))  \
  CALL(1079, 0, ARG, tessera_compare_swap(at(4), TESSERA_I64, buffer, buffer, region))          \
  CALL(1080, 0, ARG, tessera_put_notify(at(0), buffer, 8, at(4), 1))                            \
  CALL(1081, 0, ARG, tessera_put_notify(at(0), buffer, 8, at_home(0), 1))                       \
  CALL(1082, 0, ARG, tessera_notify_wait(at(0), 1))                                             \
  CALL(1083, 0, ARG, tessera_notify_test(at_home(0), 1, NULL))                                  \
  CALL(1084, 0, RANGE, tessera_flush(2))                                                        \
  CALL(1085, 0, ARG, tessera_allreduce(own, buffer, region, 1, BUILTIN(I8, REPLACE)))

#define FUNCTION(number, how, error, call) \
  static bool wrong_##number(void) { return (call) == TESSERA_ERR_##error; }
#define ROW(number, how, error, call) {#number, wrong_##number, how},
CALLS(FUNCTION)
static const struct golden_case cases[] = {CALLS(ROW)};

static bool start(int *argc, char ***argv) {
  if (tessera_init(argc, argv)) return false;
  world = tessera_team_world();
  int32_t self = tessera_unit();
  if (tessera_team_create(world, &self, 1, &own) || tessera_memory_allocate(world, BYTES, &memory) ||
      tessera_memory_register(world, region, BYTES, &registered) || tessera_memory_allocate(own, 8, &freed))
    return false;
  made = freed;
  return !tessera_memory_free(&made) && !tessera_am_register(0, ignore, NULL);
}

static void end(void) { tessera_exit(); }
static int unit(void) { return tessera_unit(); }
static void barrier(void) { tessera_barrier(world); }

int main(int argc, char **argv) {
  return golden_main(argc, argv, &(struct golden_program){cases, sizeof cases / sizeof *cases, start, end, unit, barrier});
}
