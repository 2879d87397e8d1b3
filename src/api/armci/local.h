/* The short way: one run of bytes on the own node, of a call in which nothing is wrong, and that nobody counts or checks. All
 * else goes the long way, which says what is wrong. */
#ifndef TSR_API_ARMCI_LOCAL_H
#define TSR_API_ARMCI_LOCAL_H

#include "core/progress.h"
#include "api/armci/address.h"
#include "api/armci/handle.h"
#include "rma/rma.h"

/* Where the bytes lie; NULL: the long way. */
static inline void *tsr_armci_local(const void *theirs, const void *ours, int bytes, int proc) {
  tsr_addr remote_addr;
  bool plain = tsr_armci_plain && bytes > 0 && ours && tsr_armci_has(proc);
  if (!TSR_ARMCI_LIKELY(plain) || !tsr_armci_translate_near(theirs, 0, bytes, proc, &remote_addr)) return NULL;
  return tsr_place_pointer(remote_addr); /* NULL where the address may be wrong: on another node */
}

/* The same for what the caller does not wait for at once. An aggregate handle leaves nothing to agents. */
static inline void *tsr_armci_local_nb(const void *theirs, const void *ours, int bytes, int proc, armci_hdl_t *handle) {
  bool left_to_agents = (size_t)bytes >= tsr_offload.local_bytes;
  void *remote_addr = TSR_ARMCI_LIKELY(!left_to_agents) ? tsr_armci_local(theirs, ours, bytes, proc) : NULL;
  return remote_addr && tsr_armci_handle_use_local(handle, proc) ? remote_addr : NULL;
}

/* The bytes of a strided piece that is one run, however many levels say so; 0: it is not, or the long way shall see. */
static inline int tsr_armci_one_run(const int src_stride[], const int dst_stride[], const int count[], int levels) {
  if (!count || (levels > 0 && !(src_stride && dst_stride)) || levels < 0 || levels > ARMCI_MAX_STRIDE_LEVEL) return 0;
  for (int level = 1; level <= levels; level++)
    if (count[level] != 1) return 0;
  return count[0];
}

/* The transfers themselves. False: nothing was done, the long way. */

static inline bool tsr_armci_put_local(const void *src, void *dst, int bytes, int proc) {
  void *remote_addr = tsr_armci_local(dst, src, bytes, proc);
  if (!remote_addr) return false;
  tsr_copy(remote_addr, src, (size_t)bytes);
  atomic_thread_fence(memory_order_release); /* before what this thread stores next; partner: who reads that */
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

/* Blocking and not: nobody but the caller ever does it. */
bool tsr_armci_acc_local(int type, const void *scale, const void *src, void *dst, int bytes, int proc);

#endif
