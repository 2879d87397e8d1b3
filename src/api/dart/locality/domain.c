/* Domains, and how they are linked to a tree: parents, children, tags, and sums over children. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/dart/dart_api.h"
#include "api/dart/locality/locality.h"

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

/* Copies the array. False: no memory. */
static bool set_units(tsr_domain *domain, int n, const dart_global_unit_t units[]) {
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
  if (!set_units(&made, from->num_units, from->unit_ids) || !copy_children(&made, from)) {
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

/* ---- Links ---- */

tsr_domain *tsr_domain_root(tsr_domain *domain) {
  while (domain->parent) domain = domain->parent;
  return domain;
}

bool tsr_domain_is_below(const tsr_domain *domain, const tsr_domain *above) {
  while (domain && domain != above) domain = domain->parent;
  return domain != NULL;
}

bool tsr_domain_reserve_child(tsr_domain *domain) {
  size_t n = (size_t)domain->num_domains + 1;
  tsr_domain **children = realloc(domain->children, n * sizeof *children);
  if (!children) return false;
  domain->children = children;
  return true;
}

/* An empty domain has NULL arrays, since programs test either the number or the pointer. */
static void drop_empty_arrays(tsr_domain *domain) {
  if (domain->num_domains == 0) {
    free(domain->children);
    domain->children = NULL;
  }
  if (domain->num_units == 0) {
    free(domain->unit_ids);
    domain->unit_ids = NULL;
  }
}

bool tsr_domain_reserve_units(tsr_domain *domain, int more) {
  for (; domain && more > 0; domain = domain->parent) {
    size_t n = (size_t)domain->num_units + (size_t)more;
    dart_global_unit_t *units = realloc(domain->unit_ids, n * sizeof *units);
    if (!units) return false;
    domain->unit_ids = units;
  }
  return true;
}

static void number_children(tsr_domain *domain) {
  for (int i = 0; i < domain->num_domains; i++) domain->children[i]->relative_index = i;
}

void tsr_domain_link(tsr_domain *parent, tsr_domain *child, int at) {
  memmove(parent->children + at + 1, parent->children + at, (size_t)(parent->num_domains - at) * sizeof child);
  parent->children[at] = child;
  parent->num_domains++;
  child->parent = parent;
  number_children(parent);
}

void tsr_domain_unlink(tsr_domain *child) {
  tsr_domain *parent = child->parent;
  int at = child->relative_index;
  memmove(parent->children + at, parent->children + at + 1, (size_t)(parent->num_domains - at - 1) * sizeof child);
  parent->num_domains--;
  child->parent = NULL;
  number_children(parent);
}

/* ---- Tags ---- */

static int number_of(const tsr_domain *domain) {
  const char *dot = strrchr(domain->domain_tag, '.');
  return dot ? atoi(dot + 1) : 0;
}

int tsr_domain_new_number(const tsr_domain *parent) {
  int largest = -1;
  for (int i = 0; i < parent->num_domains; i++) {
    int number = number_of(parent->children[i]);
    if (number > largest) largest = number;
  }
  return largest + 1;
}

int tsr_domain_free_number(const tsr_domain *parent, int wanted) {
  for (int i = 0; i < parent->num_domains; i++) {
    if (number_of(parent->children[i]) == wanted) return tsr_domain_new_number(parent);
  }
  return wanted;
}

/* The prefix of the children's tags: the tag, but nothing for the root's ".". */
static const char *tag_stem(const char *tag) { return strcmp(tag, ".") ? tag : ""; }

static size_t longest_tag(const tsr_domain *domain) {
  size_t longest = strlen(domain->domain_tag);
  for (int i = 0; i < domain->num_domains; i++) {
    size_t length = longest_tag(domain->children[i]);
    if (length > longest) longest = length;
  }
  return longest;
}

bool tsr_domain_tags_fit(const tsr_domain *domain, const char *parent_tag, int number) {
  size_t becomes = (size_t)snprintf(NULL, 0, "%s.%d", tag_stem(parent_tag), number);
  size_t below = longest_tag(domain) - strlen(tag_stem(domain->domain_tag));
  return becomes + below < DART_LOCALITY_DOMAIN_TAG_MAX_SIZE;
}

static void retag_below(tsr_domain *domain) {
  for (int i = 0; i < domain->num_domains; i++) tsr_domain_retag(domain->children[i], number_of(domain->children[i]));
}

void tsr_domain_retag(tsr_domain *domain, int number) {
  char tag[2 * DART_LOCALITY_DOMAIN_TAG_MAX_SIZE];
  snprintf(tag, sizeof tag, "%s.%d", tag_stem(domain->parent->domain_tag), number);
  tag[DART_LOCALITY_DOMAIN_TAG_MAX_SIZE - 1] = '\0'; /* never shortens it: callers have checked tsr_domain_tags_fit */
  memcpy(domain->domain_tag, tag, sizeof domain->domain_tag);
  domain->level = domain->parent->level + 1;
  domain->team = domain->parent->team;
  retag_below(domain);
}

/* ---- Sums over children ---- */

int tsr_domain_by_number(const void *one, const void *other) {
  dart_unit_t a = ((const dart_global_unit_t *)one)->id, b = ((const dart_global_unit_t *)other)->id;
  return (a > b) - (a < b);
}

/* The array is large enough: it held as many units before, or room was reserved. */
static void gather_units(tsr_domain *domain) {
  domain->num_units = 0;
  for (int i = 0; i < domain->num_domains; i++) {
    const tsr_domain *child = domain->children[i];
    if (child->num_units == 0) continue;
    memcpy(domain->unit_ids + domain->num_units, child->unit_ids, (size_t)child->num_units * sizeof *child->unit_ids);
    domain->num_units += child->num_units;
  }
  if (domain->num_units) qsort(domain->unit_ids, (size_t)domain->num_units, sizeof *domain->unit_ids, tsr_domain_by_number);
}

/* For domains above the nodes: the number of nodes, and which node if there is one only. */
static void gather_nodes(tsr_domain *domain) {
  domain->num_nodes = 0;
  domain->node_id = -1;
  for (int i = 0; i < domain->num_domains; i++) {
    const tsr_domain *child = domain->children[i];
    bool again = false;
    for (int j = 0; j < i && !again; j++) again = child->node_id >= 0 && domain->children[j]->node_id == child->node_id;
    if (!again) domain->num_nodes += child->num_nodes;
    domain->node_id = domain->num_nodes == 1 ? child->node_id : -1;
  }
}

void tsr_domain_compare_children(tsr_domain *domain) {
  domain->is_symmetric = 1;
  for (int i = 0; i < domain->num_domains; i++) {
    const tsr_domain *first = domain->children[0], *child = domain->children[i];
    bool alike = child->scope == first->scope && child->num_units == first->num_units &&
                 child->num_cores == first->num_cores && child->num_domains == first->num_domains;
    if (!child->is_symmetric || !alike) domain->is_symmetric = 0;
  }
}

void tsr_domain_update(tsr_domain *domain) {
  gather_units(domain);
  domain->num_cores = 0;
  for (int i = 0; i < domain->num_domains; i++) domain->num_cores += domain->children[i]->num_cores;
  if (domain->scope < DART_LOCALITY_SCOPE_NODE) gather_nodes(domain);
  tsr_domain_compare_children(domain);
  drop_empty_arrays(domain);
}

void tsr_domain_update_upwards(tsr_domain *domain) {
  for (; domain; domain = domain->parent) tsr_domain_update(domain);
}

/* ---- Calls ---- */

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
  retag_below(domain);
  tsr_domain_update_upwards(domain->parent);
}

static bool children_fit(const tsr_domain *from, const char *tag) {
  for (int i = 0; i < from->num_domains; i++)
    if (!tsr_domain_tags_fit(from->children[i], tag, number_of(from->children[i]))) return false;
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
