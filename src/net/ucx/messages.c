#include "net/ucx/messages.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/copy.h"
#include "base/slab.h"
#include "base/status.h"
#include "net/common/delay.h"
#include "net/common/requests.h"
#include "net/ucx/endpoint.h"
#include "net/ucx/rma.h"

/* Active messages, by UCX's number. */
enum { REQUEST_ID = 1, ACKS_ID = 2 };

/* A message under way that calls back. */
struct transfer {
  struct transfer *next, *previous; /* among the receives; among what has completed `next` only */
  struct tsr_wire_message message;
  void *request; /* of a receive, to withdraw it */
  size_t bytes;  /* that have come */
  ucs_status_t status;
  bool receives, is_complete, is_long; /* is_long: beyond the eager limit */
};

/* A request or acknowledgements that have arrived. The message is aligned as handlers want it. */
struct arrival {
  struct arrival *next;
  size_t bytes;
  int rank;
  bool is_acks;
  _Alignas(TSR_WIRE_ALIGN) char message[];
};

static tsr_slab transfers = TSR_SLAB(sizeof(struct transfer));

static struct {
  struct transfer *receives; /* that wait, to be withdrawn at the end */
  struct transfer *first_complete, **last_complete; /* not handed over yet, oldest first */
  struct arrival *first_arrived, **last_arrived, *free;
  int free_n;
  _Atomic int long_n; /* transfers beyond the eager limit */
} messages;

/* ---- transfers ---- */

static struct transfer *begin_transfer(const struct tsr_wire_message *message, bool receives) {
  struct transfer *transfer = tsr_slab_take(&transfers);
  if (!transfer)
    tsr_wire_fatal("TSR-0246 no private memory for a message %s rank %d; lower TESSERA_WIRE_BUFFERS", receives ? "from" : "to",
                   message->rank);
  *transfer = (struct transfer){.message = *message, .receives = receives, .bytes = message->bytes,
                                .is_long = message->bytes > tsr_net_limits.eager_bytes};
  if (transfer->is_long) atomic_fetch_add_explicit(&messages.long_n, 1, memory_order_relaxed);
  if (!receives) return transfer;
  transfer->next = messages.receives;
  if (transfer->next) transfer->next->previous = transfer;
  messages.receives = transfer;
  return transfer;
}

static void leave_receives(struct transfer *transfer) {
  if (transfer->previous) transfer->previous->next = transfer->next;
  else messages.receives = transfer->next;
  if (transfer->next) transfer->next->previous = transfer->previous;
}

static void complete_transfer(struct transfer *transfer, ucs_status_t status) {
  if (transfer->receives) leave_receives(transfer);
  transfer->status = status;
  transfer->is_complete = true;
  transfer->next = NULL;
  *messages.last_complete = transfer;
  messages.last_complete = &transfer->next;
}

static void on_sent(void *request, ucs_status_t status, void *arg) {
  complete_transfer(arg, status);
  tsr_ucx.ucp_request_free(request);
}

static void on_received(void *request, ucs_status_t status, const ucp_tag_recv_info_t *info, void *arg) {
  struct transfer *transfer = arg;
  if (status == UCS_OK) transfer->bytes = info->length;
  complete_transfer(transfer, status);
  tsr_ucx.ucp_request_free(request);
}

_Noreturn static void fail_transfer(const struct transfer *transfer) {
  if (transfer->status == UCS_ERR_MESSAGE_TRUNCATED) tsr_wire_misfit(&transfer->message, TSR_NET_MORE);
  tsr_ucx_fail(transfer->status, tsr_wire_describe(&transfer->message, transfer->receives).line);
}

static void end_transfer(struct transfer *transfer) {
  const struct tsr_wire_message message = transfer->message;
  const size_t bytes = transfer->bytes;
  const bool receives = transfer->receives;
  if (transfer->status != UCS_OK) fail_transfer(transfer);
  if (transfer->is_long) atomic_fetch_sub_explicit(&messages.long_n, 1, memory_order_relaxed);
  tsr_slab_give(&transfers, transfer);
  if (receives) tsr_wire_received(&message, bytes);
  else if (message.done) message.done(message.arg, TSR_NET_LOCAL, bytes);
}

/* What a starting call has returned: NULL when the send is complete already. */
static void follow_send(struct transfer *transfer, void *request) {
  if (!request) complete_transfer(transfer, UCS_OK);
  else if (UCS_PTR_IS_ERR(request)) complete_transfer(transfer, UCS_PTR_STATUS(request));
}

static ucp_request_param_t call_back_send(struct transfer *transfer) {
  return (ucp_request_param_t){.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA,
                               .cb.send = on_sent,
                               .user_data = transfer};
}

/* ---- tagged messages, replies and bulk: all are tags of UCX, with the sender's rank in it ---- */

static ucp_tag_t tag_of(enum tsr_wire_kind kind, int tag, int sender) {
  return (ucp_tag_t)kind << 48 | (ucp_tag_t)(uint16_t)tag << 32 | (uint32_t)sender;
}

void tsr_ucx_send(const void *data, const struct tsr_wire_message *message) {
  struct transfer *transfer = begin_transfer(message, false);
  ucp_request_param_t how = call_back_send(transfer);
  ucp_tag_t tag = tag_of(message->kind, message->tag, tsr_wire_rank);
  follow_send(transfer, (message->synchronous ? tsr_ucx.ucp_tag_send_sync_nbx : tsr_ucx.ucp_tag_send_nbx)(
                            tsr_ucx_endpoint(message->rank), data, message->bytes, tag, &how));
}

void tsr_ucx_receive(void *data, const struct tsr_wire_message *message) {
  struct transfer *transfer = begin_transfer(message, true);
  ucp_request_param_t how = {
      .op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA | UCP_OP_ATTR_FLAG_NO_IMM_CMPL,
      .cb.recv = on_received,
      .user_data = transfer};
  void *request = tsr_ucx.ucp_tag_recv_nbx(tsr_ucx_worker.worker, data, message->bytes,
                                           tag_of(message->kind, message->tag, message->rank), UINT64_MAX, &how);
  if (UCS_PTR_IS_ERR(request)) complete_transfer(transfer, UCS_PTR_STATUS(request));
  else if (!transfer->is_complete) transfer->request = request;
}

/* ---- requests and acknowledgements: active messages ---- */

static void *send_active(int rank, unsigned id, const void *message, size_t bytes, ucp_request_param_t *how) {
  how->op_attr_mask |= UCP_OP_ATTR_FIELD_FLAGS;
  how->flags = UCP_AM_SEND_FLAG_EAGER;
  return tsr_ucx.ucp_am_send_nbx(tsr_ucx_endpoint(rank), id, &tsr_wire_rank, sizeof tsr_wire_rank, message, bytes, how);
}

tsr_wire_send tsr_ucx_send_request(int rank, const void *message, size_t bytes) {
  ucp_request_param_t how = {0};
  void *request = send_active(rank, REQUEST_ID, message, bytes, &how);
  if (UCS_PTR_IS_ERR(request)) {
    const struct tsr_wire_message failed = {.rank = rank, .bytes = bytes, .what = "a request"};
    tsr_ucx_fail(UCS_PTR_STATUS(request), tsr_wire_describe(&failed, false).line);
  }
  return (tsr_wire_send)request;
}

void tsr_ucx_release_request(tsr_wire_send send) {
  if (send) tsr_ucx.ucp_request_free((void *)send);
}

void tsr_ucx_send_acks(int rank, const void *acks, size_t bytes, tsr_net_done_fn done, void *arg) {
  struct transfer *transfer = begin_transfer(&(struct tsr_wire_message){.rank = rank, .bytes = bytes, .done = done, .arg = arg,
                                                                        .what = "acknowledgements"}, false);
  ucp_request_param_t how = call_back_send(transfer);
  follow_send(transfer, send_active(rank, ACKS_ID, acks, bytes, &how));
}

static struct arrival *take_arrival(void) {
  struct arrival *arrival = messages.free;
  if (arrival) {
    messages.free = arrival->next;
    messages.free_n--;
    return arrival;
  }
  size_t bytes = sizeof *arrival + tsr_max_size(tsr_wire_message_room(), TSR_WIRE_ACKS_MOST);
  arrival = aligned_alloc(TSR_WIRE_ALIGN, (bytes + TSR_WIRE_ALIGN - 1) / TSR_WIRE_ALIGN * TSR_WIRE_ALIGN);
  if (!arrival)
    tsr_wire_fatal("TSR-0247 no private memory to receive a request; lower TESSERA_WIRE_BUFFERS or TESSERA_EAGER_LIMIT");
  return arrival;
}

/* Many may have come at once: only some are kept. */
static void give_arrival(struct arrival *arrival) {
  enum { KEPT_N = 64 };
  if (messages.free_n >= KEPT_N) {
    free(arrival);
    return;
  }
  arrival->next = messages.free;
  messages.free = arrival;
  messages.free_n++;
}

/* The bytes are UCX's only until this returns, and no handler may run inside UCX. */
static ucs_status_t keep_arrival(const void *header, size_t header_bytes, const void *data, size_t bytes, bool is_acks) {
  int rank = -1;
  size_t most = is_acks ? (size_t)TSR_WIRE_ACKS_MOST : tsr_wire_message_most();
  if (header_bytes == sizeof rank) memcpy(&rank, header, sizeof rank);
  if (rank < 0 || rank >= tsr_wire_ranks_n || bytes > most)
    tsr_wire_fatal("TSR-0248 %s of %zu bytes came, with a header of %zu bytes (rank %d); expected are at most %zu, and a "
                   "header of %zu; " TSR_REMEDY_ONE_BUILD, is_acks ? "acknowledgements" : "a request", bytes, header_bytes, rank,
                   most, sizeof rank);
  struct arrival *arrival = take_arrival();
  arrival->next = NULL;
  arrival->bytes = bytes;
  arrival->rank = rank;
  arrival->is_acks = is_acks;
  tsr_copy(arrival->message, data, bytes);
  *messages.last_arrived = arrival;
  messages.last_arrived = &arrival->next;
  return UCS_OK;
}

static ucs_status_t on_request(void *arg, const void *header, size_t header_bytes, void *data, size_t bytes,
                               const ucp_am_recv_param_t *how) {
  (void)arg, (void)how;
  return keep_arrival(header, header_bytes, data, bytes, false);
}

static ucs_status_t on_acks(void *arg, const void *header, size_t header_bytes, void *data, size_t bytes,
                            const ucp_am_recv_param_t *how) {
  (void)arg, (void)how;
  return keep_arrival(header, header_bytes, data, bytes, true);
}

static ucs_status_t set_handler(unsigned id, ucp_am_recv_callback_t handler) {
  ucp_am_handler_param_t how = {.field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_FLAGS |
                                              UCP_AM_HANDLER_PARAM_FIELD_CB,
                                .id = id,
                                .flags = UCP_AM_FLAG_WHOLE_MSG,
                                .cb = handler};
  return tsr_ucx.ucp_worker_set_am_recv_handler(tsr_ucx_worker.worker, &how);
}

tessera_status_t tsr_ucx_messages_open(void) {
  messages.last_complete = &messages.first_complete;
  messages.last_arrived = &messages.first_arrived;
  ucs_status_t status = set_handler(REQUEST_ID, on_request);
  if (status == UCS_OK) status = set_handler(ACKS_ID, on_acks);
  if (status == UCS_OK) return TESSERA_OK;
  return tsr_fail(TESSERA_ERR_NET, "TSR-0249 UCX takes no handler of active messages: %s; set TESSERA_NET=mpi",
                  tsr_ucx.ucs_status_string(status));
}

/* ---- progress ---- */

enum { MOST_N = 64 /* events of one poll, since other threads wait for the transport */ };

static int end_transfers(void) {
  int done_n = 0;
  for (struct transfer *transfer; done_n < MOST_N && (transfer = messages.first_complete); done_n++) {
    messages.first_complete = transfer->next;
    if (!messages.first_complete) messages.last_complete = &messages.first_complete;
    end_transfer(transfer);
  }
  return done_n;
}

static bool has_next_arrival(void) {
  return messages.first_arrived && (messages.first_arrived->is_acks || tsr_wire_has_room());
}

static int hand_over_arrivals(void) {
  int done_n = 0;
  for (; done_n < MOST_N && has_next_arrival(); done_n++) {
    struct arrival *arrival = messages.first_arrived;
    messages.first_arrived = arrival->next;
    if (!messages.first_arrived) messages.last_arrived = &messages.first_arrived;
    if (arrival->is_acks) tsr_wire_acks_arrived(arrival->message, arrival->rank, arrival->bytes);
    else tsr_wire_request_arrived((struct tsr_wire_header *)(void *)arrival->message, arrival->rank, arrival->bytes);
    give_arrival(arrival);
  }
  return done_n;
}

static bool is_awaited(int rank) {
  const struct transfer *receive = messages.receives;
  while (receive && receive->message.rank != rank) receive = receive->next;
  return receive || tsr_wire_requests_busy(rank) > 0 || tsr_ucx_rma_awaits(rank);
}

/* What a rank has sent before it was lost is taken first. */
static void check_lost(void) {
  if (messages.first_complete || messages.first_arrived || tsr_wire_delay_holds()) return;
  tsr_ucx_check_lost(is_awaited);
}

int tsr_ucx_poll(void) {
  tsr_ucx.ucp_worker_progress(tsr_ucx_worker.worker);
  int done_n = end_transfers() + hand_over_arrivals();
  if (tsr_ucx_worker.has_lost) check_lost();
  return done_n;
}

bool tsr_ucx_moves(void) { return atomic_load_explicit(&messages.long_n, memory_order_relaxed) > 0; }

bool tsr_ucx_arm(void) {
  if (messages.first_complete || has_next_arrival() || tsr_ucx_rma_has_work()) return false;
  ucs_status_t status = tsr_ucx.ucp_worker_arm(tsr_ucx_worker.worker);
  if (status != UCS_OK && status != UCS_ERR_BUSY) tsr_ucx_fail(status, "ucp_worker_arm");
  return status == UCS_OK;
}

/* ---- end ---- */

void tsr_ucx_messages_stop(void) {
  enum { PROGRESS_N = 1000 /* a receive may be matched already, by a message whose sender is gone */ };
  if (!tsr_ucx_worker.worker) return;
  tsr_ucx_flush(); /* the data of sends is freed next */
  for (struct transfer *receive = messages.receives, *next; receive; receive = next) {
    next = receive->next;
    if (receive->request) tsr_ucx.ucp_request_cancel(tsr_ucx_worker.worker, receive->request);
  }
  for (int i = 0; i < PROGRESS_N && messages.receives; i++) tsr_ucx.ucp_worker_progress(tsr_ucx_worker.worker);
}

static void free_arrivals(struct arrival *first) {
  for (struct arrival *next; first; first = next) {
    next = first->next;
    free(first);
  }
}

void tsr_ucx_messages_free(void) {
  free_arrivals(messages.first_arrived);
  free_arrivals(messages.free);
  tsr_slab_drop(&transfers);
  messages.receives = NULL;
  messages.first_complete = NULL;
  messages.first_arrived = messages.free = NULL;
  messages.free_n = 0;
  atomic_store_explicit(&messages.long_n, 0, memory_order_relaxed);
}
