/* Two ranks abort the job while the third is in MPI_Finalize. With Open MPI the launcher does not survive some of these
 * jobs, or never ends. */
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank < 2) {
    usleep(5000); /* most likely the third is where it shall be by then */
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return 0;
}
