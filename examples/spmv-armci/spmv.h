/* spmv-armci: y = A x with a sparse matrix A, on any number of ARMCI processes ("units" here).
 *
 * The rows of A and y, and the elements of x, are cut into blocks, one per unit (share.c). Unit 0 reads or generates
 * the matrix and puts each block on its unit. Before a product a unit fetches the elements of x that its rows need
 * from their owners, in one of several ways (fetch.c). The program compares these ways. */
#ifndef SPMV_H
#define SPMV_H

#include <armci.h>
#include <mpi.h>

#include "matrix.h"

/* ---- share.c: distribution of the data ---- */

/* Memory of all units that ARMCI_Malloc made: of[u] is that of unit u. */
typedef struct {
  void **of;
} shared;

shared shared_make(size_t bytes); /* `bytes` on this unit; ends the job if memory runs out */
void shared_free(shared *s);

typedef struct {
  int unit, units;
  int rows, columns; /* of the whole matrix */
  long entries;
  matrix part;       /* this unit's rows; the arrays are in the memory below */
  shared start, column, value;
  shared x, y;       /* elements from share_first() of columns, and of rows */
} problem;

/* Distributes `whole`, which unit 0 passes; other units pass an empty matrix. Collective. */
void problem_make(const matrix *whole, problem *out);
void problem_free(problem *p);

/* ---- fetch.c ---- */

/* The elements of x that a unit needs: the columns in which its rows have entries, in ascending order. Those of owner
 * u are from[u] up to from[u + 1]. */
typedef struct {
  const problem *p;
  int n;
  int *from;
  double *x;              /* their values, in the same order */
  void **there, **here;   /* address of each at its owner, and in x */
  armci_hdl_t *aggregate; /* one for each owner, plain ones for the vector way */
  armci_hdl_t *plain;
} plan;

/* Converts the column numbers of p's part to positions in the plan. */
void plan_make(problem *p, plan *out);
void plan_free(plan *f);
int plan_remote(const plan *f); /* number of elements that are not this unit's own */

typedef struct {
  const char *name, *help;
  void (*fetch)(const plan *f); /* fetches the elements that are not the unit's own */
} way;

enum { WAYS = 4 };
extern const way ways[WAYS]; /* the others are compared with the first */

/* Fetches all elements of the plan into its x. */
void plan_fetch(const plan *f, int way);

/* ---- product.c ---- */

typedef struct {
  double whole, fetch; /* s for all products of a way, of the slowest unit */
} cost;

/* Computes this many products in each way, in turns, each with another x, after one that is not timed. Returns false on
 * all units if a way gave another y than the first way. p->y is the last result of the first way. Collective. */
bool product_repeat(const problem *p, const plan *f, int times, cost costs[WAYS]);

/* On unit 0: returns whether p->y equals `whole` times the last x; `sum` is the sum of all |y|. Collective. */
bool product_check(const problem *p, const matrix *whole, int times, double *sum);

/* ---- main.c ---- */

/* Ends the job unless an ARMCI call succeeded. */
void require(int result, const char *call);

/* Returns zeroed memory, or ends the job. */
void *memory(size_t n, size_t bytes);

#endif
