/* cg: the NAS benchmark CG. It estimates the smallest eigenvalue of a sparse symmetric matrix by inverse iteration; each step
 * solves a system of equations by 25 iterations of the conjugate-gradient method.
 *
 * Each unit has a block of rows of the matrix, and the same part of each vector. A product with the matrix needs all parts of one
 * vector: every unit has a copy of that, and before a product each unit sends its part to the copies of all others. (Releases 2
 * and 3 of NAS cut the matrix along rows and columns, which sends less from 16 units on, and needs a power of two.) This is all
 * that the versions differ in: cg_mpi.c and cg_native.c provide the functions below. */
#ifndef BENCH_STUDIES_CG_H
#define BENCH_STUDIES_CG_H

#include "nas.h"

/* ---- What a version provides. Every unit calls these functions, in the same order. ---- */

/* Returns this unit's copy of a vector, of which unit i has elements first[i] up to first[i + 1] - 1. It is called once. */
double *cg_copy(const long first[]);

/* Starts to send the own part to the copies of all other units, and to receive theirs. All units have read their copies: every
 * product is followed by a sum over all units. */
void cg_share_start(void);
/* May be called in between, to give the transfers a chance to proceed. */
void cg_share_progress(void);
/* Returns when the part of this unit has arrived. */
void cg_share_wait(int unit);
/* After the waits for all units. Returns when the own part may be changed. */
void cg_share_finish(void);

/* Adds up n numbers of all units, each on its own. */
void cg_sum(double *x, int n);
void cg_barrier(void);

/* ---- cg.c ---- */

/* Whether so many units can run this class; if not, unit 0 has said why. */
bool cg_can_run(const char *program, const nas_options *options, int unit, int units);

/* Runs and verifies the benchmark. Unit 0 prints the rows. Returns whether the result is right, the same on every unit. */
bool cg_run(const nas_options *options, int unit, int units);

#endif
