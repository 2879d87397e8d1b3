/* The same through the native interface, with MPI's header but without MPI's own C++ bindings, which would need a library
 * of their own. */
#define MPICH_SKIP_MPICXX
#define OMPI_SKIP_MPICXX
#include <tessera.h>
#include <tessera/mpi.h>

#include <stdio.h>

int main(int argc, char **argv) {
  MPI_Comm comm;
  if (tessera_init(&argc, &argv) != TESSERA_OK) return 1;
  if (tessera_comm(&comm) != TESSERA_OK) return 1;
  if (tessera_unit() == 0) printf("size %d\n", (int)tessera_units());
  return tessera_exit() == TESSERA_OK ? 0 : 1;
}
