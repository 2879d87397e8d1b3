/* Puts and gets that inline functions leave to the library: to other nodes, long, counted or checked ones. */
#include "rma/rma.h"

#include <gex/rma.h>

#include "core/conflict.h"
#include "core/stats.h"
#include "api/gasnet/gasnet_api.h"

struct transfer {
  const char *call;
  bool get;
  bool waits; /* the caller waits: not offloaded to a progress agent */
  void *local_addr; /* a put only reads it */
  size_t bytes;
  gex_Flags_t flags;
  tsr_addr remote_addr; /* set by check_transfer */
};

/* Checks the flags by which the program promises something about the peer. */
static void check_promises(const char *call, tsr_unit unit, gex_Flags_t flags) {
  if ((flags & GEX_FLAG_PEER_NEVER_SELF) && unit.id == tsr_place.self)
    tsr_gex_die("TSR-4147 %s: GEX_FLAG_PEER_NEVER_SELF, but the peer is the caller; omit the flag", call);
  if ((flags & GEX_FLAG_PEER_NEVER_NBRHD) && tsr_place_is_local(unit))
    tsr_gex_die("TSR-4148 %s: GEX_FLAG_PEER_NEVER_NBRHD, but job rank %d shares memory with the caller; omit the flag", call,
                unit.id);
}

/* Checks the arguments, and translates offsets. An error ends the job. False: there are no bytes, and only
 * remote_addr.unit was set. */
static bool check_transfer(struct transfer *t, gex_TM_t tm, gex_Rank_t rank, const void *theirs) {
  tsr_unit unit = tsr_gex_unit(t->call, tm, rank);
  tsr_gex_check_context(t->call);
  t->remote_addr.unit = unit;
  if (!t->bytes) return false;
  theirs = tsr_gex_theirs(t->call, unit, theirs, t->bytes, t->flags);
  t->local_addr = tsr_gex_ours(t->call, t->local_addr, t->bytes, t->flags);
  if (!t->local_addr) tsr_gex_die("TSR-4149 %s: the local address is NULL; pass the address of the data", t->call);
  t->remote_addr = tsr_gex_address(t->call, unit, theirs, t->bytes);
  return true;
}

/* Starts the transfer, counted in `op`. False: no room, and the flags have GEX_FLAG_IMMEDIATE. */
static bool start_transfer(const struct transfer *t, tsr_op *op) {
  uint64_t begun_ns = tsr_stats_begin();
  tsr_unit unit = t->remote_addr.unit;
  if (tsr_config_check()) check_promises(t->call, unit, t->flags);
  tsr_conflict_note(t->call, !t->get, t->remote_addr, t->bytes);
  if (t->flags & GEX_FLAG_IMMEDIATE) {
    struct tsr_op_need need = {0};
    tsr_rma_need(&need, !t->get, t->remote_addr, t->bytes);
    if (!tsr_op_reserve(&need)) return false;
  }
  tessera_status_t status;
  if (t->get) status = (t->waits ? tsr_get : tsr_get_nb)(t->local_addr, t->remote_addr, t->bytes, op);
  else status = (t->waits ? tsr_put : tsr_put_nb)(t->remote_addr, t->local_addr, t->bytes, op);
  if (status) tsr_gex_die("TSR-4150 %s: the transfer with job rank %d failed; see the message above", t->call, unit.id);
  if (t->flags & GEX_FLAG_IMMEDIATE) tsr_op_unreserve();
  atomic_thread_fence(memory_order_release); /* the data before this thread's next stores; partner: their reader */
  tsr_stats_end_at(t->get ? TSR_STAT_GET : TSR_STAT_PUT, begun_ns, t->bytes, unit);
  return true;
}

void tsr_gex_put_nb(const char *call, tsr_addr dest, const void *src, size_t bytes, tsr_op *op) {
  struct transfer put = {call, .local_addr = (void *)src, .bytes = bytes, .remote_addr = dest};
  start_transfer(&put, op);
}

/* ---- Blocking, with an event, and in a group: the results are those of the interface's calls ---- */

static int run_blocking(struct transfer *t, gex_TM_t tm, gex_Rank_t rank, const void *theirs) {
  tsr_op op = {0};
  if (!check_transfer(t, tm, rank, theirs)) return 0;
  if (!start_transfer(t, &op)) return 1;
  tsr_op_wait_remote(&op, t->remote_addr.unit);
  atomic_thread_fence(memory_order_acquire);
  return 0;
}

/* lc_opt is the address of an event or one of the constants. */
static bool is_event(const gex_Event_t *lc_opt) { return (uintptr_t)lc_opt > (uintptr_t)GEX_EVENT_GROUP; }

static void check_lc(const char *call, const gex_Event_t *lc_opt, bool in_group) {
  if (lc_opt == GEX_EVENT_NOW || lc_opt == GEX_EVENT_DEFER) return;
  if (in_group ? lc_opt == GEX_EVENT_GROUP : is_event(lc_opt)) return;
  tsr_gex_die("TSR-4151 %s: lc_opt %p; pass GEX_EVENT_NOW, GEX_EVENT_DEFER or %s", call, (const void *)lc_opt,
              in_group ? "GEX_EVENT_GROUP" : "the address of an event");
}

static gex_Event_t run_nb(struct transfer *t, gex_TM_t tm, gex_Rank_t rank, const void *theirs, gex_Event_t *lc_opt) {
  enum tsr_gex_category category = t->get ? TSR_GEX_GET : TSR_GEX_PUT;
  tsr_op *op;
  check_lc(t->call, lc_opt, false);
  if (!check_transfer(t, tm, rank, theirs)) {
    if (is_event(lc_opt)) *lc_opt = GEX_EVENT_INVALID;
    return tsr_gex_event_of_nothing(t->remote_addr.unit, category);
  }
  gex_Event_t event = tsr_gex_event(&op, category);
  if (!start_transfer(t, op)) {
    tsr_gex_event_drop(event);
    return GEX_EVENT_NO_OP;
  }
  if (lc_opt == GEX_EVENT_NOW) tsr_op_wait_local(op, t->remote_addr.unit);
  event = tsr_gex_event_from(event, t->remote_addr.unit);
  if (is_event(lc_opt)) *lc_opt = tsr_gex_event_lc(event);
  return event;
}

static int run_nbi(struct transfer *t, gex_TM_t tm, gex_Rank_t rank, const void *theirs, gex_Event_t *lc_opt) {
  check_lc(t->call, lc_opt, true);
  if (!check_transfer(t, tm, rank, theirs)) return 0;
  tsr_op *group = tsr_gex_nbi(t->get ? TSR_GEX_GET : TSR_GEX_PUT);
  if (!start_transfer(t, group)) return 1;
  if (lc_opt == GEX_EVENT_NOW) tsr_op_wait_local(group, t->remote_addr.unit); /* also for earlier puts of the group */
  return 0;
}

/* ---- Transfers of memory ---- */

int gexi_put_blocking(gex_TM_t tm, gex_Rank_t rank, void *dest, const void *src, size_t bytes, gex_Flags_t flags) {
  struct transfer put = {"gex_RMA_PutBlocking", .waits = true, .local_addr = (void *)src, .bytes = bytes, .flags = flags};
  return run_blocking(&put, tm, rank, dest);
}

int gexi_get_blocking(gex_TM_t tm, void *dest, gex_Rank_t rank, const void *src, size_t bytes, gex_Flags_t flags) {
  struct transfer get = {"gex_RMA_GetBlocking", .get = true, .waits = true, .local_addr = dest, .bytes = bytes, .flags = flags};
  return run_blocking(&get, tm, rank, src);
}

gex_Event_t gexi_put_nb(gex_TM_t tm, gex_Rank_t rank, void *dest, const void *src, size_t bytes, gex_Event_t *lc_opt,
                        gex_Flags_t flags) {
  struct transfer put = {"gex_RMA_PutNB", .local_addr = (void *)src, .bytes = bytes, .flags = flags};
  return run_nb(&put, tm, rank, dest, lc_opt);
}

gex_Event_t gexi_get_nb(gex_TM_t tm, void *dest, gex_Rank_t rank, const void *src, size_t bytes, gex_Flags_t flags) {
  struct transfer get = {"gex_RMA_GetNB", .get = true, .local_addr = dest, .bytes = bytes, .flags = flags};
  return run_nb(&get, tm, rank, src, GEX_EVENT_DEFER);
}

int gexi_put_nbi(gex_TM_t tm, gex_Rank_t rank, void *dest, const void *src, size_t bytes, gex_Event_t *lc_opt,
                 gex_Flags_t flags) {
  struct transfer put = {"gex_RMA_PutNBI", .local_addr = (void *)src, .bytes = bytes, .flags = flags};
  return run_nbi(&put, tm, rank, dest, lc_opt);
}

int gexi_get_nbi(gex_TM_t tm, void *dest, gex_Rank_t rank, const void *src, size_t bytes, gex_Flags_t flags) {
  struct transfer get = {"gex_RMA_GetNBI", .get = true, .local_addr = dest, .bytes = bytes, .flags = flags};
  return run_nbi(&get, tm, rank, src, GEX_EVENT_DEFER);
}

/* ---- Transfers of values, from and to variables of the library ---- */

/* The transfer of the low bytes of a value, which is not in a segment. */
static struct transfer value_transfer(const char *call, bool get, gex_RMA_Value_t *value, size_t bytes, gex_Flags_t flags) {
  if (!bytes || bytes > sizeof *value)
    tsr_gex_die("TSR-4152 %s: %zu bytes; a value has 1 to %zu, use a put or get of memory for more", call, bytes,
                sizeof *value);
  size_t skipped = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? sizeof *value - bytes : 0;
  return (struct transfer){.call = call, .get = get, .waits = true, .local_addr = (char *)value + skipped, .bytes = bytes,
                           .flags = flags & ~GEX_FLAG_SELF_SEG_OFFSET};
}

int gexi_put_value(gex_TM_t tm, gex_Rank_t rank, void *dest, gex_RMA_Value_t value, size_t bytes, gex_Flags_t flags) {
  struct transfer put = value_transfer("gex_RMA_PutBlockingVal", false, &value, bytes, flags);
  return run_blocking(&put, tm, rank, dest);
}

gex_Event_t gexi_put_value_nb(gex_TM_t tm, gex_Rank_t rank, void *dest, gex_RMA_Value_t value, size_t bytes,
                              gex_Flags_t flags) {
  struct transfer put = value_transfer("gex_RMA_PutNBVal", false, &value, bytes, flags);
  return run_nb(&put, tm, rank, dest, GEX_EVENT_NOW);
}

int gexi_put_value_nbi(gex_TM_t tm, gex_Rank_t rank, void *dest, gex_RMA_Value_t value, size_t bytes, gex_Flags_t flags) {
  struct transfer put = value_transfer("gex_RMA_PutNBIVal", false, &value, bytes, flags);
  return run_nbi(&put, tm, rank, dest, GEX_EVENT_NOW);
}

gex_RMA_Value_t gexi_get_value(gex_TM_t tm, gex_Rank_t rank, const void *src, size_t bytes, gex_Flags_t flags) {
  gex_RMA_Value_t value = 0;
  struct transfer get = value_transfer("gex_RMA_GetBlockingVal", true, &value, bytes, flags & ~GEX_FLAG_IMMEDIATE);
  run_blocking(&get, tm, rank, src);
  return value;
}
