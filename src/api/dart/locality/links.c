#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/dart/locality/locality.h"

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

/* Tags */

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

void tsr_domain_retag_below(tsr_domain *domain) {
  for (int i = 0; i < domain->num_domains; i++) tsr_domain_retag(domain->children[i], number_of(domain->children[i]));
}

void tsr_domain_retag(tsr_domain *domain, int number) {
  char tag[2 * DART_LOCALITY_DOMAIN_TAG_MAX_SIZE];
  snprintf(tag, sizeof tag, "%s.%d", tag_stem(domain->parent->domain_tag), number);
  tag[DART_LOCALITY_DOMAIN_TAG_MAX_SIZE - 1] = '\0'; /* never shortens it: callers have checked tsr_domain_tags_fit */
  memcpy(domain->domain_tag, tag, sizeof domain->domain_tag);
  domain->level = domain->parent->level + 1;
  domain->team = domain->parent->team;
  tsr_domain_retag_below(domain);
}

/* Sums over children */

static int by_number(const void *one, const void *other) {
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
  if (domain->num_units) qsort(domain->unit_ids, (size_t)domain->num_units, sizeof *domain->unit_ids, by_number);
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
