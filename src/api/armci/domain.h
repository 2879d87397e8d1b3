/* Domains: which processes count as one node. */
#ifndef TSR_API_ARMCI_DOMAIN_H
#define TSR_API_ARMCI_DOMAIN_H

#include "core/team.h"

/* Who of a team is in a scope, in its order. */
struct tsr_armci_part {
  const int32_t *members; /* NULL: all */
  int32_t n, self;        /* the caller's place; -1: it is not in it */
};

/* An unknown scope ends the job. */
struct tsr_armci_part tsr_armci_part_of(const char *call, const tsr_team *team, int scope);

void tsr_armci_domains_start(void);

#endif
