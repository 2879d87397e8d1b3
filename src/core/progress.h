/* Progress: what a unit does for others, and for its own outstanding operations, whenever it calls in or waits. */
#ifndef TSR_CORE_PROGRESS_H
#define TSR_CORE_PROGRESS_H

#include <stdatomic.h>
#include <stdint.h>

#include "node/ring.h"

/* Drains the own rings and advances the transport; returns how much was done. Any thread. */
int tsr_progress(void);

/* When space in somebody's ring is needed: drains our own, for whom its owner may wait in the same way, and lets others
 * run. Not from a record's function. */
void tsr_progress_pause(void);

/* For calls that complete at once but that programs repeat until something changes (flush, test): serves others when
 * nobody else does it for us. */
void tsr_progress_poke(void);

/* Whether others depend on our progress: those of other nodes, or those of the own one, too. For fast paths. */
extern _Atomic bool tsr_progress_wanted;

/* From here on units of the own node depend on our progress, and we on theirs: tsr_progress_poke serves them, too. */
void tsr_progress_attend(void);

/* Runs for a record of this kind in the thread that makes progress; copies what it keeps; never waits. */
typedef void (*tsr_record_fn)(const struct tsr_ring_record *record);

/* Who owns which kind of record. */
enum tsr_record_kind { TSR_RECORD_MAIL, TSR_RECORD_MESSAGE, TSR_RECORD_ERRAND, TSR_RECORD_KINDS_N };
void tsr_progress_register(enum tsr_record_kind kind, tsr_record_fn function);

/* What else each call does, after rings and transport; returns how much was done. One owner, for the life of the
 * process. Several threads may be in it at once. */
void tsr_progress_register_work(int (*work)(void));

/* From here on waits of this process make progress and sleep; the node's memory is mapped. */
void tsr_progress_start(void);
void tsr_progress_stop(void);

#endif
