/* The context and the worker of this process, and its endpoints, made when they are first used. Under the transport's lock. */
#ifndef TSR_NET_UCX_ENDPOINT_H
#define TSR_NET_UCX_ENDPOINT_H

#include <mpi.h>

#include "net/common/wire.h"
#include "net/ucx/library.h"

struct tsr_ucx_worker {
  ucp_context_h context;
  ucp_worker_h worker;
  MPI_Comm comm; /* of all ranks, for their start and end; COMM_NULL: the others do not end with this rank */
  int event_fd;
  bool wants_rma; /* of all ranks */
  bool is_optional; /* another wire takes over if this one cannot start */
  bool is_ending; /* errors of endpoints are expected */
  bool has_lost;  /* UCX has reported an endpoint as lost */
};
extern struct tsr_ucx_worker tsr_ucx_worker;

tessera_status_t tsr_ucx_worker_make(int ranks_n);
/* Collective; afterwards endpoints can be made. */
tessera_status_t tsr_ucx_addresses_share(int ranks_n, const struct tsr_net_node *node);

/* Ends the job if the endpoint cannot be made, or the peer is gone. */
ucp_ep_h tsr_ucx_endpoint(int rank);

/* Ends the job if UCX has reported a rank as lost from which something is awaited: nothing else would tell the waiting thread. */
void tsr_ucx_check_lost(bool (*is_awaited)(int rank));

_Noreturn void tsr_ucx_fail(ucs_status_t status, const char *what) __attribute__((cold));

/* Waits until all that was sent has left this process; for a second at most, as a peer may be gone. */
void tsr_ucx_flush(void);

/* Closes the endpoints, together with the other ranks, and frees everything; also after a start that failed half way. */
void tsr_ucx_worker_end(void);

#endif
