/* GASNet tools: what helps to find errors. */
#include <execinfo.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <gasnet_tools.h>

#include "base/config.h"
#include "base/log.h"
#include "base/wait.h"
#include "core/runtime.h"

void gasnett_fatalerror(const char *format, ...) {
  char text[512];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  fflush(NULL);
  gasnett_print_backtrace_ifenabled(STDERR_FILENO);
  tsr_abort(EXIT_FAILURE, "%s", text);
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

void gasnett_freezeForDebuggerNow(volatile int *flag, const char *flag_name) {
  tsr_warn("process %d waits for a debugger that sets %s to 1", (int)getpid(), flag_name);
  while (!*flag) tsr_wait_nap(100000000);
}

void gasnett_freezeForDebuggerErr(void) {
  static volatile int gasnet_frozen;
  if (gasnett_getenv_yesno_withdefault("GASNET_FREEZE_ON_ERROR", 0)) gasnett_freezeForDebuggerNow(&gasnet_frozen, "gasnet_frozen");
}

const char *gasnett_performance_warning_str(void) {
  static char text[128];
  snprintf(text, sizeof text, "%s%s%s", tsr_config.check ? "        TESSERA_CHECK is set\n" : "",
           tsr_config.stats ? "        TESSERA_STATS is set\n" : "",
           tsr_config.trace && *tsr_config.trace ? "        TESSERA_TRACE is set\n" : "");
  return text;
}

/* The program may have one, or not. */
#pragma weak gasnett_backtrace_user

static int print_calls(int fd) {
  void *calls[64];
  int n = backtrace(calls, sizeof calls / sizeof calls[0]);
  backtrace_symbols_fd(calls, n, fd);
  return n == 0;
}

/* The first call allocates, which a signal handler must not. */
void gasnett_backtrace_init(const char *program) {
  (void)program;
  void *call;
  backtrace(&call, 1);
}

/* Whether a list of words like "GDB,EXECINFO" has this one. */
static bool lists(const char *words, const char *word) {
  size_t n = strlen(word);
  for (; *words; words += strcspn(words, ",")) {
    words += strspn(words, ", ");
    if (!strncmp(words, word, n) && strchr(", ", words[n])) return true;
  }
  return false;
}

int gasnett_print_backtrace(int fd) {
  const gasnett_backtrace_type_t *user = &gasnett_backtrace_user;
  const char *types = gasnett_getenv("GASNET_BACKTRACE_TYPE");
  bool has_user = user && user->name && user->fnp;
  if (has_user && (!types || lists(types, user->name)) && user->fnp(fd) == 0) return 0;
  return print_calls(fd);
}

int gasnett_print_backtrace_ifenabled(int fd) {
  if (!gasnett_getenv_yesno_withdefault("GASNET_BACKTRACE", 0)) return 1;
  return gasnett_print_backtrace(fd);
}
