/* Prints what processes wait for, to examine programs that seem to hang. */
#include "am/remote.h"
#include "am/pool.h"
#include "base/log.h"
#include "core/place.h"
#include "api/gasnet/event.h"
#include "net/net.h"
#include "node/memory.h"

#define say(...) tsr_log_write(TSR_LOG_INFO, __VA_ARGS__)

static unsigned count_queued(uint32_t local, enum tsr_ring_class which) {
  return (unsigned)tsr_ring_depth(tsr_memory_ring(tsr_heap.memory, local, which));
}

/* A unit of this node, whose state is in shared memory. */
static void say_local_unit(uint32_t local) {
  char text[256] = "nothing: it is awake";
  struct tsr_wait_why why = tsr_wait_reason(&tsr_heap_unit(local)->why);
  if (why.kind != TSR_WAIT_NONE) tsr_wait_describe(&why, text, sizeof text);
  say("job rank %d waits for %s; it has %u slots of requests and %u of replies to handle", tsr_place_unit(local).id, text,
      count_queued(local, TSR_RING_AM_REQUESTS), count_queued(local, TSR_RING_AM_REPLIES));
}

void tessera_gex_dump(void) {
  tsr_gex_check_up("tessera_gex_dump");
  say("outstanding in this process: %d events, %d transfers and other requests, %d messages with data; to other nodes:",
      tsr_gex_events_n(), tsr_net->outstanding(-1), tsr_am_pool_taken());
  for (int32_t unit = 0; unit < tsr_place.units_n; unit++) {
    int messages_n = tsr_place_is_local(TSR_UNIT(unit)) ? 0 : tsr_am_remote_n(TSR_UNIT(unit));
    if (messages_n) say("%d messages to job rank %d, not received yet", messages_n, unit);
  }
  for (uint32_t local = 0; local < tsr_place_local_units(); local++) say_local_unit(local);
}
