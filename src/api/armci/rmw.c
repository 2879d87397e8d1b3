#include <string.h>

#include "core/conflict.h"
#include "core/stats.h"
#include "api/armci/local.h"
#include "rma/atomic.h"

static const struct {
  tsr_type type;
  tsr_arith op;
} kinds[] = {[ARMCI_FETCH_AND_ADD] = {TSR_I32, TSR_SUM}, [ARMCI_FETCH_AND_ADD_LONG] = {TSR_I64, TSR_SUM},
             [ARMCI_SWAP] = {TSR_I32, TSR_REPLACE}, [ARMCI_SWAP_LONG] = {TSR_I64, TSR_REPLACE}};

static int check_rmw(int op, const void *local, int proc) {
  static const char call[] = "ARMCI_Rmw";
  int code = tsr_armci_check_proc(call, proc);
  if (code) return code;
  if ((unsigned)op >= sizeof kinds / sizeof kinds[0])
    return tsr_armci_fail(FAIL, "TSR-3098 %s: %d is not an operation; pass ARMCI_FETCH_AND_ADD to ARMCI_SWAP_LONG", call, op);
  if (!local) return tsr_armci_fail(FAIL2, "TSR-3099 %s: local is NULL; pass where to store the old value", call);
  return 0;
}

/* Works on copies of the operand and the old value: `local` may be unaligned, and a swap uses it for both. */
static int run_rmw(int op, void *local, tsr_addr remote_addr, int extra) {
  const tsr_type type = kinds[op].type;
  const size_t bytes = tsr_type_bytes(type);
  int small = extra;
  int64_t large = extra, old = 0;
  const void *operand = bytes == sizeof small ? (void *)&small : &large;
  if (kinds[op].op == TSR_REPLACE) operand = memcpy(&large, local, bytes);
  tsr_op pending = {0};
  tessera_status_t status = tsr_fetch(remote_addr, type, kinds[op].op, operand, &old, &pending);
  tsr_op_wait_remote(&pending, remote_addr.unit);
  if (!status) memcpy(local, &old, bytes);
  tsr_progress_throttled();
  return tsr_armci_code(status);
}

/* The fast path for aligned memory of this node. False: nothing was done, take the general path. */
static inline bool rmw_local(int op, void *local, void *remote, int extra, int proc) {
  const bool is_long = op == ARMCI_FETCH_AND_ADD_LONG || op == ARMCI_SWAP_LONG;
  const int bytes = is_long ? sizeof(long) : sizeof(int);
  if ((unsigned)op >= sizeof kinds / sizeof kinds[0] || (uintptr_t)remote & (uintptr_t)(bytes - 1)) return false;
  void *remote_addr = tsr_armci_local(remote, local, bytes, proc);
  if (!remote_addr) return false;
  switch (op) {
  case ARMCI_FETCH_AND_ADD: {
    int old = tsr_atomic_add_i32(remote_addr, extra);
    memcpy(local, &old, sizeof old);
    break;
  }
  case ARMCI_FETCH_AND_ADD_LONG: {
    long old = tsr_atomic_add_i64(remote_addr, extra);
    memcpy(local, &old, sizeof old);
    break;
  }
  default: {
    long old;
    tsr_atomic_apply(kinds[op].type, TSR_REPLACE, remote_addr, local, &old);
    memcpy(local, &old, (size_t)bytes);
  }
  }
  tsr_progress_throttled(); /* a program may repeat this until another process's request has changed the value */
  return true;
}

int PARMCI_Rmw(int op, void *local, void *remote, int extra, int proc) {
  if (TSR_ARMCI_LIKELY(rmw_local(op, local, remote, extra, proc))) return 0;
  uint64_t begun_ns = tsr_stats_begin();
  tsr_addr remote_addr;
  int code = check_rmw(op, local, proc);
  if (code) return code;
  const size_t bytes = tsr_type_bytes(kinds[op].type);
  if (!tsr_armci_address(remote, 0, (ptrdiff_t)bytes, proc, &remote_addr))
    return tsr_armci_no_address("ARMCI_Rmw", remote, 0, (ptrdiff_t)bytes, proc);
  tsr_conflict_sync();
  code = run_rmw(op, local, remote_addr, extra);
  tsr_stats_end_at(TSR_STAT_FETCH, begun_ns, bytes, remote_addr.unit);
  return code;
}

TSR_ARMCI_NAME(Rmw);
