#include "net/none/none.h"

#include <stdio.h>

static tessera_status_t refuse(const char *what, int rank) {
  char text[160];
  snprintf(text, sizeof text, "no transport: %s rank %d was started before initialisation or after exit", what, rank);
  tsr_net_fatal(text);
  return TESSERA_ERR_STATE;
}

static void finish(void) {}

static tessera_status_t request(const struct tsr_net_request *request) { return refuse("a request to", request->rank); }

static tessera_status_t send(int rank, int tag, const void *data, size_t bytes, tsr_net_done_fn done, void *arg) {
  (void)tag, (void)data, (void)bytes, (void)done, (void)arg;
  return refuse("a message to", rank);
}

static tessera_status_t receive(int rank, int tag, void *data, size_t bytes, tsr_net_done_fn done, void *arg) {
  (void)tag, (void)data, (void)bytes, (void)done, (void)arg;
  return refuse("a receive from", rank);
}

static int poll(void) { return 0; }
static int outstanding(void) { return 0; }

const struct tsr_net_ops tsr_net_none = {
    .name = "none",
    .finish = finish,
    .request = request,
    .send = send,
    .receive = receive,
    .poll = poll,
    .outstanding = outstanding,
};
