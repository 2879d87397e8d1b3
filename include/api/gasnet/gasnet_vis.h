/* GASNet-EX: put and get of data that lies in pieces. */
#ifndef TSR_GASNET_VIS_H
#define TSR_GASNET_VIS_H

#include <gasnetex.h>
#include <gex/vis.h>

#endif
