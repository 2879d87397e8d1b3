/* The end of the job. If all units call it, MPI is finalised and each process ends with the highest code. If a unit
 * does not call it in time, because it hangs or is not meant to end, MPI_Abort ends the job with the code of the first
 * unit whose timeout expires. */
#include "api/gasnet/exit.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <gasnet_tools.h>
#include <gex/legacy.h>

#include "am/am.h"
#include "base/clock.h"
#include "base/libc.h"
#include "base/wait.h"
#include "coll/named.h"
#include "core/launch.h"
#include "core/progress.h"
#include "api/gasnet/gasnet_api.h"
#include "api/gasnet/signal.h"
#include "api/gasnet/team.h"

static tsr_team *team; /* of all units, used by the barrier at the end only */
static pid_t owner;    /* forked children end without the other units */
atomic_bool tsr_gex_leaving;
static _Thread_local bool leads; /* this thread ends the process */

/* After an error the timeout is short, since the other units may never call; after success they may only be slower. */
enum { PATIENCE_S = 5, PATIENCE_WITH_ERROR_MS = 500, LIMIT_S = 20, BACKOFF_NS = 200000, BACKOFF_LONG_NS = 100000000 };

/* Handlers of messages and of signals can only access memory. */
static bool may_communicate(void) { return !tsr_am_running() && !tsr_gex_in_signal(); }

/* Waits for the other units to leave, too. False: the timeout expired. */
static bool await_others(int code) {
  if (team->nodes_n > 1 && !may_communicate()) return false;
  uint64_t end_ns = tsr_clock_ns();
  if (code) {
    end_ns += PATIENCE_WITH_ERROR_MS * UINT64_C(1000000);
  } else {
    double seconds = gasnett_getenv_dbl_withdefault("GASNET_EXITTIMEOUT", PATIENCE_S);
    end_ns += (uint64_t)((seconds > 0 ? seconds : 0) * 1e9);
  }
  tsr_named_notify(team, code, false);
  while (!tsr_named_is_over(team)) {
    if (tsr_clock_ns() > end_ns) return false;
    if (may_communicate()) tsr_progress();
    tsr_wait_sleep_ns(BACKOFF_NS);
  }
  return true;
}

/* The exit code that a shell sees, but never 0 for an error. */
static int exit_status(int code) { return code & 0xff ? code & 0xff : code != 0; }

/* Ends the process if a thread of the program blocks the orderly end for too long. */
static void *lose_patience(void *code) {
  tsr_wait_sleep_ns(PATIENCE_S * UINT64_C(1000000000));
  tsr_leave((int)(intptr_t)code);
}

static void end_runtime(int code) {
  pthread_t watch;
  if (pthread_create(&watch, NULL, lose_patience, (void *)(intptr_t)code) == 0) pthread_detach(watch);
  tsr_gex_stop();
  for (int api = 0; api < TSR_APIS_N; api++) tsr_runtime_down((enum tsr_api)api);
}

/* Other threads of the program may be in any function. On one node they do not call MPI, and may run until the process
 * ends. On several nodes they block at their next call (tsr_gex_check_leaving), and MPI_Abort ends those that wait. */
static void leave_threads(int code) {
  enum { TO_GET_OUT_NS = 20000000 };
  if (tsr_place.nodes_n == 1 && tsr_place.agents_n == 0) {
    tsr_runtime_abandon();
    return;
  }
  tsr_wait_sleep_ns(TO_GET_OUT_NS);
  if (tsr_wait_goes_on()) tsr_leave(code);
  end_runtime(code);
}

static void leave_together(int code) {
  if (tsr_gex_threads == GEXI_SEQ) end_runtime(code);
  else leave_threads(code);
  tsr_launch_end_mpi();
}

/* Ends all units, also those that have not called. */
_Noreturn static void leave_alone(int code) {
  if (code) tsr_abort(code, "TSR-4094 gasnet_exit, or the process's end, with code %d, but not on all units: the job ends",
                      code);
  tsr_leave(code);
}

/* Another thread ends the process, or this one already does. */
_Noreturn static void stay_until_end(int code) {
  if (leads) _exit(code);
  for (;;) tsr_wait_sleep_ns(BACKOFF_LONG_NS);
}

void gasnet_exit(int exitcode) {
  int code = exit_status(exitcode);
  if (!tsr_gex_up && !atomic_load(&tsr_gex_leaving)) exit(code);
  if (owner != getpid()) _exit(code);
  if (atomic_exchange(&tsr_gex_leaving, true)) stay_until_end(code);
  leads = true;
  if (tsr_gex_in_signal()) tsr_gex_signal_limit(code, LIMIT_S);
  fflush(NULL);
  if (!await_others(code)) leave_alone(code);
  code = (int)tsr_named_end(team).most;
  if (!may_communicate()) tsr_leave(code);
  leave_together(code);
  if (tsr_gex_threads == GEXI_SEQ) exit(code);
  _exit(code); /* other threads may use what exit would destroy */
}

void tsr_gex_exit_wait(void) { stay_until_end(EXIT_FAILURE); }

/* The process ends by exit() or by returning from main, with GASNet still up. */
static void on_exit_hook(int status, void *arg) {
  (void)arg;
  if (!tsr_gex_up || !tsr_runtime_is_up || owner != getpid() || atomic_exchange(&tsr_gex_leaving, true)) return;
  leads = true;
  fflush(NULL);
  if (!await_others(exit_status(status))) leave_alone(exit_status(status));
  leave_together((int)tsr_named_end(team).most);
}

void tsr_gex_exit_start(void) {
  static bool is_registered;
  team = tsr_gex_team_of_all();
  owner = getpid();
  if (is_registered) return;
  is_registered = true;
  Dl_info self; /* RTLD_NODELETE keeps the hook's code loaded after a dlclose of this library */
  if (dladdr((void *)(uintptr_t)tsr_gex_exit_start, &self)) dlopen(self.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
  tsr_libc_on_exit(on_exit_hook, NULL);
}
