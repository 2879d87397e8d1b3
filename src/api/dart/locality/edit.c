/* Changes of a tree: children added, removed and moved, domains selected and excluded by tags, and grouped. */
#include <stdlib.h>
#include <string.h>

#include "api/dart/dart_api.h"
#include "api/dart/locality/locality.h"

static dart_ret_t no_position(const char *call, const tsr_domain *domain, int at) {
  return tsr_dart_invalid("TSR-2062 %s: domain %s has %d children and no position %d; count from 0", call, domain->domain_tag,
                          domain->num_domains, at);
}

/* The checks that additions and moves have in common. */
static dart_ret_t check_place(const char *call, const tsr_domain *child, const tsr_domain *parent, int at) {
  int room = parent->num_domains - (child->parent == parent);
  if (at < 0 || at > room) return no_position(call, parent, at);
  if (parent->num_domains == 0 && parent->num_units > 0)
    return tsr_dart_invalid("TSR-2063 %s: domain %s is a leaf with units; add to the domain above it", call,
                            parent->domain_tag);
  if (!tsr_domain_tags_fit(child, parent->domain_tag, tsr_domain_free_number(parent, at)))
    return tsr_dart_invalid("TSR-2064 %s: with domain %s below %s a tag would have more than %d characters; choose a position "
                            "higher in the tree", call, child->domain_tag, parent->domain_tag,
                            DART_LOCALITY_DOMAIN_TAG_MAX_SIZE - 1);
  return DART_OK;
}

static dart_ret_t check_addition(const char *call, const tsr_domain *domain, const tsr_domain *subdomain, int at) {
  const tsr_domain *root = tsr_domain_root((tsr_domain *)domain);
  if (subdomain->parent || subdomain == root)
    return tsr_dart_invalid("TSR-2065 %s: domain %s is already part of a tree; add a clone of it, or move it", call,
                            subdomain->domain_tag);
  if (tsr_locality_is_team_tree(subdomain))
    return tsr_dart_invalid("TSR-2066 %s: the subdomain is the tree of team %d, which the library owns; add a clone of it",
                            call, subdomain->team);
  for (int i = 0; i < subdomain->num_units; i++) {
    int32_t unit = subdomain->unit_ids[i].id;
    if (tsr_domain_has_unit(root, unit))
      return tsr_dart_invalid("TSR-2067 %s: unit %d is already in the tree; remove its domain first", call, unit);
  }
  return check_place(call, subdomain, domain, at);
}

dart_ret_t dart_domain_add_subdomain(dart_domain_locality_t *domain, dart_domain_locality_t *subdomain,
                                     int subdomain_rel_id) {
  TSR_DOMAIN_REQUIRE(domain);
  TSR_DOMAIN_REQUIRE(subdomain);
  dart_ret_t result = check_addition(__func__, domain, subdomain, subdomain_rel_id);
  if (result != DART_OK) return result;
  int number = tsr_domain_free_number(domain, subdomain_rel_id);
  if (!tsr_domain_reserve_units(domain, subdomain->num_units) || !tsr_domain_reserve_child(domain))
    return tsr_domain_no_memory(__func__);
  tsr_domain_link(domain, subdomain, subdomain_rel_id);
  tsr_domain_retag(subdomain, number);
  tsr_domain_update_upwards(domain);
  return DART_OK;
}

static void remove_child(tsr_domain *domain, int at) {
  tsr_domain *child = domain->children[at];
  tsr_domain_unlink(child);
  tsr_domain_free(child);
}

dart_ret_t dart_domain_remove_subdomain(dart_domain_locality_t *domain, int subdomain_rel_id) {
  TSR_DOMAIN_REQUIRE(domain);
  if (subdomain_rel_id < 0 || subdomain_rel_id >= domain->num_domains)
    return no_position(__func__, domain, subdomain_rel_id);
  remove_child(domain, subdomain_rel_id);
  tsr_domain_update_upwards(domain);
  return DART_OK;
}

dart_ret_t dart_domain_move_subdomain(dart_domain_locality_t *domain, dart_domain_locality_t *new_parent_domain,
                                      int new_domain_rel_id) {
  TSR_DOMAIN_REQUIRE(domain);
  TSR_DOMAIN_REQUIRE(new_parent_domain);
  if (tsr_domain_root(domain) != tsr_domain_root(new_parent_domain) || tsr_domain_is_below(new_parent_domain, domain))
    return tsr_dart_invalid("TSR-2068 dart_domain_move_subdomain: domain %s cannot move below %s, which is in another tree or "
                            "in the domain itself; choose another parent", domain->domain_tag, new_parent_domain->domain_tag);
  dart_ret_t result = check_place(__func__, domain, new_parent_domain, new_domain_rel_id);
  if (result != DART_OK) return result;
  if (!tsr_domain_reserve_units(new_parent_domain, domain->num_units) || !tsr_domain_reserve_child(new_parent_domain))
    return tsr_domain_no_memory(__func__);
  tsr_domain *old_parent = domain->parent;
  tsr_domain_unlink(domain);
  int number = tsr_domain_free_number(new_parent_domain, new_domain_rel_id);
  tsr_domain_link(new_parent_domain, domain, new_domain_rel_id);
  tsr_domain_retag(domain, number);
  tsr_domain_update_upwards(new_parent_domain); /* first, so that a common ancestor does not become empty in between */
  tsr_domain_update_upwards(old_parent);
  return DART_OK;
}

/* ---- Removal by tags, without allocation ---- */

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

/* `drop_empty`: also removes domains that lose all children. */
static void exclude_domains(tsr_domain *domain, int n, const char *const tags[], bool drop_empty) {
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
  if (result == DART_OK) exclude_domains(domain_in, num_subdomain_tags, subdomain_tags, false);
  return result;
}

/* ---- Groups ---- */

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

/* Fills the group with copies of the parent's branches, reduced to the domains with these tags. False: no memory. */
static bool fill_group(tsr_domain *group, const tsr_domain *parent, int n, const char *const tags[]) {
  for (int i = 0; i < parent->num_domains; i++) {
    if (!is_above(parent->children[i], n, tags)) continue;
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
  exclude_domains(parent, num_group_subdomains, group_subdomain_tags, true);
  memcpy(group_domain_tag_out, group->domain_tag, sizeof group->domain_tag); /* last, since it may overwrite a tag */
  return DART_OK;
}
