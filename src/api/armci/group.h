/* Groups. Each has a team, and a team for each scope. */
#ifndef TSR_API_ARMCI_GROUP_H
#define TSR_API_ARMCI_GROUP_H

#include <stdatomic.h>

#include "api/armci/armci_api.h"

/* A member's record of a group. */
struct tsr_armci_group {
  tsr_team *team;
  tsr_team *scopes[SCOPE_MASTERS + 1]; /* NULL: not used yet */
  _Atomic int32_t sets_n;              /* sets of mutexes, which must be destroyed before the group */
};

/* NULL: see tsr_armci_team. */
struct tsr_armci_group *tsr_armci_group_find(const ARMCI_Group *group);

/* The same for calls without a result: ends the job instead of returning NULL. */
struct tsr_armci_group *tsr_armci_group_must(const char *call, const ARMCI_Group *group);

/* The team of those processes of a group that are in a scope. The first call creates it and is collective over these
 * processes. NULL: the caller is not one of them, and its call does nothing. An unknown scope ends the job. */
tsr_team *tsr_armci_scope_team(const char *call, const ARMCI_Group *group, int scope);

/* The members of a team that are in a scope, ascending. */
struct tsr_armci_part {
  const int32_t *members; /* NULL: all */
  int32_t n, self;        /* self: the caller's position; -1: not in the scope */
};

/* An unknown scope ends the job. */
struct tsr_armci_part tsr_armci_part_of(const char *call, const tsr_team *team, int scope);

#endif
