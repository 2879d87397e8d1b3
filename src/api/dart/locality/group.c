#include <stdlib.h>
#include <string.h>

#include "api/dart/dart_api.h"
#include "api/dart/locality/locality.h"

static dart_ret_t bad_tag(const char *tag, const tsr_domain *in) {
  if (!tag) return tsr_dart_invalid("TSR-2071 dart_domain_group: a tag is NULL; pass tags such as \".0.1\"");
  if (strcmp(tag, in->domain_tag) == 0)
    return tsr_dart_invalid("TSR-2072 dart_domain_group: tag %s is the domain itself; pass tags of domains below it", tag);
  tsr_fail(TESSERA_ERR_NOT_FOUND, "TSR-2073 dart_domain_group: there is no domain %s in %s; pass current tags of this tree",
           tag, in->domain_tag);
  return DART_ERR_NOTFOUND;
}

/* Stores the lowest common ancestor of the domains with these tags. */
static dart_ret_t find_parent(const tsr_domain *in, int n, const char *const tags[], tsr_domain **parent) {
  tsr_domain *above = NULL;
  for (int i = 0; i < n; i++) {
    const tsr_domain *found = tags[i] ? tsr_domain_find(in, tags[i]) : NULL;
    if (!found || found == in) return bad_tag(tags[i], in);
    if (!above) above = found->parent;
    while (!tsr_domain_is_below(found->parent, above)) above = above->parent;
  }
  *parent = above;
  return DART_OK;
}

static bool covers_any_tag(const tsr_domain *branch, int n, const char *const tags[]) {
  for (int i = 0; i < n; i++) {
    if (tsr_domain_tag_covers(branch->domain_tag, tags[i])) return true;
  }
  return false;
}

/* Fills the group with copies of the parent's branches, reduced to the domains with these tags. False: no memory. */
static bool fill_group(tsr_domain *group, const tsr_domain *parent, int n, const char *const tags[]) {
  for (int i = 0; i < parent->num_domains; i++) {
    if (!covers_any_tag(parent->children[i], n, tags)) continue;
    tsr_domain *part = tsr_domain_clone(parent->children[i]);
    if (!part || !tsr_domain_reserve_child(group)) {
      tsr_domain_free(part);
      return false;
    }
    tsr_domain_select(part, n, tags);
    if (!tsr_domain_reserve_units(group, part->num_units)) {
      tsr_domain_free(part);
      return false;
    }
    tsr_domain_link(group, part, group->num_domains);
    tsr_domain_update(group);
  }
  return true;
}

static int count_groups(const tsr_domain *domain) {
  int n = domain->scope == DART_LOCALITY_SCOPE_GROUP;
  for (int i = 0; i < domain->num_domains; i++) n += count_groups(domain->children[i]);
  return n;
}

/* NULL: no memory. */
static tsr_domain *make_group(tsr_domain *parent, int n, const char *const tags[]) {
  tsr_domain *group = malloc(sizeof *group);
  if (!group) return NULL;
  tsr_domain_init(group);
  group->scope = DART_LOCALITY_SCOPE_GROUP;
  group->global_index = count_groups(tsr_domain_root(parent));
  memcpy(group->host, parent->host, sizeof group->host);
  memcpy(group->domain_tag, parent->domain_tag, sizeof group->domain_tag); /* a prefix of the branches' tags */
  if (fill_group(group, parent, n, tags) && tsr_domain_reserve_child(parent)) return group;
  tsr_domain_free(group);
  return NULL;
}

dart_ret_t dart_domain_group(dart_domain_locality_t *domain_in, int num_group_subdomains,
                             const char **group_subdomain_tags, char *group_domain_tag_out) {
  TSR_DOMAIN_REQUIRE(domain_in);
  TSR_DOMAIN_REQUIRE(group_subdomain_tags);
  TSR_DOMAIN_REQUIRE(group_domain_tag_out);
  if (num_group_subdomains < 1)
    return tsr_dart_invalid("TSR-2074 dart_domain_group: %d tags; name at least one domain", num_group_subdomains);
  tsr_domain *parent = NULL;
  dart_ret_t result = find_parent(domain_in, num_group_subdomains, group_subdomain_tags, &parent);
  if (result != DART_OK) return result;
  tsr_domain *group = make_group(parent, num_group_subdomains, group_subdomain_tags);
  if (!group) return tsr_domain_no_memory(__func__);
  int number = tsr_domain_new_number(parent);
  if (!tsr_domain_tags_fit(group, parent->domain_tag, number)) {
    tsr_domain_free(group);
    return tsr_dart_invalid("TSR-2075 dart_domain_group: with one more level a tag below %s would have more than %d "
                            "characters; group domains higher in the tree", parent->domain_tag,
                            DART_LOCALITY_DOMAIN_TAG_MAX_SIZE - 1);
  }
  tsr_domain_link(parent, group, parent->num_domains);
  tsr_domain_retag(group, number);
  tsr_domain_exclude(parent, num_group_subdomains, group_subdomain_tags, true);
  memcpy(group_domain_tag_out, group->domain_tag, sizeof group->domain_tag); /* last, since it may overwrite a tag */
  return DART_OK;
}
