/* The hang report: the units that a wait is for, as far as the node's memory and this unit's collectives tell. For
 * the watchdog. */
#ifndef TSR_CORE_HANG_REPORT_H
#define TSR_CORE_HANG_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/wait.h"

/* Whether this unit reports a wait that has become long. With TESSERA_ERRORS=all every unit does. Otherwise one unit of a node does
 * in each period of the watchdog: on the first node, on nodes with a unit that does not wait, and where this unit is in a cycle. */
bool tsr_hang_report_is_due(const struct tsr_wait_why *why);

/* Writes "; missing: unit 2, which is not inside a Tessera call" or the like, and the number of other non-blocking
 * operations of this unit that are under way; an empty text if nothing is known. Called by the thread that waits. */
void tsr_hang_report_describe(const struct tsr_wait_why *why, char *text, int text_bytes);

/* A collective that proceeds in steps has reached a step that only `unit` can complete (_add), or has completed it (_remove). */
void tsr_hang_report_add(int32_t team, uint64_t number, int32_t unit);
void tsr_hang_report_remove(int32_t team, uint64_t number);

#endif
