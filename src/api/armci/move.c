#include "api/armci/move.h"

#include "base/stats.h"
#include "api/armci/local.h"
#include "net/net.h"
#include "rma/rma.h"
#include "vis/accumulate.h"
#include "vis/strided.h"
#include "vis/vector.h"

static const struct {
  tsr_type type;
  size_t bytes;
} elements[] = {[ARMCI_ACC_INT] = {TSR_I32, sizeof(int)},       [ARMCI_ACC_LNG] = {TSR_I64, sizeof(long)},
                [ARMCI_ACC_FLT] = {TSR_F32, sizeof(float)},     [ARMCI_ACC_DBL] = {TSR_F64, sizeof(double)},
                [ARMCI_ACC_CPL] = {TSR_C64, 2 * sizeof(float)}, [ARMCI_ACC_DCP] = {TSR_C128, 2 * sizeof(double)}};

static int check_element(const struct tsr_armci_call *call) {
  if ((unsigned)call->type >= sizeof elements / sizeof elements[0])
    return tsr_armci_fail(FAIL, "TSR-3074 %s: %d is not a type of elements; pass ARMCI_ACC_INT to ARMCI_ACC_DCP", call->name,
                          call->type);
  if (!call->scale)
    return tsr_armci_fail(FAIL2, "TSR-3075 %s: scale is NULL; pass the address of a factor of the element type", call->name);
  return 0;
}

int tsr_armci_begin(const struct tsr_armci_call *call, size_t *elem_bytes) {
  *elem_bytes = 1;
  int code = tsr_armci_check_proc(call->name, call->proc);
  if (code || call->kind != TSR_ARMCI_ACC) return code;
  code = check_element(call);
  if (code) return code;
  *elem_bytes = elements[call->type].bytes;
  return 0;
}

bool tsr_armci_acc_local(int type, const void *scale, const void *src, void *dst, int bytes, int proc) {
  if ((unsigned)type >= sizeof elements / sizeof elements[0] || !scale) return false;
  if ((size_t)bytes & (elements[type].bytes - 1)) return false;
  void *remote_addr = tsr_armci_local(dst, src, bytes, proc);
  if (!remote_addr) return false;
  tsr_acc_local(remote_addr, src, (size_t)bytes, elements[type].type, scale);
  tsr_progress_throttled();
  return true;
}

/* ---- Starting. `op` counts the move unless it completes at once. `waits`: the caller waits, so no offload ---- */

static tessera_status_t start_put(const struct tsr_armci_move *m, tsr_op *op, bool waits) {
  if (m->their_iov) return tsr_put_iov(m->remote_addr, m->their_iov, m->local_addr, m->our_iov, op);
  if (m->their_layout) return tsr_put_layout(m->remote_addr, m->their_layout, m->local_addr, m->our_layout, op);
  return waits ? tsr_put(m->remote_addr, m->local_addr, m->bytes, op)
               : tsr_put_nb(m->remote_addr, m->local_addr, m->bytes, op);
}

static tessera_status_t start_get(const struct tsr_armci_move *m, tsr_op *op, bool waits) {
  if (m->their_iov) return tsr_get_iov(m->local_addr, m->our_iov, m->remote_addr, m->their_iov, op);
  if (m->their_layout) return tsr_get_layout(m->local_addr, m->our_layout, m->remote_addr, m->their_layout, op);
  return waits ? tsr_get(m->local_addr, m->remote_addr, m->bytes, op)
               : tsr_get_nb(m->local_addr, m->remote_addr, m->bytes, op);
}

static tessera_status_t start_accumulate(const struct tsr_armci_move *m, tsr_type type, const void *scale, tsr_op *op) {
  if (m->their_iov) return tsr_acc_iov(m->remote_addr, m->their_iov, m->local_addr, m->our_iov, type, scale, op);
  if (m->their_layout)
    return tsr_acc_layout(m->remote_addr, m->their_layout, m->local_addr, m->our_layout, type, scale, op);
  tsr_layout contiguous = tsr_layout_contiguous(m->bytes);
  return tsr_acc_layout(m->remote_addr, &contiguous, m->local_addr, &contiguous, type, scale, op);
}

static tessera_status_t start_move(const struct tsr_armci_call *call, const struct tsr_armci_move *move, tsr_op *op,
                                   bool waits) {
  switch (call->kind) {
  case TSR_ARMCI_PUT: return start_put(move, op, waits);
  case TSR_ARMCI_GET: return start_get(move, op, waits);
  default: return start_accumulate(move, elements[call->type].type, call->scale, op);
  }
}

/* ---- Collecting in the batch of an aggregate handle ---- */

static tessera_status_t collect_put(tsr_batch *batch, const struct tsr_armci_move *m) {
  if (m->their_iov) return tsr_batch_put_iov(batch, m->remote_addr, m->their_iov, m->local_addr, m->our_iov);
  if (m->their_layout)
    return tsr_batch_put_layout(batch, m->remote_addr, m->their_layout, m->local_addr, m->our_layout);
  return tsr_batch_put(batch, m->remote_addr, m->local_addr, m->bytes);
}

static tessera_status_t collect_get(tsr_batch *batch, const struct tsr_armci_move *m) {
  if (m->their_iov) return tsr_batch_get_iov(batch, m->local_addr, m->our_iov, m->remote_addr, m->their_iov);
  if (m->their_layout)
    return tsr_batch_get_layout(batch, m->local_addr, m->our_layout, m->remote_addr, m->their_layout);
  return tsr_batch_get(batch, m->local_addr, m->remote_addr, m->bytes);
}

static tessera_status_t collect_acc(tsr_batch *batch, const struct tsr_armci_move *m, tsr_type type, const void *scale) {
  if (m->their_iov)
    return tsr_batch_acc_iov(batch, m->remote_addr, m->their_iov, m->local_addr, m->our_iov, type, scale);
  if (m->their_layout)
    return tsr_batch_acc_layout(batch, m->remote_addr, m->their_layout, m->local_addr, m->our_layout, type, scale);
  tsr_layout contiguous = tsr_layout_contiguous(m->bytes);
  return tsr_batch_acc_layout(batch, m->remote_addr, &contiguous, m->local_addr, &contiguous, type, scale);
}

static tessera_status_t add_to_batch(const struct tsr_armci_call *call, const struct tsr_armci_move *move, tsr_batch *batch) {
  switch (call->kind) {
  case TSR_ARMCI_PUT: return collect_put(batch, move);
  case TSR_ARMCI_GET: return collect_get(batch, move);
  default: return collect_acc(batch, move, elements[call->type].type, call->scale);
  }
}

/* An accumulate for a process that the handle does not collect for is sent by itself. */
static inline bool is_collected(const struct tsr_armci_call *call) {
  if (call->waits || !call->handle || !tsr_armci_is_aggregate(call->handle)) return false;
  return call->kind != TSR_ARMCI_ACC || !tsr_armci_handle_is_elsewhere(call->handle, TSR_UNIT(call->proc));
}

static __attribute__((noinline)) int run_local(const struct tsr_armci_call *call, const struct tsr_armci_move *move) {
  tsr_op none = {0};
  return tsr_armci_code(start_move(call, move, &none, true));
}

/* Makes no progress, to stay short: that happens when the batch is sent. */
static __attribute__((noinline)) int collect_move(const struct tsr_armci_call *call, const struct tsr_armci_move *move) {
  int code;
  if (tsr_place_pointer(move->remote_addr) && tsr_armci_handle_use_local(call->handle, call->proc))
    return run_local(call, move);
  tsr_batch *batch = tsr_armci_batch_borrow(call->name, call->handle, move->remote_addr.unit, &code);
  if (!batch) return code;
  tessera_status_t status = add_to_batch(call, move, batch);
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
  if (is_at_once(move)) return tsr_armci_code(start_move(call, move, &none, false));
  if (!call->handle) return tsr_armci_code(start_move(call, move, tsr_op_implicit(move->remote_addr.unit), false));
  tsr_op *op = tsr_armci_handle_begin(call->handle, move->remote_addr.unit);
  if (!op) return FAIL8;
  tessera_status_t status = start_move(call, move, op, false);
  tsr_op_end(op);
  return tsr_armci_code(status);
}

static __attribute__((noinline)) int run_move(const struct tsr_armci_call *call, const struct tsr_armci_move *move) {
  int code = call->waits ? run_blocking(call, move) : run_nb(call, move);
  tsr_progress_throttled();
  return code;
}

static int run_counted(const struct tsr_armci_call *call, const struct tsr_armci_move *move) {
  static const enum tsr_stat stats[] = {TSR_STAT_PUT, TSR_STAT_GET, TSR_STAT_ACCUMULATE}; /* by enum tsr_armci_kind */
  uint64_t begun_ns = tsr_stats_begin();
  int code = is_collected(call) ? collect_move(call, move) : run_move(call, move);
  tsr_stats_end(stats[call->kind], begun_ns, move->bytes, tsr_place_is_local(move->remote_addr.unit) ? 0 : move->bytes);
  return code;
}

int tsr_armci_run(const struct tsr_armci_call *call, const struct tsr_armci_move *move) {
  if (__builtin_expect(tsr_stats_on, 0)) return run_counted(call, move);
  return is_collected(call) ? collect_move(call, move) : run_move(call, move);
}
