#include "node/machine.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef TESSERA_HAVE_HWLOC
#include <hwloc.h>
#endif

#include "node/topology_parse.h"

#define CPU_DIRECTORY "/sys/devices/system/cpu"
#define NUMA_DIRECTORY "/sys/devices/system/node"

enum { KIB_PER_MIB = 1024, KHZ_PER_MHZ = 1000 };

/* Small files of the kernel */

/* Reads the first line of a file, without its end; no text and false: no such file. */
static bool read_line(const char *root, const char *directory, const char *name, char *line, int line_bytes) {
  FILE *file = tsr_topology_open(root, directory, name);
  line[0] = '\0';
  bool read = file && fgets(line, line_bytes, file);
  if (file) fclose(file);
  line[strcspn(line, "\n")] = '\0';
  return read;
}

/* The number behind the key, or without one at the start of the file; -1: there is none. */
static int read_number(const char *root, const char *directory, const char *name, const char *key) {
  uint64_t number;
  return tsr_topology_read_number(root, directory, name, key, &number) && number <= INT_MAX ? (int)number : -1;
}

/* Whether a list such as "0-3,8" holds a number. */
static bool list_holds(const char *list, long number) {
  for (char *end; *list; list = end) {
    long first = strtol(list, &end, 10), last = first;
    if (end == list) return false;
    if (*end == '-') last = strtol(end + 1, &end, 10);
    if (number >= first && number <= last) return true;
    if (*end == ',') end++;
  }
  return false;
}

/* From the operating system */

/* The index of the CPU with this number among the first `n`, which are in ascending order; -1: none. */
static int find_cpu(const struct tsr_cpu cpus[], int n, int os) {
  for (int i = n - 1; i >= 0 && cpus[i].os >= os; i--) {
    if (cpus[i].os == os) return i;
  }
  return -1;
}

/* A group of CPUs is known by its first: that one gets the next number, the others share it. */
#define NUMBER_IN_GROUP(cpus, index, field, leader_os, next)             \
  do {                                                                   \
    int leader_ = find_cpu((cpus), (index), (leader_os));                \
    (cpus)[index].field = leader_ >= 0 ? (cpus)[leader_].field : (next)++; \
  } while (0)

static void read_cache(const char *root, int index, int at, struct tsr_machine *machine, struct tsr_cpu cpus[],
                       int16_t next[TSR_CACHE_LEVELS]) {
  char directory[128], type[32];
  snprintf(directory, sizeof directory, CPU_DIRECTORY "/cpu%d/cache/index%d", cpus[index].os, at);
  if (!read_line(root, directory, "type", type, sizeof type) || strcmp(type, "Instruction") == 0) return;
  int level = read_number(root, directory, "level", NULL) - 1;
  if (level < 0 || level >= TSR_CACHE_LEVELS) return;
  int first = read_number(root, directory, "shared_cpu_list", NULL);
  NUMBER_IN_GROUP(cpus, index, cache[level], first >= 0 ? first : cpus[index].os, next[level]);
  if (machine->cache_bytes[level] >= 0) return;
  int kib = read_number(root, directory, "size", NULL);
  if (kib >= 0 && kib <= INT_MAX / 1024) machine->cache_bytes[level] = kib * 1024;
  machine->line_bytes[level] = read_number(root, directory, "coherency_line_size", NULL);
}

enum { CACHES_PER_CPU_MAX = 8 };

/* Adds the CPU with this number behind the ones before it. */
static void read_cpu(const char *root, int os, struct tsr_machine *machine, struct tsr_cpu cpus[],
                     int16_t next_cache[TSR_CACHE_LEVELS]) {
  char directory[128];
  snprintf(directory, sizeof directory, CPU_DIRECTORY "/cpu%d/topology", os);
  int index = machine->cpus_n, core_first = read_number(root, directory, "thread_siblings_list", NULL);
  if (core_first < 0) return; /* off, or a gap in the numbers */
  int package_first = read_number(root, directory, "core_siblings_list", NULL);
  cpus[index] = (struct tsr_cpu){.os = (int16_t)os, .numa = -1, .cache = {-1, -1, -1, -1, -1}};
  NUMBER_IN_GROUP(cpus, index, core, core_first, machine->cores_n);
  NUMBER_IN_GROUP(cpus, index, package, package_first >= 0 ? package_first : 0, machine->packages_n);
  for (int at = 0; at < CACHES_PER_CPU_MAX; at++) read_cache(root, index, at, machine, cpus, next_cache);
  machine->cpus_n++;
}

static void read_numa(const char *root, int os, struct tsr_machine *machine, struct tsr_cpu cpus[]) {
  char directory[128], list[4096];
  snprintf(directory, sizeof directory, NUMA_DIRECTORY "/node%d", os);
  if (!read_line(root, directory, "cpulist", list, sizeof list)) return;
  int number = machine->numa_n++;
  for (int i = 0; i < machine->cpus_n; i++) {
    if (list_holds(list, cpus[i].os)) cpus[i].numa = (int16_t)number;
  }
  uint64_t kib;
  if (tsr_topology_read_number(root, directory, "meminfo", "MemTotal", &kib))
    machine->numa_mib[number] = (int32_t)(kib / KIB_PER_MIB);
}

static void reset_machine(struct tsr_machine *machine) {
  *machine = (struct tsr_machine){.memory_mib = -1, .mhz_min = -1, .mhz_max = -1};
  for (int i = 0; i < TSR_CACHE_LEVELS; i++) machine->cache_bytes[i] = machine->line_bytes[i] = -1;
  for (int i = 0; i < TSR_MACHINE_NUMA_MAX; i++) machine->numa_mib[i] = -1;
}

/* Replaces unknown values by those of the simplest possible machine. */
static void complete_machine(struct tsr_machine *machine, struct tsr_cpu cpus[]) {
  if (machine->cpus_n == 0) {
    cpus[0] = (struct tsr_cpu){.cache = {-1, -1, -1, -1, -1}};
    machine->cpus_n = machine->cores_n = 1;
  }
  if (machine->packages_n < 1) machine->packages_n = 1;
  if (machine->numa_n < 1) {
    machine->numa_n = 1;
    machine->numa_mib[0] = machine->memory_mib;
  }
  for (int i = 0; i < machine->cpus_n; i++) {
    if (cpus[i].numa < 0) cpus[i].numa = 0;
  }
}

/* What hwloc does not tell: the clock and the host's name. The range of the clock where the system may change it, the
 * clock itself where (on virtual machines) it is a constant. */
static void read_rest(const char *root, struct tsr_machine *machine) {
  int khz_min = read_number(root, CPU_DIRECTORY "/cpu0/cpufreq", "cpuinfo_min_freq", NULL);
  int khz_max = read_number(root, CPU_DIRECTORY "/cpu0/cpufreq", "cpuinfo_max_freq", NULL);
  int mhz = khz_max < 0 ? read_number(root, "/proc", "cpuinfo", "cpu MHz") : -1;
  machine->mhz_min = khz_min >= 0 ? khz_min / KHZ_PER_MHZ : mhz;
  machine->mhz_max = khz_max >= 0 ? khz_max / KHZ_PER_MHZ : mhz;
  size_t bytes = tsr_topology_memory_total_in(root);
  if (bytes) machine->memory_mib = (int32_t)(bytes >> 20);
  gethostname(machine->host, sizeof machine->host - 1);
}

void tsr_machine_read_system(const char *root, struct tsr_machine *machine, struct tsr_cpu cpus[TSR_CPUS_MAX]) {
  int16_t next_cache[TSR_CACHE_LEVELS] = {0};
  char list[4096];
  reset_machine(machine);
  read_rest(root, machine);
  read_line(root, CPU_DIRECTORY, "online", list, sizeof list);
  for (int os = 0; os < TSR_CPUS_MAX; os++) {
    if (list_holds(list, os)) read_cpu(root, os, machine, cpus, next_cache);
  }
  read_line(root, NUMA_DIRECTORY, "online", list, sizeof list);
  for (int os = 0; os < TSR_MACHINE_NUMA_MAX; os++) {
    if (list_holds(list, os)) read_numa(root, os, machine, cpus);
  }
  complete_machine(machine, cpus);
}

/* From hwloc */

#ifdef TESSERA_HAVE_HWLOC
/* Number of the object of a type that a CPU lies in. */
static int16_t number_of(hwloc_topology_t topology, hwloc_obj_type_t type, hwloc_obj_t pu) {
  hwloc_obj_t object = hwloc_get_ancestor_obj_by_type(topology, type, pu);
  return object ? (int16_t)object->logical_index : -1;
}

static void add_pu(hwloc_topology_t topology, hwloc_obj_t pu, struct tsr_machine *machine, struct tsr_cpu cpus[]) {
  int16_t core = number_of(topology, HWLOC_OBJ_CORE, pu), package = number_of(topology, HWLOC_OBJ_PACKAGE, pu);
  struct tsr_cpu *cpu = &cpus[machine->cpus_n++];
  *cpu = (struct tsr_cpu){.os = (int16_t)pu->os_index, .numa = -1};
  cpu->core = core >= 0 ? core : (int16_t)pu->logical_index;
  cpu->package = package >= 0 ? package : 0;
  if (cpu->core >= machine->cores_n) machine->cores_n = cpu->core + 1;
  if (cpu->package >= machine->packages_n) machine->packages_n = cpu->package + 1;
  for (int level = 0; level < TSR_CACHE_LEVELS; level++) {
    hwloc_obj_type_t type = (hwloc_obj_type_t)(HWLOC_OBJ_L1CACHE + level);
    hwloc_obj_t cache = hwloc_get_ancestor_obj_by_type(topology, type, pu);
    cpu->cache[level] = cache ? (int16_t)cache->logical_index : -1;
    if (!cache || machine->cache_bytes[level] >= 0) continue;
    bool fits = cache->attr->cache.size > 0 && cache->attr->cache.size <= INT_MAX;
    if (fits) machine->cache_bytes[level] = (int32_t)cache->attr->cache.size;
    if (cache->attr->cache.linesize > 0) machine->line_bytes[level] = (int32_t)cache->attr->cache.linesize;
  }
}

static void add_numa(hwloc_obj_t numa, struct tsr_machine *machine, struct tsr_cpu cpus[]) {
  int number = machine->numa_n++;
  machine->numa_mib[number] = (int32_t)(numa->attr->numanode.local_memory >> 20);
  for (int i = 0; i < machine->cpus_n; i++) {
    if (cpus[i].numa < 0 && hwloc_bitmap_isset(numa->cpuset, (unsigned)cpus[i].os)) cpus[i].numa = (int16_t)number;
  }
}

static bool read_hwloc(struct tsr_machine *machine, struct tsr_cpu cpus[]) {
  hwloc_topology_t topology;
  if (hwloc_topology_init(&topology)) return false;
  /* All units of the node must see the same, whatever their control groups. */
  hwloc_topology_set_flags(topology, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
  bool loaded = hwloc_topology_load(topology) == 0;
  if (loaded) {
    hwloc_obj_t object = NULL;
    while ((object = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_PU, object))) {
      if (object->os_index < TSR_CPUS_MAX && machine->cpus_n < TSR_CPUS_MAX) add_pu(topology, object, machine, cpus);
    }
    while ((object = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, object))) {
      if (machine->numa_n < TSR_MACHINE_NUMA_MAX) add_numa(object, machine, cpus);
    }
  }
  hwloc_topology_destroy(topology);
  return loaded && machine->cpus_n > 0;
}
#endif

void tsr_machine_read(enum tsr_machine_source source, struct tsr_machine *machine, struct tsr_cpu cpus[TSR_CPUS_MAX]) {
#ifdef TESSERA_HAVE_HWLOC
  reset_machine(machine);
  if (source == TSR_MACHINE_AUTO && read_hwloc(machine, cpus)) {
    read_rest("", machine);
    complete_machine(machine, cpus);
    return;
  }
#endif
  (void)source;
  tsr_machine_read_system("", machine, cpus);
}

void tsr_machine_print(const struct tsr_machine *machine, char *text, size_t text_bytes) {
  static const char *const plural[] = {"s", ""};
  int used = snprintf(text, text_bytes, "%d package%s, %d core%s, %d CPU%s, %d NUMA node%s", machine->packages_n,
                      plural[machine->packages_n == 1], machine->cores_n, plural[machine->cores_n == 1], machine->cpus_n,
                      plural[machine->cpus_n == 1], machine->numa_n, plural[machine->numa_n == 1]);
  for (int i = 0; i < TSR_CACHE_LEVELS && used < (int)text_bytes; i++) {
    int kib = machine->cache_bytes[i] / 1024;
    bool is_mib = kib >= KIB_PER_MIB && kib % KIB_PER_MIB == 0;
    if (kib <= 0) continue;
    used += snprintf(text + used, text_bytes - (size_t)used, ", L%d %d %s", i + 1, is_mib ? kib / KIB_PER_MIB : kib,
                     is_mib ? "MiB" : "KiB");
  }
}
