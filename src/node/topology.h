/* The CPUs that a process may use, the memory of this host, and the limits of both, as the kernel reports them. node/machine reads
 * the hardware. */
#ifndef TSR_NODE_TOPOLOGY_H
#define TSR_NODE_TOPOLOGY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TSR_CPUS_MAX = 1024 };

/* A set of CPUs in shared memory. */
struct tsr_cpu_set {
  _Atomic uint64_t word[TSR_CPUS_MAX / 64];
};

/* Adds the CPUs, below TSR_CPUS_MAX, that the calling thread may run on; launchers bind each rank to a core of its own, so that
 * only the union over a node's units says how many cores they have together. Any process at any time. */
void tsr_topology_add_own_cpus(struct tsr_cpu_set *set);
/* Lets the calling thread run on all CPUs of the set. If the system call fails, the thread keeps its CPUs. */
void tsr_topology_use_cpus(const struct tsr_cpu_set *set);
int tsr_topology_count(const struct tsr_cpu_set *set);

/* Bytes of memory that this host has, and that are available to us now: the smaller of what the kernel calls available and what the
 * control groups (version 1 and 2, every ancestor) leave. Inactive file pages do not count as used. 0: the kernel does not tell. */
size_t tsr_topology_memory_total(void);
size_t tsr_topology_memory_available(void);

/* Whether a control group, rather than the machine, sets what is available. */
bool tsr_topology_memory_is_grouped(void);

/* How often the out-of-memory killer struck in our control group or, where that is not counted, on the host; -1:
 * cannot be told. Compared before and after; the value itself says nothing. */
int64_t tsr_topology_oom_kills(void);

#endif
