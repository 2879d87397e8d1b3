#include <tessera/am.h>

#include <string.h>

#include "am/am.h"
#include "am/remote.h"
#include "am/pool.h"
#include "base/wait.h"
#include "core/place.h"
#include "api/native/am_call.h"

struct entry {
  tessera_am_handler_t handler;
  void *context;
};
static struct entry table[TESSERA_AM_HANDLERS_MAX];

static void dispatch_message(tsr_am_token *token) {
  struct entry entry = table[token->handler];
  if (!entry.handler)
    tsr_abort(1, "TSR-1000 unit %d sends an active message to handler %d, which this unit has not registered; call "
              "tessera_am_register, then a barrier, before the first message", token->source.id, token->handler);
  tessera_am_t message = {.unit = token->source.id, .args_n = token->args_n, .args = token->args, .data = token->data,
                          .bytes = token->bytes, .is_request = token->is_request, .token = token};
  entry.handler(&message, entry.context);
}

size_t tessera_am_medium_max(void) { return tsr_runtime_is_up ? TSR_AM_MEDIUM_BYTES : 0; }
size_t tessera_am_long_max(void) { return TSR_AM_LONG_BYTES; }

tessera_status_t tessera_am_register(int32_t number, tessera_am_handler_t handler, void *context) {
  tessera_status_t status = tsr_native_am_check_up(__func__);
  if (!status) status = tsr_native_am_check_outside(__func__);
  if (status) return status;
  if (number < 0 || number >= TESSERA_AM_HANDLERS_MAX)
    return tsr_fail(TESSERA_ERR_RANGE, "TSR-1001 %s: there is no handler %d; pass 0 to %d", __func__, number,
                    TESSERA_AM_HANDLERS_MAX - 1);
  table[number] = (struct entry){handler, context};
  return TESSERA_OK;
}

tessera_status_t tessera_am_place(const void *memory, uint64_t *place) {
  uint32_t local;
  tessera_status_t status = tsr_native_am_check_up(__func__);
  if (status) return status;
  if (!memory || !place)
    return tsr_fail(TESSERA_ERR_ARG, "TSR-1002 %s: memory or place is NULL; pass an address, and where to store its place",
                    __func__);
  uint64_t off;
  if (!tsr_heap_contains(memory, &local, &off) || local != tsr_heap.self)
    return tsr_fail(TESSERA_ERR_RANGE, "TSR-1003 %s: %p is not in the heap of this unit; pass memory that this unit allocated",
                    __func__, memory);
  *place = off;
  return TESSERA_OK;
}

tessera_status_t tessera_am_poll(void) {
  tessera_status_t status = tsr_native_am_check_up(__func__);
  if (!status) status = tsr_native_am_check_outside(__func__);
  if (!status) tsr_am_poll();
  return status;
}

tessera_status_t tessera_am_wait(bool (*ready)(const void *arg), const void *arg) {
  tessera_status_t status = tsr_native_am_check_up(__func__);
  if (!status) status = tsr_native_am_check_outside(__func__);
  if (status) return status;
  if (!ready) return tsr_fail(TESSERA_ERR_ARG, "TSR-1004 %s: ready is NULL; pass the condition to wait for", __func__);
  tsr_wait(ready, arg, (struct tsr_wait_why){TSR_WAIT_AM, 0, 0});
  return TESSERA_OK;
}

static int32_t waits_for(struct tsr_wait_why why) {
  bool for_room = why.kind == TSR_WAIT_ROOM || why.kind == TSR_WAIT_AM_BLOCK || why.kind == TSR_WAIT_AM_TAKEN;
  return for_room ? why.who : -1;
}

tessera_status_t tessera_am_state(int32_t unit, tessera_am_state_t *state) {
  tessera_status_t status = tsr_native_am_check_up(__func__);
  if (!status) status = tsr_native_am_check_unit(__func__, unit);
  if (status) return status;
  if (!state) return tsr_fail(TESSERA_ERR_ARG, "TSR-1005 %s: state is NULL; pass where to store it", __func__);
  *state = (tessera_am_state_t){.blocks = tsr_am_pool_taken(), .waits_for = -1};
  int32_t local = tsr_place_local(TSR_UNIT(unit));
  if (local < 0) {
    state->under_way = tsr_am_remote_n(TSR_UNIT(unit));
    return TESSERA_OK;
  }
  struct tsr_node_memory *memory = tsr_heap.memory;
  state->requests_queued = (int32_t)tsr_ring_depth(tsr_memory_ring(memory, (uint32_t)local, TSR_RING_AM_REQUESTS));
  state->replies_queued = (int32_t)tsr_ring_depth(tsr_memory_ring(memory, (uint32_t)local, TSR_RING_AM_REPLIES));
  state->queue_lines = TSR_RING_SLOTS;
  state->waits_for = waits_for(tsr_wait_reason(&tsr_heap_unit((uint32_t)local)->why));
  return TESSERA_OK;
}

void tsr_native_am_forget(void) { memset(table, 0, sizeof table); }

__attribute__((constructor)) static void register_family(void) { tsr_am_register(TSR_AM_NATIVE, dispatch_message); }
