/* GASNet-EX: collectives. */
#ifndef TSR_GASNET_COLL_H
#define TSR_GASNET_COLL_H

#include <gasnetex.h>
#include <gex/coll.h>

#endif
