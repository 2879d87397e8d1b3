/* Transpositions: the destination runs along dimension 0, the source along dimension 1. */
#ifndef TSR_VIS_TILES_H
#define TSR_VIS_TILES_H

#include "vis/layout.h"

typedef void (*tsr_plan_fn)(const tsr_plan *plan, char *dest, const char *src);

/* The kernel for dimensions 0 and 1 of a plan with runs of 1 to 64 bytes. */
tsr_plan_fn tsr_tiles_kernel(const tsr_plan *plan);

#endif
