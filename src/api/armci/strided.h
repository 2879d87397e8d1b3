/* ARMCI's description of strided pieces. */
#ifndef TSR_API_ARMCI_STRIDED_H
#define TSR_API_ARMCI_STRIDED_H

#include "api/armci/armci_api.h"
#include "vis/layout.h"

/* One side of a transfer. */
struct tsr_armci_strides {
  const int *count;  /* levels + 1 elements */
  const int *stride; /* levels elements */
  int levels;
};

/* 0, and *any: the piece has bytes. Or the code to return, logged: invalid levels or counts, or a NULL array. `which`
 * names the array of strides. */
int tsr_armci_strides_check(const char *call, const struct tsr_armci_strides *strides, const char *which, bool *any);

/* `strides` were checked and have bytes. */
void tsr_armci_strides_layout(const struct tsr_armci_strides *strides, tsr_layout *layout);

#endif
