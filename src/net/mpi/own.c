#include "net/mpi/own.h"

#include <mpi.h>

#if !defined(TSR_SHARED)
/* Static libraries do not define these names, so they are MPI's. */
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

/* The loaded library that contains this address. */
static void *library_of(const void *address) {
  Dl_info in;
  return dladdr(address, &in) ? dlopen(in.dli_fname, RTLD_LAZY | RTLD_NOLOAD) : NULL;
}

/* For the whole program the names mean Tessera's functions, so MPI's are looked up in MPI's library. That library
 * is found by a function that Tessera does not define, as seen from our library: the program may have an entry of
 * its own for it. */
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
  tsr_error("TSR-0214 MPI's library has no MPI_Init of its own that could be found; link the program with a shared MPI, or "
            "with Tessera's "
            "static libraries");
  abort();
}
#endif
