/* GASNet-EX: kinds of memory. */
#ifndef TSR_GASNET_MK_H
#define TSR_GASNET_MK_H

#include <gasnetex.h>
#include <gex/mk.h>

#endif
