/* A receive that is too short, on a communicator whose errors return: whether the error returns, or goes to the handler
 * of MPI_COMM_WORLD. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void on_error(MPI_Comm *comm, int *code, ...) {
  (void)comm, (void)code;
  printf("the error goes to the handler of MPI_COMM_WORLD\n");
  fflush(stdout);
  MPI_Abort(MPI_COMM_WORLD, 0);
  exit(0);
}

int main(int argc, char **argv) {
  int rank, data[2] = {0};
  MPI_Comm comm;
  MPI_Errhandler handler;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_create_errhandler(on_error, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  if (rank == 0) {
    MPI_Irecv(data, 1, MPI_INT, 1, 0, comm, &request);
    int code = MPI_Wait(&request, MPI_STATUS_IGNORE);
    printf(code == MPI_SUCCESS ? "the error is NOT seen\n" : "the error returns\n");
  } else if (rank == 1) {
    MPI_Send(data, 2, MPI_INT, 0, 0, comm);
  }
  MPI_Finalize();
  return 0;
}
