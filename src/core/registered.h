/* What memory this unit has registered: memory outside its heap that others may ask it to read or change. */
#ifndef TSR_CORE_REGISTERED_H
#define TSR_CORE_REGISTERED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera.h>

#include "core/api.h"
#include "core/team.h"

/* Whether all of [memory, memory + bytes) lies in one range that this unit has registered. Any thread. */
bool tsr_registered_holds(const void *memory, size_t bytes);

/* Makes a range known by this unit alone, for as long as the runtime is up or until it is removed; how others learn of it is the
 * caller's business, who sees to it that they call tsr_progress_require, too. Nothing is to be done for memory in the own heap:
 * both ignore it. `off` becomes what the range is addressed by. TESSERA_ERR_MEMORY. */
tessera_status_t tsr_registered_add(const void *memory, size_t bytes, uint64_t *off);
void tsr_registered_remove(const void *memory, size_t bytes);

/* End the registrations of an interface, or all, in a team without telling anybody: see tsr_segment_drop_api. */
void tsr_registered_drop_api(tsr_team *team, enum tsr_api api);
void tsr_registered_drop_all(tsr_team *team);

#endif
