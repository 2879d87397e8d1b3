#include "api/dart/dart_api.h"
#include "api/dart/locality/locality.h"

static bool is_covered(const tsr_domain *domain, int n, const char *const tags[]) {
  for (int i = 0; i < n; i++) {
    if (tsr_domain_tag_covers(tags[i], domain->domain_tag)) return true;
  }
  return false;
}

static bool is_above(const tsr_domain *domain, int n, const char *const tags[]) {
  for (int i = 0; i < n; i++) {
    if (tsr_domain_tag_covers(domain->domain_tag, tags[i])) return true;
  }
  return false;
}

static void remove_child(tsr_domain *domain, int at) {
  tsr_domain *child = domain->children[at];
  tsr_domain_unlink(child);
  tsr_domain_free(child);
}

/* Returns whether the domain or anything below it is selected. */
static bool keep_selected(tsr_domain *domain, int n, const char *const tags[]) {
  if (is_covered(domain, n, tags)) return true;
  if (!is_above(domain, n, tags)) return false;
  bool changed = false;
  for (int i = domain->num_domains - 1; i >= 0; i--) {
    tsr_domain *child = domain->children[i];
    int units_n = child->num_units, domains_n = child->num_domains;
    bool kept = keep_selected(child, n, tags);
    if (!kept) remove_child(domain, i);
    changed = changed || !kept || child->num_units != units_n || child->num_domains != domains_n;
  }
  if (changed) tsr_domain_update(domain);
  return domain->num_domains > 0;
}

void tsr_domain_select(tsr_domain *domain, int n, const char *const tags[]) {
  if (is_covered(domain, n, tags)) return;
  bool is_leaf = domain->num_domains == 0;
  if (!keep_selected(domain, n, tags) && !is_leaf) {
    while (domain->num_domains > 0) remove_child(domain, domain->num_domains - 1);
    tsr_domain_update(domain);
  }
  tsr_domain_update_upwards(domain->parent);
}

/* Returns whether anything was removed. */
static bool drop_excluded(tsr_domain *domain, int n, const char *const tags[], bool drop_empty) {
  bool changed = false;
  for (int i = domain->num_domains - 1; i >= 0; i--) {
    tsr_domain *child = domain->children[i];
    bool excluded = is_covered(child, n, tags);
    bool pruned = !excluded && is_above(child, n, tags) && drop_excluded(child, n, tags, drop_empty);
    if (excluded || (drop_empty && pruned && child->num_domains == 0)) remove_child(domain, i);
    changed = changed || excluded || pruned;
  }
  if (changed) tsr_domain_update(domain);
  return changed;
}

void tsr_domain_exclude(tsr_domain *domain, int n, const char *const tags[], bool drop_empty) {
  if (drop_excluded(domain, n, tags, drop_empty)) tsr_domain_update_upwards(domain->parent);
}

static dart_ret_t check_tags(const char *call, int n, const char *const tags[]) {
  if (n < 0 || (n > 0 && !tags))
    return tsr_dart_invalid("TSR-2069 %s: num_subdomain_tags is %d, subdomain_tags %p; pass an array of that many tags", call,
                            n, (const void *)tags);
  for (int i = 0; i < n; i++) {
    if (!tags[i]) return tsr_dart_invalid("TSR-2070 %s: tag %d of %d is NULL; pass a tag such as \".0.1\"", call, i, n);
  }
  return DART_OK;
}

dart_ret_t dart_domain_select(dart_domain_locality_t *domain_in, int num_subdomain_tags, const char **subdomain_tags) {
  TSR_DOMAIN_REQUIRE(domain_in);
  dart_ret_t result = check_tags(__func__, num_subdomain_tags, subdomain_tags);
  if (result == DART_OK) tsr_domain_select(domain_in, num_subdomain_tags, subdomain_tags);
  return result;
}

dart_ret_t dart_domain_exclude(dart_domain_locality_t *domain_in, int num_subdomain_tags, const char **subdomain_tags) {
  TSR_DOMAIN_REQUIRE(domain_in);
  dart_ret_t result = check_tags(__func__, num_subdomain_tags, subdomain_tags);
  if (result == DART_OK) tsr_domain_exclude(domain_in, num_subdomain_tags, subdomain_tags, false);
  return result;
}
