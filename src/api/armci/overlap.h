/* TESSERA_CHECK=1: reports puts and gets that write a byte twice, whose result would be undefined. */
#ifndef TSR_API_ARMCI_OVERLAP_H
#define TSR_API_ARMCI_OVERLAP_H

#include "base/config.h"
#include "api/armci/move.h"
#include "vis/layout.h"
#include "vis/iov.h"

int tsr_armci_overlap_in_layout(const char *call, const tsr_layout *layout);
int tsr_armci_overlap_in_iov(const char *call, const tsr_iov *iov);

/* 0, or the code to return, logged: pieces of the destination overlap. Very long lists are not checked. */
static inline int tsr_armci_check_overlap(const struct tsr_armci_call *call, const struct tsr_armci_move *move) {
  if (!__builtin_expect(tsr_config.check, 0) || call->kind == TSR_ARMCI_ACC) return 0;
  bool puts = call->kind == TSR_ARMCI_PUT;
  if (move->their_iov) return tsr_armci_overlap_in_iov(call->name, puts ? move->their_iov : move->our_iov);
  return move->their_layout ? tsr_armci_overlap_in_layout(call->name, puts ? move->their_layout : move->our_layout) : 0;
}

#endif
