/* Common parts of events and implicit operations: groups of ops, one for each category. */
#ifndef TSR_API_GASNET_EVENT_H
#define TSR_API_GASNET_EVENT_H

#include "core/op.h"
#include "api/gasnet/gasnet_api.h"

typedef struct tsr_gex_group {
  tsr_op ops[TSR_GEX_CATEGORIES_N];
  uint32_t used; /* bit i: ops[i] is in use */
} tsr_gex_group;

/* Whether all operations of these categories (GEX_EC_*) are complete. */
bool tsr_gex_group_done(const tsr_gex_group *group, gex_EC_t categories);
void tsr_gex_group_wait(const tsr_gex_group *group, gex_EC_t categories);

/* A new root event with all categories, for an access region. */
gex_Event_t tsr_gex_event_region(tsr_gex_group **group);

/* The approximate number of root events that are not completed. */
int tsr_gex_events_n(void);

/* Implicit operations of threads. _start returns the record that inline functions read; _stop waits for all. */
struct gexi_implicit *tsr_gex_nbi_start(void);
void tsr_gex_nbi_stop(void);

#endif
