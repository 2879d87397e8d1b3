/* --topology: the processors of each node, and where the units are. */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <tessera/coll.h>

#include "base/config.h"
#include "core/place.h"
#include "info.h"
#include "node/machine.h"
#include "node/memory.h"
#include "node/topology.h"

enum { DRAWING_BYTES = 64 << 10 };

static struct tsr_machine machine;
static struct tsr_cpu cpus[TSR_CPUS_MAX];
static char drawing[DRAWING_BYTES];
static size_t used;

__attribute__((format(printf, 1, 2))) static void draw(const char *format, ...) {
  va_list list;
  va_start(list, format);
  if (used < sizeof drawing) used += (size_t)vsnprintf(drawing + used, sizeof drawing - used, format, list);
  va_end(list);
  if (used >= sizeof drawing) used = sizeof drawing - 1;
}

static bool may_run(const struct tsr_node_unit *unit, int cpu) { return (unit->cpus.word[cpu / 64] >> (cpu % 64)) & 1; }

/* Units that are bound to this CPU. */
static void draw_bound(int cpu) {
  for (uint32_t local = 0; local < tsr_place_local_units(); local++) {
    const struct tsr_node_unit *unit = tsr_heap_unit(local);
    if (tsr_topology_count(&unit->cpus) == 1 && may_run(unit, cpu)) draw("  unit %d", unit->unit);
  }
}

static void draw_cache(int level, int bytes) {
  if (bytes <= 0) return;
  if (bytes >= 1 << 20 && bytes % (1 << 20) == 0) draw("%sL%d %d MiB", level ? ", " : " ", level + 1, bytes >> 20);
  else draw("%sL%d %d KiB", level ? ", " : " ", level + 1, bytes >> 10);
}

/* The CPUs of a core, on one line. */
static void draw_core(int first) {
  draw("      core %d:", cpus[first].core);
  for (int i = first; i < machine.cpus_n; i++) {
    if (cpus[i].core != cpus[first].core) continue;
    draw(" CPU %d", cpus[i].os);
    draw_bound(cpus[i].os);
  }
  draw("\n");
}

/* The table is in the order of the hardware: each core, NUMA node and package is drawn at its first CPU. */
static void draw_cpus(void) {
  for (int i = 0; i < machine.cpus_n; i++) {
    const struct tsr_cpu *before = i ? &cpus[i - 1] : NULL;
    bool is_new = true;
    if (!before || before->package != cpus[i].package) draw("  package %d\n", cpus[i].package);
    if (!before || before->numa != cpus[i].numa) {
      const int numa = cpus[i].numa;
      const int mib = numa >= 0 && numa < TSR_MACHINE_NUMA_MAX ? machine.numa_mib[numa] : 0;
      if (numa >= 0 && mib > 0) draw("    NUMA node %d, %.1f GiB\n", numa, mib / 1024.0);
      else draw("    NUMA node %d\n", numa >= 0 ? numa : 0);
    }
    for (int k = 0; k < i && is_new; k++) is_new = cpus[k].core != cpus[i].core;
    if (is_new) draw_core(i);
  }
}

static void draw_unbound(void) {
  for (uint32_t local = 0; local < tsr_place_local_units(); local++) {
    const struct tsr_node_unit *unit = tsr_heap_unit(local);
    const int n = tsr_topology_count(&unit->cpus);
    if (n > 1) draw("  unit %d: any of %d CPUs, on CPU %d when it started\n", unit->unit, n, unit->cpu);
  }
}

static void draw_node(void) {
  draw("node %d  %s, %d core%s, %.1f GiB;", tsr_place.node, machine.host, machine.cores_n, machine.cores_n == 1 ? "" : "s",
       machine.memory_mib / 1024.0);
  for (int level = 0; level < TSR_CACHE_LEVELS; level++) draw_cache(level, machine.cache_bytes[level]);
  draw("\n");
  draw_cpus();
  draw_unbound();
}

/* The first unit of each node draws; unit 0 prints. */
static void print_all(void) {
  const int32_t units_n = tessera_units();
  size_t *counts = calloc((size_t)units_n, sizeof *counts), *offs = calloc((size_t)units_n, sizeof *offs), all = 0;
  if (!counts || !offs) info_require("calloc", TESSERA_ERR_MEMORY);
  info_require("tessera_allgather", tessera_allgather(tessera_team_world(), &used, counts, sizeof used));
  for (int32_t i = 0; i < units_n; all += counts[i++]) offs[i] = all;
  char *text = malloc(all + 1);
  if (!text) info_require("malloc", TESSERA_ERR_MEMORY);
  info_require("tessera_gatherv", tessera_gatherv(tessera_team_world(), drawing, used, text, counts, offs, 0));
  if (tessera_unit() == 0) fwrite(text, 1, all, stdout);
  free(text), free(counts), free(offs);
}

int info_topology(void) {
  info_start();
  tsr_machine_read((enum tsr_machine_source)tsr_config.topology, &machine, cpus);
  if (tessera_unit() == tsr_place_first(tsr_place.node).id) draw_node();
  print_all();
  return info_end();
}
