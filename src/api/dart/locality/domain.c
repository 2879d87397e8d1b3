#include "api/dart/locality/locality.h"

#include <stdlib.h>
#include <string.h>

#include "api/dart/dart_api.h"

dart_ret_t tsr_domain_no_memory(const char *call) {
  return tsr_dart_fail(TESSERA_ERR_MEMORY, "TSR-2058 %s: no private memory for domains; free some", call);
}

void tsr_domain_init(tsr_domain *domain) {
  *domain = (tsr_domain){.domain_tag = ".",
                         .scope = DART_LOCALITY_SCOPE_UNDEFINED,
                         .global_index = -1,
                         .is_symmetric = 1,
                         .team = DART_TEAM_NULL,
                         .node_id = -1,
                         .shared_mem_bytes = -1};
}

void tsr_domain_clear(tsr_domain *domain) {
  for (int i = 0; i < domain->num_domains; i++) tsr_domain_free(domain->children[i]);
  free(domain->children);
  free(domain->unit_ids);
  tsr_domain_init(domain);
}

void tsr_domain_free(tsr_domain *domain) {
  if (domain) tsr_domain_clear(domain);
  free(domain);
}

bool tsr_domain_set_units(tsr_domain *domain, int n, const dart_global_unit_t units[]) {
  dart_global_unit_t *copy = n > 0 ? malloc((size_t)n * sizeof *copy) : NULL;
  if (n > 0 && !copy) return false;
  if (n > 0) memcpy(copy, units, (size_t)n * sizeof *copy);
  free(domain->unit_ids);
  domain->unit_ids = copy;
  domain->num_units = n > 0 ? n : 0;
  return true;
}

static bool copy_children(tsr_domain *to, const tsr_domain *from) {
  if (from->num_domains <= 0) return true;
  to->children = malloc((size_t)from->num_domains * sizeof(tsr_domain *));
  if (!to->children) return false;
  for (int i = 0; i < from->num_domains; i++) {
    tsr_domain *child = tsr_domain_clone(from->children[i]);
    if (!child) return false;
    tsr_domain_link(to, child, i);
  }
  return true;
}

bool tsr_domain_copy(tsr_domain *to, const tsr_domain *from) {
  tsr_domain made = *from;
  made.aliases = NULL;
  made.num_aliases = 0;
  made.parent = NULL;
  made.children = NULL;
  made.num_domains = 0;
  made.unit_ids = NULL;
  if (!tsr_domain_set_units(&made, from->num_units, from->unit_ids) || !copy_children(&made, from)) {
    tsr_domain_clear(&made);
    return false;
  }
  *to = made;
  for (int i = 0; i < to->num_domains; i++) to->children[i]->parent = to;
  return true;
}

tsr_domain *tsr_domain_clone(const tsr_domain *from) {
  tsr_domain *made = malloc(sizeof *made);
  if (made && tsr_domain_copy(made, from)) return made;
  free(made);
  return NULL;
}

dart_ret_t dart_domain_create(dart_domain_locality_t **domain_out) {
  TSR_DOMAIN_REQUIRE(domain_out);
  tsr_domain *made = malloc(sizeof *made);
  if (!made) return tsr_domain_no_memory(__func__);
  tsr_domain_init(made);
  *domain_out = made;
  return DART_OK;
}

dart_ret_t dart_domain_clone(const dart_domain_locality_t *domain_in, dart_domain_locality_t **domain_out) {
  TSR_DOMAIN_REQUIRE(domain_in);
  TSR_DOMAIN_REQUIRE(domain_out);
  tsr_domain *made = tsr_domain_clone(domain_in);
  if (!made) return tsr_domain_no_memory(__func__);
  *domain_out = made;
  return DART_OK;
}

dart_ret_t dart_domain_destroy(dart_domain_locality_t *domain) {
  if (!domain) return DART_OK;
  if (domain->parent)
    return tsr_dart_invalid("TSR-2059 dart_domain_destroy: domain %s is part of a tree; destroy the root of the tree, or "
                            "remove the domain with dart_domain_remove_subdomain", domain->domain_tag);
  if (tsr_locality_is_team_tree(domain))
    return tsr_dart_invalid("TSR-2060 dart_domain_destroy: the domain is the tree of team %d, which the library owns; call "
                            "dart_team_locality_finalize instead", domain->team);
  tsr_domain_free(domain);
  return DART_OK;
}

/* Replaces the contents of a domain that is part of a tree. */
static void replace_in_place(tsr_domain *domain, tsr_domain *made) {
  made->parent = domain->parent;
  made->relative_index = domain->relative_index;
  made->level = domain->level;
  memcpy(made->domain_tag, domain->domain_tag, sizeof made->domain_tag);
  tsr_domain_clear(domain);
  *domain = *made;
  for (int i = 0; i < domain->num_domains; i++) domain->children[i]->parent = domain;
  tsr_domain_retag_below(domain);
  tsr_domain_update_upwards(domain->parent);
}

static bool children_fit(const tsr_domain *from, const char *tag) {
  for (int i = 0; i < from->num_domains; i++) {
    const char *number = strrchr(from->children[i]->domain_tag, '.');
    if (!tsr_domain_tags_fit(from->children[i], tag, number ? atoi(number + 1) : 0)) return false;
  }
  return true;
}

dart_ret_t dart_domain_assign(dart_domain_locality_t *domain_lhs, const dart_domain_locality_t *domain_rhs) {
  TSR_DOMAIN_REQUIRE(domain_lhs);
  TSR_DOMAIN_REQUIRE(domain_rhs);
  if (domain_lhs == domain_rhs) return DART_OK;
  bool is_part = domain_lhs->parent != NULL;
  if (is_part && !children_fit(domain_rhs, domain_lhs->domain_tag))
    return tsr_dart_invalid("TSR-2061 dart_domain_assign: a tag below %s would have more than %d characters; assign a tree "
                            "with fewer levels", domain_lhs->domain_tag, DART_LOCALITY_DOMAIN_TAG_MAX_SIZE - 1);
  tsr_domain made;
  if (is_part && !tsr_domain_reserve_units(domain_lhs->parent, domain_rhs->num_units))
    return tsr_domain_no_memory(__func__);
  if (!tsr_domain_copy(&made, domain_rhs)) return tsr_domain_no_memory(__func__);
  if (is_part) {
    replace_in_place(domain_lhs, &made);
    return DART_OK;
  }
  tsr_domain_clear(domain_lhs);
  *domain_lhs = made;
  for (int i = 0; i < made.num_domains; i++) made.children[i]->parent = domain_lhs;
  return DART_OK;
}
