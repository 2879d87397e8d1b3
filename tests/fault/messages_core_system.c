/* MPI, or the system, does not give what the library asks for, a case for each message; see support/golden.h. The program has
 * functions of these names of its own, and says which one fails. */
#include <dlfcn.h>
#include <errno.h>
#include <mpi.h>
#include <pthread.h>

#include <dash/dart/if/dart_mpi.h>

#include "support/golden_dart.h"

static const char *failing = "";

static bool fails(const char *name) { return !strcmp(failing, name); }

int MPI_Comm_create_keyval(MPI_Comm_copy_attr_function *copy, MPI_Comm_delete_attr_function *drop, int *key, void *state) {
  return fails(__func__) ? MPI_ERR_OTHER : PMPI_Comm_create_keyval(copy, drop, key, state);
}

int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *made) {
  return fails(__func__) ? MPI_ERR_OTHER : PMPI_Comm_create_group(comm, group, tag, made);
}

/* For threads of the library only. */
int pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*run)(void *), void *arg) {
  static int (*others)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  Dl_info caller;
  if (!others) *(void **)&others = dlsym(RTLD_NEXT, "pthread_create");
  bool is_ours = dladdr(__builtin_return_address(0), &caller) && strstr(caller.dli_fname, "libtessera");
  return is_ours && fails(__func__) ? EAGAIN : others(thread, how, run, arg);
}

/* ---- all calls: name of the function that fails ---- */

static bool start_without(const char *name) {
  failing = name;
  return dart_init(NULL, NULL) == DART_ERR_OTHER;
}
static bool start_without_key(void) { return start_without("MPI_Comm_create_keyval") && !MPI_Finalize(); }
static bool start_without_thread(void) { return !start_without("pthread_create") && !dart_exit(); }
static bool start_without_wire(void) { return start_without(""); }

static bool make_no_comm(void) {
  failing = "MPI_Comm_create_group";
  return dart_team_comm(own, &(MPI_Comm){MPI_COMM_NULL}) == DART_ERR_OTHER;
}

static const struct golden_case cases[] = {
    {"0328", start_without_key, GOLDEN_ONLY},
    {"0332", start_without_wire, GOLDEN_ONLY},
    {"0354", start_without_thread, GOLDEN_ONLY},
    {"0386", make_no_comm, GOLDEN_OWN},
};

int main(int argc, char **argv) {
  return golden_main(argc, argv, &(struct golden_program){cases, sizeof cases / sizeof *cases, start, end, unit, barrier});
}
