/* mg_mpi: MG with two-sided messages of MPI. With --transfer nonblocking it computes inner cells between Isend,
 * Irecv and Waitall.
 *
 * Options: --class S, W, A or B; --transfer blocking or nonblocking; --rounds. */
#include <mpi.h>

#include "mg.h"

static MPI_Request requests[2 * MG_DIRECTIONS];
static MPI_Status statuses[2 * MG_DIRECTIONS]; /* MPICH's constant for no statuses makes gcc warn */
static int requests_n;

double *mg_memory(size_t doubles) { return nas_private(doubles, sizeof(double)); }

void mg_start(const mg_message messages[], int n) {
  requests_n = 0;
  for (const mg_message *m = messages; m < messages + n; m++)
    MPI_Irecv(m->in, (int)m->bytes, MPI_BYTE, m->from, m->direction, MPI_COMM_WORLD, &requests[requests_n++]);
  for (const mg_message *m = messages; m < messages + n; m++)
    MPI_Isend(m->out, (int)m->bytes, MPI_BYTE, m->to, m->direction, MPI_COMM_WORLD, &requests[requests_n++]);
}

void mg_progress(void) {
  int complete;
  MPI_Testall(requests_n, requests, &complete, statuses);
}

void mg_finish(void) { MPI_Waitall(requests_n, requests, statuses); }

void mg_gather(const void *mine, void *all, size_t bytes) {
  MPI_Allgather(mine, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE, MPI_COMM_WORLD);
}

void mg_sum(double *x) { MPI_Allreduce(MPI_IN_PLACE, x, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); }

void mg_barrier(void) { MPI_Barrier(MPI_COMM_WORLD); }

int main(int argc, char **argv) {
  int rank, ranks, status = NAS_WRONG_ARGUMENTS;
  nas_options options = NAS_DEFAULTS;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (nas_read_options("mg_mpi", argc, argv, rank == 0, &options) && mg_can_run("mg_mpi", &options, rank, ranks))
    status = mg_run(&options, rank, ranks) ? 0 : 1;
  MPI_Finalize();
  return status;
}
