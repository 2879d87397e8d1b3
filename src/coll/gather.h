/* For collectives that gather first: tsr_gather as a part of a call that has begun. */
#ifndef TSR_COLL_GATHER_H
#define TSR_COLL_GATHER_H

#include "coll/coll.h"

tessera_status_t tsr_gather_begun(tsr_team *team, const void *send, void *recv, size_t bytes, tsr_member root);

#endif
