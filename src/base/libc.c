#include "base/libc.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void tsr_libc_keep_loaded(const void *code) {
  Dl_info object;
  if (dladdr(code, &object)) dlopen(object.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
}

/* Tests define TSR_PLAIN_LIBC, to have the substitutes with glibc. */
#if defined(__GLIBC__) && !defined(TSR_PLAIN_LIBC)

#include <execinfo.h>

const char *tsr_libc_signal_name(int number) { return sigabbrev_np(number); }

/* At dlclose glibc runs or drops the hooks of atexit, but not those of on_exit. */
void tsr_libc_on_exit(void (*hook)(int code, void *arg), void *arg) {
  tsr_libc_keep_loaded((const void *)(uintptr_t)hook);
  on_exit(hook, arg);
}

int tsr_libc_calls(void *calls[TSR_LIBC_CALLS_MAX]) { return backtrace(calls, TSR_LIBC_CALLS_MAX); }

bool tsr_libc_write_calls(int fd) {
  void *calls[TSR_LIBC_CALLS_MAX];
  int n = tsr_libc_calls(calls);
  backtrace_symbols_fd(calls, n, fd);
  return n > 0;
}

/* The first call loads a library. */
void tsr_libc_prepare_calls(void) {
  void *call;
  backtrace(&call, 1);
}

#else

#include <stdio.h>
#include <unwind.h>

#include "base/text.h"

const char *tsr_libc_signal_name(int number) {
  switch (number) {
#define NAMED(name) \
  case SIG##name: return #name;
    NAMED(HUP) NAMED(INT) NAMED(QUIT) NAMED(ILL) NAMED(TRAP) NAMED(ABRT) NAMED(BUS) NAMED(FPE) NAMED(KILL) NAMED(USR1)
    NAMED(SEGV) NAMED(USR2) NAMED(PIPE) NAMED(ALRM) NAMED(TERM) NAMED(CHLD) NAMED(CONT) NAMED(STOP) NAMED(TSTP) NAMED(TTIN)
    NAMED(TTOU) NAMED(URG) NAMED(XCPU) NAMED(XFSZ) NAMED(VTALRM) NAMED(PROF) NAMED(WINCH) NAMED(POLL) NAMED(PWR) NAMED(SYS)
#undef NAMED
    default: return NULL;
  }
}

/* The last that was installed runs first, as atexit has it. */
enum { EXIT_HOOKS_MAX = 8 };
static struct {
  void (*hook)(int code, void *arg);
  void *arg;
} exit_hooks[EXIT_HOOKS_MAX];
static int exit_hooks_n;

static void run_exit_hook(void) {
  exit_hooks_n--;
  exit_hooks[exit_hooks_n].hook(EXIT_SUCCESS, exit_hooks[exit_hooks_n].arg);
}

void tsr_libc_on_exit(void (*hook)(int code, void *arg), void *arg) {
  tsr_libc_keep_loaded((const void *)(uintptr_t)hook);
  if (exit_hooks_n == EXIT_HOOKS_MAX || atexit(run_exit_hook)) return;
  exit_hooks[exit_hooks_n].hook = hook;
  exit_hooks[exit_hooks_n++].arg = arg;
}

struct calls {
  void **list;
  int n;
};

static _Unwind_Reason_Code add_call(struct _Unwind_Context *context, void *arg) {
  struct calls *calls = arg;
  calls->list[calls->n++] = (void *)_Unwind_GetIP(context);
  return calls->n < TSR_LIBC_CALLS_MAX ? _URC_NO_REASON : _URC_END_OF_STACK;
}

int tsr_libc_calls(void *list[TSR_LIBC_CALLS_MAX]) {
  struct calls calls = {.list = list};
  _Unwind_Backtrace(add_call, &calls);
  return calls.n;
}

static void write_call(int fd, void *address) {
  char line[512];
  Dl_info in = {0};
  bool is_known = dladdr(address, &in) && in.dli_fname;
  int bytes = snprintf(line, sizeof line, "%.250s(%.200s) [%p]\n", is_known ? in.dli_fname : "?",
                       is_known && in.dli_sname ? in.dli_sname : "", address);
  tsr_write_all(fd, line, (size_t)bytes);
}

bool tsr_libc_write_calls(int fd) {
  void *calls[TSR_LIBC_CALLS_MAX];
  int n = tsr_libc_calls(calls);
  for (int i = 0; i < n; i++) write_call(fd, calls[i]);
  return n > 0;
}

static _Unwind_Reason_Code stop_at_once(struct _Unwind_Context *context, void *arg) {
  (void)context, (void)arg;
  return _URC_END_OF_STACK;
}

void tsr_libc_prepare_calls(void) { _Unwind_Backtrace(stop_at_once, NULL); }

#endif
