#include "api/dart/dart_api.h"
#include "api/dart/locality/locality.h"

static dart_ret_t no_position(const char *call, const tsr_domain *domain, int at) {
  return tsr_dart_invalid("TSR-2062 %s: domain %s has %d children and no position %d; count from 0", call, domain->domain_tag,
                          domain->num_domains, at);
}

/* -1: none. */
static int32_t common_unit(const tsr_domain *one, const tsr_domain *other) {
  for (int i = 0; i < one->num_units; i++) {
    if (tsr_domain_has_unit(other, one->unit_ids[i].id)) return one->unit_ids[i].id;
  }
  return -1;
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
  int32_t unit = common_unit(subdomain, root);
  if (unit >= 0)
    return tsr_dart_invalid("TSR-2067 %s: unit %d is already in the tree; remove its domain first", call, unit);
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

dart_ret_t dart_domain_remove_subdomain(dart_domain_locality_t *domain, int subdomain_rel_id) {
  TSR_DOMAIN_REQUIRE(domain);
  if (subdomain_rel_id < 0 || subdomain_rel_id >= domain->num_domains)
    return no_position(__func__, domain, subdomain_rel_id);
  tsr_domain *child = domain->children[subdomain_rel_id];
  tsr_domain_unlink(child);
  tsr_domain_free(child);
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
