/* GASNet-EX: vector, indexed and strided put and get. */
#ifndef TSR_GASNET_VIS_H
#define TSR_GASNET_VIS_H

#include <gasnetex.h>
#include <gex/vis.h>

#endif
