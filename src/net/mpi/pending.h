/* The messages under way, of all kinds, in the order in which they were started; also those that are expected from nobody in
 * particular (of these only the next of each kind), since a test of its own costs one poll of the network more. Under the lock. */
#ifndef TSR_NET_MPI_PENDING_H
#define TSR_NET_MPI_PENDING_H

#include "net/mpi/wire.h"

struct tsr_mpi_pending {
  tsr_net_done_fn done; /* gets LOCAL, from tsr_mpi_pending_poll; NULL: nobody cares */
  void *arg;
  const char *what; /* "a reply", for messages */
  size_t bytes;     /* to send, or room to receive; `done` is told how many it became */
  int rank, tag;    /* rank: MPI_ANY_SOURCE for a receive that takes from everybody, */
  int *source;      /* which is told here from whom before `done`; else NULL */
  bool synchronous; /* a send that ends when its receive has met it */
  bool exact;       /* a receive of a tagged message, which has just so many bytes */
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

/* A send that nobody follows: an answer says that the message has been received, and the data is unchanged until then. */
void tsr_mpi_pending_send_answered(MPI_Comm comm, const void *data, struct tsr_mpi_pending pending);

/* Tells of all that completed, in the order in which it was started. Returns how many. */
int tsr_mpi_pending_poll(void);

bool tsr_mpi_pending_moves(void); /* whether any is long; without the lock */

/* Withdraws the receives, waits for the sends, forgets all without telling. */
void tsr_mpi_pending_stop(void);

#endif
