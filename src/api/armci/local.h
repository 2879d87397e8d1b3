/* The fast path: a contiguous transfer within the node, with valid arguments, without statistics and TESSERA_CHECK. The
 * general path does the rest and reports errors. */
#ifndef TSR_API_ARMCI_LOCAL_H
#define TSR_API_ARMCI_LOCAL_H

#include "core/progress.h"
#include "api/armci/address.h"
#include "api/armci/handle.h"
#include "rma/rma.h"

/* A pointer to the remote bytes. NULL: take the general path. */
static inline void *tsr_armci_local(const void *theirs, const void *ours, int bytes, int proc) {
  tsr_addr remote_addr;
  bool plain = tsr_armci_plain && bytes > 0 && ours && tsr_armci_has(proc);
  if (!TSR_ARMCI_LIKELY(plain) || !tsr_armci_translate_known(theirs, 0, bytes, proc, &remote_addr)) return NULL;
  return tsr_place_pointer(remote_addr); /* NULL on another node, whose heap base may be unknown */
}

/* The same for non-blocking calls, which offload long transfers to progress agents. */
static inline void *tsr_armci_local_nb(const void *theirs, const void *ours, int bytes, int proc, armci_hdl_t *handle) {
  bool left_to_agents = (size_t)bytes >= tsr_offload.local_bytes;
  void *remote_addr = TSR_ARMCI_LIKELY(!left_to_agents) ? tsr_armci_local(theirs, ours, bytes, proc) : NULL;
  return remote_addr && tsr_armci_handle_use_local(handle, proc) ? remote_addr : NULL;
}

/* The bytes of a strided piece that is contiguous because all counts but the first are 1. 0: take the general path. */
static inline int tsr_armci_one_block(const int src_stride[], const int dst_stride[], const int count[], int levels) {
  if (!count || (levels > 0 && !(src_stride && dst_stride)) || levels < 0 || levels > ARMCI_MAX_STRIDE_LEVEL) return 0;
  for (int level = 1; level <= levels; level++)
    if (count[level] != 1) return 0;
  return count[0];
}

/* The transfers. False: nothing was done, take the general path. */

static inline bool tsr_armci_put_local(const void *src, void *dst, int bytes, int proc) {
  void *remote_addr = tsr_armci_local(dst, src, bytes, proc);
  if (!remote_addr) return false;
  tsr_copy(remote_addr, src, (size_t)bytes);
  atomic_thread_fence(memory_order_release); /* the data before this thread's next stores; partner: their reader */
  tsr_progress_throttled();
  return true;
}

static inline bool tsr_armci_get_local(const void *src, void *dst, int bytes, int proc) {
  const void *remote_addr = tsr_armci_local(src, dst, bytes, proc);
  if (!remote_addr) return false;
  tsr_copy(dst, remote_addr, (size_t)bytes);
  tsr_progress_throttled();
  return true;
}

static inline bool tsr_armci_put_local_nb(const void *src, void *dst, int bytes, int proc, armci_hdl_t *handle) {
  void *remote_addr = tsr_armci_local_nb(dst, src, bytes, proc, handle);
  if (!remote_addr) return false;
  tsr_copy(remote_addr, src, (size_t)bytes);
  tsr_progress_throttled();
  return true;
}

static inline bool tsr_armci_get_local_nb(const void *src, void *dst, int bytes, int proc, armci_hdl_t *handle) {
  const void *remote_addr = tsr_armci_local_nb(src, dst, bytes, proc, handle);
  if (!remote_addr) return false;
  tsr_copy(dst, remote_addr, (size_t)bytes);
  tsr_progress_throttled();
  return true;
}

/* For blocking and non-blocking calls: accumulates are never offloaded. */
bool tsr_armci_acc_local(int type, const void *scale, const void *src, void *dst, int bytes, int proc);

#endif
