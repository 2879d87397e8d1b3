/* The parts of topology.c that read files, for its tests and for machine.c: `root` goes before every path, and is "" outside
 * tests. Otherwise as in topology.h. */
#ifndef TSR_NODE_TOPOLOGY_PARSE_H
#define TSR_NODE_TOPOLOGY_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

FILE *tsr_topology_open(const char *root, const char *directory, const char *name);
/* Stores the number behind `key` on the first line that has it, at its start or after a blank ("key 12", "key: 12"), or,
 * without a key, at the start of the file ("512K" is 512). False: no such file, key or number ("max"). */
bool tsr_topology_read_number(const char *root, const char *directory, const char *name, const char *key, uint64_t *number);

size_t tsr_topology_memory_total_in(const char *root);
size_t tsr_topology_memory_available_in(const char *root);
bool tsr_topology_memory_is_grouped_in(const char *root);
int64_t tsr_topology_oom_kills_in(const char *root);

#endif
