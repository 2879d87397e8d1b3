/* Topologies: the hardware of each node, and which core each of its units sits on. Read when first asked for (with
 * several nodes, by the first unit of each at the launch), kept for the life of the job, equal in all units. */
#ifndef TSR_CORE_TOPOLOGY_H
#define TSR_CORE_TOPOLOGY_H

#include <stdint.h>

#include <tessera.h>

#include "core/unit.h"
#include "node/machine.h"

/* Where one unit sits: on one of the CPUs that it may run on. Units that may run on several cores are spread over
 * them: each takes the core where it started, unless another of the node sits there already and a less oversubscribed one is
 * left. */
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

/* The launch: the unit that others ask for its node's topology reads it now (milliseconds), not while it serves requests.
 * Before the transport starts. TESSERA_ERR_MEMORY. */
tessera_status_t tsr_topology_start(void);

/* Makes the topologies of these nodes, which may be named several times, known. Any unit, any thread, alone; one request and
 * one reply for each node that is not known yet. TESSERA_ERR_MEMORY. */
tessera_status_t tsr_topology_fetch(int32_t nodes_n, const int32_t nodes[]);

/* The job ends: nothing is known any more. */
void tsr_topology_forget(void);

/* The topology of a node whose topology is known. */
const struct tsr_topology *tsr_topology_of(int32_t node);

/* The placement of a unit that sits there. */
const struct tsr_placement *tsr_topology_placement(const struct tsr_topology *topology, tsr_unit unit);

/* What places a node's units, for its tests: fills in `cpu` and `cores_n` of each placement in turn. `allowed` and
 * `started_on` are per placement; CPUs by the operating system's numbers. */
void tsr_topology_place(const struct tsr_machine *machine, const struct tsr_cpu cpus[], int32_t placements_n,
                        struct tsr_placement placements[], const struct tsr_cpu_set *const allowed[],
                        const int32_t started_on[]);

#endif
