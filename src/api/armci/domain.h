/* Domains, and the scopes of collectives. */
#ifndef TSR_API_ARMCI_DOMAIN_H
#define TSR_API_ARMCI_DOMAIN_H

#include "core/team.h"

/* The members of a team that are in a scope, ascending. */
struct tsr_armci_part {
  const int32_t *members; /* NULL: all */
  int32_t n, self;        /* self: the caller's position; -1: not in the scope */
};

/* An unknown scope ends the job. */
struct tsr_armci_part tsr_armci_part_of(const char *call, const tsr_team *team, int scope);

void tsr_armci_domains_start(void);

#endif
