/* The hang query: what a unit of another node waits for. Its node answers, whatever that unit does, if a process there serves
 * the unit's heap (with TESSERA_PROGRESS=none that is the unit itself). The watchdog asks shortly before it reports a wait that
 * depends on such a unit. One question at a time is open, and it goes on to further nodes if that unit waits for a unit there. */
#ifndef TSR_CORE_HANG_QUERY_H
#define TSR_CORE_HANG_QUERY_H

#include <stdbool.h>

#include "base/text.h"
#include "core/hang_report.h"

/* Asks what `unit` waits for, unless a question is open. Never waits. Any thread. */
void tsr_hang_query_ask(int32_t unit);
/* Whether a question is open. */
bool tsr_hang_query_is_open(void);

/* Appends to the chain the units that follow from `unit` by the last answer, if that was about `unit`. Returns the unit that the
 * last of them waits for, which is on a node that has not answered, or this unit; -1: not known, or no single unit. */
int32_t tsr_hang_query_follow(int32_t unit, struct tsr_hang_chain *chain);
/* Appends what is known of `unit`: "; unit 5 waits for ..."; nothing if it was not asked about. */
void tsr_hang_query_describe(int32_t unit, struct tsr_text *report);

#endif
