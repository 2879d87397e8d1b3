/* The processors of this host as a table: the core, package, NUMA node and caches of each CPU. The only reader of
 * the hardware. */
#ifndef TSR_NODE_MACHINE_H
#define TSR_NODE_MACHINE_H

#include <stddef.h>
#include <stdint.h>

#include "node/topology.h"

enum { TSR_CACHE_LEVELS = 5, TSR_MACHINE_NUMA_MAX = 64, TSR_HOST_BYTES = 64 };

/* Groups are numbered from 0 in the order of the hardware, over the whole host; -1: there is no such thing, or the
 * system does not tell. A core always has a number. */
struct tsr_cpu {
  int16_t os; /* the operating system's number of the CPU */
  int16_t core, package, numa;
  int16_t cache[TSR_CACHE_LEVELS]; /* data and unified caches, first level first */
  int16_t unused;
};

/* Of constant layout: nodes send it to each other. -1: not known. */
struct tsr_machine {
  char host[TSR_HOST_BYTES]; /* cut, always terminated */
  int32_t cpus_n, cores_n, packages_n, numa_n; /* at least 1 each */
  int32_t cache_bytes[TSR_CACHE_LEVELS], line_bytes[TSR_CACHE_LEVELS];
  int32_t mhz_min, mhz_max;
  int32_t memory_mib;
  int32_t numa_mib[TSR_MACHINE_NUMA_MAX];
};

enum tsr_machine_source { TSR_MACHINE_AUTO, TSR_MACHINE_SYSTEM };

/* Reads the table from hwloc if built with it, or else (and with TSR_MACHINE_SYSTEM) from /sys and /proc. CPUs that our control
 * group forbids count; those that are off, or from TSR_CPUS_MAX on, do not. Never fails. Takes milliseconds; any thread. */
void tsr_machine_read(enum tsr_machine_source source, struct tsr_machine *machine, struct tsr_cpu cpus[TSR_CPUS_MAX]);

/* Reads the same from /sys and /proc below the directory `root`, for tests. */
void tsr_machine_read_system(const char *root, struct tsr_machine *machine, struct tsr_cpu cpus[TSR_CPUS_MAX]);

/* Prints packages, cores, CPUs, NUMA nodes and data caches as a short text. Cuts it if `text_bytes` (> 0) is too small. */
void tsr_machine_print(const struct tsr_machine *machine, char *text, size_t text_bytes);

#endif
