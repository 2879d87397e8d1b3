/* Functions that the works on DART share. A new work is one file with one table, which this file and main.c name. */
#ifndef PERF_WORKS_H
#define PERF_WORKS_H

#include <dash/dart/if/dart.h>

#include "harness.h"

extern const struct perf_work transfer_works[], type_works[], atomic_works[], barrier_works[], alloc_works[], lock_works[],
    message_works[], coll_works[], stream_works[], pieces_works[], overlap_works[], busy_works[], eager_works[], batch_works[],
    notify_works[], acc_works[], vis_works[], am_works[], am_schedule_works[];

/* Ends the job unless status is DART_OK, naming the call. */
void works_check(dart_ret_t status, const char *call);

/* Allocates bytes on every unit; each unit writes every page of its part. The pointer refers to the start of unit's
 * part. Collective. */
dart_gptr_t works_alloc(const struct perf *p, size_t bytes, int unit);

/* The target's own part, on the target; NULL on other units. */
void *works_at_target(const struct perf *p, dart_gptr_t memory);

/* Frees memory of works_alloc, whichever unit the pointer refers to. Collective. */
void works_free(dart_gptr_t memory);

/* Returns the start of unit's part. */
static inline dart_gptr_t works_at(dart_gptr_t memory, int unit) {
  dart_gptr_setunit(&memory, dart_create_team_unit(unit));
  return memory;
}

#endif
