/* One transfer of any shape: the common end of the contiguous, strided and vector calls. */
#ifndef TSR_API_ARMCI_MOVE_H
#define TSR_API_ARMCI_MOVE_H

#include "api/armci/address.h"
#include "vis/layout.h"
#include "vis/iov.h"

enum tsr_armci_kind { TSR_ARMCI_PUT, TSR_ARMCI_GET, TSR_ARMCI_ACC };

/* A call of the program. */
struct tsr_armci_call {
  const char *name;
  enum tsr_armci_kind kind;
  int proc;
  bool waits;          /* a blocking call */
  armci_hdl_t *handle; /* of a non-blocking call; NULL: implicit */
  int type;            /* type and scale of accumulates, not checked yet */
  const void *scale;
};

/* The remote side and the local side of source and destination. */
static inline void *tsr_armci_theirs(const struct tsr_armci_call *call, void *src, void *dst) {
  return call->kind == TSR_ARMCI_GET ? src : dst;
}
static inline void *tsr_armci_ours(const struct tsr_armci_call *call, void *src, void *dst) {
  return call->kind == TSR_ARMCI_GET ? dst : src;
}

/* Both sides are layouts, iovecs, or, if both are NULL, contiguous. */
struct tsr_armci_move {
  tsr_addr remote_addr;
  void *local_addr;
  size_t bytes; /* in total, more than 0 */
  const tsr_layout *their_layout, *our_layout;
  const tsr_iov *their_iov, *our_iov;
};

/* Checks the process, and type and scale of accumulates. Stores the size of an element: a power of two for accumulates,
 * else 1. 0, or the code to return, logged. */
int tsr_armci_begin(const struct tsr_armci_call *call, size_t *elem_bytes);

/* Runs the move; with TESSERA_CHECK=1 first checks for overlaps. The caller has checked the addresses. Returns the
 * call's result. */
int tsr_armci_run(const struct tsr_armci_call *call, const struct tsr_armci_move *move);

/* 0, or the code to return, logged: pieces of the destination overlap. Very long lists are not checked. */
int tsr_armci_check_overlap(const struct tsr_armci_call *call, const struct tsr_armci_move *move);

#endif
