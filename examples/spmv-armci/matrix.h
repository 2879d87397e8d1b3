/* matrix: sparse matrices, their generator, and the readers of files; without ARMCI, so that other programs can use them. */
#ifndef SPMV_MATRIX_H
#define SPMV_MATRIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

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

/* ---- blocks ---- */

/* Returns the first of n elements that belongs to a unit; its last one is before the first of the next unit. */
static inline int share_first(int n, int unit, int units) { return (int)((long)n * unit / units); }

#endif
