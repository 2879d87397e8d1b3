/* The scopes of a node's tree. Each domain of a level must lie in one domain of the level above. A level that does not
 * (a package of several NUMA nodes, a cache across packages) is left out. */
#include "api/dart/locality/locality.h"

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
