/* GASNet-EX: events, and operations that are completed in groups.
 *
 * A root event stands for a whole operation, and a leaf event for a part of its completion. After a wait for a root,
 * or a successful test of it, neither the root nor its leaves may be used again. Any thread may complete any event. */
#ifndef TSR_GASNET_GEX_EVENT_H
#define TSR_GASNET_GEX_EVENT_H

#include <gex/near.h>

#ifdef __cplusplus
extern "C" {
#endif

int gexi_event_test(gex_Event_t event);
void gexi_event_wait(gex_Event_t event);

/* Returns 0 if the event is complete, else GASNET_ERR_NOT_READY. Makes no progress: call gasnet_AMPoll in a loop of
 * tests. */
static inline int gex_Event_Test(gex_Event_t event) { return event == GEX_EVENT_INVALID ? GASNET_OK : gexi_event_test(event); }
/* Returns when the event is complete. Makes progress, and sleeps when there is nothing to do. */
static inline void gex_Event_Wait(gex_Event_t event) {
  if (event != GEX_EVENT_INVALID) gexi_event_wait(event);
}

/* Test and wait for a list of events; complete events become GEX_EVENT_INVALID. A test returns 0 if any event (Some)
 * or all events (All) are complete, or if none was left. */
int gex_Event_TestSome(gex_Event_t *events, size_t events_n, gex_Flags_t flags);
int gex_Event_TestAll(gex_Event_t *events, size_t events_n, gex_Flags_t flags);
void gex_Event_WaitSome(gex_Event_t *events, size_t events_n, gex_Flags_t flags);
void gex_Event_WaitAll(gex_Event_t *events, size_t events_n, gex_Flags_t flags);

/* Returns the leaf event for one category of a root that was not yet completed; always the same one. */
gex_Event_t gex_Event_QueryLeaf(gex_Event_t root, gex_EC_t category);

int gexi_nbi_test(gex_EC_t categories);
void gexi_nbi_wait(gex_EC_t categories);

/* Whether no thread has implicit operations under way, so that a wait has nothing to wait for. */
static inline int gexi_nbi_idle(const struct gexi_implicit *implicit, gex_EC_t categories) {
  if (!GEXI_LIKELY(implicit != 0 && categories && !(categories & ~GEX_EC_ALL))) return 0;
  return __atomic_load_n(&implicit->busy_n, __ATOMIC_RELAXED) == 0;
}

/* Test and wait for the operations that the calling thread started by _NBI calls outside of access regions. Several
 * categories may be given. gex_NBI_Test returns 0 if they are complete, else GASNET_ERR_NOT_READY; it makes no
 * progress. gex_NBI_Wait makes progress in some calls even if there is nothing to wait for, because programs repeat it
 * until a handler has run. */
static inline int gex_NBI_Test(gex_EC_t categories, gex_Flags_t flags) {
  (void)flags;
  return GEXI_LIKELY(gexi_nbi_idle(tsr_gex_near_2.implicit, categories)) ? GASNET_OK : gexi_nbi_test(categories);
}
static inline void gex_NBI_Wait(gex_EC_t categories, gex_Flags_t flags) {
  struct gexi_implicit *implicit = tsr_gex_near_2.implicit;
  (void)flags;
  if (GEXI_LIKELY(gexi_nbi_idle(implicit, categories))) {
    uint32_t left_n = __atomic_load_n(&implicit->left_n, __ATOMIC_RELAXED);
    if (GEXI_LIKELY(left_n != 0)) {
      __atomic_store_n(&implicit->left_n, left_n - 1, __ATOMIC_RELAXED); /* threads may overwrite each other's value */
      return;
    }
  }
  gexi_nbi_wait(categories);
}

/* Between these two calls, the event that the second one returns counts the _NBI operations of the calling thread. */
void gex_NBI_BeginAccessRegion(gex_Flags_t flags);
gex_Event_t gex_NBI_EndAccessRegion(gex_Flags_t flags);

#ifdef __cplusplus
}
#endif
#endif
