#include "net/none/none.h"

#include <stdio.h>

static tessera_status_t refuse(const char *what, int rank) {
  char text[160];
  snprintf(text, sizeof text, "no transport: %s rank %d was started before initialisation or after exit", what, rank);
  tsr_net_fatal(text);
  return TESSERA_ERR_STATE;
}

static void settle(void) {}
static void finish(void) {}

static tessera_status_t request(const struct tsr_net_request *request) { return refuse("a request to", request->rank); }

static bool has_room(const struct tsr_net_request *request) {
  (void)request;
  return true; /* who waits for it is told at once */
}

static bool reserve(int rank, size_t requests_n, size_t long_n) {
  (void)rank, (void)requests_n, (void)long_n;
  return true; /* as above */
}

static void unreserve(int rank, size_t requests_n, size_t long_n) { (void)rank, (void)requests_n, (void)long_n; }

static tessera_status_t send(int rank, int tag, const void *data, size_t bytes, tsr_net_done_fn done, void *arg) {
  (void)tag, (void)data, (void)bytes, (void)done, (void)arg;
  return refuse("a message to", rank);
}

static tessera_status_t receive(int rank, int tag, void *data, size_t bytes, tsr_net_done_fn done, void *arg) {
  (void)tag, (void)data, (void)bytes, (void)done, (void)arg;
  return refuse("a receive from", rank);
}

static tessera_status_t put(const struct tsr_net_piece *piece) {
  refuse("a put to the heap of", piece->unit);
  return TESSERA_ERR_UNSUPPORTED;
}

static tessera_status_t get(const struct tsr_net_piece *piece) {
  refuse("a get from the heap of", piece->unit);
  return TESSERA_ERR_UNSUPPORTED;
}

static int poll(void) { return 0; }

static int outstanding(int rank) {
  (void)rank;
  return 0;
}

static bool moves(void) { return false; }

const struct tsr_net_ops tsr_net_none = {
    .name = "none",
    .settle = settle,
    .finish = finish,
    .request = request,
    .has_room = has_room,
    .reserve = reserve,
    .unreserve = unreserve,
    .put = put,
    .get = get,
    .send = send,
    .send_synchronous = send,
    .receive = receive,
    .poll = poll,
    .outstanding = outstanding,
    .moves = moves,
};
