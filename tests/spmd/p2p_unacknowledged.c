/* A flush does not wait until the receiver of a two-sided message has acknowledged it: here the receiver is outside of the library
 * until the sender has flushed.
 * Units: 2
 */
#include "check.h"

#include <mpi.h>
#include <stdlib.h>

#include "core/bootstrap.h"
#include "core/op.h"
#include "core/place.h"
#include "core/runtime.h"
#include "p2p/p2p.h"

enum { TAG = 5, MESSAGES_N = 3 };

static void send_letter(tsr_unit to) {
  tsr_outgoing out;
  CHECK_EQ(tsr_p2p_send_start(&out, to, TSR_P2P_DART, TAG, "x", 1), TESSERA_OK);
  tsr_p2p_send_wait(&out);
}

static void receive_letter(tsr_unit from) {
  tsr_incoming in;
  char letter = 0;
  tsr_p2p_receive(&in, from, TSR_P2P_DART, TAG, &letter, 1);
  CHECK_EQ(letter, 'x');
}

int main(int argc, char **argv) {
  int level = 0;
  setenv("TESSERA_PROGRESS", "none", 1);
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  if (tessera_init(&argc, &argv)) return EXIT_FAILURE;
  tsr_bootstrap_barrier(tsr_team_world);
  if (tsr_place.self == 0) {
    for (int i = 0; i < MESSAGES_N; i++) send_letter(TSR_UNIT(1));
    tsr_op_flush_all();
    tsr_op_flush(TSR_UNIT(1));
  }
  MPI_Barrier(MPI_COMM_WORLD); /* of MPI, in which nothing polls for Tessera */
  for (int i = 0; i < MESSAGES_N && tsr_place.self == 1; i++) receive_letter(TSR_UNIT(0));
  CHECK_EQ(tessera_exit(), TESSERA_OK);
  MPI_Finalize();
  return check_result();
}
