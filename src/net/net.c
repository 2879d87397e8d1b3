#include "net/net.h"

#include <assert.h>
#include <stdlib.h>

#include "base/log.h"
#include "net/none/none.h"

static void log_and_abort(const char *what) {
  tsr_error("TSR-0232 the transport failed: %s", what);
  abort();
}

static void know_nothing(int rank, int tag, size_t room_bytes, size_t came_bytes) {
  (void)rank, (void)tag, (void)room_bytes, (void)came_bytes;
}

/* Replaced when a transport starts; these are the smallest that may be configured. */
struct tsr_net_limits tsr_net_limits = {
    .eager_bytes = 1 << 10, .chunk_bytes = TSR_NET_PAYLOAD_LEAST, .payload_bytes = TSR_NET_PAYLOAD_LEAST, .at_once_bytes = 1 << 10};
const struct tsr_net_ops *tsr_net = &tsr_net_none;
_Atomic bool tsr_net_is_polled, tsr_net_holds;
static void do_nothing(void) {}
void (*tsr_net_on_hold)(void) = do_nothing;
tsr_net_handler_fn tsr_net_handlers[TSR_NET_HANDLERS_MAX];
void (*tsr_net_fatal)(const char *what) = log_and_abort;
void (*tsr_net_misfit)(int rank, int tag, size_t room_bytes, size_t came_bytes) = know_nothing;

void tsr_net_register(uint8_t handler, tsr_net_handler_fn function) {
  assert(handler < TSR_NET_HANDLERS_MAX && !tsr_net_handlers[handler]);
  tsr_net_handlers[handler] = function;
}
