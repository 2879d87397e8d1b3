/* Missing: whom a wait is for, as far as the node's memory and this unit's own collectives tell. For the watchdog. */
#ifndef TSR_CORE_HANG_REPORT_H
#define TSR_CORE_HANG_REPORT_H

#include <stdint.h>

#include "base/wait.h"

/* Writes "; missing: unit 2, which is not inside a Tessera call" or the like, and how many non-blocking operations of this unit are
 * under way besides; nothing when it cannot be said. For the thread that waits. */
void tsr_hang_report_describe(const struct tsr_wait_why *why, char *text, int text_bytes);

/* A collective that goes on in steps has come to one that only `unit` can end; and it goes on. */
void tsr_hang_report_add(int32_t team, uint64_t number, int32_t unit);
void tsr_hang_report_remove(int32_t team, uint64_t number);

#endif
