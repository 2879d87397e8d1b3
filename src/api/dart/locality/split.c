#include <dash/dart/if/dart_team_group.h>

#include <stdlib.h>

#include "api/dart/dart_api.h"
#include "api/dart/locality/locality.h"

/* Part i of parts_n gets the domains from first_of(i) to first_of(i + 1) - 1. */
static int first_of(size_t i, int n, size_t parts_n) { return (int)(i * (size_t)n / parts_n); }

static bool make_parts(const tsr_domain *in, int n, const char *const tags[], int parts_n, tsr_domain parts[]) {
  for (int i = 0; i < parts_n; i++) {
    int first = first_of((size_t)i, n, (size_t)parts_n), end = first_of((size_t)i + 1, n, (size_t)parts_n);
    if (!tsr_domain_copy(&parts[i], in)) {
      while (i > 0) tsr_domain_clear(&parts[--i]);
      return false;
    }
    tsr_domain_select(&parts[i], end - first, tags + first);
  }
  return true;
}

dart_ret_t dart_domain_split_scope(const dart_domain_locality_t *domain_in, dart_locality_scope_t scope, int num_parts,
                                   dart_domain_locality_t *split_domain_out) {
  TSR_DOMAIN_REQUIRE(domain_in);
  TSR_DOMAIN_REQUIRE(split_domain_out);
  if (num_parts < 1)
    return tsr_dart_invalid("TSR-2077 dart_domain_split_scope: num_parts is %d; ask for at least one part", num_parts);
  int n = 0;
  tsr_domain **domains = NULL;
  dart_ret_t result = dart_domain_scope_domains(domain_in, scope, &n, &domains);
  if (result != DART_OK) return result;
  const char **tags = malloc((size_t)n * sizeof *tags);
  for (int i = 0; tags && i < n; i++) tags[i] = domains[i]->domain_tag;
  bool made = tags && make_parts(domain_in, n, tags, num_parts, split_domain_out);
  free(tags);
  free(domains);
  return made ? DART_OK : tsr_domain_no_memory(__func__);
}

/* Each group has those units of `group` that are in its domains; it is DART_GROUP_NULL if there are none. After an error no
 * group is left. */
static dart_ret_t make_groups(const struct dart_group_struct *group, int n, tsr_domain *const domains[], size_t groups_n,
                              dart_group_t groups[]) {
  for (size_t i = 0; i < groups_n; i++) {
    int first = first_of(i, n, groups_n), end = first_of(i + 1, n, groups_n);
    dart_group_t made = DART_GROUP_NULL;
    dart_ret_t result = dart_group_create(&made);
    for (int at = first; at < end; at++) {
      for (int j = 0; j < domains[at]->num_units && result == DART_OK; j++) {
        int32_t is_member = 0;
        dart_group_ismember((dart_group_t)group, domains[at]->unit_ids[j], &is_member);
        if (is_member) result = dart_group_addmember(made, domains[at]->unit_ids[j]);
      }
    }
    if (result != DART_OK || made->n == 0) dart_group_destroy(&made);
    groups[i] = made;
    if (result == DART_OK) continue;
    while (i > 0) dart_group_destroy(&groups[--i]);
    return result;
  }
  return DART_OK;
}

dart_ret_t dart_group_locality_split(const dart_group_t g, dart_domain_locality_t *domain, dart_locality_scope_t scope,
                                     size_t n, size_t *nout, dart_group_t *gout) {
  TSR_DOMAIN_REQUIRE(g);
  TSR_DOMAIN_REQUIRE(domain);
  TSR_DOMAIN_REQUIRE(nout);
  TSR_DOMAIN_REQUIRE(gout);
  if (n == 0) return tsr_dart_invalid("TSR-2078 dart_group_locality_split: n is 0; ask for at least one piece");
  int domains_n = 0;
  tsr_domain **domains = NULL;
  dart_ret_t result = dart_domain_scope_domains(domain, scope, &domains_n, &domains);
  if (result != DART_OK) return result;
  bool is_clipped = n > (size_t)domains_n;
  if (is_clipped) n = (size_t)domains_n;
  result = make_groups(g, domains_n, domains, n, gout);
  free(domains);
  if (result == DART_OK && is_clipped) *nout = n;
  return result;
}
