/* Which wire the transport uses, by TESSERA_NET. */
#ifndef TSR_NET_START_H
#define TSR_NET_START_H

#include <mpi.h>
#include <stdbool.h>

#include "net/net.h"

/* Whether the wire over UCX will be used, as far as this process knows, or is used; the configuration has been read. */
bool tsr_net_prefers_ucx(void);

/* Whether this host has an active device for verbs, through which MPI and UCX register memory and keep its pages. */
bool tsr_net_has_verbs(void);

/* Starts the transport on `comm`; collective over it. `node` is NULL if no process shares memory. See tsr_net_mpi_start and
 * tsr_net_ucx_start for errors.
 * TESSERA_ERR_STATE: it runs already. TESSERA_ERR_ARG: TESSERA_NET differs, or contradicts TESSERA_NET_RMA. With TESSERA_NET=auto
 * on all ranks, and MPI at MPI_THREAD_MULTIPLE, MPI's wire takes over if UCX cannot be used on some ranks. */
tessera_status_t tsr_net_start(MPI_Comm comm, const struct tsr_net_node *node);

/* Lets the transport put and get without the target, if it can: see tsr_net_mpi_window_start, also for `units`, and
 * tsr_net_ucx_rma_start. Collective over all ranks. */
tessera_status_t tsr_net_start_rma(MPI_Comm units, const struct tsr_net_heap *heap);

/* One sentence: how puts and gets would go, as far as is known without a job. */
const char *tsr_net_explain_rma(void);

/* Called before tsr_net->finish if only some of the ranks call that. There is no window. */
void tsr_net_leave(void);

/* One sentence: the wire that this process would use, and why. */
const char *tsr_net_explain(char *text, size_t bytes);

/* One line: version and file of the UCX that would be opened, or why there is none. Returns whether it can be used. */
bool tsr_net_describe_ucx(char *text, size_t bytes);

/* Call `row` for UCX's choice of devices and transports, "UCX_TLS=tcp, by TESSERA_UCX_TLS", and for each device that it finds with
 * it, "eth0: tcp". Nothing happens without a UCX that can be used. False: UCX finds no device, and `row` gets the error. */
void tsr_net_each_ucx_setting(void (*row)(const char *text, void *arg), void *arg);
bool tsr_net_each_ucx_device(void (*row)(const char *text, void *arg), void *arg);

/* Calls `row` for each port of each device for verbs: "mlx5_0 port 1: InfiniBand, 200 Gb/sec (4X HDR), 4: ACTIVE". Returns their
 * number. */
int tsr_net_each_verbs_port(void (*row)(const char *text, void *arg), void *arg);

#endif
