/* Topologies: the hardware of each node, and the core of each of its units. A topology is read at its first use (with several
 * nodes, by the first unit of each at the launch), kept for the life of the job, and equal in all units. */
#ifndef TSR_CORE_TOPOLOGY_H
#define TSR_CORE_TOPOLOGY_H

#include <stdint.h>

#include <tessera.h>

#include "core/unit.h"
#include "node/machine.h"

/* The placement of one unit: one of the CPUs that it may run on, where it started unless a core with fewer units is left. */
struct tsr_placement {
  int32_t unit;    /* world number */
  int16_t cpu;     /* index in the topology's CPUs */
  int16_t cores_n; /* its share of the cores that it may run on: divided by the units that may run on the same; at
                    * least 1 */
};

struct tsr_topology {
  const struct tsr_machine *machine;
  const struct tsr_cpu *cpus;   /* machine->cpus_n */
  const struct tsr_placement *placements; /* of the node's units, ascending */
  int32_t placements_n;
};

/* At the launch, before the transport starts: the first unit of a node reads its topology (milliseconds), so that
 * it need not do so while it serves requests. TESSERA_ERR_MEMORY. */
tessera_status_t tsr_topology_start(void);

/* Makes the topologies of these nodes known, with one request for each node that is not known; nodes may repeat. Not collective;
 * any thread. TESSERA_ERR_MEMORY. */
tessera_status_t tsr_topology_fetch(int32_t nodes_n, const int32_t nodes[]);

/* At the end of the job: frees all topologies. */
void tsr_topology_forget(void);

/* The topology of a node for which tsr_topology_fetch has been called. */
const struct tsr_topology *tsr_topology_of(int32_t node);

/* The placement of a unit of that node. */
const struct tsr_placement *tsr_topology_placement(const struct tsr_topology *topology, tsr_unit unit);

/* Places the units of a node; public for its tests. Fills in `cpu` and `cores_n` of each placement in turn.
 * `allowed` and `started_on` are per placement; CPUs by the operating system's numbers. */
void tsr_topology_place(const struct tsr_machine *machine, const struct tsr_cpu cpus[], int32_t placements_n,
                        struct tsr_placement placements[], const struct tsr_cpu_set *const allowed[],
                        const int32_t started_on[]);

#endif
