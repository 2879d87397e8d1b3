/* What the programs that dart_on_mpi.c serves may use beside DART. */
#ifndef DART_ON_MPI_H
#define DART_ON_MPI_H

#include <dash/dart/if/dart.h>

/* The segment that starts at this unit's address `own`. */
dart_gptr_t dart_segment_at(const void *own);

#endif
