/* The messages under way, of all kinds, in the order in which they were started. Receives from any rank are among them
 * (only the next of each kind), since a test of its own costs one more poll of the network. Under the lock. */
#ifndef TSR_NET_MPI_PENDING_H
#define TSR_NET_MPI_PENDING_H

#include "net/mpi/wire.h"

struct tsr_mpi_pending {
  tsr_net_done_fn done; /* gets LOCAL, from tsr_mpi_pending_poll; NULL: no call */
  void *arg;
  const char *what; /* "a reply", for messages */
  size_t bytes;     /* to send, or room to receive; `done` gets the actual number */
  int rank, tag;    /* rank: MPI_ANY_SOURCE for a receive from any rank; */
  int *source;      /* gets the sender's rank before `done`; else NULL */
  bool synchronous; /* a send that completes when it has been matched */
  bool exact;       /* a receive of a tagged message, which must have this size */
  bool receives, is_long; /* set when it is started; is_long: beyond the eager limit */
};

/* Room for `n` at once; more is made when needed. False: no memory. */
bool tsr_mpi_pending_start(int n);

size_t tsr_mpi_pending_bytes(int n); /* private memory for that */

void tsr_mpi_pending_receive(MPI_Comm comm, void *data, struct tsr_mpi_pending pending);
void tsr_mpi_pending_send(MPI_Comm comm, const void *data, struct tsr_mpi_pending pending);

/* Posts a receive that is followed later. */
MPI_Request tsr_mpi_pending_post(MPI_Comm comm, void *data, struct tsr_mpi_pending pending);

/* A transfer that MPI has begun already. `at_once`: it may be complete; then `done` is called now. */
void tsr_mpi_pending_follow(MPI_Request request, struct tsr_mpi_pending pending);
void tsr_mpi_pending_follow_at_once(MPI_Request request, struct tsr_mpi_pending pending);

/* A send that is not in the table: an answer says that the message was received, and the data is unchanged until then. The
 * caller frees the request then, or waits for it. */
MPI_Request tsr_mpi_pending_send_answered(MPI_Comm comm, const void *data, struct tsr_mpi_pending pending);

/* Calls `done` of all that have completed, in the order in which they were started. Returns their number. */
int tsr_mpi_pending_poll(void);

bool tsr_mpi_pending_moves(void); /* whether any is long; without the lock */

/* Withdraws the receives, waits for the sends, drops all without calling `done`. */
void tsr_mpi_pending_stop(void);

#endif
