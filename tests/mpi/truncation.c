/* A receive that is too short, on a communicator whose errors return: whether the error returns, or goes to the handler
 * of MPI_COMM_WORLD. */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>

static bool handled;

static void on_error(MPI_Comm *comm, int *code, ...) {
  (void)comm, (void)code;
  handled = true;
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
    const char *returned = code == MPI_SUCCESS ? "is NOT seen" : "returns";
    printf("the error %s\n", handled ? "goes to the handler of MPI_COMM_WORLD" : returned);
  } else if (rank == 1) {
    MPI_Send(data, 2, MPI_INT, 0, 0, comm);
  }
  MPI_Finalize();
  return 0;
}
