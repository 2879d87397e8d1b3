/* transpose_mpi: the same kernel (transpose.h), checked by MPI on the symmetric memory itself: MPI_Alltoall sends the
 * blocks of A, described by a type, from where they lie, and what it brings must be in B. So this check knows nothing
 * of what A was in the beginning.
 *
 * Options: --order (rounded up to a multiple of the PEs), --rounds. */
#include <mpi.h>

#include "transpose.h"

/* The rows of A that belong to one PE, as the next PE's begin `width` elements later. */
static MPI_Datatype block_type(void) {
  MPI_Datatype block, spaced;
  MPI_Type_vector((int)width, (int)width, (int)order, MPI_DOUBLE, &block);
  MPI_Type_create_resized(block, 0, (MPI_Aint)(width * (long)sizeof *a), &spaced);
  MPI_Type_commit(&spaced);
  MPI_Type_free(&block);
  return spaced;
}

static long wrong_elements(void) {
  long wrong_n = 0, wrong_all;
  MPI_Datatype block = block_type();
  MPI_Alltoall(a, 1, block, arrived, (int)(width * width), MPI_DOUBLE, MPI_COMM_WORLD);
  MPI_Type_free(&block);
  for (long j = 0; j < width; j++) {
    for (long i = 0; i < order; i++) {
      const double *from = arrived + i / width * width * width; /* the block of PE i / width */
      const double before = from[i % width * width + j] - (double)(rounds + 1);
      wrong_n += b[j * order + i] != expected_from(before);
    }
  }
  MPI_Allreduce(&wrong_n, &wrong_all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  return me == 0 ? wrong_all : 0;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  shmem_init();
  me = shmem_my_pe();
  pes = shmem_n_pes();
  int rank, is_finalized, status = WRONG_ARGUMENTS;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank != me) {
    fprintf(stderr, "transpose_mpi: PE %d has the rank %d: this program needs equal numbers\n", me, rank);
    shmem_global_exit(1);
  }
  if (read_transpose_options("transpose_mpi", argc, argv)) {
    open_matrix();
    const double seconds = time_rounds(rounds, transpose_round);
    status = report("transpose_mpi", seconds, megabytes(), "MB", wrong_elements());
    close_matrix();
  }
  shmem_finalize();
  MPI_Finalized(&is_finalized); /* Open MPI's shmem_finalize does it */
  if (!is_finalized) MPI_Finalize();
  return status;
}
