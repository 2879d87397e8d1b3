/* The communicators and tags of the wire over MPI, and its handling of MPI errors. Requests, acknowledgements, bulk and replies
 * share one communicator and differ by tag; tagged messages have one of their own and keep the caller's tag. */
#ifndef TSR_NET_MPI_COMMS_H
#define TSR_NET_MPI_COMMS_H

#include "net/common/wire.h"
#include "net/mpi/mpi.h"

enum {
  TSR_MPI_TAG_REQUEST = 0,
  TSR_MPI_TAG_ACK = 1,
  TSR_MPI_TAG_REPLY = TSR_WIRE_SLOTS_MAX,   /* + slot */
  TSR_MPI_TAG_BULK = 2 * TSR_WIRE_SLOTS_MAX /* + slot */
};

/* Both from the start to the end of the transport; errors on them return. */
struct tsr_mpi {
  MPI_Comm requests;
  MPI_Comm tagged;
  enum { TSR_MPI_WINDOW_NONE, TSR_MPI_WINDOW_WANTED } window; /* what all ranks want */
};
extern struct tsr_mpi tsr_mpi;

/* Ends the job if `code` is an error; `what` names the call and its purpose. */
_Noreturn void tsr_mpi_failed(int code, const char *what) __attribute__((cold));
static inline void tsr_mpi_check(int code, const char *what) {
  if (__builtin_expect(code != MPI_SUCCESS, 0)) tsr_mpi_failed(code, what);
}

bool tsr_mpi_is_truncation(int code); /* a message was longer than its receive */

#endif
