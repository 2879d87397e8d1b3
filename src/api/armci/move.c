#include "api/armci/move.h"

#include "core/conflict.h"
#include "core/stats.h"
#include "api/armci/local.h"
#include "net/net.h"
#include "rma/rma.h"
#include "vis/accumulate.h"
#include "vis/strided.h"
#include "vis/vector.h"

static const struct {
  tsr_type type;
  tsr_arith arith;
  size_t bytes;
} elements[] = {[ARMCI_ACC_INT] = {TSR_I32, TSR_SUM, sizeof(int)},
                [ARMCI_ACC_LNG] = {TSR_I64, TSR_SUM, sizeof(long)},
                [ARMCI_ACC_FLT] = {TSR_F32, TSR_SUM, sizeof(float)},
                [ARMCI_ACC_DBL] = {TSR_F64, TSR_SUM, sizeof(double)},
                [ARMCI_ACC_CPL] = {TSR_C64, TSR_SUM, 2 * sizeof(float)},
                [ARMCI_ACC_DCP] = {TSR_C128, TSR_SUM, 2 * sizeof(double)},
                [ARMCI_ACC_RA] = {TSR_I64, TSR_BXOR, sizeof(long)}};

static bool is_sum(int type) { return elements[type].arith == TSR_SUM; }
/* The scale means nothing for the other operations. */
static const void *scale_of(const struct tsr_armci_call *call) { return is_sum(call->type) ? call->scale : NULL; }

int tsr_armci_begin(const struct tsr_armci_call *call, size_t *elem_bytes) {
  *elem_bytes = 1;
  int code = tsr_armci_check_proc(call->name, call->proc);
  if (code || call->kind != TSR_ARMCI_ACC) return code;
  if ((unsigned)call->type >= sizeof elements / sizeof elements[0])
    return tsr_armci_fail(FAIL, "TSR-3074 %s: %d is not a type of elements; pass ARMCI_ACC_INT to ARMCI_ACC_RA", call->name,
                          call->type);
  if (!call->scale && is_sum(call->type))
    return tsr_armci_fail(FAIL2, "TSR-3075 %s: scale is NULL; pass the address of a factor of the element type", call->name);
  *elem_bytes = elements[call->type].bytes;
  return 0;
}

bool tsr_armci_acc_local(int type, const void *scale, const void *src, void *dst, int bytes, int proc) {
  if ((unsigned)type >= sizeof elements / sizeof elements[0] || !is_sum(type) || !scale) return false;
  if ((size_t)bytes & (elements[type].bytes - 1)) return false;
  void *remote_addr = tsr_armci_local(dst, src, bytes, proc);
  if (!remote_addr) return false;
  tsr_acc_local(remote_addr, src, (size_t)bytes, elements[type].type, scale);
  tsr_progress_throttled();
  return true;
}

/* ---- Starting. `op` counts the move unless it completes at once. `waits`: the caller waits, so no offload ---- */

static tessera_status_t start_move(const struct tsr_armci_call *call, const struct tsr_armci_move *m, tsr_op *op, bool waits) {
  const tsr_layout *theirs = m->their_layout, *ours = m->our_layout;
  const tsr_addr remote = m->remote_addr;
  void *local = m->local_addr;
  switch (call->kind) {
  case TSR_ARMCI_PUT:
    if (m->their_iov) return tsr_put_iov(remote, m->their_iov, local, m->our_iov, op);
    if (theirs) return tsr_put_layout(remote, theirs, local, ours, op);
    return waits ? tsr_put(remote, local, m->bytes, op) : tsr_put_nb(remote, local, m->bytes, op);
  case TSR_ARMCI_GET:
    if (m->their_iov) return tsr_get_iov(local, m->our_iov, remote, m->their_iov, op);
    if (theirs) return tsr_get_layout(local, ours, remote, theirs, op);
    return waits ? tsr_get(local, remote, m->bytes, op) : tsr_get_nb(local, remote, m->bytes, op);
  default: break;
  }
  const tsr_type type = elements[call->type].type;
  const tsr_arith arith = elements[call->type].arith;
  const void *scale = scale_of(call);
  if (m->their_iov) return tsr_acc_iov(remote, m->their_iov, local, m->our_iov, type, arith, scale, op);
  if (theirs) return tsr_acc_layout(remote, theirs, local, ours, type, arith, scale, op);
  const tsr_layout contiguous = tsr_layout_contiguous(m->bytes);
  return tsr_acc_layout(remote, &contiguous, local, &contiguous, type, arith, scale, op);
}

/* ---- Collecting in the batch of an aggregate handle ---- */

static tessera_status_t add_to_batch(const struct tsr_armci_call *call, const struct tsr_armci_move *m, tsr_batch *batch) {
  const tsr_layout *theirs = m->their_layout, *ours = m->our_layout;
  const tsr_addr remote = m->remote_addr;
  void *local = m->local_addr;
  switch (call->kind) {
  case TSR_ARMCI_PUT:
    if (m->their_iov) return tsr_batch_put_iov(batch, remote, m->their_iov, local, m->our_iov);
    return theirs ? tsr_batch_put_layout(batch, remote, theirs, local, ours) : tsr_batch_put(batch, remote, local, m->bytes);
  case TSR_ARMCI_GET:
    if (m->their_iov) return tsr_batch_get_iov(batch, local, m->our_iov, remote, m->their_iov);
    return theirs ? tsr_batch_get_layout(batch, local, ours, remote, theirs) : tsr_batch_get(batch, local, remote, m->bytes);
  default: break;
  }
  const tsr_type type = elements[call->type].type;
  if (m->their_iov) return tsr_batch_acc_iov(batch, remote, m->their_iov, local, m->our_iov, type, call->scale);
  if (theirs) return tsr_batch_acc_layout(batch, remote, theirs, local, ours, type, call->scale);
  const tsr_layout contiguous = tsr_layout_contiguous(m->bytes);
  return tsr_batch_acc_layout(batch, remote, &contiguous, local, &contiguous, type, call->scale);
}

/* If the handle collects for another process, an accumulate is sent separately. A batch has sums only. */
static inline bool is_collected(const struct tsr_armci_call *call) {
  if (call->waits || !call->handle || !tsr_armci_is_aggregate(call->handle)) return false;
  if (call->kind == TSR_ARMCI_ACC && !is_sum(call->type)) return false;
  return call->kind != TSR_ARMCI_ACC || !tsr_armci_handle_is_elsewhere(call->handle, TSR_UNIT(call->proc));
}

static __attribute__((noinline)) int run_local(const struct tsr_armci_call *call, const struct tsr_armci_move *move) {
  tsr_op none = {0};
  return tsr_armci_code(start_move(call, move, &none, true));
}

/* Makes no progress, so that it stays short. Progress is made when the batch is sent. */
static __attribute__((noinline)) int collect_move(const struct tsr_armci_call *call, const struct tsr_armci_move *move) {
  int code;
  if (tsr_place_pointer(move->remote_addr) && tsr_armci_handle_use_local(call->handle, call->proc))
    return run_local(call, move);
  tsr_batch *batch = tsr_armci_batch_borrow(call->name, call->handle, move->remote_addr.unit, &code);
  if (!batch) return code;
  tessera_status_t status = add_to_batch(call, move, batch);
  if (tsr_armci_batch_is_unordered(batch)) tsr_armci_note_unordered();
  tsr_armci_batch_return(batch);
  return tsr_armci_code(status);
}

/* ---- Running ---- */

/* Whether the move is one request that contains its data: then the source may be reused at once, and the target
 * executes this process's later requests after it. */
static bool is_short(const struct tsr_armci_call *call, const struct tsr_armci_move *move) {
  size_t room = tsr_net_limits.eager_bytes, iov_n = move->their_iov ? move->their_iov->n : 0;
  size_t extra_bytes = TSR_LAYOUT_WIRE_BYTES + iov_n * sizeof(uint64_t[2]); /* maximal size of the shape */
  return call->kind != TSR_ARMCI_GET && !tsr_net->has_window && extra_bytes < room && move->bytes <= room - extra_bytes;
}

/* ARMCI orders blocking operations on one process. A short request keeps this order; other moves are waited for. */
static int run_blocking(const struct tsr_armci_call *call, const struct tsr_armci_move *move) {
  if (!tsr_place_is_local(move->remote_addr.unit) && is_short(call, move))
    return tsr_armci_code(start_move(call, move, tsr_op_implicit(move->remote_addr.unit), true));
  tsr_op op = {0};
  tessera_status_t status = start_move(call, move, &op, true);
  atomic_thread_fence(memory_order_release); /* the data before this thread's next stores; partner: their reader */
  tsr_op_wait_remote(&op, move->remote_addr.unit);
  return tsr_armci_code(status);
}

/* Whether this process makes the copy itself in start_move(), which then needs no op. */
static bool is_at_once(const struct tsr_armci_move *move) {
  bool contiguous = !move->their_iov && !move->their_layout;
  return tsr_place_pointer(move->remote_addr) &&
         !(contiguous && tsr_offload_wants(move->remote_addr.unit, move->bytes));
}

static int run_nb(const struct tsr_armci_call *call, const struct tsr_armci_move *move) {
  tsr_op none = {0};
  const tsr_unit unit = move->remote_addr.unit;
  const bool is_unordered = call->kind != TSR_ARMCI_GET && !is_short(call, move);
  if (is_at_once(move)) return tsr_armci_code(start_move(call, move, &none, false));
  tsr_op *op = call->handle ? tsr_armci_handle_begin(call->handle, unit, is_unordered) : tsr_op_implicit(unit);
  if (!op) return FAIL8;
  tessera_status_t status = start_move(call, move, op, false);
  if (is_unordered) tsr_armci_note_unordered();
  if (call->handle) tsr_op_end(op);
  return tsr_armci_code(status);
}

static __attribute__((noinline)) int run_move(const struct tsr_armci_call *call, const struct tsr_armci_move *move) {
  int code = call->waits ? run_blocking(call, move) : run_nb(call, move);
  tsr_progress_throttled();
  return code;
}

/* With statistics, or TESSERA_CHECK=1. */
static __attribute__((cold)) int run_checked(const struct tsr_armci_call *call, const struct tsr_armci_move *move) {
  static const enum tsr_stat stats[] = {TSR_STAT_PUT, TSR_STAT_GET, TSR_STAT_ACCUMULATE}; /* by enum tsr_armci_kind */
  int code = tsr_config_check() ? tsr_armci_check_overlap(call, move) : 0;
  if (code) return code;
  if (call->kind != TSR_ARMCI_ACC && !move->their_layout && !move->their_iov)
    tsr_conflict_note(call->name, call->kind == TSR_ARMCI_PUT, move->remote_addr, move->bytes);
  uint64_t begun_ns = tsr_stats_begin();
  code = is_collected(call) ? collect_move(call, move) : run_move(call, move);
  tsr_stats_end_at(stats[call->kind], begun_ns, move->bytes, move->remote_addr.unit);
  return code;
}

int tsr_armci_run(const struct tsr_armci_call *call, const struct tsr_armci_move *move) {
  if (!TSR_ARMCI_LIKELY(tsr_armci_plain)) return run_checked(call, move);
  return is_collected(call) ? collect_move(call, move) : run_move(call, move);
}
