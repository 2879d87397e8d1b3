/* OpenSHMEM's collectives of the active set of all units, on a struct perf_coll: also for the peer's works coll.*. */
#ifndef PERF_SHMEM_COLL_H
#define PERF_SHMEM_COLL_H

#include "harness.h"

void perf_shmem_bcast(void *arg, uint64_t n);
void perf_shmem_reduce(void *arg, uint64_t n); /* sums of doubles */
void perf_shmem_fcollect(void *arg, uint64_t n);
void perf_shmem_alltoall(void *arg, uint64_t n);

/* Runs work->loop, one of the above, with symmetric buffers. Collective. */
void perf_shmem_run_sets(struct perf *p, const struct perf_work *work, const char *variant);

#endif
