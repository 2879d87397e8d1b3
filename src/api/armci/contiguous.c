#include <string.h>

#include "api/armci/local.h"
#include "api/armci/move.h"

static int check_contiguous(const struct tsr_armci_call *call, const void *ours, int bytes, size_t elem_bytes) {
  if (bytes < 0) return tsr_armci_fail(FAIL3, "TSR-3010 %s: bytes is %d; pass 0 or more", call->name, bytes);
  if ((size_t)bytes & (elem_bytes - 1))
    return tsr_armci_fail(FAIL, "TSR-3011 %s: bytes is %d, which is not a multiple of the element size %zu; pass whole "
                          "elements", call->name, bytes, elem_bytes);
  if (bytes > 0 && !ours)
    return tsr_armci_fail(FAIL2, "TSR-3012 %s: %s is NULL; pass the address of the local data", call->name,
                          call->kind == TSR_ARMCI_GET ? "dst" : "src");
  return 0;
}

static int move_contiguous(const struct tsr_armci_call *call, void *src, void *dst, int bytes) {
  size_t elem_bytes;
  void *ours = tsr_armci_ours(call, src, dst), *theirs = tsr_armci_theirs(call, src, dst);
  struct tsr_armci_move move = {.local_addr = ours, .bytes = (size_t)bytes};
  int code = tsr_armci_begin(call, &elem_bytes);
  if (!code) code = check_contiguous(call, ours, bytes, elem_bytes);
  if (code || !bytes) return code;
  if (!tsr_armci_address(theirs, 0, bytes, call->proc, &move.remote_addr))
    return tsr_armci_no_address(call->name, theirs, 0, bytes, call->proc);
  return tsr_armci_run(call, &move);
}

/* Out of line, and with arguments in registers only, so that the fast paths need no stack frame. */
static __attribute__((noinline)) int move_blocking(void *src, void *dst, int bytes, int proc, enum tsr_armci_kind kind,
                                                   const char *name) {
  return move_contiguous(&(struct tsr_armci_call){name, kind, proc, .waits = true}, src, dst, bytes);
}

int PARMCI_Put(void *src, void *dst, int bytes, int proc) {
  return tsr_armci_put_local(src, dst, bytes, proc) ? 0 : move_blocking(src, dst, bytes, proc, TSR_ARMCI_PUT, "ARMCI_Put");
}

int PARMCI_Get(void *src, void *dst, int bytes, int proc) {
  return tsr_armci_get_local(src, dst, bytes, proc) ? 0 : move_blocking(src, dst, bytes, proc, TSR_ARMCI_GET, "ARMCI_Get");
}

int PARMCI_Acc(int type, void *scale, void *src, void *dst, int bytes, int proc) {
  struct tsr_armci_call call = {"ARMCI_Acc", TSR_ARMCI_ACC, proc, .waits = true, .type = type, .scale = scale};
  if (tsr_armci_acc_local(type, scale, src, dst, bytes, proc)) return 0;
  return move_contiguous(&call, src, dst, bytes);
}

/* The fast path for a further operation on an aggregate handle: returns its batch. NULL: take the general path. */
static inline tsr_batch *batch_of(const void *theirs, const void *ours, int bytes, int proc, const armci_hdl_t *handle,
                                  tsr_addr *remote_addr) {
  bool plain = tsr_armci_plain && handle && tsr_armci_is_aggregate(handle) && bytes > 0 && ours && tsr_armci_has(proc);
  bool known = plain && tsr_heap_base_known(TSR_UNIT(proc)); /* else the general path looks it up */
  if (!known || !tsr_armci_translate_known(theirs, 0, bytes, proc, remote_addr)) return NULL;
  return tsr_armci_batch_borrow_again(handle, remote_addr->unit);
}

static inline int return_batch(tsr_batch *batch, tessera_status_t status) {
  if (tsr_armci_batch_is_unordered(batch)) tsr_armci_note_unordered();
  tsr_armci_batch_return(batch);
  return TSR_ARMCI_LIKELY(!status) ? 0 : tsr_armci_code(status);
}

int PARMCI_NbPut(void *src, void *dst, int bytes, int proc, armci_hdl_t *handle) {
  tsr_addr remote_addr;
  if (tsr_armci_put_local_nb(src, dst, bytes, proc, handle)) return 0;
  tsr_batch *batch = batch_of(dst, src, bytes, proc, handle, &remote_addr);
  if (batch) return return_batch(batch, tsr_batch_put(batch, remote_addr, src, (size_t)bytes));
  return move_contiguous(&(struct tsr_armci_call){"ARMCI_NbPut", TSR_ARMCI_PUT, proc, .handle = handle}, src, dst, bytes);
}

int PARMCI_NbGet(void *src, void *dst, int bytes, int proc, armci_hdl_t *handle) {
  tsr_addr remote_addr;
  if (tsr_armci_get_local_nb(src, dst, bytes, proc, handle)) return 0;
  tsr_batch *batch = batch_of(src, dst, bytes, proc, handle, &remote_addr);
  if (batch) return return_batch(batch, tsr_batch_get(batch, dst, remote_addr, (size_t)bytes));
  return move_contiguous(&(struct tsr_armci_call){"ARMCI_NbGet", TSR_ARMCI_GET, proc, .handle = handle}, src, dst, bytes);
}

int PARMCI_NbAcc(int type, void *scale, void *src, void *dst, int bytes, int proc, armci_hdl_t *handle) {
  struct tsr_armci_call call = {"ARMCI_NbAcc", TSR_ARMCI_ACC, proc, .handle = handle, .type = type, .scale = scale};
  if (tsr_armci_acc_local(type, scale, src, dst, bytes, proc)) return 0;
  return move_contiguous(&call, src, dst, bytes);
}

void PARMCI_Copy(void *src, void *dst, int bytes) {
  if (bytes < 0 || (bytes > 0 && (!src || !dst)))
    tsr_armci_die("TSR-3013 ARMCI_Copy: bytes is %d, src %p, dst %p; pass two pointers and 0 or more bytes", bytes, src, dst);
  if (bytes > 0) memmove(dst, src, (size_t)bytes);
}

TSR_ARMCI_NAME(Put);
TSR_ARMCI_NAME(Get);
TSR_ARMCI_NAME(Acc);
TSR_ARMCI_NAME(NbPut);
TSR_ARMCI_NAME(NbGet);
TSR_ARMCI_NAME(NbAcc);
TSR_ARMCI_NAME(Copy);

/* ---- Single values ---- */

/* Blocking, since the value's variable ends with the call. On an aggregate handle it need not block: the batch copies
 * the value. */
static int put_value(const char *name, const void *value, size_t bytes, void *dst, int proc, armci_hdl_t *handle) {
  const bool waits = !handle || !tsr_armci_is_aggregate(handle);
  struct tsr_armci_call call = {name, TSR_ARMCI_PUT, proc, .waits = waits, .handle = handle};
  struct tsr_armci_move move = {.local_addr = (void *)value, .bytes = bytes};
  if (waits && tsr_armci_put_local(value, dst, (int)bytes, proc)) return 0;
  int code = tsr_armci_check_proc(name, proc);
  if (code) return code;
  if (!tsr_armci_address(dst, 0, (ptrdiff_t)bytes, proc, &move.remote_addr))
    return tsr_armci_no_address(name, dst, 0, (ptrdiff_t)bytes, proc);
  return tsr_armci_run(&call, &move);
}

static void get_value(const char *name, void *value, size_t bytes, void *src, int proc) {
  struct tsr_armci_call call = {name, TSR_ARMCI_GET, proc, .waits = true};
  struct tsr_armci_move move = {.local_addr = value, .bytes = bytes};
  if (tsr_armci_get_local(src, value, (int)bytes, proc)) return;
  int code = tsr_armci_check_proc(name, proc);
  if (!code && !tsr_armci_address(src, 0, (ptrdiff_t)bytes, proc, &move.remote_addr))
    code = tsr_armci_no_address(name, src, 0, (ptrdiff_t)bytes, proc);
  if (!code) code = tsr_armci_run(&call, &move);
  if (code) tsr_armci_die("TSR-3106 %s: there is no value to return; see the message above", name);
}

#define VALUES(Name, type)                                                                    \
  int PARMCI_PutValue##Name(type src, void *dst, int proc) {                                  \
    return put_value("ARMCI_PutValue" #Name, &src, sizeof src, dst, proc, NULL);              \
  }                                                                                           \
  int PARMCI_NbPutValue##Name(type src, void *dst, int proc, armci_hdl_t *handle) {           \
    return put_value("ARMCI_NbPutValue" #Name, &src, sizeof src, dst, proc, handle);          \
  }                                                                                           \
  type PARMCI_GetValue##Name(void *src, int proc) {                                           \
    type value;                                                                               \
    get_value("ARMCI_GetValue" #Name, &value, sizeof value, src, proc);                       \
    return value;                                                                             \
  }                                                                                           \
  TSR_ARMCI_NAME(PutValue##Name);                                                             \
  TSR_ARMCI_NAME(NbPutValue##Name);                                                           \
  TSR_ARMCI_NAME(GetValue##Name);

VALUES(Int, int)
VALUES(Long, long)
VALUES(Float, float)
VALUES(Double, double)
