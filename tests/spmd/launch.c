/* The number of collectives of MPI at the start. If units outnumber cores, each takes milliseconds; only a counter
 * detects an additional one. */
#include "check.h"

#include <mpi.h>
#include <stdbool.h>
#include <string.h>

static int allgathers_n, others_n;

/* These definitions replace MPI's, which has each call under a second name for this purpose. */
int MPI_Allgather(const void *send, int send_n, MPI_Datatype send_type, void *receive, int receive_n,
                  MPI_Datatype receive_type, MPI_Comm comm) {
  allgathers_n++;
  return PMPI_Allgather(send, send_n, send_type, receive, receive_n, receive_type, comm);
}
int MPI_Allreduce(const void *send, void *receive, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  others_n++;
  return PMPI_Allreduce(send, receive, n, type, op, comm);
}
int MPI_Bcast(void *data, int n, MPI_Datatype type, int root, MPI_Comm comm) {
  others_n++;
  return PMPI_Bcast(data, n, type, root, comm);
}
int MPI_Barrier(MPI_Comm comm) {
  others_n++;
  return PMPI_Barrier(comm);
}
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *copy) {
  others_n++;
  return PMPI_Comm_dup(comm, copy);
}
int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *part) {
  others_n++;
  return PMPI_Comm_split(comm, color, key, part);
}

/* They need a communicator with the units first. */
static int has_agents(void) {
  const char *progress = getenv("TESSERA_PROGRESS");
  return progress && strncmp(progress, "process", 7) == 0;
}

/* With UCX the first processes of the nodes exchange addresses: an allgather of their numbers, and other calls. */
enum { FOR_ADDRESSES = 6 };
static bool uses_ucx(void) {
  const char *net = getenv("TESSERA_NET");
  return net && !strcmp(net, "ucx");
}

int main(int argc, char **argv) {
  enum { LIVES = 2 };
  for (int life = 0; life < LIVES; life++) { /* the second start calls nothing of MPI */
    if (tessera_init(&argc, &argv)) return EXIT_FAILURE;
    if (tessera_nodes() == 1) {
      CHECK_EQ(allgathers_n, 1);
      CHECK_EQ(others_n, 0);
    } else {
      CHECK(allgathers_n <= 2 + 3 + uses_ucx()); /* one more for each address range that is in use, as with sanitizers */
      CHECK(others_n <= 6 + has_agents() + (uses_ucx() ? FOR_ADDRESSES : 0));
    }
    CHECK_EQ(tessera_exit(), TESSERA_OK);
  }
  return check_result();
}
