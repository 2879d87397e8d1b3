/* spmv-armci: y = A x with a sparse matrix A, on any number of ARMCI processes ("units" here).
 *
 * The rows of A and y, and the elements of x, are cut into blocks, one per unit (share.c). Unit 0 reads or generates
 * the matrix and puts each block on its unit. Before a product a unit fetches the elements of x that its rows need
 * from their owners, in one of several ways (fetch.c). The program compares these ways. */
#ifndef SPMV_H
#define SPMV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <armci.h>
#include <mpi.h>

/* Limits of a matrix, so that the length of every block fits in an int, the type of ARMCI's arguments. */
enum { ROWS_MAX = 100000000, ENTRIES_MAX = 100000000 };

/* ---- matrix.c: a sparse matrix in rows ---- */

/* Row i has the entries start[i] - start[0] up to start[i + 1] - start[0]; a block of rows can therefore use the
 * starts of the whole matrix. */
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

/* How the file's triangle determines the other one: not at all, equal, negated. */
typedef enum { GENERAL, SYMMETRIC, SKEW } symmetry;

/* Adds an entry, and its mirror image if the matrix is symmetric. False: no memory. */
bool entries_add(entries *e, int row, int column, double value, symmetry kind);

/* Sorts the entries into rows; in a row they keep their order. False: no memory. */
bool matrix_from_entries(const entries *e, matrix *out);
bool matrix_make(int rows, int columns, long n, matrix *out);
void matrix_free(matrix *m);
static inline long matrix_entries(const matrix *m) { return m->start[m->rows] - m->start[0]; }

/* Computes y = m x, where x holds the columns of m in the order of their numbers. */
void matrix_multiply(const matrix *m, const double *x, double *y);

/* ---- generate.c ---- */

/* Generates a square matrix with this many rows and entries, the same for the same seed: nine of ten entries of a row
 * lie around the diagonal, the others anywhere. False: no memory. */
bool matrix_generate(int rows, long n, unsigned long seed, matrix *out);

/* ---- input.c, harwell_boeing.c, matrix_market.c: files ---- */

enum { LINE_BYTES = 1100 };

typedef struct {
  const char *file;
  FILE *stream;
  int line; /* number of the line in text; 0: none was read */
  char text[LINE_BYTES];
} reader;

/* Reads the matrix of a file: Matrix Market if its first line says so, otherwise Harwell-Boeing. On an error prints
 * one line "spmv-armci: FILE:LINE: ..." and returns false. */
bool input_read(const char *file, matrix *out);

bool harwell_boeing_read(reader *r, entries *out); /* with the first line in r->text */
bool matrix_market_read(reader *r, entries *out);

/* Reads the next line into r->text, without its end. Returns false at the end of the file, after printing what was
 * expected, and if the file is not text. */
bool reader_next(reader *r, const char *expected);
/* Prints the error in the current line and returns false. */
__attribute__((format(printf, 2, 3))) bool reader_fail(const reader *r, const char *format, ...);
/* Converts a whole word to a number; otherwise prints what it should be. */
bool reader_whole(const reader *r, const char *what, const char *word, long least, long most, long *out);
bool reader_number(const reader *r, const char *what, const char *word, double *out);

/* ---- share.c: distribution of the data ---- */

/* Memory of all units that ARMCI_Malloc made: of[u] is that of unit u. */
typedef struct {
  void **of;
} shared;

shared shared_make(size_t bytes); /* `bytes` on this unit; ends the job if memory runs out */
void shared_free(shared *s);

/* Returns the first of n elements that belongs to a unit; its last one is before the first of the next unit. */
static inline int share_first(int n, int unit, int units) { return (int)((long)n * unit / units); }

typedef struct {
  int unit, units;
  int rows, columns; /* of the whole matrix */
  long entries;
  matrix part;       /* this unit's rows; the arrays are in the memory below */
  shared start, column, value;
  shared x, y;       /* elements from share_first() of columns, and of rows */
} problem;

/* Distributes `whole`, which unit 0 passes; other units pass an empty matrix. Every unit. */
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

/* Computes this many products in each way, in turns, each with another x, after one that is not timed. Returns false
 * on all units if a way gave another y than the first way. p->y is the last result of the first way. Every unit. */
bool product_repeat(const problem *p, const plan *f, int times, cost costs[WAYS]);

/* On unit 0: returns whether p->y equals `whole` times the last x; `sum` is the sum of all |y|. Every unit. */
bool product_check(const problem *p, const matrix *whole, int times, double *sum);

/* ---- main.c ---- */

/* Ends the job unless an ARMCI call succeeded. */
void require(int result, const char *call);

/* Returns zeroed memory, or ends the job. */
void *memory(size_t n, size_t bytes);

#endif
