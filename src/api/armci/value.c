/* Puts and gets of single values. */
#include "api/armci/move.h"
#include "api/armci/local.h"

/* Blocking unless the handle is aggregate, whose batch copies the value: the value's variable ends with the call. */
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
