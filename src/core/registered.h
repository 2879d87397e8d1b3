/* What memory this unit has registered: memory outside its heap that others may ask it to read or change. */
#ifndef TSR_CORE_REGISTERED_H
#define TSR_CORE_REGISTERED_H

#include <stdbool.h>
#include <stddef.h>

#include "core/team.h"

/* Whether all of [memory, memory + bytes) lies in one range that this unit has registered. Any thread. */
bool tsr_registered_holds(const void *memory, size_t bytes);

/* Ends the registrations of a team without telling anybody. For the end of the team. */
void tsr_registered_drop_all(tsr_team *team);

#endif
