/* Memory of the library for each unit, by formula: after the start, before any communication. What peers cost comes with their
 * first use. Without MPI's own. */
#ifndef TSR_CORE_FOOTPRINT_H
#define TSR_CORE_FOOTPRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tsr_footprint_row {
  const char *what;
  size_t bytes;
  bool is_shared; /* of the node's memory: the unit's part of it */
};
enum { TSR_FOOTPRINT_ROWS_N = 7 };

/* Of a unit in a job of so many units on so many nodes, which have about as many each, one after the other. `interfaces`: with
 * what ARMCI and GASNet add. The configuration has been read. */
void tsr_footprint(int32_t units_n, int32_t nodes_n, bool interfaces, struct tsr_footprint_row rows[TSR_FOOTPRINT_ROWS_N]);

/* The sum of the rows. */
size_t tsr_footprint_bytes(const struct tsr_footprint_row rows[TSR_FOOTPRINT_ROWS_N], bool is_shared);

/* Of one more endpoint that it talks to, as often as it may at once: at most. */
size_t tsr_footprint_peer_bytes(void);

#endif
