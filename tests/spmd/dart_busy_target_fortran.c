/* The same in a program that starts and ends MPI as the wrappers of Fortran and some profilers do: through the names of
 * the profiling interface. Like some of those it has a table of MPI's functions.
 * Wire: mpi */
#define WITH_OWN_MPI
#include "dart_busy_target.c"

#include <mpi.h>

extern int (*const mpi_table[2])(MPI_Comm, int *);

int main(int argc, char **argv) {
  int code = PMPI_Init(&argc, &argv), level = MPI_THREAD_SINGLE, over = 1;
  CHECK_EQ(code, MPI_SUCCESS);
  for (int i = 0, n; i < 2; i++) CHECK_EQ(mpi_table[i](MPI_COMM_WORLD, &n), MPI_SUCCESS);
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
