/* GASNet tools: fatal errors, backtraces, stops for a debugger, versions. */
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <gasnet_tools.h>

#include "base/libc.h"
#include "base/log.h"
#include "base/text.h"
#include "base/wait.h"
#include "api/gasnet/gasnet_api.h"

/* ---- Stops for a debugger ---- */

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

void gasnett_freezeForDebuggerNow(volatile int *flag, const char *flag_name) {
  struct sigaction ours = {.sa_handler = on_thaw};
  sigset_t thawing, mask;
  sigemptyset(&ours.sa_mask);
  sigemptyset(&thawing);
  sigaddset(&thawing, SIGCONT);
  unsigned begun = atomic_load(&thaws_n);
  *flag = 1;
  pthread_mutex_lock(&lock);
  if (frozen_n++ == 0) sigaction(SIGCONT, &ours, &before);
  pthread_mutex_unlock(&lock);
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

static bool freezes_on_error(void) { return gasnett_getenv_yesno_withdefault("GASNET_FREEZE_ON_ERROR", 0); }

void gasnett_freezeForDebuggerErr(void) {
  if (freezes_on_error()) gasnett_freezeForDebuggerNow(&gasnet_frozen, "gasnet_frozen");
}

/* ---- Fatal errors ---- */

enum { FATAL_BYTES = 8192, LOG_BYTES = 400 /* the log prints at least this much of a message */ };

/* `dying` ends a recursion: reading GASNET_FREEZE_ON_ERROR or GASNET_BACKTRACE may call this function again. */
void gasnett_fatalerror(const char *format, ...) {
  static _Thread_local bool dying;
  char text[FATAL_BYTES];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  fflush(NULL);
  /* A text of several lines, or a long one, is printed as it is before a short message that ends the job. */
  const char *message = text;
  size_t bytes = strlen(text);
  if (bytes > LOG_BYTES || memchr(text, '\n', bytes)) {
    tsr_write_all(STDERR_FILENO, text, bytes);
    if (text[bytes - 1] != '\n') tsr_write_all(STDERR_FILENO, "\n", 1);
    message = "the program ends the job, for the reason that it gave in the lines above";
  }
  if (!dying) {
    dying = true;
    if (freezes_on_error()) {
      tsr_error("TSR-4189 %s", message);
      gasnett_freezeForDebuggerErr();
    }
    gasnett_print_backtrace_ifenabled(STDERR_FILENO);
  }
  tsr_abort(EXIT_FAILURE, "TSR-4190 %s", message);
}

void gasnett_killmyprocess(int code) { _exit(code); }

char *gasnett_location_(const char *function, const char *file, int line) {
  enum { TEXTS_N = 4 };
  static _Thread_local char texts[TEXTS_N][256];
  static _Thread_local unsigned next;
  char *text = texts[next++ % TEXTS_N];
  snprintf(text, sizeof texts[0], "%s(%s:%d)", function, file, line);
  return text;
}

const char *gasnett_release_version_str(void) {
  return _STRINGIFY(GASNET_RELEASE_VERSION_MAJOR) "." _STRINGIFY(GASNET_RELEASE_VERSION_MINOR) "." _STRINGIFY(
      GASNET_RELEASE_VERSION_PATCH);
}

uint64_t gasnett_release_version(void) {
  return GASNET_RELEASE_VERSION_MAJOR * UINT64_C(1000000) + GASNET_RELEASE_VERSION_MINOR * UINT64_C(10000) +
         GASNET_RELEASE_VERSION_PATCH;
}

const char *gasnett_performance_warning_str(void) {
  static char text[128];
  snprintf(text, sizeof text, "%s%s%s%s", tsr_config_check() ? "        TESSERA_CHECK is set\n" : "",
           tsr_config.stats ? "        TESSERA_STATS is set\n" : "",
           tsr_config.stats_file && *tsr_config.stats_file ? "        TESSERA_STATS_FILE is set\n" : "",
           tsr_config.trace && *tsr_config.trace ? "        TESSERA_TRACE is set\n" : "");
  return text;
}

/* The program may define it. */
#pragma weak gasnett_backtrace_user

/* Makes the first call of the backtrace functions early: that call allocates memory, which a signal handler must not
 * do. */
void gasnett_backtrace_init(const char *program) {
  (void)program;
  tsr_libc_prepare_calls();
}

int gasnett_print_backtrace(int fd) {
  const gasnett_backtrace_type_t *user = &gasnett_backtrace_user;
  const char *types = gasnett_getenv("GASNET_BACKTRACE_TYPE");
  bool has_user = user && user->name && user->fnp;
  if (has_user && (!types || tsr_gex_lists_word(types, user->name)) && user->fnp(fd) == 0) return 0;
  return !tsr_libc_write_calls(fd);
}

int gasnett_print_backtrace_ifenabled(int fd) {
  if (!gasnett_getenv_yesno_withdefault("GASNET_BACKTRACE", 0)) return 1;
  return gasnett_print_backtrace(fd);
}
