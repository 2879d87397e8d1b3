/* GASNet tools: stops a process until a debugger is attached. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

#include <gasnet_tools.h>

#include "base/log.h"
#include "base/wait.h"
#include "api/gasnet/tools.h"

enum { POLL_NS = 100000000 };

volatile int gasnet_frozen;

static _Atomic unsigned thaws_n; /* signals received */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int frozen_n;            /* frozen threads */
static struct sigaction before; /* the program's action for the signal */

static void on_thaw(int number) {
  (void)number;
  atomic_fetch_add(&thaws_n, 1);
}

static void watch_signal(void) {
  struct sigaction ours = {.sa_handler = on_thaw};
  sigemptyset(&ours.sa_mask);
  pthread_mutex_lock(&lock);
  if (frozen_n++ == 0) sigaction(SIGCONT, &ours, &before);
  pthread_mutex_unlock(&lock);
}

void gasnett_freezeForDebuggerNow(volatile int *flag, const char *flag_name) {
  sigset_t thawing, mask;
  sigemptyset(&thawing);
  sigaddset(&thawing, SIGCONT);
  unsigned begun = atomic_load(&thaws_n);
  *flag = 1;
  watch_signal();
  pthread_sigmask(SIG_UNBLOCK, &thawing, &mask);
  tsr_log_write(TSR_LOG_WARN, "TSR-4191 process %d of host %s is frozen; attach a debugger and set %s to 0, or send it SIGCONT",
                (int)getpid(), gasnett_gethostname(), flag_name);
  while (*flag && atomic_load(&thaws_n) == begun) tsr_wait_sleep_ns(POLL_NS);
  *flag = 0;
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
  pthread_mutex_lock(&lock);
  if (--frozen_n == 0) sigaction(SIGCONT, &before, NULL);
  pthread_mutex_unlock(&lock);
}

bool tsr_gex_freezes_on_error(void) { return gasnett_getenv_yesno_withdefault("GASNET_FREEZE_ON_ERROR", 0); }

void gasnett_freezeForDebuggerErr(void) {
  if (tsr_gex_freezes_on_error()) gasnett_freezeForDebuggerNow(&gasnet_frozen, "gasnet_frozen");
}
