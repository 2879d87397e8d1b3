/* What events and implicit operations have in common: groups of ops, one for each category. */
#ifndef TSR_API_GASNET_EVENT_H
#define TSR_API_GASNET_EVENT_H

#include "core/op.h"
#include "api/gasnet/gasnet_api.h"

/* Only what was ever counted is looked at. */
typedef struct tsr_gex_group {
  tsr_op ops[TSR_GEX_CATEGORIES_N];
  uint32_t used; /* bit i: ops[i] */
} tsr_gex_group;

/* Whether what `categories` (GEX_EC_*) stands for is complete. */
bool tsr_gex_group_done(const tsr_gex_group *group, gex_EC_t categories);
void tsr_gex_group_wait(const tsr_gex_group *group, gex_EC_t categories);

/* A new root event with all categories: of an access region. */
gex_Event_t tsr_gex_event_region(tsr_gex_group **group);

/* Root events that were given out and not completed, about. */
int tsr_gex_events_n(void);

/* What threads have started by themselves: what inline functions see of it; at the end, that is waited for and gone. */
struct gexi_implicit *tsr_gex_nbi_start(void);
void tsr_gex_nbi_stop(void);

#endif
