/* GASNet-EX: collectives, including those of GASNet-1. */
#ifndef TSR_GASNET_COLL_H
#define TSR_GASNET_COLL_H

#include <gasnetex.h>
#include <gex/coll.h>
#include <gex/legacy_coll.h>

#endif
