/* Aggregation: many scattered doubles, to and from the last rank, in several ways. What the versions share: the time, the checks,
 * the rows. In the caller's memory the doubles lie next to each other; at the last rank there is another one between two of them.
 * Rank 0 transfers, the others wait in a barrier. A put ends when the data is in the last rank's memory. */
#ifndef STUDIES_AGGREGATE_H
#define STUDIES_AGGREGATE_H

enum { APART = 2 /* doubles from one to the next at the last rank */ };

/* The doubles of one transfer, and where they are. */
typedef struct {
  int n;
  double *own;   /* n doubles of rank 0 */
  double *other; /* n * APART doubles of this rank; transfers use those of the last rank */
} doubles;

/* A way of transfer. Rank 0 calls it. */
typedef struct {
  const char *work;
  void (*put)(const doubles *d);
  void (*get)(const doubles *d);
} way;

/* A version. The functions are called by all ranks. */
typedef struct {
  int rank, ranks, ways_n;
  const way *ways;
  void (*open)(doubles *d); /* makes d->other and d->own for d->n doubles, and what the ways need */
  void (*close)(doubles *d);
  void (*barrier)(void);     /* after it, ranks see what was put to them */
  void (*agree)(int *wrong); /* stores the largest of all ranks' values */
} aggregate_version;

/* Reads the options, measures, prints the rows. Returns the program's exit code, the same on all ranks. */
int aggregate(int argc, char **argv, const aggregate_version *v);

#endif
