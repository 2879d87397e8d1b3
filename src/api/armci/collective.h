/* What collectives of message.h have in common: their members, and their end. */
#ifndef TSR_API_ARMCI_COLLECTIVE_H
#define TSR_API_ARMCI_COLLECTIVE_H

#include "base/stats.h"
#include "api/armci/group.h"

/* The processes of a group in a scope; NULL: the caller is none of them, and has nothing to do. */
static inline tsr_team *tsr_armci_party(const char *call, const ARMCI_Group *group, int scope) {
  return tsr_armci_scope(call, tsr_armci_group_must(call, group), scope);
}

/* These calls have no result: after an error the job ends. */
struct tsr_armci_run {
  const char *call;
  uint64_t begun_ns;
};
static inline struct tsr_armci_run tsr_armci_begin(const char *call) {
  return (struct tsr_armci_run){call, tsr_stats_begin()};
}
static inline void tsr_armci_end(struct tsr_armci_run run, enum tsr_stat what, size_t bytes, tessera_status_t status) {
  if (!TSR_ARMCI_LIKELY(!status)) tsr_armci_die("%s: failed: see the lines above, here or of another process", run.call);
  tsr_stats_end(what, run.begun_ns, bytes, 0);
}

/* Ends the job unless there are n >= 0 things at x. */
static inline void tsr_armci_check_buffer(const char *call, const void *x, int n) {
  if (n < 0 || (n && !x)) tsr_armci_die("%s: there is no buffer of %d at %p; pass one, or 0", call, n, x);
}

#endif
