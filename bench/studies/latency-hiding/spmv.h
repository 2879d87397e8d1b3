/* y = A x with a sparse matrix, in blocks of rows: what the versions share. Matrices, their generator and the readers of files
 * are those of examples/spmv-armci.
 *
 * A rank has a block of rows of A and y, and a block of x. For a product it fetches the elements of x that its rows need from
 * their owners, in several ways. One way multiplies the entries of own columns while the others' elements are under way; the rest
 * fetch first. Each product has another x. All results are compared with what a rank computes without any transfer. */
#ifndef STUDIES_SPMV_H
#define STUDIES_SPMV_H

#include "../../../examples/spmv-armci/matrix.h"

/* What a version has distributed. */
typedef struct {
  int rank, ranks;
  int rows, columns; /* of the whole matrix */
  matrix part;       /* the caller's rows */
  double *x;         /* the caller's elements, which others fetch */
  double *fetched;   /* place for the needed elements, in their order */
} spmv_block;

/* The elements of x that a rank's rows need, in ascending order of their columns. */
typedef struct {
  int n;
  int *column; /* n columns */
  int *from;   /* those of rank u are from[u] up to from[u + 1] */
} spmv_needs;

/* Finds what a block needs. */
spmv_needs spmv_find_needs(const spmv_block *b);
void spmv_free_needs(spmv_needs *n);

/* A way to fetch all elements of other ranks. It begins with `start` and is over after `finish`, which may be NULL. */
typedef struct {
  const char *work;
  void (*start)(void);
  void (*finish)(void);
  bool overlaps; /* own columns are multiplied between the two */
} spmv_way;

/* A version. All ranks call the functions. */
typedef struct {
  int rank, ranks, ways_n;
  const spmv_way *ways;
  /* Distributes the matrix of rank 0, from any other rank an empty one: sets rows, columns, part, x. */
  void (*distribute)(const matrix *whole, spmv_block *b);
  /* Prepares the ways, and sets b->fetched, which has room for n->n elements. */
  void (*prepare)(spmv_block *b, const spmv_needs *n);
  void (*release)(spmv_block *b);
  void (*barrier)(void);              /* after it, other ranks can fetch the x that the caller has stored */
  void (*most)(double *values, int n); /* stores the largest of all ranks' values in each */
} spmv_version;

/* Reads the options, measures, prints the rows. Returns the program's exit code, the same on all ranks. */
int spmv(int argc, char **argv, const spmv_version *v);

/* Private memory of zeros; ends the process if there is none. */
void *spmv_memory(size_t n, size_t bytes);

#endif
