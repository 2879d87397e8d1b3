#include "net/none/none.h"

#include <stdio.h>

static tessera_status_t fail_call(const char *what, int rank) {
  char text[160];
  snprintf(text, sizeof text, "no transport: %s rank %d was started before initialisation or after exit", what, rank);
  tsr_net_fatal(text);
  return TESSERA_ERR_STATE;
}

static void none_quiesce(void) {}
static void none_finish(void) {}

static tessera_status_t none_request(const struct tsr_net_request *request) {
  return fail_call("a request to", request->rank);
}

static bool has_room(const struct tsr_net_request *request) {
  (void)request;
  return true; /* so that the request is started, and fails at once */
}

static bool none_reserve(int rank, size_t requests_n, size_t long_n) {
  (void)rank, (void)requests_n, (void)long_n;
  return true; /* as above */
}

static void none_unreserve(int rank, size_t requests_n, size_t long_n) { (void)rank, (void)requests_n, (void)long_n; }

static void none_send(const void *data, const struct tsr_net_message *message) {
  (void)data;
  fail_call("a message to", message->rank);
}

static void none_receive(void *data, const struct tsr_net_message *message) {
  (void)data;
  fail_call("a receive from", message->rank);
}

static tessera_status_t none_put(const struct tsr_net_piece *piece) {
  fail_call("a put to the heap of", piece->unit);
  return TESSERA_ERR_UNSUPPORTED;
}

static tessera_status_t none_get(const struct tsr_net_piece *piece) {
  fail_call("a get from the heap of", piece->unit);
  return TESSERA_ERR_UNSUPPORTED;
}

static int none_poll(void) { return 0; }

static int none_outstanding(int rank) {
  (void)rank;
  return 0;
}

static int none_pieces_outstanding(void) { return 0; }

static bool none_moves(void) { return false; }

const struct tsr_net_ops tsr_net_none = {
    .name = "none",
    .quiesce = none_quiesce,
    .finish = none_finish,
    .request = none_request,
    .has_room = has_room,
    .reserve = none_reserve,
    .unreserve = none_unreserve,
    .put = none_put,
    .get = none_get,
    .send = none_send,
    .receive = none_receive,
    .poll = none_poll,
    .outstanding = none_outstanding,
    .pieces_outstanding = none_pieces_outstanding,
    .moves = none_moves,
    .event_fd = -1,
};
