/* Functions that the works on ARMCI share. They use ARMCI's published interface only, so that bench/peers/armci_mpi.c
 * runs the same files on another ARMCI. Limits are measured with Tessera's ARMCI only. */
#ifndef PERF_ARMCI_WORKS_H
#define PERF_ARMCI_WORKS_H

#include <armci.h>

#include "harness.h"

extern const struct perf_work armci_transfer_works[], armci_sync_works[];

/* Memory of every unit, zeroed, and the unit that is accessed. */
struct armci_place {
  void **of;   /* each unit's */
  int unit;
  void *there; /* that unit's */
  void *here;  /* private memory of the same length, every page written */
  size_t bytes;
};

/* Both are collective. The memory of a unit is a multiple of a cache line: ARMCI-MPI on MPICH 4.0 confuses parts of a
 * node whose length is no multiple of 16. */
void armci_open(const struct perf *p, size_t bytes, int unit, struct armci_place *place);
void armci_close(const struct perf *p, struct armci_place *place);

/* Ends the job unless result is 0, naming the call. */
void armci_check(int result, const char *call);

#endif
