/* The end of a program on Global Arrays, over Tessera's ARMCI or over ARMCI-MPI. */
#ifndef BENCH_MPI_END_GA_H
#define BENCH_MPI_END_GA_H

#include <mpi.h>

#include <ga.h>

#include "end.h"

/* Tessera's progress processes are ranks of MPI_COMM_WORLD, but take part in no call on it other than MPI_Finalize, which Tessera
 * serves itself. Without them end_mpi does for ARMCI-MPI what it needs. */
static inline void end_ga(void) {
  int ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int has_progress_processes = ranks > GA_Nnodes();
  GA_Terminate();
  if (has_progress_processes) MPI_Finalize();
  else end_mpi();
}

#endif
