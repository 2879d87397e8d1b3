/* cg_mpi: CG with two-sided messages of MPI. With --transfer nonblocking it multiplies by the parts that it has while the others
 * are on their way.
 *
 * Options: --class S, W, A or B; --transfer blocking or nonblocking; --rounds. */
#include <mpi.h>

#include "cg.h"

static int rank, ranks;
static const long *first;
static double *copy;
static MPI_Request *receives, *sends; /* by rank; the own ones remain null */
static MPI_Status *statuses;          /* MPICH's constant for no statuses makes gcc warn */

static int elements(int of) { return (int)(first[of + 1] - first[of]); }

double *cg_copy(const long parts[]) {
  first = parts;
  copy = nas_private((size_t)first[ranks], sizeof *copy);
  receives = nas_private((size_t)ranks, sizeof *receives), sends = nas_private((size_t)ranks, sizeof *sends);
  statuses = nas_private((size_t)ranks, sizeof *statuses);
  for (int i = 0; i < ranks; i++) receives[i] = sends[i] = MPI_REQUEST_NULL;
  return copy;
}

/* Each rank begins with another one, so that they do not all send to the same. */
void cg_share_start(void) {
  for (int i = 1; i < ranks; i++) {
    const int from = (rank + i) % ranks;
    MPI_Irecv(copy + first[from], elements(from), MPI_DOUBLE, from, 0, MPI_COMM_WORLD, &receives[from]);
  }
  for (int i = 1; i < ranks; i++) {
    const int to = (rank + ranks - i) % ranks;
    MPI_Isend(copy + first[rank], elements(rank), MPI_DOUBLE, to, 0, MPI_COMM_WORLD, &sends[to]);
  }
}

void cg_share_progress(void) {
  int complete;
  MPI_Testall(ranks, sends, &complete, statuses);
}

void cg_share_wait(int from) { MPI_Wait(&receives[from], &statuses[from]); }

void cg_share_finish(void) { MPI_Waitall(ranks, sends, statuses); }

void cg_sum(double *x, int n) { MPI_Allreduce(MPI_IN_PLACE, x, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); }

void cg_barrier(void) { MPI_Barrier(MPI_COMM_WORLD); }

int main(int argc, char **argv) {
  int status = NAS_WRONG_ARGUMENTS;
  nas_options options = NAS_DEFAULTS;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (nas_read_options("cg_mpi", argc, argv, rank == 0, &options) && cg_can_run("cg_mpi", &options, rank, ranks)) {
    status = cg_run(&options, rank, ranks) ? 0 : 1;
    free(copy), free(receives), free(sends), free(statuses);
  }
  MPI_Finalize();
  return status;
}
