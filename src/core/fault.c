#include "core/fault.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "core/place.h"

static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
enum { FATAL_N = sizeof fatal / sizeof fatal[0] };
static struct sigaction before[FATAL_N];
static pid_t owner;

/* Text without stdio: this runs in a signal handler. */
struct text {
  char data[256];
  size_t n;
};
static void add(struct text *text, const char *more) {
  while (*more && text->n + 1 < sizeof text->data) text->data[text->n++] = *more++;
}
static void add_number(struct text *text, uint64_t number, unsigned radix) {
  char digits[24];
  int n = 0;
  do digits[n++] = "0123456789abcdef"[number % radix];
  while (number /= radix);
  while (n > 0) add(text, (char[2]){digits[--n], 0});
}

static void add_place(struct text *text, const void *address) {
  uint32_t local;
  uint64_t off;
  add(text, " at address 0x");
  add_number(text, (uintptr_t)address, 16);
  if (!tsr_heap.base || !tsr_heap_contains(address, &local, &off)) return;
  add(text, ", byte ");
  add_number(text, off, 10);
  add(text, " of the heap of unit ");
  add_number(text, (uint64_t)tsr_place_unit(local).id, 10);
}

static void describe(struct text *text, int number, const siginfo_t *info) {
  add(text, "dies of signal SIG");
  add(text, sigabbrev_np(number));
  if (number == SIGSEGV || number == SIGBUS) add_place(text, info->si_addr);
  if (number == SIGBUS) add(text, "; in a heap this means that the kernel has no memory left for it (vm.overcommit_memory, or a limit on shared memory): lower TESSERA_HEAP_LIMIT");
}

/* Gives the signal to whoever had it before: a fault comes again by itself, a sent signal is sent again. */
static void chain(int number, const siginfo_t *info) {
  for (int i = 0; i < FATAL_N; i++) {
    if (fatal[i] == number) sigaction(number, &before[i], NULL);
  }
  if (info->si_code <= 0 || number == SIGABRT) raise(number);
}

static void on_fatal(int number, siginfo_t *info, void *context) {
  (void)context;
  if (tsr_heap.memory && getpid() == owner) {
    atomic_store(&tsr_heap_unit(tsr_heap.self)->last_signal, number);
    struct text text = {.n = 0};
    describe(&text, number, info);
    text.data[text.n] = 0;
    tsr_log_signal_safe(text.data);
  }
  chain(number, info);
}

void tsr_fault_install(void) {
  owner = getpid();
  struct sigaction action = {.sa_sigaction = on_fatal, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < FATAL_N; i++) sigaction(fatal[i], &action, &before[i]);
}
