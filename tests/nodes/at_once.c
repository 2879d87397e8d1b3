/* A message of the MPI between hosts, as long as TESSERA_MPI_EAGER_LIMIT, is sent before its receive is posted. Two units. The test
 * hangs, and is ended, if the MPI waits for the receiver. */
#include <mpi.h>
#include <string.h>

#include <tessera.h>
#include <tessera/coll.h>
#include <tessera/mpi.h>

#include "../spmd/check.h"

enum { BYTES = 128 << 10 };
static char sent[BYTES], received[BYTES];

int main(int argc, char **argv) {
  CHECK_EQ(tessera_init(&argc, &argv), TESSERA_OK);
  MPI_Comm units;
  CHECK_EQ(tessera_comm(&units), TESSERA_OK);
  const int me = tessera_unit();
  memset(sent, 'x', sizeof sent);
  if (me == 0) {
    MPI_Request request;
    MPI_Isend(sent, BYTES, MPI_BYTE, 1, 7, units, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  CHECK_EQ(tessera_barrier(tessera_team_world()), TESSERA_OK);
  if (me == 1) {
    MPI_Recv(received, BYTES, MPI_BYTE, 0, 7, units, MPI_STATUS_IGNORE);
    CHECK(!memcmp(sent, received, BYTES));
  }
  CHECK_EQ(tessera_exit(), TESSERA_OK);
  return check_result();
}
