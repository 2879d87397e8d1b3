#include "core/op.h"
#include "api/armci/move.h"
#include "api/armci/local.h"
#include "rma/atomic.h"
#include "vis/layout.h"
#include "vis/row.h"

/* One side of a transfer. */
struct strides {
  const int *count;  /* levels + 1 elements */
  const int *stride; /* levels elements */
  int levels;
};

/* Returns 0, and stores in *any whether the piece has bytes. After an error returns the code, logged: invalid levels or counts, or
 * a NULL array. `which` names the array of strides. */
static int check_strides(const char *call, const struct strides *strides, const char *which, bool *any) {
  if (strides->levels < 0 || strides->levels > ARMCI_MAX_STRIDE_LEVEL)
    return tsr_armci_fail(FAIL4, "TSR-3100 %s: stride_levels is %d; pass 0 to %d", call, strides->levels,
                          ARMCI_MAX_STRIDE_LEVEL);
  if (!strides->count) return tsr_armci_fail(FAIL2, "TSR-3101 %s: count is NULL; pass %d counts", call, strides->levels + 1);
  if (strides->levels > 0 && !strides->stride)
    return tsr_armci_fail(FAIL2, "TSR-3102 %s: %s is NULL; pass %d strides", call, which, strides->levels);
  *any = true;
  for (int level = 0; level <= strides->levels; level++) {
    if (strides->count[level] < 0)
      return tsr_armci_fail(FAIL3, "TSR-3103 %s: count[%d] is %d; pass 0 or more", call, level, strides->count[level]);
    *any &= strides->count[level] > 0;
  }
  return 0;
}

/* `strides` were checked and have bytes. */
static void make_layout(const struct strides *strides, tsr_layout *layout) {
  layout->elem_bytes = (size_t)strides->count[0];
  layout->dims = strides->levels;
  for (int level = 0; level < strides->levels; level++) {
    layout->count[level] = (size_t)strides->count[level + 1];
    layout->stride[level] = strides->stride[level];
  }
}

/* The arguments of a call, not checked. */
struct strided {
  void *src;
  const int *src_stride;
  void *dst;
  const int *dst_stride;
  const int *count;
  int levels;
};

/* Whether the arguments are valid and describe bytes. If not, the call has an error or nothing to do. */
static inline bool has_bytes(const struct strided *s) {
  if (s->levels < 0 || s->levels > ARMCI_MAX_STRIDE_LEVEL || !s->count) return false;
  bool good = s->levels == 0 || (s->src_stride && s->dst_stride);
  for (int level = 0; level <= s->levels; level++) good &= s->count[level] > 0;
  return good;
}

static int check_strided(const struct tsr_armci_call *call, const struct strided *s, size_t elem_bytes, bool *any) {
  int code = 0;
  *any = has_bytes(s);
  if (!*any) {
    struct strides from = {s->count, s->src_stride, s->levels}, to = {s->count, s->dst_stride, s->levels};
    code = check_strides(call->name, &from, "src_stride", any);
    if (!code) code = check_strides(call->name, &to, "dst_stride", any);
  }
  if (code || !*any) return code;
  if (!tsr_armci_ours(call, s->src, s->dst))
    return tsr_armci_fail(FAIL2, "TSR-3104 %s: %s is NULL; pass the address of the local data", call->name,
                          call->kind == TSR_ARMCI_GET ? "dst" : "src");
  if ((size_t)s->count[0] & (elem_bytes - 1))
    return tsr_armci_fail(FAIL, "TSR-3105 %s: count[0] is %d bytes, which is not a multiple of the element size %zu; pass "
                          "whole elements", call->name, s->count[0], elem_bytes);
  return 0;
}

/* Combines the levels of both sides into one row. False: that is not possible, or an argument is wrong. */
static inline bool fold_row(const struct strided *s, struct tsr_row *row) {
  bool good = s->levels >= 0 && s->levels <= ARMCI_MAX_STRIDE_LEVEL && s->count;
  if (!good || s->count[0] <= 0 || (s->levels > 0 && !(s->src_stride && s->dst_stride))) return false;
  struct tsr_row_fold fold = tsr_row_begin((size_t)s->count[0]);
  for (int level = 0; level < s->levels; level++) {
    const int count = s->count[level + 1];
    if (count <= 0 || !tsr_row_add(&fold, (size_t)count, s->dst_stride[level], s->src_stride[level])) return false;
  }
  *row = fold.row;
  return tsr_row_end(&fold);
}

/* The fast path: a put or get of one row within the node. False: nothing was done, take the general path. */
static inline bool row_local(const struct tsr_armci_call *call, const struct strided *s) {
  const bool gets = call->kind == TSR_ARMCI_GET;
  struct tsr_row row;
  tsr_addr remote_addr;
  ptrdiff_t low, high;
  if (!tsr_armci_plain || call->kind == TSR_ARMCI_ACC || !tsr_armci_has(call->proc) || !fold_row(s, &row)) return false;
  tsr_row_extent(&row, gets ? row.src_stride : row.dest_stride, &low, &high);
  if (!call->waits && s->levels == 0 && tsr_offload_wants(TSR_UNIT(call->proc), row.run_bytes)) return false;
  char *ours = tsr_armci_ours(call, s->src, s->dst), *theirs = tsr_armci_theirs(call, s->src, s->dst);
  if (!ours || !tsr_armci_translate_known(theirs, low, high, call->proc, &remote_addr)) return false;
  char *pointer = tsr_place_pointer(remote_addr);
  if (!pointer || (!call->waits && !tsr_armci_handle_use_local(call->handle, call->proc))) return false;
  tsr_row_copy(gets ? ours : pointer, gets ? pointer : ours, &row);
  if (call->waits) atomic_thread_fence(memory_order_release); /* as in run_blocking of move.c */
  tsr_progress_throttled();
  return true;
}

static int move_strided(const struct tsr_armci_call *call, const struct strided *s) {
  if (TSR_ARMCI_LIKELY(row_local(call, s))) return 0;
  size_t elem_bytes;
  bool any = false;
  int code = tsr_armci_begin(call, &elem_bytes);
  if (!code) code = check_strided(call, s, elem_bytes, &any);
  if (code || !any) return code;
  tsr_layout theirs, ours;
  bool gets = call->kind == TSR_ARMCI_GET;
  make_layout(&(struct strides){s->count, gets ? s->src_stride : s->dst_stride, s->levels}, &theirs);
  make_layout(&(struct strides){s->count, gets ? s->dst_stride : s->src_stride, s->levels}, &ours);
  struct tsr_armci_move move = {.local_addr = tsr_armci_ours(call, s->src, s->dst), .bytes = tsr_layout_bytes(&theirs)};
  if (s->levels > 0) move.their_layout = &theirs, move.our_layout = &ours;
  void *pointer = tsr_armci_theirs(call, s->src, s->dst);
  ptrdiff_t low, high;
  tsr_layout_extent(&theirs, &low, &high);
  bool beyond = move.bytes == SIZE_MAX || (low == PTRDIFF_MIN && high == PTRDIFF_MAX);
  if (beyond || !tsr_armci_address(pointer, low, high, call->proc, &move.remote_addr))
    return tsr_armci_no_address(call->name, pointer, low, high, call->proc);
  return tsr_armci_run(call, &move);
}

int PARMCI_PutS(void *src, int src_stride[], void *dst, int dst_stride[], int count[], int levels, int proc) {
  const int bytes = tsr_armci_one_block(src_stride, dst_stride, count, levels);
  if (tsr_armci_put_local(src, dst, bytes, proc)) return 0;
  struct tsr_armci_call call = {"ARMCI_PutS", TSR_ARMCI_PUT, proc, .waits = true};
  return move_strided(&call, &(struct strided){src, src_stride, dst, dst_stride, count, levels});
}

int PARMCI_GetS(void *src, int src_stride[], void *dst, int dst_stride[], int count[], int levels, int proc) {
  const int bytes = tsr_armci_one_block(src_stride, dst_stride, count, levels);
  if (tsr_armci_get_local(src, dst, bytes, proc)) return 0;
  struct tsr_armci_call call = {"ARMCI_GetS", TSR_ARMCI_GET, proc, .waits = true};
  return move_strided(&call, &(struct strided){src, src_stride, dst, dst_stride, count, levels});
}

int PARMCI_AccS(int type, void *scale, void *src, int src_stride[], void *dst, int dst_stride[], int count[], int levels,
                int proc) {
  const int bytes = tsr_armci_one_block(src_stride, dst_stride, count, levels);
  if (tsr_armci_acc_local(type, scale, src, dst, bytes, proc)) return 0;
  struct tsr_armci_call call = {"ARMCI_AccS", TSR_ARMCI_ACC, proc, .waits = true, .type = type, .scale = scale};
  return move_strided(&call, &(struct strided){src, src_stride, dst, dst_stride, count, levels});
}

int PARMCI_NbPutS(void *src, int src_stride[], void *dst, int dst_stride[], int count[], int levels, int proc,
                  armci_hdl_t *handle) {
  const int bytes = tsr_armci_one_block(src_stride, dst_stride, count, levels);
  if (tsr_armci_put_local_nb(src, dst, bytes, proc, handle)) return 0;
  struct tsr_armci_call call = {"ARMCI_NbPutS", TSR_ARMCI_PUT, proc, .handle = handle};
  return move_strided(&call, &(struct strided){src, src_stride, dst, dst_stride, count, levels});
}

int PARMCI_NbGetS(void *src, int src_stride[], void *dst, int dst_stride[], int count[], int levels, int proc,
                  armci_hdl_t *handle) {
  const int bytes = tsr_armci_one_block(src_stride, dst_stride, count, levels);
  if (tsr_armci_get_local_nb(src, dst, bytes, proc, handle)) return 0;
  struct tsr_armci_call call = {"ARMCI_NbGetS", TSR_ARMCI_GET, proc, .handle = handle};
  return move_strided(&call, &(struct strided){src, src_stride, dst, dst_stride, count, levels});
}

int PARMCI_NbAccS(int type, void *scale, void *src, int src_stride[], void *dst, int dst_stride[], int count[], int levels,
                  int proc, armci_hdl_t *handle) {
  const int bytes = tsr_armci_one_block(src_stride, dst_stride, count, levels);
  if (tsr_armci_acc_local(type, scale, src, dst, bytes, proc)) return 0;
  struct tsr_armci_call call = {"ARMCI_NbAccS", TSR_ARMCI_ACC, proc, .handle = handle, .type = type, .scale = scale};
  return move_strided(&call, &(struct strided){src, src_stride, dst, dst_stride, count, levels});
}

/* ---- With a flag ---- */

static int put_then_flag(const struct tsr_armci_call *call, const struct strided *s, int *flag, int value) {
  tsr_addr remote_addr;
  int code = tsr_armci_check_proc(call->name, call->proc);
  if (code) return code;
  if (!tsr_armci_address(flag, 0, sizeof *flag, call->proc, &remote_addr))
    return tsr_armci_no_address(call->name, flag, 0, sizeof *flag, call->proc);
  code = move_strided(call, s);
  if (code) return code;
  tsr_op op = {0}; /* the data is at the target; an aligned flag is written atomically */
  tessera_status_t status = tsr_accumulate(remote_addr, TSR_I32, TSR_REPLACE, &value, 1, &op);
  tsr_op_wait_remote(&op, remote_addr.unit);
  return tsr_armci_code(status);
}

int PARMCI_Put_flag(void *src, void *dst, int bytes, int *flag, int value, int proc) {
  struct tsr_armci_call call = {"ARMCI_Put_flag", TSR_ARMCI_PUT, proc, .waits = true};
  return put_then_flag(&call, &(struct strided){.src = src, .dst = dst, .count = &bytes}, flag, value);
}

int PARMCI_PutS_flag(void *src, int src_stride[], void *dst, int dst_stride[], int count[], int levels, int *flag, int value,
                     int proc) {
  struct tsr_armci_call call = {"ARMCI_PutS_flag", TSR_ARMCI_PUT, proc, .waits = true};
  return put_then_flag(&call, &(struct strided){src, src_stride, dst, dst_stride, count, levels}, flag, value);
}

int PARMCI_PutS_flag_dir(void *src, int src_stride[], void *dst, int dst_stride[], int count[], int levels, int *flag,
                         int value, int proc) {
  return PARMCI_PutS_flag(src, src_stride, dst, dst_stride, count, levels, flag, value, proc);
}

/* ---- Packing ---- */

/* Whether there is anything to copy. An error ends the job. */
static bool check_pack(const char *call, const struct strides *strides, const void *ptr, const void *buffer) {
  bool any = false;
  int code = check_strides(call, strides, "stride", &any);
  if (!code && any && !(ptr && buffer))
    code = tsr_armci_fail(FAIL2, "TSR-3091 %s: ptr is %p, buffer %p; pass two pointers", call, ptr, buffer);
  if (code) tsr_armci_die("TSR-3092 %s: nothing was copied; see the message above", call);
  return any;
}

void armci_write_strided(void *ptr, int levels, int stride[], int count[], char *buffer) {
  const struct strides strides = {count, stride, levels};
  if (!check_pack("armci_write_strided", &strides, ptr, buffer)) return;
  tsr_layout layout;
  make_layout(&strides, &layout);
  tsr_layout_pack(buffer, ptr, &layout, 0, tsr_layout_bytes(&layout));
}

void armci_read_strided(void *ptr, int levels, int stride[], int count[], char *buffer) {
  const struct strides strides = {count, stride, levels};
  if (!check_pack("armci_read_strided", &strides, ptr, buffer)) return;
  tsr_layout layout;
  make_layout(&strides, &layout);
  tsr_layout_unpack(ptr, &layout, 0, tsr_layout_bytes(&layout), buffer);
}

TSR_ARMCI_NAME(PutS);
TSR_ARMCI_NAME(GetS);
TSR_ARMCI_NAME(AccS);
TSR_ARMCI_NAME(NbPutS);
TSR_ARMCI_NAME(NbGetS);
TSR_ARMCI_NAME(NbAccS);
TSR_ARMCI_NAME(Put_flag);
TSR_ARMCI_NAME(PutS_flag);
TSR_ARMCI_NAME(PutS_flag_dir);
