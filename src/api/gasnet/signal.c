#include "api/gasnet/signal.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <gasnet_tools.h>

#include "api/gasnet/exit.h"

static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
enum { ENDING_N = sizeof ending / sizeof ending[0] };
static bool taken[ENDING_N];
static pid_t owner; /* forked children keep the default action */
static atomic_bool was_told;
static _Thread_local volatile sig_atomic_t in_handler;

bool tsr_gex_in_signal(void) { return in_handler; }

/* Raises SIGQUIT if the client catches it; a client whose handler returns continues. Without such a handler, and for a
 * second signal, takes the default action. */
static void on_ending(int number) {
  struct sigaction quit;
  bool caught = !sigaction(SIGQUIT, NULL, &quit) &&
                ((quit.sa_flags & SA_SIGINFO) || (quit.sa_handler != SIG_DFL && quit.sa_handler != SIG_IGN));
  bool may_tell = owner == getpid() && !atomic_load(&tsr_gex_leaving) && caught;
  if (!may_tell || atomic_exchange(&was_told, true)) {
    signal(number, SIG_DFL);
    raise(number);
    return;
  }
  in_handler = 1;
  raise(SIGQUIT);
  in_handler = 0;
}

static bool has_word(const char *list, const char *word) {
  size_t bytes = strlen(word);
  for (const char *at = list; (at = strstr(at, word)); at += bytes) {
    bool begins = at == list || at[-1] == ',' || at[-1] == ' ';
    if (begins && (!at[bytes] || at[bytes] == ',' || at[bytes] == ' ')) return true;
  }
  return false;
}

/* Leaves signals alone that were caught or ignored before the start, by the program or by MPI: UCX catches SIGHUP. */
static void catch_signal(int i, const char *kept) {
  struct sigaction before, ours = {.sa_handler = on_ending, .sa_flags = SA_NODEFER | SA_RESTART};
  sigemptyset(&ours.sa_mask);
  if (has_word(kept, "*") || has_word(kept, gasnett_signame_fromval(ending[i]))) return;
  if (sigaction(ending[i], NULL, &before) || (before.sa_flags & SA_SIGINFO) || before.sa_handler != SIG_DFL) return;
  taken[i] = sigaction(ending[i], &ours, NULL) == 0;
}

void tsr_gex_signals_start(void) {
  const char *kept = gasnett_getenv_withdefault("GASNET_NO_CATCH_SIGNAL", "");
  owner = getpid();
  atomic_store(&was_told, false);
  for (int i = 0; i < ENDING_N; i++) catch_signal(i, kept);
}

void tsr_gex_signals_stop(void) {
  for (int i = 0; i < ENDING_N; i++) {
    struct sigaction now;
    if (taken[i] && !sigaction(ending[i], NULL, &now) && now.sa_handler == on_ending) signal(ending[i], SIG_DFL);
    taken[i] = false;
  }
}

static volatile sig_atomic_t limit_code;
static void on_limit(int number) {
  (void)number;
  _exit(limit_code);
}

void tsr_gex_signal_limit(int code, unsigned seconds) {
  sigset_t limit;
  sigemptyset(&limit);
  sigaddset(&limit, SIGALRM);
  limit_code = code;
  gasnett_reghandler(SIGALRM, on_limit);
  pthread_sigmask(SIG_UNBLOCK, &limit, NULL);
  alarm(seconds);
}
