#include "core/fault.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "base/caller.h"
#include "base/libc.h"
#include "base/log.h"
#include "base/text.h"
#include "base/wait.h"
#include "core/place.h"
#include "core/runtime.h"

static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
enum { FATAL_N = sizeof fatal / sizeof fatal[0] };
static struct sigaction before[FATAL_N];
static pid_t owner;

/* Adds where the signal comes from: a process (also by raise), or the kernel. The kernel knows the address of the fault, unless the
 * processor does not report it, as for an address that no pointer can have. */
static void add_cause(struct tsr_text *text, int number, const siginfo_t *info) {
  if (info->si_code <= 0) {
    tsr_text_add(text, info->si_pid == getpid() ? ", sent by the process itself" : ", sent by process ");
    if (info->si_pid == getpid()) return;
    tsr_text_add_decimal(text, (uint64_t)info->si_pid);
  } else if (number == SIGSEGV && info->si_code == SI_KERNEL) {
    tsr_text_add(text, ": the processor reports no address; the pointer is probably corrupt (not a valid address)");
  } else if (number == SIGSEGV || number == SIGBUS) {
    uint32_t local;
    uint64_t off;
    tsr_text_add(text, " at address 0x");
    tsr_text_add_number(text, (uintptr_t)info->si_addr, 16, 1, 0);
    if (!info->si_addr) tsr_text_add(text, ", a null pointer");
    if (tsr_heap.base && tsr_heap_contains(info->si_addr, &local, &off)) {
      tsr_text_add(text, ", byte ");
      tsr_text_add_decimal(text, off);
      tsr_text_add(text, " of the heap of unit ");
      tsr_text_add_decimal(text, (uint64_t)tsr_place_unit(local).id);
    }
    if (number == SIGBUS)
      tsr_text_add(text, "; in a heap this means that the kernel has no memory left for it (vm.overcommit_memory, or a limit on "
                         "shared memory): lower TESSERA_HEAP_LIMIT");
  }
}

void tsr_fault_dies_of(int number) {
  if (tsr_heap.memory && getpid() == owner) atomic_store(&tsr_heap_unit(tsr_heap.self)->last_signal, number);
}

static void on_fatal(int number, siginfo_t *info, void *context) {
  (void)context;
  tsr_fault_dies_of(number);
  tsr_caller_stop();
  if (tsr_heap.memory && getpid() == owner) {
    char data[400];
    struct tsr_text text = {.data = data, .room = sizeof data - 1};
    tsr_text_add(&text, "TSR-0399 fatal signal SIG");
    tsr_text_add(&text, tsr_libc_signal_name(number));
    if (number != SIGABRT) add_cause(&text, number, info);
    data[text.n] = '\0';
    tsr_log_signal_safe("error: ", data);
    tsr_runtime_print_counts();
  }
  /* The signal goes to the handler that was set before ours: a fault occurs again by itself, a sent signal is sent again. */
  for (int i = 0; i < FATAL_N; i++) {
    if (fatal[i] == number) sigaction(number, &before[i], NULL);
  }
  if (info->si_code <= 0 || number == SIGABRT) raise(number);
}

static struct sigaction before_report;

/* MPICH's launcher, the parent process, sends the signal to its MPI. That does not ask for a report. */
static bool is_report_request(const siginfo_t *info) {
  const bool is_shared = (before_report.sa_flags & SA_SIGINFO) || before_report.sa_handler != SIG_DFL;
  return tsr_heap.memory && getpid() == owner && !(is_shared && info->si_pid == getppid());
}

static void on_report_request(int number, siginfo_t *info, void *context) {
  if (getpid() != owner && !(before_report.sa_flags & SA_SIGINFO) && before_report.sa_handler == SIG_DFL) {
    signal(number, SIG_DFL); /* a forked child */
    raise(number);
    return;
  }
  if (is_report_request(info) && !tsr_wait_report_soon())
    tsr_log_signal_safe("warning: ", "TSR-0402 SIGUSR1: not inside a Tessera call that waits");
  if (before_report.sa_flags & SA_SIGINFO) before_report.sa_sigaction(number, info, context);
  else if (before_report.sa_handler != SIG_DFL) before_report.sa_handler(number);
}

/* SIGUSR1 asks a unit what it waits for, unless the program has a handler for it. MPICH has one, too: its launcher sends the signal
 * when another process has died. */
static void install_report(bool (*is_of_mpi)(const void *code)) {
  struct sigaction action = {.sa_sigaction = on_report_request, .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK | SA_NODEFER};
  sigemptyset(&action.sa_mask);
  if (sigaction(SIGUSR1, NULL, &before_report)) return;
  const bool is_free = !(before_report.sa_flags & SA_SIGINFO) && before_report.sa_handler == SIG_DFL;
  if (is_free || is_of_mpi((void *)(uintptr_t)before_report.sa_handler)) sigaction(SIGUSR1, &action, NULL);
}

void tsr_fault_install(bool (*is_of_mpi)(const void *code)) {
  owner = getpid();
  install_report(is_of_mpi);
  struct sigaction action = {.sa_sigaction = on_fatal, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < FATAL_N; i++) sigaction(fatal[i], &action, &before[i]);
}
