/* Strided pieces as programs describe them. */
#ifndef TSR_API_ARMCI_STRIDED_H
#define TSR_API_ARMCI_STRIDED_H

#include "api/armci/armci_api.h"
#include "vis/layout.h"

/* One side of a transfer. */
struct tsr_armci_strides {
  const int *count;  /* levels + 1 */
  const int *stride; /* levels */
  int levels;
};

/* 0, and whether it has bytes; or the code to return, logged: counts or levels no piece can have, no array of them. `which`
 * names the array of strides. */
int tsr_armci_strides_check(const char *call, const struct tsr_armci_strides *strides, const char *which, bool *any);

/* Of what has been checked and has bytes. */
void tsr_armci_strides_layout(const struct tsr_armci_strides *strides, tsr_layout *layout);

#endif
