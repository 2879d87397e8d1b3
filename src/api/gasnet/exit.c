/* The end of the job. Units that all come to it leave in order: MPI is finalised, and each process ends with the highest of
 * their codes. When somebody does not come in time, because only one has called or the others are stuck, MPI_Abort ends
 * them, with the code of the first to lose patience.
 */
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

static tsr_team *team; /* of all units, where those meet that leave */
static pid_t owner; /* a forked child ends like any process */
atomic_bool tsr_gex_leaving;
static _Thread_local bool leads; /* this thread does what is to be done */

/* Who is alone to call, with an error, is not waited for long; who ends well may have slower companions. */
enum { PATIENCE_S = 5, PATIENCE_WITH_ERROR_MS = 500, LIMIT_S = 20, BACKOFF_NS = 200000, BACKOFF_LONG_NS = 100000000 };

static uint64_t patience_ns(int code) {
  if (code) return PATIENCE_WITH_ERROR_MS * UINT64_C(1000000);
  double seconds = gasnett_getenv_dbl_withdefault("GASNET_EXITTIMEOUT", PATIENCE_S);
  return (uint64_t)((seconds > 0 ? seconds : 0) * 1e9);
}

/* In a handler of a message or of a signal nothing can be sent, and nothing but memory be looked at. */
static bool may_communicate(void) { return !tsr_am_running() && !tsr_gex_in_signal(); }

/* Meets the others that leave. False: not all have come in time. */
static bool meet(int code) {
  bool near = team->nodes_n == 1;
  if (!near && !may_communicate()) return false;
  uint64_t end_ns = tsr_clock_ns() + patience_ns(code);
  tsr_named_notify(team, code, false);
  while (!tsr_named_is_over(team)) {
    if (tsr_clock_ns() > end_ns) return false;
    if (may_communicate()) tsr_progress();
    tsr_wait_sleep_ns(BACKOFF_NS);
  }
  return true;
}

/* What a shell sees of a code. */
static int seen(int code) { return code & 0xff ? code & 0xff : code != 0; }

/* All leave in order, unless some thread of theirs is in the way: then this ends it. */
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

/* Other threads of the program may be anywhere. On one node they do not call MPI, and may go on until the process is gone;
 * else they stay where they come in next, and MPI_Abort ends those that wait inside. */
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

/* The others are ended, wherever they are. */
_Noreturn static void leave_alone(int code) {
  if (code) tsr_abort(code, "gasnet_exit, or the process's end, with code %d, and not of all: the job ends", code);
  tsr_leave(code);
}

/* The job ends by another thread, or this one is on its way out already. */
_Noreturn static void stay(int code) {
  if (leads) _exit(code);
  for (;;) tsr_wait_sleep_ns(BACKOFF_LONG_NS);
}

void gasnet_exit(int exitcode) {
  int code = seen(exitcode);
  if (!tsr_gex_up && !atomic_load(&tsr_gex_leaving)) exit(code);
  if (owner != getpid()) _exit(code);
  if (atomic_exchange(&tsr_gex_leaving, true)) stay(code);
  leads = true;
  if (tsr_gex_in_signal()) tsr_gex_signal_limit(code, LIMIT_S);
  fflush(NULL);
  if (!meet(code)) leave_alone(code);
  code = (int)tsr_named_end(team).most;
  if (!may_communicate()) tsr_leave(code);
  leave_together(code);
  if (tsr_gex_threads == GEXI_SEQ) exit(code);
  _exit(code); /* other threads may use what exit would destroy */
}

void tsr_gex_exit_wait(void) { stay(EXIT_FAILURE); }

/* The process ends by exit or from main, and nobody has ended GASNet. */
static void on_exit_hook(int status, void *arg) {
  (void)arg;
  if (!tsr_gex_up || !tsr_runtime_is_up || owner != getpid() || atomic_exchange(&tsr_gex_leaving, true)) return;
  leads = true;
  fflush(NULL);
  if (!meet(seen(status))) leave_alone(seen(status));
  leave_together((int)tsr_named_end(team).most);
}

/* The hook stays when the program closes this library, which it is to end with. */
static void register_hook(void) {
  Dl_info self;
  if (dladdr((void *)(uintptr_t)tsr_gex_exit_start, &self)) dlopen(self.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
  tsr_libc_on_exit(on_exit_hook, NULL);
}

void tsr_gex_exit_start(void) {
  static bool is_registered;
  team = tsr_gex_team_of_all();
  owner = getpid();
  if (!is_registered) register_hook();
  is_registered = true;
}
