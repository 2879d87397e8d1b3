/* The messages under way, of all kinds, in the order in which they were started; also those that are expected from nobody in
 * particular, since a test of its own costs one look at the network more. Under the lock. */
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

/* A transfer that MPI has begun already, in one direction or the other; `bytes` of it says how many. */
void tsr_mpi_pending_follow(MPI_Request request, struct tsr_mpi_pending pending);

/* A send of a short message, which MPI often is done with at once. True: it is, and `done` will not be called. */
bool tsr_mpi_pending_send_at_once(MPI_Comm comm, const void *data, struct tsr_mpi_pending pending);

/* Tells of all that completed, in the order in which it was started. Returns how many. */
int tsr_mpi_pending_poll(void);

bool tsr_mpi_pending_moves(void); /* whether any is long; without the lock */

/* Withdraws the receives, waits for the sends, forgets all without telling. */
void tsr_mpi_pending_stop(void);

#endif
