/* The messages under way, of all kinds, in the order in which they were started. Receives from any rank are among them
 * (only the next of each kind), since a separate test of them would poll the network once more. Under the lock. */
#ifndef TSR_NET_MPI_PENDING_H
#define TSR_NET_MPI_PENDING_H

#include "net/mpi/comms.h"

/* Room for `n` at once; more is made when needed. False: no memory. */
bool tsr_mpi_pending_start(int n);

size_t tsr_mpi_pending_bytes(int n); /* private memory for that */

void tsr_mpi_pending_send(const void *data, const struct tsr_wire_message *message);
void tsr_mpi_pending_receive(void *data, const struct tsr_wire_message *message);

/* Sends a request, or (_send_acks) acknowledgements. A request is not in the table, since an answer says that it was received: the
 * caller passes what this returns to `forget` then, or waits for it. The next poll frees it: MPICH's MPI_Request_free polls the
 * network, which would delay what follows the answer. */
MPI_Request tsr_mpi_pending_send_request(int rank, const void *data, size_t bytes);
void tsr_mpi_pending_forget(MPI_Request request);
void tsr_mpi_pending_send_acks(int rank, const void *data, size_t bytes, tsr_net_done_fn done, void *arg);

/* Receives from any rank. `post` starts one; from `follow` on polls test it and call `done`. `at_once`: it may be complete;
 * then `done` is called now. */
struct tsr_mpi_arrival {
  const char *what;
  int tag;
  size_t most;          /* bytes */
  tsr_net_done_fn done; /* gets the number of bytes */
  void *arg;
  int *source; /* gets the sender's rank before `done` */
};
MPI_Request tsr_mpi_pending_post(void *data, const struct tsr_mpi_arrival *arrival);
void tsr_mpi_pending_follow(MPI_Request request, const struct tsr_mpi_arrival *arrival, bool at_once);

/* Follows a transfer that MPI has begun. */
void tsr_mpi_pending_follow_transfer(MPI_Request request, const struct tsr_wire_message *message);

/* Calls `done` of all that have completed, in the order in which they were started. Returns their number. */
int tsr_mpi_pending_poll(void);

bool tsr_mpi_pending_moves(void); /* whether any is long; without the lock */

/* Withdraws the receives, waits for the sends, drops all without calling `done`. */
void tsr_mpi_pending_stop(void);

#endif
