/* Faults of MPI libraries that Tessera works around, by version. */
#ifndef TSR_NET_MPI_FAULTS_H
#define TSR_NET_MPI_FAULTS_H

#include <stdbool.h>

/* Whether MPI_Finalize may hang at the end of a job on several hosts, or on one without shared memory. It does in MPICH over UCX
 * before 4.2: ranks that have closed their connections wait in a barrier of the launcher, and no longer serve the ranks that still
 * close theirs (pmodels/mpich, pull request 6596). `version`: the text of MPI_Get_library_version. */
bool tsr_mpi_finalize_may_hang(const char *version);

#endif
