/* spmv-armci: y = A x with a sparse matrix A, on any number of ARMCI processes ("units" here).
 *
 * Rows of A and y, and elements of x, are cut into blocks, one for each unit (share.c). Unit 0 reads or makes the matrix and
 * puts each block where it belongs. Before a product a unit fetches the elements of x that its rows need from their owners,
 * in one of several ways (fetch.c), which is what the program compares.
 */
#ifndef SPMV_H
#define SPMV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <armci.h>
#include <mpi.h>

/* What a matrix may have at most: then no block is longer than an int says, which is what ARMCI's calls take. */
enum { ROWS_MAX = 100000000, ENTRIES_MAX = 100000000 };

/* ---- matrix.c: a sparse matrix in rows ---- */

/* Row i has the entries start[i] - start[0] up to start[i + 1] - start[0]; so a block of rows needs no other starts. */
typedef struct {
  int rows, columns;
  long *start;
  int *column;
  double *value;
} matrix;

/* Entries in any order; indices count from 0. */
typedef struct {
  int rows, columns;
  long n, room;
  struct entry {
    int row, column;
    double value;
  } *entry;
} entries;

/* How one triangle gives the other: not at all, as it is, negated. */
typedef enum { GENERAL, SYMMETRIC, SKEW } symmetry;

/* Adds an entry, and its mirror image where there is one. False: no memory. */
bool entries_add(entries *e, int row, int column, double value, symmetry kind);

/* Sorts the entries into rows; in a row they keep their order. False: no memory. */
bool matrix_from_entries(const entries *e, matrix *out);
bool matrix_make(int rows, int columns, long n, matrix *out);
void matrix_free(matrix *m);
static inline long matrix_entries(const matrix *m) { return m->start[m->rows] - m->start[0]; }

/* y = m x, where x holds what the column numbers of m count. */
void matrix_multiply(const matrix *m, const double *x, double *y);

/* ---- generate.c ---- */

/* So many rows and columns with so many entries in all, the same for the same seed: nine in ten of a row's lie around the
 * diagonal, the others anywhere. False: no memory. */
bool matrix_generate(int rows, long n, unsigned long seed, matrix *out);

/* ---- input.c, harwell_boeing.c, matrix_market.c: files ---- */

enum { LINE_BYTES = 1100 };

typedef struct {
  const char *file;
  FILE *stream;
  int line; /* the number of the one in text; 0: none was read */
  char text[LINE_BYTES];
} reader;

/* Reads the matrix of a file, Matrix Market where its first line says so, else Harwell-Boeing. On an error prints one line
 * "spmv-armci: FILE:LINE: ..." and returns false. */
bool input_read(const char *file, matrix *out);

bool harwell_boeing_read(reader *r, entries *out); /* with the first line in r->text */
bool matrix_market_read(reader *r, entries *out);

/* Puts the next line into r->text, without its end. False at the end of the file (what was expected is said), and for what
 * is no text. */
bool reader_next(reader *r, const char *expected);
/* Prints what is wrong in the present line and returns false. */
__attribute__((format(printf, 2, 3))) bool reader_fail(const reader *r, const char *format, ...);
/* Turns all of a word into a number; says what it should be otherwise. */
bool reader_whole(const reader *r, const char *what, const char *word, long least, long most, long *out);
bool reader_number(const reader *r, const char *what, const char *word, double *out);

/* ---- share.c: who has what ---- */

/* Memory of all units that ARMCI_Malloc made: of[u] is that of unit u. */
typedef struct {
  void **of;
} shared;

shared shared_make(size_t bytes); /* `bytes` of this unit; ends the job when there are none */
void shared_free(shared *s);

/* The first of n that belongs to a unit; what belongs to it ends where the next one's begins. */
static inline int share_first(int n, int unit, int units) { return (int)((long)n * unit / units); }

typedef struct {
  int unit, units;
  int rows, columns; /* of the whole matrix */
  long entries;
  matrix part;       /* this unit's rows; the arrays are in the memory below */
  shared start, column, value;
  shared x, y;       /* elements from share_first() of columns, and of rows */
} problem;

/* Distributes `whole`, which unit 0 has and the others pass empty. Every unit. */
void problem_make(const matrix *whole, problem *out);
void problem_free(problem *p);

/* ---- fetch.c ---- */

/* What a unit needs of x: the columns in which its rows have entries, ascending, so that those of an owner follow each
 * other: of owner u from[u] up to from[u + 1]. */
typedef struct {
  const problem *p;
  int n;
  int *from;
  double *x;              /* their values, in the same order */
  void **there, **here;   /* where each is at its owner, and in x */
  armci_hdl_t *aggregate; /* one for each owner, plain ones for the vector way */
  armci_hdl_t *plain;
} plan;

/* Changes the column numbers of p's part into places of the plan. */
void plan_make(problem *p, plan *out);
void plan_free(plan *f);
int plan_remote(const plan *f); /* how many of them are not this unit's own */

typedef struct {
  const char *name, *help;
  void (*fetch)(const plan *f); /* what is not the unit's own */
} way;

enum { WAYS = 4 };
extern const way ways[WAYS]; /* the first is what the others are compared with */

/* Gets everything that the plan needs into its x. */
void plan_fetch(const plan *f, int way);

/* ---- product.c ---- */

typedef struct {
  double whole, fetch; /* s for all products of a way, of the slowest unit */
} cost;

/* So many products in each way, in turns, each of another x, after one that is not counted. False, everywhere: after some
 * product a way gave another y than the first one. What that one gave last is in p->y. Every unit. */
bool product_repeat(const problem *p, const plan *f, int times, cost costs[WAYS]);

/* On unit 0: whether p->y is what `whole` times the last x gives there; `sum` is that of all |y|. Every unit. */
bool product_check(const problem *p, const matrix *whole, int times, double *sum);

/* ---- main.c ---- */

/* Ends the job unless an ARMCI call succeeded. */
void require(int result, const char *call);

/* Returns zeroed memory, or ends the job. */
void *memory(size_t n, size_t bytes);

#endif
