/* The same in a program that has started MPI itself by MPI_Init, which asks for no threads. */
#define WITH_OWN_MPI
#include "dart_busy_target.c"

#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int code = busy_target(argc, argv);
  MPI_Finalize();
  return code;
}
