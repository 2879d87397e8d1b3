/* Restrictions on calls, and common parts of the calls that send active messages. */
#include "core/heap_base.h"
#include "api/gasnet/am.h"
#include "api/gasnet/gasnet_api.h"
#include "rma/rma.h"

_Thread_local struct tsr_gex_thread tsr_gex_thread;

static void check_free(const char *call) {
  if (tsr_gex_thread.held)
    tsr_gex_die("TSR-4010 %s: the caller holds a handler-safe lock; release it first with gex_HSL_Unlock", call);
  if (tsr_gex_thread.prepared)
    tsr_gex_die("TSR-4011 %s: the caller has called %s; commit or cancel that message first", call, tsr_gex_thread.prepared);
}

void tsr_gex_check_context(const char *call) {
  if (__builtin_expect(!tsr_config.check, 1)) return;
  const tsr_am_token *running = tsr_am_running();
  if (running)
    tsr_gex_die("TSR-4012 %s: called from handler %d, of a message of rank %d of the job; a handler may only reply and take "
                "locks, do the rest after it has returned", call, running->handler, running->source.id);
  check_free(call);
}

/* ---- sending ---- */

tsr_am_token *tsr_gex_am_answerable(const char *call, gex_Token_t token) {
  tsr_am_token *message = (tsr_am_token *)token;
  if (__builtin_expect(tsr_config.check, 0)) check_free(call);
  if (__builtin_expect(!message || message != tsr_am_running(), 0))
    tsr_gex_die("TSR-4013 %s: the token is not that of the message whose handler runs", call);
  if (__builtin_expect(!message->is_request, 0))
    tsr_gex_die("TSR-4014 %s: handler %d runs for a reply; reply to requests only", call, message->handler);
  if (__builtin_expect(message->replied, 0))
    tsr_gex_die("TSR-4015 %s: handler %d has replied already; a request has one reply at most", call, message->handler);
  return message;
}

struct tsr_gex_am_local tsr_gex_am_local(const char *call, gex_Event_t *lc_opt, bool is_request) {
  struct tsr_gex_am_local local = {0};
  if (__builtin_expect(lc_opt == GEX_EVENT_NOW, 1)) return local;
  if (lc_opt == GEX_EVENT_GROUP && is_request) {
    local.op = tsr_gex_nbi(TSR_GEX_AM);
    return local;
  }
  if (!lc_opt || lc_opt == GEX_EVENT_DEFER || lc_opt == GEX_EVENT_GROUP)
    tsr_gex_die("TSR-4016 %s: lc_opt is %s; pass GEX_EVENT_NOW%s or the address of an event", call,
                !lc_opt ? "NULL" : lc_opt == GEX_EVENT_DEFER ? "GEX_EVENT_DEFER" : "GEX_EVENT_GROUP",
                is_request ? ", GEX_EVENT_GROUP" : "");
  local.out = lc_opt;
  local.event = tsr_gex_event(&local.op, TSR_GEX_AM);
  return local;
}

void tsr_gex_am_local_done(const struct tsr_gex_am_local *local, bool sent) {
  if (sent) *local->out = tsr_gex_event_started(local->event);
  else tsr_gex_event_drop(local->event);
}

void tsr_gex_am_check_dest(const char *call, tsr_unit unit, const void *dest_addr, size_t bytes) {
  if (bytes) tsr_gex_address(call, unit, dest_addr, bytes);
}

static void put_ahead(const char *call, tsr_addr remote_addr, struct tsr_am_message *message) {
  tsr_op op = {0};
  if (tsr_put(remote_addr, message->data, message->bytes, &op))
    tsr_gex_die("TSR-4017 %s: the put of the data to job rank %d failed; see the message above", call, remote_addr.unit.id);
  tsr_op_wait_remote(&op, remote_addr.unit);
  message->data = NULL;
}

bool tsr_gex_am_aim(const char *call, tsr_unit unit, const void *dest_addr, gex_Flags_t flags, struct tsr_am_message *message) {
  message->dest_off = (uintptr_t)dest_addr - tsr_heap_base(unit);
  if (!message->bytes) return true;
  tsr_addr remote_addr = tsr_gex_address(call, unit, dest_addr, message->bytes);
  if (__builtin_expect(!tsr_addr_is_outside(remote_addr), 1)) return true;
  if (flags & GEX_FLAG_IMMEDIATE) return false;
  put_ahead(call, remote_addr, message);
  return true;
}

bool tsr_gex_am_sent(const char *call, tessera_status_t status) {
  if (__builtin_expect(status == TESSERA_OK, 1)) return true;
  if (status != TESSERA_ERR_AGAIN) tsr_gex_die("TSR-4018 %s: the message cannot be sent; see the message above", call);
  return false;
}
