/* MPI's names for Tessera's versions of these calls. This file is part of each shared library that programs pass to the
 * linker: the first library that defines a name provides it, and some programs link MPI before a library that needs
 * libtessera. The names are weak, for programs and profilers with versions of their own.
 *
 * Shared libraries also define the names of the profiling interface, which Fortran wrappers and profilers call. Static
 * libraries must not: a static MPI would then not be linked with its own functions. */
#include "net/mpi/interpose.h"

const bool tsr_mpi_names = true;

#define WEAK __attribute__((weak, visibility("default"))) /* for other shared libraries of the program, too */

WEAK int MPI_Init(int *argc, char ***argv) { return tsr_mpi_init(argc, argv); }
WEAK int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
  return tsr_mpi_init_thread(argc, argv, required, provided);
}
WEAK int MPI_Finalize(void) { return tsr_mpi_finalize(); }
WEAK int MPI_Finalized(int *flag) { return tsr_mpi_finalized(flag); }
WEAK int MPI_Comm_set_attr(MPI_Comm comm, int key, void *value) { return tsr_mpi_comm_set_attr(comm, key, value); }

#if defined(TSR_SHARED)
WEAK int PMPI_Init(int *argc, char ***argv) { return tsr_mpi_init(argc, argv); }
WEAK int PMPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
  return tsr_mpi_init_thread(argc, argv, required, provided);
}
WEAK int PMPI_Finalize(void) { return tsr_mpi_finalize(); }
WEAK int PMPI_Finalized(int *flag) { return tsr_mpi_finalized(flag); }
#endif
