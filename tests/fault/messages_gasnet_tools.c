/* Wrong calls of GASNet's tools, and calls of them that fail, one for each message; see support/golden.h. */
#define GASNET_SEQ 1
#include <gasnetex.h>
#include <gasnet_tools.h>
#include <gasnett/diagnose.h>

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <sys/time.h>
#include <unistd.h>

#include "support/golden.h"

static gex_Client_t client;
static gex_EP_t ep;
static gex_TM_t tm;

static bool start(int *argc, char ***argv) {
  (void)argc, (void)argv;
  return !gex_Client_Init(&client, &ep, &tm, "MESSAGES", NULL, NULL, 0);
}
static void end(void) { tessera_gex_finalize(client); }
static int unit(void) { return (int)gex_System_QueryJobRank(); }
static void barrier(void) { gex_Event_Wait(gex_Coll_BarrierNB(tm, 0)); }

/* ---- what the system reports, which this program replaces ---- */

static bool is_broken;

int gethostname(char *name, size_t bytes) {
  static int (*own)(char *, size_t);
  if (!own) *(void **)&own = dlsym(RTLD_NEXT, "gethostname");
  errno = ENAMETOOLONG;
  return is_broken ? -1 : own(name, bytes);
}

uint64_t tsr_topology_memory_total(void) {
  static uint64_t (*own)(void);
  if (!own) *(void **)&own = dlsym(RTLD_NEXT, "tsr_topology_memory_total");
  return is_broken ? 0 : own();
}

static void break_system(void) { is_broken = true; }

/* ---- calls of several steps ---- */

static void thaw(int number) {
  (void)number;
  gasnet_frozen = 0;
}

static void thaw_soon(void) {
  signal(SIGALRM, thaw);
  setitimer(ITIMER_REAL, &(struct itimerval){.it_interval = {0, 50000}, .it_value = {0, 50000}}, NULL);
}

static bool freeze(void) {
  thaw_soon();
  gasnett_freezeForDebuggerNow(&gasnet_frozen, "gasnet_frozen");
  return true;
}

static void set(const char *value) { gasnett_setenv("MESSAGE", value); }

static void release_free_lock(void) {
  gasnett_rwlock_t lock;
  gasnett_rwlock_init(&lock);
  gasnett_rwlock_assertlocked(&lock);
}

/* The start keeps the name. */
static bool ask_early(void) {
  break_system();
  return !gasnett_gethostname();
}

/* ---- all calls ---- */

#define ENDING(CALL)                                                            \
  CALL(4084, set("perhaps"), gasnett_getenv_yesno_withdefault("MESSAGE", 0))    \
  CALL(4085, set("many"), gasnett_getenv_int_withdefault("MESSAGE", 0, 0))      \
  CALL(4086, set("half"), gasnett_getenv_dbl_withdefault("MESSAGE", 0))         \
  CALL(4188, , gasnett_run_diagnostics(1, 1, "D", tm, NULL, 0, NULL, 1))        \
  CALL(4189, thaw_soon(), gasnett_fatalerror("the program's reason %d", 7))     \
  CALL(4190, , gasnett_fatalerror("the program's reason %d", 7))                \
  CALL(4192, , release_free_lock())                                             \
  CALL(4193, break_system(), gasnett_getPhysMemSz(1))                           \
  CALL(4195, , gasnett_mmap((uintptr_t)1 << 60))                                \
  CALL(4196, , gasnett_reghandler(SIGKILL, thaw))                               \
  CALL(4197, , gasnett_parse_int("12 apples", 1))

#define DEFINE(number, before, ...) \
  static bool call_##number(void) { \
    before;                         \
    __VA_ARGS__;                    \
    return false;                   \
  }
ENDING(DEFINE)

#define ROW(number, before, ...) {#number, call_##number, GOLDEN_OWN},
static const struct golden_case cases[] = {ENDING(ROW) {"4191", freeze, 0}, {"4194", ask_early, GOLDEN_OWN | GOLDEN_EARLY}};

int main(int argc, char **argv) {
  return golden_main(argc, argv, &(struct golden_program){cases, sizeof cases / sizeof cases[0], start, end, unit, barrier});
}
