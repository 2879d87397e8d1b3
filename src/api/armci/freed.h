/* TESSERA_CHECK=1: freed memory is kept until its group has freed some more, so that later accesses to it are reported,
 * as are accesses beyond the end of an allocation. */
#ifndef TSR_API_ARMCI_FREED_H
#define TSR_API_ARMCI_FREED_H

#include "base/config.h"
#include "core/segment.h"

/* Whether an ARMCI allocation was freed by the program. */
static inline bool tsr_armci_is_kept(const tsr_segment *segment) { return segment->flags != 0; }

/* Collective over the segment's team: frees it, with TESSERA_CHECK=1 later. */
tessera_status_t tsr_armci_free_later(tsr_segment *segment);

/* Collective: frees all kept segments of the team. False: there were none. */
bool tsr_armci_give_back(tsr_team *team);

/* Classifies `bytes` > 0 bytes of a unit's heap. Allocations that the caller does not know of, local ones and those of
 * other groups, count as good. */
enum tsr_armci_use { TSR_ARMCI_GOOD, TSR_ARMCI_FREED /* some bytes */, TSR_ARMCI_BEYOND /* not in one allocation */ };
enum tsr_armci_use tsr_armci_find(tsr_unit unit, uint64_t off, uint64_t bytes);

#endif
