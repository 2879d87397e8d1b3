/* The hang report: the units that a wait is for, as far as the node's memory and this unit's collectives tell. For
 * the watchdog. */
#ifndef TSR_CORE_HANG_REPORT_H
#define TSR_CORE_HANG_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "base/wait.h"
#include "core/unit.h"

/* Units each of which waits for the next. */
enum { TSR_HANG_CHAIN_MOST = 8 };
struct tsr_hang_chain {
  int32_t units_n, units[TSR_HANG_CHAIN_MOST];
};

/* Whether this unit reports a wait that has become long. With TESSERA_ERRORS=all every unit does. Otherwise one unit of a node does
 * in each period of the watchdog: on the first node, on nodes with a unit that does not wait, and where this unit is in a cycle. */
bool tsr_hang_report_is_due(const struct tsr_wait_why *why);

/* For a wait that is nearly as long, or, if `at_once`, that is reported in any case: asks the node of the unit that it depends on,
 * if that is another node (core/hang_query). Of nearly long ones one unit of a node asks in each period, and is the one that
 * reports. */
void tsr_hang_report_prepare(const struct tsr_wait_why *why, bool at_once);

/* Writes "; missing: unit 2, which is not inside a Tessera call" or the like, and the number of other non-blocking
 * operations of this unit that are under way; an empty text if nothing is known. Called by the thread that waits. */
void tsr_hang_report_describe(const struct tsr_wait_why *why, char *text, int text_bytes);

/* A collective that proceeds in steps has reached a step that only `unit` can complete (_add), or has completed it (_remove).
 * `number`: of the non-blocking call; or, with TSR_HANG_REPORT_BLOCKING, of the schedule inside a blocking one. */
#define TSR_HANG_REPORT_BLOCKING (UINT64_C(1) << 62)
void tsr_hang_report_add(int32_t team, uint64_t number, int32_t unit);
void tsr_hang_report_remove(int32_t team, uint64_t number);

/* Appends "unit 5 waits for ..." of a unit of this node. Called with the lock of the teams. */
void tsr_hang_report_unit(tsr_unit unit, struct tsr_text *report);
/* Appends `unit`, the unit that it waits for, and so on, while they are on this node and not `end`. Returns the unit that the last
 * one waits for; -1: it does not wait for a single unit. */
int32_t tsr_hang_report_follow(int32_t unit, int32_t end, struct tsr_hang_chain *chain);

#endif
