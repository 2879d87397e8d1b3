/* The tree of a team's units and the records of units, from the topologies of nodes. */
#include <stdlib.h>
#include <string.h>

#include "api/dart/locality/locality.h"

/* ---- Levels: the scopes of a node's tree. Each domain of a level must lie in one domain of the level above. A level that violates
 * this (a package of several NUMA nodes, a cache across packages) is left out. ---- */

static int16_t numa_of(const struct tsr_cpu *cpu, int cache) { return (void)cache, cpu->numa; }
static int16_t package_of(const struct tsr_cpu *cpu, int cache) { return (void)cache, cpu->package; }
static int16_t cache_of(const struct tsr_cpu *cpu, int cache) { return cpu->cache[cache]; }
static int16_t core_of(const struct tsr_cpu *cpu, int cache) { return (void)cache, cpu->core; }

static const struct tsr_level numa_level = {DART_LOCALITY_SCOPE_NUMA, numa_of, 0};
static const struct tsr_level package_level = {DART_LOCALITY_SCOPE_PACKAGE, package_of, 0};
static const struct tsr_level core_level = {DART_LOCALITY_SCOPE_CORE, core_of, 0};

/* Whether every CPU belongs to a group of the inner level, and every inner group lies in one outer group. Stores the
 * number of inner groups. */
static bool is_nested(const struct tsr_topology *topology, const struct tsr_level *inner, const struct tsr_level *outer,
                      int *inner_n) {
  int outer_of[TSR_CPUS_MAX]; /* 1 + the outer group, by inner group */
  for (int i = 0; i < TSR_CPUS_MAX; i++) outer_of[i] = 0;
  *inner_n = 0;
  for (int i = 0; i < topology->machine->cpus_n; i++) {
    int in = tsr_level_number(inner, &topology->cpus[i]), out = tsr_level_number(outer, &topology->cpus[i]);
    if (in < 0 || in >= TSR_CPUS_MAX) return false;
    if (outer_of[in] && outer_of[in] != 1 + out) return false;
    *inner_n += !outer_of[in];
    outer_of[in] = 1 + out;
  }
  return true;
}

int tsr_levels_of(const struct tsr_topology *topology, struct tsr_level levels[TSR_LEVELS_MAX]) {
  int n = 0, groups_n = 0, cores_n = 0, cache_groups_n = 0, unused;
  levels[n++] = numa_level;
  if (is_nested(topology, &package_level, &levels[n - 1], &unused) && is_nested(topology, &core_level, &package_level, &unused))
    levels[n++] = package_level;
  for (int cache = TSR_CACHE_LEVELS - 1; cache >= 0; cache--) {
    struct tsr_level level = {DART_LOCALITY_SCOPE_CACHE, cache_of, cache};
    if (!is_nested(topology, &level, &levels[n - 1], &groups_n) || !is_nested(topology, &core_level, &level, &cores_n))
      continue;
    bool tells_more = groups_n > cache_groups_n && groups_n < cores_n;
    if (cache_groups_n > 0 && !tells_more) continue;
    levels[n++] = level;
    cache_groups_n = groups_n;
  }
  if (!is_nested(topology, &core_level, &levels[n - 1], &unused)) n = 0; /* cores across NUMA nodes: only CORE */
  levels[n++] = core_level;
  return n;
}

/* ---- Records of units ---- */

/* The scopes from the core outwards, and the number of CPUs in the core. */
static void describe_core(const struct tsr_topology *topology, const struct tsr_cpu *cpu, dart_hwinfo_t *hwinfo) {
  struct tsr_level levels[TSR_LEVELS_MAX];
  int n = tsr_levels_of(topology, levels);
  for (int i = 0; i < n; i++)
    hwinfo->scopes[i] = (dart_locality_scope_pos_t){levels[n - 1 - i].scope, tsr_level_number(&levels[n - 1 - i], cpu)};
  for (int i = n; i < DART_LOCALITY_MAX_DOMAIN_SCOPES; i++)
    hwinfo->scopes[i] = (dart_locality_scope_pos_t){DART_LOCALITY_SCOPE_UNDEFINED, -1};
  hwinfo->num_scopes = n;
  hwinfo->min_threads = 1;
  hwinfo->max_threads = 0;
  for (int i = 0; i < topology->machine->cpus_n; i++) hwinfo->max_threads += topology->cpus[i].core == cpu->core;
}

void tsr_hwinfo_of_unit(const struct tsr_topology *topology, const struct tsr_placement *placement,
                        dart_hwinfo_t *hwinfo) {
  const struct tsr_machine *machine = topology->machine;
  const struct tsr_cpu *cpu = &topology->cpus[placement->cpu];
  *hwinfo = (dart_hwinfo_t){.num_cores = placement->cores_n,
                            .num_numa = machine->numa_n,
                            .numa_id = cpu->numa,
                            .num_sockets = machine->packages_n,
                            .core_id = cpu->core,
                            .cpu_id = cpu->os,
                            .min_cpu_mhz = machine->mhz_min,
                            .max_cpu_mhz = machine->mhz_max,
                            .max_shmem_mbps = TSR_NOMINAL_SHMEM_MBPS,
                            .system_memory_bytes = machine->memory_mib};
  memcpy(hwinfo->host, machine->host, sizeof hwinfo->host);
  hwinfo->numa_memory_bytes = cpu->numa >= 0 ? machine->numa_mib[cpu->numa] : -1;
  for (int i = 0; i < TSR_CACHE_LEVELS; i++) {
    hwinfo->cache_sizes[i] = machine->cache_bytes[i];
    hwinfo->cache_line_sizes[i] = machine->line_bytes[i];
    hwinfo->cache_ids[i] = cpu->cache[i];
  }
  describe_core(topology, cpu, hwinfo);
}

_Static_assert((int)TSR_CACHE_LEVELS == DART_LOCALITY_MAX_CACHE_LEVELS, "cache levels are copied one to one");
_Static_assert((int)TSR_HOST_BYTES == DART_LOCALITY_HOST_MAX_SIZE, "host names are copied whole");
_Static_assert((int)TSR_LEVELS_MAX <= DART_LOCALITY_MAX_DOMAIN_SCOPES, "all levels fit in a record");

/* ---- Trees ---- */

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
