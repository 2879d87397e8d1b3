/* TESSERA_CHECK=1: memory that was freed is kept until its group has freed some more, so that who still uses it is told, as
 * is who goes beyond an allocation. */
#ifndef TSR_API_ARMCI_FREED_H
#define TSR_API_ARMCI_FREED_H

#include "base/config.h"
#include "core/segment.h"

/* Whether an allocation of ARMCI's was freed already, and is only kept. */
static inline bool tsr_armci_is_kept(const tsr_segment *segment) { return segment->flags != 0; }

/* Collective over the segment's team: frees it, sooner or later. */
tessera_status_t tsr_armci_free_later(tsr_segment *segment);

/* Collective: gives back what is kept of the team's. False: nothing. */
bool tsr_armci_give_back(tsr_team *team);

/* What these bytes, more than 0, of a unit's heap are, as far as the caller knows it: memory that only its owner allocated, or
 * a group of others, passes. */
enum tsr_armci_use { TSR_ARMCI_GOOD, TSR_ARMCI_FREED /* some are kept */, TSR_ARMCI_BEYOND /* not all in one allocation */ };
enum tsr_armci_use tsr_armci_find(tsr_unit unit, uint64_t off, uint64_t bytes);

#endif
