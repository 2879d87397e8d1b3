/* Common parts of the collectives of message.h. */
#ifndef TSR_API_ARMCI_COLLECTIVE_H
#define TSR_API_ARMCI_COLLECTIVE_H

#include "base/stats.h"
#include "api/armci/group.h"

/* The processes of a group in a scope. NULL: the caller is not one of them, and the call does nothing. */
static inline tsr_team *tsr_armci_party(const char *call, const ARMCI_Group *group, int scope) {
  return tsr_armci_scope(call, tsr_armci_group_must(call, group), scope);
}

/* Surrounds a call, which has no result. An error ends the job. */
struct tsr_armci_run {
  const char *call;
  uint64_t begun_ns;
};
static inline struct tsr_armci_run tsr_armci_begin(const char *call) {
  return (struct tsr_armci_run){call, tsr_stats_begin()};
}
static inline void tsr_armci_end(struct tsr_armci_run run, enum tsr_stat what, size_t bytes, tessera_status_t status) {
  if (!TSR_ARMCI_LIKELY(!status)) tsr_armci_die("TSR-3008 %s: failed; see the messages above, of this or another process",
                                                run.call);
  tsr_stats_end(what, run.begun_ns, bytes, 0);
}

/* Ends the job if n is negative, or x is NULL and n is not 0. */
static inline void tsr_armci_check_buffer(const char *call, const void *x, int n) {
  if (n < 0 || (n && !x)) tsr_armci_die("TSR-3009 %s: the buffer is %p, its size %d; pass a buffer, or size 0", call, x, n);
}

#endif
