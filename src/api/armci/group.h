/* Groups: a team each, and the teams of its scopes. */
#ifndef TSR_API_ARMCI_GROUP_H
#define TSR_API_ARMCI_GROUP_H

#include <stdatomic.h>

#include "api/armci/armci_api.h"

/* What a process knows of a group that it is in. */
struct tsr_armci_group {
  tsr_team *team;
  tsr_team *scopes[SCOPE_MASTERS + 1]; /* NULL: nobody of it has asked yet */
  _Atomic int32_t sets_n;              /* of mutexes, which have to go before the group */
};

/* NULL: see tsr_armci_team. */
struct tsr_armci_group *tsr_armci_group_find(const ARMCI_Group *group);

/* The same for calls without a result, which end the job. */
struct tsr_armci_group *tsr_armci_group_must(const char *call, const ARMCI_Group *group);

/* The processes of a group in a scope, made at the first call: collective over them. NULL: the caller is none of them.
 * An unknown scope ends the job. */
tsr_team *tsr_armci_scope(const char *call, struct tsr_armci_group *group, int scope);

#endif
