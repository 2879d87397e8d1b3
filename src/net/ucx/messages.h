/* Messages over UCX's worker, as struct tsr_wire has them. UCX's callbacks queue what has completed or arrived; the poll hands it
 * over. Under the transport's lock. */
#ifndef TSR_NET_UCX_MESSAGES_H
#define TSR_NET_UCX_MESSAGES_H

#include "net/common/wire.h"

tessera_status_t tsr_ucx_messages_open(void); /* requests and acknowledgements are received from here on */

tsr_wire_send tsr_ucx_send_request(int rank, const void *message, size_t bytes);
void tsr_ucx_release_request(tsr_wire_send send);
void tsr_ucx_send_acks(int rank, const void *acks, size_t bytes, tsr_net_done_fn done, void *arg);
void tsr_ucx_send(const void *data, const struct tsr_wire_message *message);
void tsr_ucx_receive(void *data, const struct tsr_wire_message *message);

int tsr_ucx_poll(void);
bool tsr_ucx_moves(void);
bool tsr_ucx_arm(void);

void tsr_ucx_messages_stop(void); /* waits for sends, withdraws receives; calls nothing back */
void tsr_ucx_messages_free(void); /* after the worker's end */

#endif
