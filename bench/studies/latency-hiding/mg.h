/* mg: the NAS benchmark MG. Some V-cycles of a multigrid method solve A u = v on a cube of n^3 cells with periodic boundaries.
 *
 * The units form a grid of powers of two along each axis. Each has a block of each level's cells, with a halo of one cell: copies
 * of the cells that its neighbours have there. After each step the halos are brought up to date. This exchange is all that the
 * versions differ in: mg.c describes its messages, and mg_mpi.c and mg_native.c transport them by the functions below. */
#ifndef BENCH_STUDIES_MG_H
#define BENCH_STUDIES_MG_H

#include "nas.h"

enum { MG_DIRECTIONS = 27 }; /* from a unit to its neighbours: -1, 0 or 1 along each axis. It is itself number 13. */

/* A message to the neighbour in one direction, and the one that comes from the neighbour in the other direction, which is of the
 * same kind. `in` is where the latter goes in this unit's memory, and also where the former goes in the memory of `to`: all units
 * use their memory in the same way. */
typedef struct {
  int direction;
  int to, from; /* units */
  const double *out;
  double *in;
  size_t bytes;
} mg_message;

/* ---- What a version provides. Every unit calls these functions, in the same order. ---- */

/* Memory that messages can be put to. It is called once. */
double *mg_memory(size_t doubles);

/* Starts to send messages, and to receive their counterparts. At most one per direction; `messages` is valid until mg_finish. */
void mg_start(const mg_message messages[], int n);
/* May be called in between, to give the messages a chance to proceed. */
void mg_progress(void);
/* Returns when all have arrived in this unit, and `out` of all may be changed. */
void mg_finish(void);

/* Gives every unit the blocks of all units, in the order of their numbers. */
void mg_gather(const void *mine, void *all, size_t bytes);
void mg_sum(double *x);
void mg_barrier(void);

/* ---- mg.c ---- */

/* Whether so many units can run this class; if not, unit 0 has said why. */
bool mg_can_run(const char *program, const nas_options *options, int unit, int units);

/* Runs and verifies the benchmark. Unit 0 prints the rows. Returns whether the result is right, the same on every unit. */
bool mg_run(const nas_options *options, int unit, int units);

#endif
