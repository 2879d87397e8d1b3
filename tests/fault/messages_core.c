/* Wrong calls that are found below the interfaces, one for each message of the core; see support/golden.h. Where all interfaces
 * check the same before, the call is one of the core itself. */
#include <dash/dart/if/dart_ext_collective.h>
#include <dash/dart/if/dart_ext_message.h>
#include <dash/dart/if/dart_mpi.h>
#include <mpi.h>
#include <pthread.h>
#include <sys/socket.h>
#include <tessera/memory.h>
#include <tessera/mpi.h>
#include <unistd.h>

#include "core/bootstrap.h"
#include "core/layers.h"
#include "core/node_discovery.h"
#include "core/place.h"
#include "core/progress.h"
#include "core/segment.h"
#include "core/team.h"
#include "net/mpi/own.h"
#include "node/memory.h"
#include "p2p/p2p.h"
#include "p2p/remote.h"
#include "support/golden_dart.h"

enum { LONG_BYTES = 64 << 10 };
static tsr_segment *segment;
static tsr_team *team;
static dart_gptr_t gptr;
static char buffer[2 * LONG_BYTES], region[2 * LONG_BYTES];

/* ---- start and end ---- */

/* A communicator that MPI does not know: a number that is none, or the address of an object that is marked as freed. */
static MPI_Comm no_comm(void) {
  static unsigned char freed[4096];
  const void *at = freed;
  MPI_Comm made;
  memset(freed, 0xff, sizeof freed);
  if (sizeof made == sizeof at) memcpy(&made, &at, sizeof made);
  else memset(&made, 0xff, sizeof made);
  return made;
}

static tessera_status_t start_on_intercomm(void) {
  MPI_Comm both;
  MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 1 - unit(), 1, &both);
  tessera_status_t status = tessera_init_comm(both);
  MPI_Comm_free(&both);
  return status;
}

static tessera_status_t start_twice(void) {
  if (tessera_init(NULL, NULL)) return TESSERA_OK;
  tessera_status_t status = tessera_init(NULL, NULL);
  tessera_exit();
  return status;
}

static tessera_status_t start_after_finalize(void) {
  MPI_Init(NULL, NULL);
  MPI_Finalize();
  return tessera_init(NULL, NULL);
}

/* The job of all processes has a window that all of them have to end. */
static tessera_status_t start_on_part(void) {
  MPI_Init(NULL, NULL);
  if (tessera_init(NULL, NULL) || tessera_exit()) return TESSERA_OK;
  tessera_status_t status = tessera_init_comm(MPI_COMM_SELF);
  MPI_Finalize();
  return status;
}

/* Starts and ends in an MPI that the program started, which may be past Tessera's own function. Only warns. */
static tessera_status_t start_with_mpi(int (*init)(int *, char ***, int, int *), int level) {
  init(NULL, NULL, level, &(int){0});
  bool works = !tessera_init(NULL, NULL) && !tessera_exit();
  MPI_Finalize();
  return works ? TESSERA_ERR_STATE : TESSERA_OK;
}

static const struct tsr_layer one_more = {.name = "one more"};
static tessera_status_t register_layers(void) {
  for (;;) tsr_layers_register(&one_more);
  return TESSERA_OK;
}

static tessera_status_t place_too_many(void) {
  static int32_t first_of[TSR_NODE_UNITS_MAX + 1];
  return tsr_place_fill(&(struct tsr_place_plan){.ranks_n = TSR_NODE_UNITS_MAX + 1, .first_of = first_of});
}

/* The other unit of the node has closed the connection. */
static tessera_status_t form_node_alone(void) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return TESSERA_OK;
  close(ends[1]);
  tsr_node_discovery_min(&(struct tsr_node_discovery){.connections = ends, .connections_n = 1}, 0);
  return TESSERA_OK;
}

/* ---- calls that do not meet ---- */

static bool is_first(void) { return unit() == 0; }
static int64_t numbers[6];

static tessera_status_t await_end(void) {
  for (;;) tsr_progress();
  return TESSERA_OK;
}

/* Unit 1 leaves a call with an error, unit 0 is in another one. */
static tessera_status_t allocate_at_error(void) {
  if (is_first()) dart_team_memalloc_aligned(DART_TEAM_ALL, 8, DART_TYPE_BYTE, &gptr);
  else dart_bcast(buffer, 8, DART_TYPE_BYTE, DART_TEAM_UNIT_ID(9), DART_TEAM_ALL);
  return await_end();
}

static tessera_status_t broadcast_at_other(void) {
  if (is_first()) dart_bcast(buffer, 8, DART_TYPE_BYTE, DART_TEAM_UNIT_ID(0), DART_TEAM_ALL);
  else tsr_bootstrap_gather(tsr_team_world, 7, numbers);
  return await_end();
}

/* A maximum of as many numbers as the creation of a team takes. */
static tessera_status_t create_at_other(void) {
  dart_team_t made;
  if (is_first()) dart_team_clone(DART_TEAM_ALL, &made);
  else tsr_bootstrap_max(tsr_team_world, numbers, 6);
  return await_end();
}

/* No room for the bounce buffer of a new team. */
static tessera_status_t use_up_heap(void) {
  dart_team_t made;
  dart_team_clone(DART_TEAM_ALL, &made);
  for (size_t bytes = is_first() ? 1 << 20 : 0; bytes; bytes /= 2)
    while (dart_memalloc(bytes, DART_TYPE_BYTE, &gptr) == DART_OK) continue;
  barrier();
  dart_allgather(buffer, region, LONG_BYTES, DART_TYPE_BYTE, made);
  return await_end();
}

static tessera_status_t pass_own_name(void) {
  dart_barrier_notify(DART_TEAM_ALL, unit());
  return dart_barrier_wait(DART_TEAM_ALL) == DART_ERR_INVAL ? TESSERA_ERR_ARG : TESSERA_OK;
}

/* ---- memory and teams ---- */

static tessera_status_t end_registration_twice(void) {
  if (tsr_segment_register(tsr_team_find(own), region, sizeof region, &segment)) return TESSERA_OK;
  tsr_segment_deregister(segment);
  return tsr_segment_deregister(segment);
}

static tessera_status_t free_registered(void) {
  if (tsr_segment_register(tsr_team_find(own), region, sizeof region, &segment)) return TESSERA_OK;
  tessera_status_t status = tsr_segment_free(segment);
  tsr_segment_deregister(segment);
  return status;
}

static tessera_status_t deregister_allocated(void) {
  if (tsr_segment_alloc(tsr_team_find(own), 8, &segment)) return TESSERA_OK;
  tessera_status_t status = tsr_segment_deregister(segment);
  return tsr_segment_free(segment) ? TESSERA_OK : status;
}

static tessera_status_t use_up_registrations(void) {
  tessera_status_t status = TESSERA_OK;
  while (!status) status = tsr_segment_register(tsr_team_find(own), region, 8, &segment);
  return status;
}

static tessera_status_t use_up_segments(void) {
  tessera_status_t status = TESSERA_OK;
  while (!status) status = tsr_segment_alloc(tsr_team_find(own), 0, &segment);
  return status;
}

static tessera_status_t create_of(int32_t units_n, const tsr_unit units[]) {
  return tsr_team_create(tsr_team_find(own), units_n, units, &team);
}
static tessera_status_t use_up_teams(void) {
  tessera_status_t status = TESSERA_OK;
  while (!status) status = create_of(1, (tsr_unit[]){TSR_UNIT(0)});
  return status;
}

/* Each lists itself first. */
static tessera_status_t create_overlapping(void) {
  return tsr_team_create(tsr_team_world, 2, (tsr_unit[]){TSR_UNIT(unit()), TSR_UNIT(1 - unit())}, &team);
}

static void *ask_for_comm(void *result) {
  *(dart_ret_t *)result = dart_team_comm(own, &(MPI_Comm){MPI_COMM_NULL});
  return NULL;
}
static tessera_status_t make_comm_in_thread(void) {
  dart_ret_t result = DART_OK;
  pthread_t thread;
  tsr_mpi_own()->init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &(int){0});
  if (!start(NULL, NULL) || pthread_create(&thread, NULL, ask_for_comm, &result)) return TESSERA_OK;
  pthread_join(thread, NULL);
  dart_exit();
  MPI_Finalize();
  return result == DART_ERR_INVAL ? TESSERA_ERR_UNSUPPORTED : TESSERA_OK;
}

/* ---- messages ---- */

static tessera_status_t send_buffered_too_long(void) {
  dart_ret_t result = dart_bsend(buffer, (size_t)1 << 40, DART_TYPE_BYTE, 0, DART_GLOBAL_UNIT_ID(0));
  return result == DART_ERR_NOMEM ? TESSERA_ERR_MEMORY : TESSERA_OK;
}

/* Messages that no unit receives: until they take too much memory, or one. */
static tessera_status_t send_in_vain(size_t all_bytes) {
  for (size_t sent = 0; sent < all_bytes; sent += TSR_P2P_SMALL_BYTES)
    dart_send(buffer, TSR_P2P_SMALL_BYTES, DART_TYPE_BYTE, 3, DART_GLOBAL_UNIT_ID(0));
  return TESSERA_ERR_LIMIT;
}

/* As many long messages begin as can be under way. */
static tessera_status_t use_up_tags(void) {
  tsr_outgoing out = {.to = TSR_UNIT(1)};
  struct tsr_envelope envelope = {.bytes = LONG_BYTES};
  tessera_status_t status = TESSERA_OK;
  while (!status) status = tsr_p2p_remote_prepare(&out, &envelope);
  return status;
}

static tessera_status_t send_without_tags(void) {
  dart_handle_t handle;
  if (is_first()) use_up_tags();
  dart_ialltoall(buffer, region, LONG_BYTES, DART_TYPE_BYTE, DART_TEAM_ALL, &handle);
  return await_end();
}

/* ---- all calls: number of the message, when and by whom, error that is returned, call ---- */

#define START_BELOW start_with_mpi(tsr_mpi_own()->init_thread, MPI_THREAD_SINGLE)
#define START_WITH_AGENTS start_with_mpi(MPI_Init_thread, MPI_THREAD_MULTIPLE)

#define CORE_CALLS(CALL)                                                                        \
  CALL(0303, GOLDEN_ALL | GOLDEN_OWN, NET, allocate_at_error())                                 \
  CALL(0307, GOLDEN_ALL | GOLDEN_OWN, NET, broadcast_at_other())                                \
  CALL(0319, GOLDEN_ONLY, UNSUPPORTED, start_on_part())                                         \
  CALL(0321, GOLDEN_ONLY, STATE, start_after_finalize())                                        \
  CALL(0323, 0, ARG, tessera_init_comm(MPI_COMM_NULL))                                          \
  CALL(0324, 0, ARG, tessera_init_comm(no_comm()))                                              \
  CALL(0325, GOLDEN_ALL, ARG, start_on_intercomm())                                             \
  CALL(0326, 0, STATE, tessera_init_comm(MPI_COMM_SELF))                                        \
  CALL(0330, GOLDEN_ONLY, STATE, START_BELOW)                                                   \
  CALL(0331, GOLDEN_ONLY, STATE, START_WITH_AGENTS)                                             \
  CALL(0333, GOLDEN_ONLY, STATE, register_layers())                                             \
  CALL(0346, GOLDEN_ONLY, PEER, form_node_alone())                                              \
  CALL(0351, GOLDEN_ONLY, ARG, place_too_many())                                                \
  CALL(0361, 0, RANGE, tsr_segment_register(tsr_team_find(own), buffer, PTRDIFF_MAX, &segment)) \
  CALL(0363, GOLDEN_OWN, LIMIT, use_up_registrations())                                         \
  CALL(0364, 0, ARG, deregister_allocated())                                                    \
  CALL(0365, 0, ARG, end_registration_twice())                                                  \
  CALL(0367, GOLDEN_ALL, STATE, start_twice())                                                  \
  CALL(0370, 0, ARG, tessera_comm(NULL))                                                        \
  CALL(0372, GOLDEN_OWN, LIMIT, use_up_segments())                                              \
  CALL(0374, 0, ARG, tsr_segment_free(tsr_segment_find(tsr_team_world, TSR_SEGMENT_LOCAL)))     \
  CALL(0375, 0, ARG, free_registered())                                                         \
  CALL(0377, GOLDEN_ALL | GOLDEN_OWN, NET, use_up_heap())                                       \
  CALL(0379, GOLDEN_ALL | GOLDEN_OWN, NET, create_at_other())                                   \
  CALL(0381, GOLDEN_ALL, ARG, create_overlapping())                                             \
  CALL(0382, GOLDEN_OWN, LIMIT, use_up_teams())                                                 \
  CALL(0384, 0, ARG, tsr_team_create_alone(1, (tsr_unit[]){TSR_UNIT(1)}, 0, &team))             \
  CALL(0385, 0, ARG, tsr_team_destroy(tsr_team_world))                                          \
  CALL(0387, GOLDEN_ONLY, UNSUPPORTED, make_comm_in_thread())                                   \
  CALL(0389, 0, ARG, create_of(1, NULL))                                                        \
  CALL(0391, 0, RANGE, create_of(1, (tsr_unit[]){TSR_UNIT(1)}))                                 \
  CALL(0800, 0, MEMORY, send_buffered_too_long())                                               \
  CALL(0802, GOLDEN_OWN, LIMIT, send_in_vain(64 << 20))                                         \
  CALL(0803, GOLDEN_OWN, LIMIT, send_in_vain(1))                                                \
  CALL(0807, GOLDEN_ALL | GOLDEN_OWN, MEMORY, send_without_tags())                              \
  CALL(0903, GOLDEN_ALL | GOLDEN_OWN, MEMORY, send_without_tags())                              \
  CALL(0905, GOLDEN_ALL, ARG, pass_own_name())

#define FUNCTION(number, how, error, call) \
  static bool wrong_##number(void) { return (call) == TESSERA_ERR_##error; }
CORE_CALLS(FUNCTION)
static const struct golden_case cases[] = {CORE_CALLS(GOLDEN_ROW)};

int main(int argc, char **argv) {
  return golden_main(argc, argv, &(struct golden_program){cases, sizeof cases / sizeof *cases, start, end, unit, barrier});
}
