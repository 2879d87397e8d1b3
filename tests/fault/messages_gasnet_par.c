/* Calls of GASNet that fail in programs with threads only, one for each message; see support/golden.h. */
#define GASNET_PAR 1
#include <gasnetex.h>
#include <gasnett/diagnose.h>
#include <mpi.h>

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>

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

static bool has_no_thread;

/* For the library, too. */
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *arg) {
  static int (*own)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  if (!own) *(void **)&own = dlsym(RTLD_NEXT, "pthread_create");
  return has_no_thread ? EAGAIN : own(thread, attributes, run, arg);
}

static bool start_below_multiple(void) {
  MPI_Init(NULL, NULL);
  start(NULL, NULL);
  return false;
}

static bool diagnose_without_threads(void) {
  has_no_thread = true;
  int errors_n = gasnett_run_diagnostics(1, 4, "B", tm, NULL, 0, NULL, 1);
  has_no_thread = false;
  return errors_n == 1;
}

static const struct golden_case cases[] = {
    {"4108", start_below_multiple, GOLDEN_OWN | GOLDEN_EARLY},
    {"4187", diagnose_without_threads, 0},
};

int main(int argc, char **argv) {
  return golden_main(argc, argv, &(struct golden_program){cases, sizeof cases / sizeof cases[0], start, end, unit, barrier});
}
