/* The end of the job: by gasnet_exit, by exit or by a return from main. If all units end in time, MPI is finalised and each process
 * ends with the highest code. If a unit does not end in time, because it hangs or is not meant to end, MPI_Abort ends the job with
 * the code of the first unit whose timeout expires. */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include <gasnet_tools.h>
#include <gex/legacy.h>

#include "am/am.h"
#include "base/caller.h"
#include "base/clock.h"
#include "base/libc.h"
#include "base/log.h"
#include "base/wait.h"
#include "coll/named.h"
#include "core/fault.h"
#include "core/launch.h"
#include "core/progress.h"
#include "core/stats.h"
#include "api/gasnet/gasnet_api.h"

static tsr_team *team; /* of all units, used by the barrier at the end only */
static pid_t owner;    /* this process: forked children end without the other units, and with the default actions of signals */
atomic_bool tsr_gex_leaving;
static _Thread_local bool leads; /* this thread ends the process */

/* After an error the timeout is short, since the other units may never end; after success they may only be slower. */
enum { TIMEOUT_S = 5, TIMEOUT_WITH_ERROR_MS = 500, LIMIT_S = 20, BACKOFF_NS = 200000, BACKOFF_LONG_NS = 100000000 };

/* ---- Signals: those that would end the process become SIGQUIT, which GASNet clients may catch ---- */

static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
enum { ENDING_N = sizeof ending / sizeof ending[0] };
static bool taken[ENDING_N];
static struct sigaction before[ENDING_N];
static atomic_bool was_told;
/* The calling thread runs the client's handler for such a signal, which may have interrupted any function, even MPI. */
static _Thread_local volatile sig_atomic_t in_handler;

/* Raises SIGQUIT if the client catches it; if the client's handler returns, the process continues. Without such a handler, and for
 * a second signal, takes the default action. */
static void on_ending(int number) {
  struct sigaction quit;
  bool caught = !sigaction(SIGQUIT, NULL, &quit) &&
                ((quit.sa_flags & SA_SIGINFO) || (quit.sa_handler != SIG_DFL && quit.sa_handler != SIG_IGN));
  bool may_tell = owner == getpid() && !atomic_load(&tsr_gex_leaving) && caught;
  if (!may_tell || atomic_exchange(&was_told, true)) {
    tsr_fault_dies_of(number);
    signal(number, SIG_DFL);
    raise(number);
    return;
  }
  in_handler = 1;
  raise(SIGQUIT);
  in_handler = 0;
}

/* Whether the signal has its default action, or that of UCX, which catches SIGHUP without being asked. */
static bool is_free(const struct sigaction *action) {
  Dl_info library;
  if (!(action->sa_flags & SA_SIGINFO) && action->sa_handler == SIG_DFL) return true;
  if (!dladdr((void *)(uintptr_t)action->sa_handler, &library)) return false;
  return library.dli_fname && strstr(library.dli_fname, "libucs.so");
}

/* Leaves alone the signals that the program or MPI caught or ignored before the start. */
static void catch_signals(void) {
  struct sigaction ours = {.sa_handler = on_ending, .sa_flags = SA_NODEFER | SA_RESTART};
  const char *kept = gasnett_getenv_withdefault("GASNET_NO_CATCH_SIGNAL", "");
  sigemptyset(&ours.sa_mask);
  atomic_store(&was_told, false);
  for (int i = 0; i < ENDING_N; i++) {
    if (tsr_gex_lists_word(kept, "*") || tsr_gex_lists_word(kept, gasnett_signame_fromval(ending[i]))) continue;
    if (sigaction(ending[i], NULL, &before[i]) || !is_free(&before[i])) continue;
    taken[i] = sigaction(ending[i], &ours, NULL) == 0;
  }
}

void tsr_gex_exit_stop(void) {
  for (int i = 0; i < ENDING_N; i++) {
    struct sigaction now;
    if (taken[i] && !sigaction(ending[i], NULL, &now) && now.sa_handler == on_ending) sigaction(ending[i], &before[i], NULL);
    taken[i] = false;
  }
}

/* Ends the process without its exit handlers. They would destroy objects that other threads may use, and a signal may have
 * interrupted them. */
_Noreturn static void end_process(int code) {
  tsr_runtime_print_counts();
  _exit(code);
}

static volatile sig_atomic_t limit_code;
static void on_limit(int number) {
  (void)number;
  end_process(limit_code);
}

/* Ends this process with the code if it is still running after LIMIT_S. */
static void limit_time(int code) {
  sigset_t limit;
  sigemptyset(&limit);
  sigaddset(&limit, SIGALRM);
  limit_code = code;
  gasnett_reghandler(SIGALRM, on_limit);
  pthread_sigmask(SIG_UNBLOCK, &limit, NULL);
  alarm(LIMIT_S);
}

/* ---- The end ---- */

/* Whether the caller may communicate: handlers of messages and of signals can only access memory. */
static bool may_communicate(void) { return !tsr_am_running() && !in_handler; }

static bool can_await_others(void) { return team->nodes_n == 1 || may_communicate(); }

/* Waits until the other units leave, too. False: the timeout expired, or the caller cannot wait. */
static bool await_others(int code) {
  if (!can_await_others()) return false;
  uint64_t end_ns = tsr_clock_ns();
  if (code) {
    end_ns += TIMEOUT_WITH_ERROR_MS * UINT64_C(1000000);
  } else {
    double seconds = gasnett_getenv_dbl_withdefault("GASNET_EXITTIMEOUT", TIMEOUT_S);
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

static atomic_int steps_n; /* steps of the orderly end that are done */

/* The longest that one step of the orderly end takes, also on a busy machine. In one of them the kernel takes back the memory. */
static uint64_t step_ns(void) {
  enum { NS_EACH_KIB = 10000, MORE_S_MOST = 120 }; /* ten seconds for 1 GiB; an idle core needs half of one */
  struct rusage used = {0};
  getrusage(RUSAGE_SELF, &used);
  const uint64_t second = 1000000000, more_ns = (uint64_t)used.ru_maxrss * NS_EACH_KIB;
  return TIMEOUT_S * second + (more_ns < MORE_S_MOST * second ? more_ns : MORE_S_MOST * second);
}

/* Ends the process if a step of the orderly end takes too long: a thread of the program may block it. */
static void *watch_steps(void *code) {
  const uint64_t most_ns = step_ns();
  int before_n;
  do {
    before_n = atomic_load(&steps_n);
    tsr_wait_sleep_ns(most_ns);
  } while (atomic_load(&steps_n) != before_n);
  tsr_leave((int)(intptr_t)code);
}

/* Other threads of the program may be in any function. On one node they do not call MPI, and may run until the process
 * ends. On several nodes they block at their next call (tsr_gex_check_leaving), and MPI_Abort ends those that wait. */
static void leave_together(int code) {
  enum { TO_GET_OUT_NS = 20000000 };
  pthread_t watch;
  bool has_threads = tsr_gex_threads != GEXI_SEQ;
  if (has_threads && tsr_place.nodes_n == 1 && tsr_place.agents_n == 0) {
    tsr_stats_end_job(team);
    tsr_runtime_abandon();
  } else {
    if (has_threads) tsr_wait_sleep_ns(TO_GET_OUT_NS);
    if (has_threads && tsr_wait_goes_on()) tsr_leave(code);
    if (pthread_create(&watch, NULL, watch_steps, (void *)(intptr_t)code) == 0) pthread_detach(watch);
    tsr_gex_stop();
    for (int api = 0; api < TSR_APIS_N; api++) {
      atomic_fetch_add(&steps_n, 1);
      tsr_runtime_down((enum tsr_api)api);
    }
    atomic_fetch_add(&steps_n, 1);
  }
  tsr_launch_end_mpi();
}

static int leader_code; /* with which the leading thread ends the process, as far as it knows */

/* Another thread ends the process. Or this one does, and a handler, an exit handler of the program, or the destructor of a static
 * object has called GASNet: then the process ends at once, with the highest code that it knows. */
_Noreturn static void stay_until_end(int code) {
  if (leads) {
    if (!in_handler) fflush(NULL);
    end_process(leader_code > code ? leader_code : code);
  }
  for (;;) tsr_wait_sleep_ns(BACKOFF_LONG_NS);
}

/* Ends together with all other units, and returns the highest code. If some units do not end in time, ends the whole job. `how`
 * says what this unit did. */
static int end_job(const char *how, int code) {
  leads = true;
  leader_code = code;
  if (in_handler) {
    limit_time(code);
    tsr_caller_stop();
  }
  fflush(NULL);
  tsr_log_counts(); /* the first process to end with an error may take the others with it */
  if (!await_others(code)) {
    if (!code) tsr_leave(code);
    tsr_abort(code, "TSR-4094 unit %d %s with code %d, %s: the job ends", tsr_place.self, how, code,
              can_await_others() ? "but not all units did" : "in a handler, which cannot wait for other nodes");
  }
  leader_code = code = (int)tsr_named_end(team).most;
  if (!may_communicate()) tsr_leave(code);
  leave_together(code);
  return code;
}

void gasnet_exit(int exitcode) {
  int code = exit_status(exitcode);
  if (!tsr_gex_up && !atomic_load(&tsr_gex_leaving)) exit(code);
  if (owner != getpid()) _exit(code);
  if (atomic_exchange(&tsr_gex_leaving, true)) stay_until_end(code);
  code = end_job("called gasnet_exit", code);
  if (tsr_gex_threads == GEXI_SEQ) exit(code);
  end_process(code);
}

void tsr_gex_exit_wait(void) { stay_until_end(EXIT_SUCCESS); }

/* The process ends by exit() or by returning from main, with GASNet still up. */
static void on_exit_hook(int status, void *arg) {
  (void)arg;
  if (tsr_launch_leaves() || !tsr_gex_up || !tsr_runtime_is_up || owner != getpid() || atomic_exchange(&tsr_gex_leaving, true))
    return;
  end_job("ended its process", exit_status(status));
}

void tsr_gex_exit_start(void) {
  static bool is_registered;
  team = tsr_gex_team_of_all();
  owner = getpid();
  catch_signals();
  if (is_registered) return;
  is_registered = true;
  tsr_libc_on_exit(on_exit_hook, NULL);
}
