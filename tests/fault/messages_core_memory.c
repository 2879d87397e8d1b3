/* The parts below the interfaces without private memory, a case for each message; see support/golden.h. */
#include "support/no_memory.h"

#include <dash/dart/if/dart_ext_collective.h>
#include <dash/dart/if/dart_ext_message.h>
#include <dash/dart/if/dart_mpi.h>
#include <signal.h>
#include <tessera/am.h>
#include <tessera/memory.h>

#include "core/agent.h"
#include "core/bootstrap.h"
#include "core/handlers.h"
#include "core/heap_base.h"
#include "core/message.h"
#include "core/place.h"
#include "core/progress.h"
#include "core/segment.h"
#include "core/stats.h"
#include "core/team.h"
#include "core/topology.h"
#include "p2p/p2p.h"
#include "rma/lock.h"
#include "support/golden_dart.h"
#include "vis/batch.h"

enum { LONG_BYTES = 200 << 10, PIECES_N = 4, OTHER = 1 };
static char buffer[LONG_BYTES], region[LONG_BYTES];
static tsr_segment *segment;
static tsr_team *team;
static tsr_op op;
static tsr_lock lock;
static dart_handle_t handle;
static tessera_status_t status;

/* The call gets memory so many times, and then no more. */
#define WITHOUT(after, call) (no_memory_after(after), with_memory(call))
#define DART_WITHOUT(after, call) WITHOUT(after, (call) == DART_ERR_NOMEM ? TESSERA_ERR_MEMORY : TESSERA_OK)
static tessera_status_t with_memory(tessera_status_t result) {
  no_memory_end();
  return status = result;
}

static bool is_first(void) { return unit() == 0; }
static tsr_team *own_team(void) { return tsr_team_find(own); }
static dart_gptr_t at_other(void) {
  dart_gptr_t there = data;
  there.unitid = OTHER;
  return there;
}
static tsr_addr address_of_other(void) {
  return tsr_segment_address(tsr_segment_find(tsr_team_world, data.segid), TSR_MEMBER(OTHER), 0);
}

static tessera_status_t await_end(void) {
  for (;;) tsr_progress();
  return TESSERA_OK;
}

static tessera_status_t count_traffic(void) {
  no_memory_after(0);
  tsr_stats_start();
  return with_memory(tsr_stats_traffic ? TESSERA_OK : TESSERA_ERR_MEMORY);
}

static tessera_status_t report_counts(void) {
  no_memory_once(0);
  tsr_stats_report(tsr_team_world);
  return with_memory(TESSERA_ERR_MEMORY);
}

/* The first request of this unit to the other one lacks memory after `after` more allocations. */
static void no_memory_to_ask(int after) {
  tsr_op_implicit(TSR_UNIT(OTHER));
  no_memory_after(after);
}

/* ---- teams, segments, registrations ---- */

static tessera_status_t create_team(int after) {
  return WITHOUT(after, tsr_team_create(own_team(), 1, (tsr_unit[]){TSR_UNIT(unit())}, &team));
}

/* The ranges of registrations have room for eight. */
static tessera_status_t register_after(int others_n, int after) {
  tsr_segment *others[8];
  for (int i = 0; i < others_n; i++) {
    if (tsr_segment_register(own_team(), region + 8 * i, 8, &others[i])) abort();
  }
  WITHOUT(after, tsr_segment_register(own_team(), buffer, 8, &segment));
  for (int i = 0; i < others_n; i++) tsr_segment_deregister(others[i]);
  return status;
}

static tessera_status_t place_one(void) {
  return WITHOUT(0, tsr_place_fill(&(struct tsr_place_plan){.ranks_n = 1, .first_of = (int32_t[]){0}}));
}

/* Both units create a team of their own. */
static tessera_status_t create_apart(void) {
  no_memory_after(1);
  tsr_team_create(tsr_team_world, 1, (tsr_unit[]){TSR_UNIT(unit())}, &team);
  return await_end();
}

static tessera_status_t send_mail(void) {
  no_memory.everywhere = true;
  if (is_first()) no_memory_after(0);
  barrier();
  if (!is_first()) tsr_ctrl_send(TSR_UNIT(0), 1, buffer, 8);
  return await_end();
}

static tessera_status_t ask_by_mail(void) {
  no_memory_to_ask(0);
  tsr_ctrl_send(TSR_UNIT(OTHER), 1, buffer, 8);
  return TESSERA_OK;
}

/* ---- collectives ---- */

static tessera_status_t meet(void) {
  if (is_first()) no_memory_after(0);
  dart_barrier(DART_TEAM_ALL);
  return TESSERA_OK;
}

static tessera_status_t gather_numbers(void) {
  int64_t all[8];
  if (is_first()) no_memory_after(0);
  tsr_bootstrap_gather(tsr_team_world, 1, all);
  return TESSERA_OK;
}

static tessera_status_t tell_of_error(void) {
  if (!is_first()) return await_end();
  no_memory_to_ask(1);
  dart_bcast(buffer, 8, DART_TYPE_BYTE, DART_TEAM_UNIT_ID(9), DART_TEAM_ALL);
  return TESSERA_OK;
}

/* Unit 0 takes a request before, as its answer takes memory at first. */
static tessera_status_t tell_of_end(void) {
  if (!is_first()) dart_put_blocking(data, buffer, 8, DART_TYPE_BYTE, DART_TYPE_BYTE);
  barrier();
  if (is_first()) no_memory_to_ask(0);
  exit(EXIT_SUCCESS);
}

static tessera_status_t start_barrier(int after) {
  no_memory_after(after);
  dart_ibarrier(own, &handle);
  return TESSERA_OK;
}

/* ---- requests, active messages, locks ---- */

static tessera_status_t ask_self(int after) {
  struct tsr_net_request request = {.rank = tsr_place_rank(TSR_UNIT(unit())), .handler = TSR_H_FETCH};
  return WITHOUT(after, tsr_op_request(&op, &request, NULL, NULL));
}

static tessera_status_t put_other(void) {
  no_memory_to_ask(0);
  status = tsr_put_nb(address_of_other(), buffer, 8, &op);
  no_memory_end();
  return status;
}

static tessera_status_t count_operations(void) {
  no_memory_after(0);
  tsr_op_implicit(TSR_UNIT(OTHER));
  return TESSERA_OK;
}

static void ignore(const tessera_am_t *message, void *context) {
  (void)message;
  (void)context;
}

/* `who` is told by `bytes` bytes. */
static tessera_status_t send_am(int32_t who, size_t bytes, int after) {
  tessera_am_register(0, ignore, NULL);
  return WITHOUT(after, tessera_am_request_medium(who, 0, buffer, bytes, NULL, 0, 0));
}

/* The other unit has no memory to keep account of a pool of 64 MiB, and enough to serve requests. */
static tessera_status_t receive_am(void) {
  tessera_am_register(0, ignore, NULL);
  if (!is_first()) no_memory_from(0, 128 << 10);
  no_memory.everywhere = true;
  barrier();
  if (is_first()) tessera_am_request_medium(OTHER, 0, buffer, 2000, NULL, 0, 0);
  return await_end();
}

static tessera_status_t hand_over(void) {
  if (tsr_lock_create(tsr_team_world, &lock)) return TESSERA_OK;
  if (is_first()) tsr_lock_acquire(&lock);
  barrier();
  if (!is_first()) tsr_lock_acquire(&lock);
  while (!atomic_load((_Atomic uint64_t *)(void *)lock.entry)) tsr_progress(); /* until it names the next one */
  no_memory_to_ask(0);
  tsr_lock_release(&lock);
  return await_end();
}

/* A progress process does not return from the start: a unit of its node takes the memory from it by a signal. */
static void starve_agent(int number) {
  (void)number;
  no_memory.everywhere = true;
  no_memory_after(0);
}

static tessera_status_t use_starved_agent(void) {
  void *here;
  signal(SIGUSR2, starve_agent);
  if (!start(NULL, NULL)) return TESSERA_OK;
  const volatile int32_t *agent = &tsr_heap_unit(tsr_heap.units_n - 1)->attach_pid;
  while (*agent <= 0) tsr_progress();
  if (is_first()) kill(*agent, SIGUSR2);
  dart_gptr_getaddr(data, &here);
  while (is_first()) {
    dart_put_handle(at_other(), here, BYTES, DART_TYPE_BYTE, DART_TYPE_BYTE, &handle);
    dart_wait(&handle);
  }
  return await_end();
}

/* ---- strided transfers, batches ---- */

static tessera_status_t get_strided(void) {
  dart_datatype_t type;
  dart_type_create_strided(DART_TYPE_LONG, 2, 1, &type);
  DART_WITHOUT(0, dart_get_blocking(buffer, at_other(), 8, DART_TYPE_LONG, type));
  dart_type_destroy(&type);
  return status;
}

static tessera_status_t get_indexed(void) {
  static const size_t counts[] = {1, 2, 3}, offs[] = {0, 5, 17};
  dart_datatype_t type;
  dart_type_create_indexed(DART_TYPE_LONG, 3, counts, offs, &type);
  DART_WITHOUT(0, dart_get_blocking(buffer, at_other(), 6, DART_TYPE_LONG, type));
  dart_type_destroy(&type);
  return status;
}

static tessera_status_t put_in_batch(void) {
  tsr_batch batch;
  tsr_batch_open(&batch, TSR_UNIT(OTHER));
  return WITHOUT(0, tsr_batch_put(&batch, address_of_other(), buffer, 8));
}

static tessera_status_t get_in_batch(void) {
  tsr_batch batch;
  tsr_batch_open(&batch, TSR_UNIT(OTHER));
  tsr_batch_get(&batch, region, address_of_other(), 8);
  tsr_op_implicit(TSR_UNIT(OTHER));
  WITHOUT(1, tsr_batch_flush(&batch));
  tsr_batch_wait(&batch);
  return status;
}

/* ---- messages ---- */

/* The message goes another way, without bounce buffers. */
static tessera_status_t send_long(void) {
  if (is_first()) DART_WITHOUT(2, dart_isend(buffer, LONG_BYTES, DART_TYPE_BYTE, 1, DART_GLOBAL_UNIT_ID(OTHER), &handle));
  else dart_recv(region, LONG_BYTES, DART_TYPE_BYTE, 1, DART_GLOBAL_UNIT_ID(0));
  return TESSERA_ERR_MEMORY;
}

static tessera_status_t keep_message(void) {
  no_memory.everywhere = true;
  no_memory_after(0);
  dart_send(buffer, 8, DART_TYPE_BYTE, 1, DART_GLOBAL_UNIT_ID(0));
  return await_end();
}

/* To this unit itself. */
static tessera_status_t drop_long(void) {
  dart_isend(buffer, LONG_BYTES, DART_TYPE_BYTE, 1, DART_GLOBAL_UNIT_ID(0), &handle);
  no_memory_after(0);
  tsr_p2p_quiesce(TSR_P2P_DART);
  return await_end();
}

static tessera_status_t receive_part(void) {
  if (!is_first()) {
    dart_isend(buffer, LONG_BYTES, DART_TYPE_BYTE, 1, DART_GLOBAL_UNIT_ID(0), &handle);
    return await_end();
  }
  no_memory.everywhere = true;
  no_memory_from(0, LONG_BYTES / 4);
  dart_recv(region, 8, DART_TYPE_BYTE, 1, DART_GLOBAL_UNIT_ID(1));
  return await_end();
}

/* ---- start; the first allocations are for tables of units ---- */

static tessera_status_t start_without(int after) {
  no_memory_after(after);
  dart_init(NULL, NULL);
  return TESSERA_OK;
}

static tessera_status_t serve_as_agent(void) {
  no_memory_after(0);
  tsr_agent_serve();
  return TESSERA_OK;
}

/* The allocator of the heap doubles its records when they are used up. */
static tessera_status_t allocate_many(void) {
  enum { BLOCKS_MAX = 1 << 16, BYTES = 64 };
  static uint64_t offs[BLOCKS_MAX];
  int n = 0;
  no_memory_after(0);
  while (n < BLOCKS_MAX && !(status = tsr_heap_alloc(BYTES, TSR_HEAP_SEGMENT, &offs[n]))) n++;
  no_memory_end();
  while (n > 0) tsr_heap_free(offs[--n], TSR_HEAP_SEGMENT);
  return status;
}

/* ---- all calls: number of the message, when and by whom, error that is returned, call ---- */

#define CORE_CALLS(CALL)                                                                  \
  CALL(0124, 0, MEMORY, allocate_many())                                                  \
  CALL(0301, GOLDEN_OWN, NET, serve_as_agent())                                           \
  CALL(0304, GOLDEN_ALL | GOLDEN_OWN, NET, gather_numbers())                              \
  CALL(0305, GOLDEN_ALL | GOLDEN_OWN, NET, meet())                                        \
  CALL(0310, GOLDEN_ALL | GOLDEN_OWN, NET, tell_of_error())                               \
  CALL(0311, GOLDEN_ALL | GOLDEN_OWN, NET, tell_of_end())                                 \
  CALL(0315, 0, MEMORY, WITHOUT(0, tsr_heap_bases_start()))                               \
  CALL(0316, GOLDEN_ONLY, NET, start_without(0))                                          \
  CALL(0334, GOLDEN_ALL | GOLDEN_OWN, NET, send_mail())                                   \
  CALL(0335, GOLDEN_OWN, NET, ask_by_mail())                                              \
  CALL(0345, GOLDEN_ONLY, NET, start_without(2))                                          \
  CALL(0347, GOLDEN_OWN, MEMORY, put_other())                                             \
  CALL(0348, GOLDEN_OWN, NET, count_operations())                                         \
  CALL(0350, 0, MEMORY, WITHOUT(0, tsr_op_track()))                                       \
  CALL(0353, GOLDEN_ONLY, MEMORY, place_one())                                            \
  CALL(0355, 0, MEMORY, ask_self(1))                                                      \
  CALL(0358, 0, MEMORY, register_after(0, 0))                                             \
  CALL(0359, 0, MEMORY, register_after(0, 2))                                             \
  CALL(0360, 0, MEMORY, register_after(8, 3))                                             \
  CALL(0366, GOLDEN_ONLY, NET, start_without(22))                                         \
  CALL(0371, 0, MEMORY, WITHOUT(0, tsr_segment_alloc(own_team(), 8, &segment)))           \
  CALL(0373, 0, MEMORY, register_after(1, 0))                                             \
  CALL(0376, 0, MEMORY, create_team(9))                                                   \
  CALL(0380, GOLDEN_ALL | GOLDEN_OWN, NET, create_apart())                                \
  CALL(0383, 0, MEMORY, create_team(1))                                                   \
  CALL(0388, 0, MEMORY, DART_WITHOUT(0, dart_team_comm(own, &(MPI_Comm){MPI_COMM_NULL}))) \
  CALL(0390, GOLDEN_OWN, NET, create_team(0))                                             \
  CALL(0393, 0, MEMORY, create_team(2))                                                   \
  CALL(0395, GOLDEN_OWN, NET, WITHOUT(1, tsr_topology_fetch(1, (int32_t[]){0})))          \
  CALL(0396, GOLDEN_OWN, MEMORY, WITHOUT(0, tsr_topology_fetch(1, (int32_t[]){1})))       \
  CALL(0397, 0, MEMORY, WITHOUT(0, tsr_topology_fetch(1, (int32_t[]){0})))                \
  CALL(0417, GOLDEN_OWN, MEMORY, count_traffic())                                         \
  CALL(0418, GOLDEN_OWN, MEMORY, report_counts())                                         \
  CALL(0500, 0, MEMORY, send_am(0, 60000, 0))                                             \
  CALL(0501, GOLDEN_OWN, MEMORY, send_am(OTHER, 8, 0))                                    \
  CALL(0502, GOLDEN_OWN, MEMORY, send_am(OTHER, 8, 1))                                    \
  CALL(0503, GOLDEN_OWN, MEMORY, send_am(OTHER, 8, 1))                                    \
  CALL(0506, GOLDEN_ALL | GOLDEN_OWN, NET, receive_am())                                  \
  CALL(0603, GOLDEN_ALL | GOLDEN_OWN, NET, hand_over())                                   \
  CALL(0607, GOLDEN_ONLY, NET, use_starved_agent())                                       \
  CALL(0702, GOLDEN_OWN, MEMORY, get_in_batch())                                          \
  CALL(0703, GOLDEN_OWN, MEMORY, put_in_batch())                                          \
  CALL(0707, GOLDEN_OWN, MEMORY, get_strided())                                           \
  CALL(0709, GOLDEN_OWN, MEMORY, get_indexed())                                           \
  CALL(0801, GOLDEN_OWN, NET, keep_message())                                             \
  CALL(0804, GOLDEN_ALL | GOLDEN_OWN, MEMORY, send_long())                                \
  CALL(0808, GOLDEN_ALL | GOLDEN_OWN, NET, receive_part())                                \
  CALL(0809, GOLDEN_OWN, NET, drop_long())                                                \
  CALL(0906, GOLDEN_OWN, NET, start_barrier(0))                                           \
  CALL(0907, GOLDEN_OWN, NET, start_barrier(3))

#define FUNCTION(number, how, error, call) \
  static bool wrong_##number(void) { return (call) == TESSERA_ERR_##error; }
CORE_CALLS(FUNCTION)
static const struct golden_case cases[] = {CORE_CALLS(GOLDEN_ROW)};

static bool start_both(int *argc, char ***argv) { return start(argc, argv) && !tessera_init(NULL, NULL); }

static void end_both(void) {
  tessera_exit();
  end();
}

int main(int argc, char **argv) {
  size_t cases_n = NO_MEMORY_FAILS ? sizeof cases / sizeof cases[0] : 0;
  return golden_main(argc, argv, &(struct golden_program){cases, cases_n, start_both, end_both, unit, barrier});
}
