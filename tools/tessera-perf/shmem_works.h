/* Functions that the works on OpenSHMEM share. They use OpenSHMEM's published interface only, so that bench/peers/shmem.c runs
 * the same files on another OpenSHMEM. Where a call came with 1.5, an older one does what a program of 1.4 would do. Limits are
 * measured with Tessera only. */
#ifndef PERF_SHMEM_WORKS_H
#define PERF_SHMEM_WORKS_H

#include <stdbool.h>

#include <shmem.h>

#include "harness.h"

#define PERF_SHMEM_1_5 (SHMEM_MAJOR_VERSION > 1 || SHMEM_MINOR_VERSION >= 5)

extern const struct perf_work shmem_transfer_works[], shmem_sync_works[], shmem_coll_works[];

/* Symmetric memory, aligned to a page, to be freed with shmem_free. Ends the job if there is none. Collective. */
void *perf_symmetric(size_t bytes);

/* Ends the job if a call has failed. */
void perf_shmem_require(bool good, const char *call);

/* The memory that is accessed, symmetric and zeroed, and private memory of the same length, every page written. */
struct perf_shmem_place {
  void *remote, *local;
  size_t bytes;
  int pe;
};

/* Both are collective. */
void perf_shmem_open(size_t bytes, int pe, struct perf_shmem_place *place);
void perf_shmem_close(struct perf_shmem_place *place);

#endif
