#include <string.h>

#include "api/dart/locality/locality.h"

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
