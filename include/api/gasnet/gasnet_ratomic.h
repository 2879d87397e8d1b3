/* GASNet-EX: remote atomics. */
#ifndef TSR_GASNET_RATOMIC_H
#define TSR_GASNET_RATOMIC_H

#include <gasnetex.h>
#include <gex/ratomic.h>

#endif
