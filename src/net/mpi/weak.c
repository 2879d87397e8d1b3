/* MPI's names for our versions of its calls. Part of each shared library that programs name to the linker, as the first
 * library with a name has it and some are linked before MPI that bring libtessera after it. Weak, for a program or
 * profiler with versions of its own.
 *
 * Shared libraries have the names of the profiling interface as well, which the wrappers of Fortran call, and profilers. Static ones
 * must not: an MPI that is static, too, would then not be linked with its own. */
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
