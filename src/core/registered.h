/* The memory that this unit has registered: memory outside its heap that other units may ask it to read or change. */
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

/* Registers a range on this unit alone, until the runtime ends or the range is removed. The caller informs the other
 * units, and ensures that they call tsr_progress_require, too. Memory in the own heap needs no registration: both
 * functions ignore it. `off` becomes the address of the range in requests. TESSERA_ERR_MEMORY. */
tessera_status_t tsr_registered_add(const void *memory, size_t bytes, uint64_t *off);
void tsr_registered_remove(const void *memory, size_t bytes);

/* End the registrations of an interface (or all) in a team without notifying other units: see tsr_segment_drop_api. */
void tsr_registered_drop_api(tsr_team *team, enum tsr_api api);
void tsr_registered_drop_all(tsr_team *team);

#endif
