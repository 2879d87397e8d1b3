#include "net/mpi/own.h"

#include <mpi.h>

#if !defined(TSR_SHARED)
/* Nobody has taken the names. */
const struct tsr_mpi_own *tsr_mpi_own(void) {
  static const struct tsr_mpi_own own = {PMPI_Init, PMPI_Init_thread, PMPI_Finalize, PMPI_Finalized};
  return &own;
}

#else

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/log.h"

static struct tsr_mpi_own own;

/* The library that this address lies in, which is open anyway. */
static void *library_of(const void *address) {
  Dl_info in;
  return dladdr(address, &in) ? dlopen(in.dli_fname, RTLD_LAZY | RTLD_NOLOAD) : NULL;
}

/* The names mean ours for the whole program, but not for who asks MPI's library itself. That is where a function lies whose name
 * nobody has taken, as seen from our library: the program may have given it an address of its own. */
static void find_own(void) {
  void *self = library_of(&own), *mpi = self ? library_of(dlsym(self, "PMPI_Comm_rank")) : NULL;
  if (self) dlclose(self);
  if (!mpi) return;
  *(void **)&own.init = dlsym(mpi, "PMPI_Init");
  *(void **)&own.init_thread = dlsym(mpi, "PMPI_Init_thread");
  *(void **)&own.finalize = dlsym(mpi, "PMPI_Finalize");
  *(void **)&own.finalized = dlsym(mpi, "PMPI_Finalized");
  dlclose(mpi);
}

const struct tsr_mpi_own *tsr_mpi_own(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, find_own);
  if (own.init && own.init_thread && own.finalize && own.finalized) return &own;
  tsr_error("MPI's library has no MPI_Init of its own that could be found; link the program with a shared MPI, or with Tessera's "
            "static libraries");
  abort();
}
#endif
