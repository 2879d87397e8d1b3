#include "core/runtime.h"

#include <mpi.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <tessera/mpi.h>

#include "base/config.h"
#include "base/libc.h"
#include "base/log.h"
#include "base/status.h"
#include "core/agent.h"
#include "core/bootstrap.h"
#include "core/check.h"
#include "core/coll_error.h"
#include "core/launch.h"
#include "core/layers.h"
#include "core/leak.h"
#include "core/listener.h"
#include "core/message.h"
#include "core/monitor.h"
#include "core/op.h"
#include "core/place.h"
#include "core/progress.h"
#include "core/proxied.h"
#include "core/segment.h"
#include "core/stats.h"
#include "core/team.h"
#include "net/mpi/mpi.h"
#include "node/attach.h"

_Atomic bool tsr_runtime_is_up;
bool tsr_threads;
_Atomic bool tsr_progress_thread_serves;
bool tsr_threads_possible, tsr_threads_expected;

static const char *const names[TSR_APIS_N] = {"Tessera", "DART", "ARMCI", "GASNet", "OpenSHMEM"};
static const char *const starts[TSR_APIS_N] = {"tessera_init", "dart_init", "ARMCI_Init", "gex_Client_Init",
                                               "shmem_init"};
static const char *const ends[TSR_APIS_N] = {"the end of the job (tessera_exit)", "dart_exit", "ARMCI_Finalize",
                                             "gasnet_exit", "shmem_finalize"};
bool tsr_api_is_up[TSR_APIS_N];
static int apis_n; /* that are up */

/* What fails here is memory for small tables; the other units wait already and could not be notified. */
static void require_success(tessera_status_t status) {
  if (status) tsr_abort(EXIT_FAILURE, "TSR-0366 no memory for the tables of this unit; " TSR_REMEDY_MEMORY);
}

static void start_core(void) {
  require_success(tsr_heap_reset());
  tsr_progress_start();
  tsr_message_start();
  require_success(tsr_attach_start());
  require_success(tsr_op_start());
  require_success(tsr_team_start());
  tsr_stats_start();
  atomic_store(&tsr_heap_unit(tsr_heap.self)->state, TSR_UNIT_UP);
  tsr_listener_start();
  tsr_agent_start();
}

static void stop_core(void) {
  tsr_agent_stop();
  tsr_listener_stop();
  tsr_layers_stop();
  tsr_stats_end_job(tsr_team_world);
  tsr_stats_stop();
  tsr_team_stop();
  tsr_op_stop();
  tsr_proxied_stop();
  tsr_attach_stop();
  tsr_message_stop();
  tsr_coll_error_stop();
  tsr_progress_stop();
  atomic_store(&tsr_heap_unit(tsr_heap.self)->state, TSR_UNIT_DOWN);
}

/* For a call that cannot fail. The check is false if a unit fails another call; that unit has logged the error, and makes this
 * call, too, so the check is repeated. */
static void agree_on_call(const char *call) {
  while (!tsr_check_name(tsr_team_world, call)) continue;
}

tessera_status_t tsr_runtime_up(enum tsr_api api, const struct tsr_launch *how) {
  if (tsr_api_is_up[api])
    return tsr_fail(TESSERA_ERR_STATE, "TSR-0367 %s is already initialised; call its exit function first", names[api]);
  bool is_first = !tsr_runtime_is_up;
  tessera_status_t status = is_first ? tsr_launch(how) : tsr_launch_is_same(how);
  if (status) return status;
  if (is_first) {
    start_core();
    tsr_runtime_is_up = true;
  }
  tsr_api_is_up[api] = true;
  apis_n++;
  agree_on_call(starts[api]);
  tsr_bootstrap_barrier(tsr_team_world); /* no unit accesses a heap before its owner has emptied it */
  if (is_first) tsr_stats_begin_job(tsr_team_world);
  if (is_first) tsr_agent_started();
  if (is_first) tsr_layers_init();
  return TESSERA_OK;
}

void tsr_runtime_down(enum tsr_api api) {
  if (!tsr_api_is_up[api]) return;
  tsr_team_quiesce_all();
  agree_on_call(ends[api]);
  tsr_op_flush_all();
  tsr_layers_quiesce();
  tsr_bootstrap_barrier(tsr_team_world);
  if (tsr_place.nodes_n > 1) {
    /* A unit that failed a call has notified all before the barrier. No unit goes on to MPI_Finalize while another one has to end
     * the job for it: Open MPI's launcher may hang or crash if MPI_Abort comes during MPI_Finalize (docs/mpi-notes.md). */
    tsr_coll_error_poll();
    tsr_bootstrap_barrier(tsr_team_world);
  }
  if (tsr_config_check()) tsr_leak_report(api, names[api], apis_n == 1);
  tsr_team_drop_api(api);
  tsr_segment_local_drop(api);
  tsr_api_is_up[api] = false;
  if (--apis_n > 0) return;
  stop_core();
  tsr_runtime_is_up = false;
  tsr_threads = false;
  atomic_store(&tsr_progress_thread_serves, false);
  tsr_launch_end_part();
}

static void (*finish_above[TSR_APIS_N])(void);
void tsr_runtime_at_finish(enum tsr_api api, void (*finish)(void)) {
  tsr_libc_keep_loaded((const void *)(uintptr_t)finish); /* the end of the process may call it after a dlclose */
  finish_above[api] = finish;
}

/* An interface that counts its starts ends when its exit function has been called as often. OpenSHMEM is the first to end: units
 * may be in shmem_finalize. */
void tsr_runtime_finish(void) {
  for (int api = TSR_APIS_N - 1; api >= 0; api--) {
    while (tsr_api_is_up[api]) finish_above[api]();
  }
}

tessera_status_t tsr_runtime_not_up(const char *call) {
  return tsr_fail(TESSERA_ERR_STATE, "TSR-0368 %s: called before initialisation or after exit; call it between the two", call);
}

void tsr_runtime_abandon(void) {
  tsr_runtime_is_up = false; /* so that the exit hook reports nothing */
  tsr_launch_abandon();      /* so that the exit hook does not finalise MPI: MPI_Abort may call exit() */
  if (tsr_heap.memory) atomic_store(&tsr_heap_unit(tsr_heap.self)->state, TSR_UNIT_GONE);
}

void tsr_runtime_print_counts(void) {
  tsr_log_counts();
  tsr_stats_print();
}

/* Ends all processes of the launcher: if only a part of them ended, MPICH's launcher would wait for the others for ever.
 * MPI_Abort is called from any thread, since it only talks to the launcher. Without it the launcher may see the end of another
 * process first, and report the code of that one. */
void tsr_leave(int code) {
  int running = 0, finalized = 0, unread = 0;
  MPI_Initialized(&running);
  MPI_Finalized(&finalized);
  tsr_runtime_print_counts();
  /* A launcher may drop what it has not read when the job is aborted. On a busy machine it may need seconds to read it. */
  for (int i = 0; i < 1000 && ioctl(STDERR_FILENO, FIONREAD, &unread) == 0 && unread > 0; i++) tsr_wait_sleep_ns(5000000);
  tsr_runtime_abandon();
  if (running && !finalized) {
    tsr_monitor_abort();
    if (!tsr_net_mpi_abort_inside(code)) MPI_Abort(MPI_COMM_WORLD, code);
  }
  _exit(code);
}

/* The first thread prints its message and ends the process. Others mostly find the same mistake: they wait silently, but not for
 * ever, as they may hold a lock that the first one needs. */
static void yield_to_first_abort(void) {
  enum { TIMEOUT_S = 10 };
  static _Atomic pid_t ending;
  pid_t none = 0;
  if (!atomic_compare_exchange_strong(&ending, &none, gettid()) && none != gettid())
    tsr_wait_sleep_ns(TIMEOUT_S * UINT64_C(1000000000));
}

void tsr_abort(int code, const char *format, ...) {
  yield_to_first_abort();
  va_list list;
  va_start(list, format);
  tsr_log_last(format, list);
  va_end(list);
  tsr_leave(code ? code : EXIT_FAILURE);
}

/* TESSERA_ERRORS, also before the start has read the configuration. */
static int early_errors(void) { return tsr_config_foreign("TESSERA_ERRORS", "report|all|abort", false); }

/* Further errors while the job ends, also of other threads, change nothing. */
static void on_error(void) {
  static atomic_flag is_ending = ATOMIC_FLAG_INIT;
  bool ends = tsr_config.errors == TSR_ERRORS_ABORT || (!tsr_runtime_is_up && early_errors() == TSR_ERRORS_ABORT);
  if (!ends || atomic_flag_test_and_set(&is_ending)) return;
  tsr_abort(EXIT_FAILURE, "TSR-0369 the job ends at this error, as TESSERA_ERRORS=abort asks for");
}

__attribute__((constructor)) static void watch_errors(void) {
  tsr_log_at_error = on_error;
  tsr_log_all = early_errors() == TSR_ERRORS_ALL;
}

int32_t tessera_unit(void) { return tsr_runtime_is_up ? tsr_place.self : -1; }
int32_t tessera_units(void) { return tsr_runtime_is_up ? tsr_place.units_n : -1; }
int32_t tessera_node(void) { return tsr_runtime_is_up ? tsr_place.node : -1; }
int32_t tessera_nodes(void) { return tsr_runtime_is_up ? tsr_place.nodes_n : -1; }

tessera_status_t tessera_comm(MPI_Comm *comm) {
  if (!comm) return tsr_fail(TESSERA_ERR_ARG, "TSR-0370 tessera_comm: comm is NULL; pass the address of an MPI_Comm");
  if (!tsr_runtime_is_up) return tsr_runtime_not_up("tessera_comm");
  *comm = tsr_launch_comm();
  return TESSERA_OK;
}
