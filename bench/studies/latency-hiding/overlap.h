/* Overlap: how much of a non-blocking get's time its origin can use for computation. What the versions share: the computation,
 * the time, the checks.
 *
 * Rank 0 gets data of the last rank, which meanwhile waits in a barrier. The get takes G alone, a computation takes C alone, and
 * start of the get, computation, wait for the get take T together. Of the shorter one, (G + C - T) / min(G, C) was hidden behind
 * the longer one. C grows from a quarter of G to twice G. The data arrives in global memory (direct) or in private memory
 * (buffered: a library may have to copy it). */
#ifndef STUDIES_OVERLAP_H
#define STUDIES_OVERLAP_H

#include <stddef.h>

/* A version. The functions are called by all ranks, start and complete by rank 0 only. */
typedef struct {
  int rank, ranks;
  void (*open)(size_t bytes, void **mine); /* makes global memory on every rank */
  void (*close)(void);
  void (*barrier)(void);
  void (*agree)(int *wrong); /* stores the largest of all ranks' values */
  void (*start)(void *to, size_t bytes); /* from the last rank's memory */
  void (*complete)(void);
} overlap_version;

/* Reads the options, measures, prints the rows. Returns the program's exit code, the same on all ranks. */
int overlap(int argc, char **argv, const overlap_version *v);

#endif
