/* A ring of receives for short messages of one kind, from any rank. MPI fills them in the order in which they were
 * posted, and they are taken in that order, so the messages of one sender are taken in the order sent. Therefore each
 * poll tests only the oldest. Under the lock. */
#ifndef TSR_NET_MPI_RECEIVE_RING_H
#define TSR_NET_MPI_RECEIVE_RING_H

#include "net/mpi/comms.h"

enum { TSR_MPI_RECEIVE_RING_MAX = 8 };

struct tsr_mpi_inbox {
  void *message; /* room for one: the owner's */
  MPI_Request request; /* of the receive, until it is the oldest */
  size_t bytes;  /* of what has arrived */
  int rank;      /* that sent it */
  bool arrived;
};

struct tsr_mpi_receive_ring {
  const char *what; /* "a request" */
  int tag, n;       /* inboxes */
  size_t most;      /* bytes; a longer message ends the job */
  int head;         /* the oldest */
  int owed_n;       /* before it: taken, and not yet posted again */
  bool open;
  struct tsr_mpi_inbox inboxes[TSR_MPI_RECEIVE_RING_MAX];
};

void tsr_mpi_receive_ring_open(struct tsr_mpi_receive_ring *ring);
void tsr_mpi_receive_ring_close(struct tsr_mpi_receive_ring *ring); /* after tsr_mpi_pending_stop; also if it is not open */

/* The oldest message that is not taken; NULL: none has arrived. `at_once`: the next one is tested now, otherwise by the next
 * poll. */
struct tsr_mpi_inbox *tsr_mpi_receive_ring_oldest(struct tsr_mpi_receive_ring *ring);
void tsr_mpi_receive_ring_taken(struct tsr_mpi_receive_ring *ring, bool at_once);

/* Posts the receives of taken inboxes again. A receive takes MPI some 0.2 us, so an idle poll posts them, rather than a poll that
 * has found a message, whose answer would wait. If more than half of the inboxes are taken, they are posted again at once. */
void tsr_mpi_receive_ring_repost(struct tsr_mpi_receive_ring *ring);

#endif
