/* The parts of topology.c that read files, for its tests: `root` goes before every path, and is "" in earnest.
 * Private to topology.c; meanings as in topology.h.
 */
#ifndef TSR_NODE_TOPOLOGY_PARSE_H
#define TSR_NODE_TOPOLOGY_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

size_t tsr_topology_memory_total_in(const char *root);
size_t tsr_topology_memory_available_in(const char *root);
bool tsr_topology_memory_is_grouped_in(const char *root);
int64_t tsr_topology_oom_kills_in(const char *root);

#endif
