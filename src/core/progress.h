/* Progress: what a unit does for other units, and for its own outstanding operations, in each call and wait. */
#ifndef TSR_CORE_PROGRESS_H
#define TSR_CORE_PROGRESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "node/ring.h"

/* Drains the own rings, which may run handlers of the program, and advances the transport; returns how much was done. Not for
 * progress threads. A handler of an active message may call it; then no second handler begins. */
int tsr_progress(void);

/* Takes active messages only; returns how many. After some calls in a row that took messages, it takes none until tsr_progress is
 * called. */
int tsr_progress_messages(void);

/* As tsr_progress for a unit that computes: is not counted as a call of the unit, and takes no active messages. */
int tsr_progress_aside(void);

/* How often tsr_progress was called, about. */
extern _Atomic unsigned tsr_progress_calls_n;

/* Makes progress if tsr_progress_required. For calls that complete at once, but that programs repeat until something changes
 * (flush, test). */
void tsr_progress_if_required(void);

/* The same for calls of a few instructions: only some of the calls make progress. */
extern _Atomic bool tsr_progress_required;
void tsr_progress_throttled_slow(void);
static inline void tsr_progress_throttled(void) {
  if (__builtin_expect(atomic_load_explicit(&tsr_progress_required, memory_order_relaxed), 0))
    tsr_progress_throttled_slow();
}

/* After this call other units depend on the progress of this unit, and it on theirs. With several nodes, or with agents, this is so
 * from the start. */
void tsr_progress_require(void);

/* Runs for a record of this kind in the thread that makes progress; copies what it keeps; never waits. */
typedef void (*tsr_record_fn)(const struct tsr_ring_record *record);

/* Kinds of records; each has one owner. */
enum tsr_record_kind {
  TSR_RECORD_CTRL, TSR_RECORD_MESSAGE, TSR_RECORD_PROXIED, TSR_RECORD_OFFLOAD_DONE,
  TSR_RECORD_OFFLOAD, TSR_RECORD_PROBE, /* to agents */
  TSR_RECORD_AM, TSR_RECORD_AM_RUN, TSR_RECORD_AM_REFERENCE,
  TSR_RECORD_KINDS_N
};
void tsr_progress_register(enum tsr_record_kind kind, tsr_record_fn function);

/* Drains a batch of records of another ring than the unit's own, of which the caller is the only consumer; returns their number,
 * 0 only if the ring is empty. */
int tsr_progress_drain(tsr_ring *ring);

/* From here on waits of this process make progress and sleep; the node's memory is mapped. */
void tsr_progress_start(void);
/* Prepares the waits again when the listener starts or has ended: whether sleeps have time-outs depends on the listener. No other
 * thread is inside. */
void tsr_progress_install_waits(void);
void tsr_progress_stop(void);

#endif
