/* A place in global memory: a unit and an offset in that unit's heap. Every face's pointer becomes this. */
#ifndef TSR_CORE_ADDRESS_H
#define TSR_CORE_ADDRESS_H

#include "core/unit.h"

typedef struct tsr_addr {
  tsr_unit unit;
  uint64_t off;
} tsr_addr;

#endif
