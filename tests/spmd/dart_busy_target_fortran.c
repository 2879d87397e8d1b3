/* The same in a program that starts and ends MPI as the wrappers of Fortran do: by the names of the profiling interface. */
#define WITH_OWN_MPI
#include "dart_busy_target.c"

#include <mpi.h>

int main(int argc, char **argv) {
  int code = PMPI_Init(&argc, &argv), level = MPI_THREAD_SINGLE, over = 1;
  CHECK_EQ(code, MPI_SUCCESS);
  MPI_Query_thread(&level);
  CHECK_EQ(level, MPI_THREAD_MULTIPLE);
  code = busy_target(argc, argv);
  CHECK_EQ(PMPI_Finalized(&over), MPI_SUCCESS);
  CHECK_EQ(over, 0);
  CHECK_EQ(PMPI_Finalize(), MPI_SUCCESS);
  CHECK_EQ(PMPI_Finalized(&over), MPI_SUCCESS);
  CHECK_EQ(over, 1);
  return code ? code : check_result();
}
