/* Memory of the library for each unit, by formula: after the start, before any communication, without the memory of MPI and UCX.
 * Memory for a peer is allocated at its first use. */
#ifndef TSR_CORE_FOOTPRINT_H
#define TSR_CORE_FOOTPRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tsr_footprint_row {
  const char *what;
  size_t bytes;
  bool is_shared; /* in the node's memory: the unit's part of it */
};
enum { TSR_FOOTPRINT_ROWS_N = 9 };

/* For a unit of a job with that many units and nodes; each node has consecutive units, about as many as the others.
 * `interfaces`: includes the memory of ARMCI and GASNet. The configuration has been read. */
void tsr_footprint(int32_t units_n, int32_t nodes_n, bool interfaces, struct tsr_footprint_row rows[TSR_FOOTPRINT_ROWS_N]);

/* The sum of the rows with this `is_shared`. */
size_t tsr_footprint_bytes(const struct tsr_footprint_row rows[TSR_FOOTPRINT_ROWS_N], bool is_shared);

/* The most memory that one more peer takes, with as many requests under way as the configuration allows. */
size_t tsr_footprint_peer_bytes(void);

#endif
