#include "rma/rma.h"

#include <gex/rma.h>

#include "base/config.h"
#include "api/gasnet/rma.h"

/* ---- One transfer ---- */

/* Checks the flags by which the program promises something about the peer. */
static void check_promises(const char *call, tsr_unit unit, gex_Flags_t flags) {
  if ((flags & GEX_FLAG_PEER_NEVER_SELF) && unit.id == tsr_place.self)
    tsr_gex_die("TSR-4147 %s: GEX_FLAG_PEER_NEVER_SELF, but the peer is the caller; omit the flag", call);
  if ((flags & GEX_FLAG_PEER_NEVER_NBRHD) && tsr_place_is_local(unit))
    tsr_gex_die("TSR-4148 %s: GEX_FLAG_PEER_NEVER_NBRHD, but job rank %d shares memory with the caller; omit the flag", call,
                unit.id);
}

bool tsr_gex_transfer_check(struct tsr_gex_transfer *transfer, gex_TM_t tm, gex_Rank_t rank, const void *theirs,
                            gex_Flags_t flags) {
  const char *call = transfer->call;
  tsr_unit unit = tsr_gex_unit(call, tm, rank);
  tsr_gex_check_context(call);
  transfer->remote_addr.unit = unit;
  if (!transfer->bytes) return false;
  theirs = tsr_gex_theirs(call, unit, theirs, transfer->bytes, flags);
  transfer->local_addr = tsr_gex_ours(call, transfer->local_addr, transfer->bytes, flags);
  if (!transfer->local_addr) tsr_gex_die("TSR-4149 %s: the local address is NULL; pass the address of the data", call);
  transfer->remote_addr = tsr_gex_address(call, unit, theirs, transfer->bytes);
  return true;
}

static tessera_status_t start_transfer(const struct tsr_gex_transfer *t, tsr_op *op) {
  if (t->waits)
    return t->get ? tsr_get(t->local_addr, t->remote_addr, t->bytes, op)
                  : tsr_put(t->remote_addr, t->local_addr, t->bytes, op);
  return t->get ? tsr_get_nb(t->local_addr, t->remote_addr, t->bytes, op)
                : tsr_put_nb(t->remote_addr, t->local_addr, t->bytes, op);
}

bool tsr_gex_transfer_start(const struct tsr_gex_transfer *t, gex_Flags_t flags, tsr_op *op) {
  uint64_t begun_ns = tsr_stats_begin();
  if (tsr_config.check) check_promises(t->call, t->remote_addr.unit, flags);
  if (flags & GEX_FLAG_IMMEDIATE) {
    struct tsr_op_need need = {0};
    tsr_rma_need(&need, t->remote_addr, t->bytes);
    if (!tsr_op_reserve(&need)) return false;
  }
  if (start_transfer(t, op))
    tsr_gex_die("TSR-4150 %s: the transfer with job rank %d failed; see the message above", t->call, t->remote_addr.unit.id);
  if (flags & GEX_FLAG_IMMEDIATE) tsr_op_unreserve();
  atomic_thread_fence(memory_order_release); /* the data before this thread's next stores; partner: their reader */
  tsr_stats_end(t->get ? TSR_STAT_GET : TSR_STAT_PUT, begun_ns, t->bytes,
                tsr_place_is_local(t->remote_addr.unit) ? 0 : t->bytes);
  return true;
}

bool tsr_gex_transfer_run(const struct tsr_gex_transfer *t, gex_Flags_t flags) {
  tsr_op op = {0};
  if (!tsr_gex_transfer_start(t, flags, &op)) return false;
  tsr_op_wait_remote(&op, t->remote_addr.unit);
  atomic_thread_fence(memory_order_acquire);
  return true;
}

/* ---- Blocking ---- */

int gexi_put_blocking(gex_TM_t tm, gex_Rank_t rank, void *dest, const void *src, size_t bytes, gex_Flags_t flags) {
  struct tsr_gex_transfer put = {"gex_RMA_PutBlocking", .local_addr = (void *)src, .bytes = bytes, .waits = true};
  return tsr_gex_transfer_check(&put, tm, rank, dest, flags) && !tsr_gex_transfer_run(&put, flags);
}

int gexi_get_blocking(gex_TM_t tm, void *dest, gex_Rank_t rank, const void *src, size_t bytes, gex_Flags_t flags) {
  struct tsr_gex_transfer get = {"gex_RMA_GetBlocking", .local_addr = dest, .bytes = bytes, .get = true, .waits = true};
  return tsr_gex_transfer_check(&get, tm, rank, src, flags) && !tsr_gex_transfer_run(&get, flags);
}

/* ---- With an event ---- */

/* lc_opt is the address of an event or one of the constants. */
static bool is_event(const gex_Event_t *lc_opt) { return (uintptr_t)lc_opt > (uintptr_t)GEX_EVENT_GROUP; }

static void check_lc(const char *call, const gex_Event_t *lc_opt, bool in_group) {
  if (lc_opt == GEX_EVENT_NOW || lc_opt == GEX_EVENT_DEFER) return;
  if (in_group ? lc_opt == GEX_EVENT_GROUP : is_event(lc_opt)) return;
  tsr_gex_die("TSR-4151 %s: lc_opt %p; pass GEX_EVENT_NOW, GEX_EVENT_DEFER or %s", call, (const void *)lc_opt,
              in_group ? "GEX_EVENT_GROUP" : "the address of an event");
}

static gex_Event_t start_event(const struct tsr_gex_transfer *t, gex_Event_t *lc_opt, gex_Flags_t flags) {
  tsr_op *op;
  gex_Event_t event = tsr_gex_event(&op, t->get ? TSR_GEX_GET : TSR_GEX_PUT);
  if (!tsr_gex_transfer_start(t, flags, op)) {
    tsr_gex_event_drop(event);
    return GEX_EVENT_NO_OP;
  }
  if (lc_opt == GEX_EVENT_NOW) tsr_op_wait_local(op, t->remote_addr.unit);
  event = tsr_gex_event_from(event, t->remote_addr.unit);
  if (is_event(lc_opt)) *lc_opt = tsr_gex_event_lc(event);
  return event;
}

gex_Event_t tsr_gex_put_nb(struct tsr_gex_transfer *put, gex_TM_t tm, gex_Rank_t rank, void *dest, gex_Event_t *lc_opt,
                           gex_Flags_t flags) {
  check_lc(put->call, lc_opt, false);
  if (tsr_gex_transfer_check(put, tm, rank, dest, flags)) return start_event(put, lc_opt, flags);
  if (is_event(lc_opt)) *lc_opt = GEX_EVENT_INVALID;
  return tsr_gex_event_of_nothing(put->remote_addr.unit, TSR_GEX_PUT);
}

gex_Event_t gexi_put_nb(gex_TM_t tm, gex_Rank_t rank, void *dest, const void *src, size_t bytes, gex_Event_t *lc_opt,
                        gex_Flags_t flags) {
  struct tsr_gex_transfer put = {"gex_RMA_PutNB", .local_addr = (void *)src, .bytes = bytes};
  return tsr_gex_put_nb(&put, tm, rank, dest, lc_opt, flags);
}

gex_Event_t gexi_get_nb(gex_TM_t tm, void *dest, gex_Rank_t rank, const void *src, size_t bytes, gex_Flags_t flags) {
  struct tsr_gex_transfer get = {"gex_RMA_GetNB", .local_addr = dest, .bytes = bytes, .get = true};
  if (tsr_gex_transfer_check(&get, tm, rank, src, flags)) return start_event(&get, GEX_EVENT_DEFER, flags);
  return tsr_gex_event_of_nothing(get.remote_addr.unit, TSR_GEX_GET);
}

/* ---- In a group ---- */

int tsr_gex_put_nbi(struct tsr_gex_transfer *put, gex_TM_t tm, gex_Rank_t rank, void *dest, gex_Event_t *lc_opt,
                    gex_Flags_t flags) {
  check_lc(put->call, lc_opt, true);
  if (!tsr_gex_transfer_check(put, tm, rank, dest, flags)) return 0;
  tsr_op *group = tsr_gex_nbi(TSR_GEX_PUT);
  if (!tsr_gex_transfer_start(put, flags, group)) return 1;
  if (lc_opt == GEX_EVENT_NOW) tsr_op_wait_local(group, put->remote_addr.unit); /* also for earlier puts of the group */
  return 0;
}

int gexi_put_nbi(gex_TM_t tm, gex_Rank_t rank, void *dest, const void *src, size_t bytes, gex_Event_t *lc_opt,
                 gex_Flags_t flags) {
  struct tsr_gex_transfer put = {"gex_RMA_PutNBI", .local_addr = (void *)src, .bytes = bytes};
  return tsr_gex_put_nbi(&put, tm, rank, dest, lc_opt, flags);
}

int gexi_get_nbi(gex_TM_t tm, void *dest, gex_Rank_t rank, const void *src, size_t bytes, gex_Flags_t flags) {
  struct tsr_gex_transfer get = {"gex_RMA_GetNBI", .local_addr = dest, .bytes = bytes, .get = true};
  return tsr_gex_transfer_check(&get, tm, rank, src, flags) && !tsr_gex_transfer_start(&get, flags, tsr_gex_nbi(TSR_GEX_GET));
}
