#include <stdlib.h>
#include <string.h>

#include "api/dart/locality/locality.h"

/* A unit while the tree is built from the root down. */
struct item {
  int32_t unit;
  int32_t key; /* its domain on the current level */
  const struct tsr_topology *topology;
  const struct tsr_cpu *cpu;
};

static int by_key_and_unit(const void *one, const void *other) {
  const struct item *a = one, *b = other;
  if (a->key != b->key) return a->key < b->key ? -1 : 1;
  return (a->unit > b->unit) - (a->unit < b->unit);
}

/* The number of items with the key of the first. */
static int32_t run_length(int32_t n, const struct item items[]) {
  int32_t length = 1;
  while (length < n && items[length].key == items[0].key) length++;
  return length;
}

static bool set_units(tsr_domain *domain, int32_t n, const struct item items[]) {
  dart_global_unit_t *units = malloc((size_t)n * sizeof *units);
  if (!units) return false;
  for (int32_t i = 0; i < n; i++) units[i].id = items[i].unit;
  free(domain->unit_ids);
  domain->unit_ids = units;
  domain->num_units = n;
  return true;
}

/* Adds a domain with these units; everything else but the scope is the parent's. NULL: no memory. */
static tsr_domain *add_child(tsr_domain *parent, dart_locality_scope_t scope, int32_t n, const struct item items[]) {
  tsr_domain *child = malloc(sizeof *child);
  if (!child) return NULL;
  tsr_domain_init(child);
  if (!set_units(child, n, items) || !tsr_domain_reserve_child(parent)) {
    tsr_domain_free(child);
    return NULL;
  }
  child->scope = scope;
  child->num_nodes = 1;
  child->node_id = parent->node_id;
  child->num_cores = parent->num_cores;
  memcpy(child->host, parent->host, sizeof child->host);
  tsr_domain_link(parent, child, parent->num_domains);
  tsr_domain_retag(child, child->relative_index);
  return child;
}

/* All cores of the node that belong to one domain of a level, also those without units. */
static int count_cores(const struct tsr_topology *topology, const struct tsr_level *level, int number) {
  bool counted[TSR_CPUS_MAX] = {false};
  int n = 0;
  for (int i = 0; i < topology->machine->cpus_n; i++) {
    const struct tsr_cpu *cpu = &topology->cpus[i];
    if (tsr_level_number(level, cpu) != number || counted[cpu->core]) continue;
    counted[cpu->core] = true;
    n++;
  }
  return n;
}

/* Adds the domains of one level and of all levels below it. Tags cannot exceed their maximum: the numbers of children
 * along a tag multiply to at most the number of cores, and a node's number has at most eight digits. */
static bool add_level(tsr_domain *parent, int levels_n, const struct tsr_level levels[], int32_t n, struct item items[]) {
  if (levels_n == 0) return true;
  for (int32_t i = 0; i < n; i++) items[i].key = tsr_level_number(levels, items[i].cpu);
  qsort(items, (size_t)n, sizeof *items, by_key_and_unit);
  for (int32_t at = 0, run; at < n; at += run) {
    run = run_length(n - at, items + at);
    const struct tsr_topology *topology = items[at].topology;
    tsr_domain *child = add_child(parent, levels->scope, run, items + at);
    if (!child) return false;
    child->global_index = items[at].key;
    child->num_cores = count_cores(topology, levels, child->global_index);
    if (levels->scope == DART_LOCALITY_SCOPE_CACHE)
      child->shared_mem_bytes = topology->machine->cache_bytes[levels->cache];
    if (!add_level(child, levels_n - 1, levels + 1, run, items + at)) return false;
  }
  tsr_domain_compare_children(parent);
  return true;
}

static bool add_node(tsr_domain *root, int32_t n, struct item items[]) {
  const struct tsr_topology *topology = items[0].topology;
  struct tsr_level levels[TSR_LEVELS_MAX];
  int levels_n = tsr_levels_of(topology, levels);
  tsr_domain *node = add_child(root, DART_LOCALITY_SCOPE_NODE, n, items);
  if (!node) return false;
  node->global_index = node->relative_index;
  node->node_id = items[0].key;
  node->num_cores = topology->machine->cores_n;
  memcpy(node->host, topology->machine->host, sizeof node->host);
  tsr_domain *module = add_child(node, DART_LOCALITY_SCOPE_MODULE, n, items);
  if (!module) return false;
  module->global_index = 0;
  return add_level(module, levels_n, levels, n, items);
}

static bool add_nodes(tsr_domain *root, int32_t n, struct item items[]) {
  if (!set_units(root, n, items)) return false;
  qsort(items, (size_t)n, sizeof *items, by_key_and_unit);
  for (int32_t at = 0, run; at < n; at += run) {
    run = run_length(n - at, items + at);
    if (!add_node(root, run, items + at)) return false;
  }
  tsr_domain_update(root);
  return true;
}

tsr_domain *tsr_tree_build(const struct tsr_roster *roster) {
  tsr_domain *root = malloc(sizeof *root);
  struct item *items = malloc((size_t)roster->units_n * sizeof *items);
  if (!root || !items) goto fail_root;
  tsr_domain_init(root);
  root->scope = DART_LOCALITY_SCOPE_GLOBAL;
  root->global_index = 0;
  root->team = roster->team;
  for (int32_t i = 0; i < roster->units_n; i++) {
    const struct tsr_topology *topology = roster->topology_of(roster->nodes[i]);
    const struct tsr_placement *placement = tsr_topology_placement(topology, TSR_UNIT(roster->units[i]));
    items[i] = (struct item){roster->units[i], roster->nodes[i], topology, &topology->cpus[placement->cpu]};
  }
  if (!add_nodes(root, roster->units_n, items)) goto fail_tree;
  free(items);
  return root;
fail_tree:
  tsr_domain_clear(root);
fail_root:
  free(items);
  free(root);
  return NULL;
}
