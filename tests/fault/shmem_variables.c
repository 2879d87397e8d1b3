/* OpenSHMEM: what is said of static variables that are not symmetric. The argument selects the variable, and perhaps the library
 * that has it; PE 0 stores into that of the last PE. */
#include <dlfcn.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/shmem_vars.h"

static long word;

static void *must(void *found) {
  if (found) return found;
  fprintf(stderr, "%s\n", dlerror());
  exit(EXIT_FAILURE);
}

static long *variable_of(const char *what, const char *path) {
  if (!strcmp(what, "own")) return &word;
  if (!strcmp(what, "linked")) return first_vars().word;
  if (!strcmp(what, "second")) return second_vars().word;
  if (!strcmp(what, "thread-local")) return first_vars().thread_local_;
  if (!strcmp(what, "system")) return must(dlsym(must(dlopen("libc.so.6", RTLD_NOW)), "obstack_alloc_failed_handler"));
  struct vars (*later)(void);
  *(void **)&later = must(dlsym(must(dlopen(path, RTLD_NOW)), "later_vars"));
  return later().word;
}

int main(int argc, char **argv) {
  shmem_init();
  const int last = shmem_n_pes() - 1;
  long *variable = variable_of(argc > 1 ? argv[1] : "own", argc > 2 ? argv[2] : "");
  *variable = 0;
  shmem_barrier_all();
  if (shmem_my_pe() == 0) shmem_long_p(variable, 5, last);
  shmem_barrier_all();
  if (shmem_my_pe() == last && *variable == 5) printf("stored\n");
  shmem_finalize();
  return 0;
}
