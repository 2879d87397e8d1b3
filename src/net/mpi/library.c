#include "net/mpi/library.h"

#include <dlfcn.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"

/* Other libraries are of the family of one of the two: same handles, other text. */
#ifdef OPEN_MPI
#define OWN "Open MPI"
#define OTHER "MPICH"
#define WRAPPER "mpicc.openmpi"
#define OTHERS_OWN "MPIR_Dup_fn"
static bool is_own(const char *version) { return !strncmp(version, "Open MPI", 8); }
#else
#define OWN "MPICH"
#define OTHER "Open MPI"
#define WRAPPER "mpicc.mpich"
#define OTHERS_OWN "ompi_mpi_comm_world"
static bool is_own(const char *version) { return strncmp(version, "Open MPI", 8) != 0; }
#endif

_Noreturn static void end_process(const char *has) {
  tsr_error("TSR-0212 the program is linked with the library of %s, but Tessera was built for " OWN ". Compile and link the "
            "program with the mpicc of " OWN " (" WRAPPER " on Debian; pkg-config --variable=mpicc tessera prints it), or use a "
            "Tessera that was built for " OTHER, has);
  _exit(EXIT_FAILURE);
}

/* Checks first which library gets Tessera's calls. The other library may be present as well, for the program's calls
 * only. */
void tsr_net_mpi_check_library(void) {
  char version[8192] = ""; /* as long as the longest, whichever MPI writes it */
  int length = 0;
  MPI_Get_library_version(version, &length);
  version[strcspn(version, ",\n")] = '\0';
  if (!is_own(version)) end_process(version);
  if (dlsym(RTLD_DEFAULT, OTHERS_OWN)) end_process(OTHER);
}

bool tsr_net_mpi_has_code(const void *code) {
  Dl_info of_code, of_mpi;
  const void *mpi = dlsym(RTLD_DEFAULT, "MPI_Get_library_version");
  return mpi && dladdr(code, &of_code) && dladdr(mpi, &of_mpi) && of_code.dli_fbase == of_mpi.dli_fbase;
}
