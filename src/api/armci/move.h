/* One transfer, whatever its shape: what the calls for contiguous, strided and scattered data come down to. */
#ifndef TSR_API_ARMCI_MOVE_H
#define TSR_API_ARMCI_MOVE_H

#include "api/armci/address.h"
#include "vis/layout.h"
#include "vis/iov.h"

enum tsr_armci_kind { TSR_ARMCI_PUT, TSR_ARMCI_GET, TSR_ARMCI_ACC };

/* Which call of the program it is. */
struct tsr_armci_call {
  const char *name;
  enum tsr_armci_kind kind;
  int proc;
  bool waits;          /* blocking, ... */
  armci_hdl_t *handle; /* ... or not; NULL: implicit */
  int type;            /* of accumulates, */
  const void *scale;   /* as the program gave them */
};

/* Of source and destination, the program's, which is there and which is here. */
static inline void *tsr_armci_theirs(const struct tsr_armci_call *call, void *src, void *dst) {
  return call->kind == TSR_ARMCI_GET ? src : dst;
}
static inline void *tsr_armci_ours(const struct tsr_armci_call *call, void *src, void *dst) {
  return call->kind == TSR_ARMCI_GET ? dst : src;
}

/* Both sides as layouts, or as runs, or, with neither, contiguous. */
struct tsr_armci_move {
  tsr_addr remote_addr;
  void *local_addr;
  size_t bytes; /* of all, more than 0 */
  const tsr_layout *their_layout, *our_layout;
  const tsr_iov *their_iov, *our_iov;
};

/* Checks what all have in common: the process, and of accumulates type and scale. Stores the bytes of an element, a
 * power of two; 1 of what is none. 0, or the code to return, logged. */
int tsr_armci_begin(const struct tsr_armci_call *call, size_t *elem_bytes);

/* The addresses are good. Returns what the call returns. */
int tsr_armci_run(const struct tsr_armci_call *call, const struct tsr_armci_move *move);

#endif
