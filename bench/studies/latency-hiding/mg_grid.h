/* A block of a level with its halo, and the four operators of MG on it. */
#ifndef BENCH_STUDIES_MG_GRID_H
#define BENCH_STUDIES_MG_GRID_H

#include "mg.h"

enum { MG_X, MG_Y, MG_Z, MG_AXES, MG_CELLS_MAX = 256 /* along an axis */ };

/* Cells 1 to n along each axis, between halo cells 0 and n + 1. */
typedef struct {
  double *cells;      /* cell 0, 0, 0 */
  int n[MG_AXES];
  long row, plane;    /* numbers from one row, and from one plane, to the next */
  bool cut[MG_AXES];  /* whether the halo along an axis belongs to neighbours, and not to the other end of the block */
} mg_grid;

/* Cells from lo to hi, both included, along each axis. */
typedef struct {
  int lo[MG_AXES], hi[MG_AXES];
} mg_box;

static inline double *mg_row(const mg_grid *g, int y, int z) { return g->cells + z * g->plane + y * g->row; }

static inline long mg_numbers(const mg_grid *g) { return g->plane * (g->n[MG_Z] + 2); }

static inline mg_box mg_all_cells(const mg_grid *g) {
  return (mg_box){{1, 1, 1}, {g->n[MG_X], g->n[MG_Y], g->n[MG_Z]}};
}

/* ---- Copies of boxes ---- */

static inline int mg_width(const mg_box *b, int axis) { return b->hi[axis] - b->lo[axis] + 1; }

static inline size_t mg_box_bytes(const mg_box *b) {
  return (size_t)mg_width(b, MG_X) * (size_t)mg_width(b, MG_Y) * (size_t)mg_width(b, MG_Z) * sizeof(double);
}

static inline double *mg_first(const mg_grid *g, const mg_box *b) { return mg_row(g, b->lo[MG_Y], b->lo[MG_Z]) + b->lo[MG_X]; }

/* Whether the box lies in one piece: a part of a row, or whole rows of a plane, or whole planes. */
static inline bool mg_is_contiguous(const mg_grid *g, const mg_box *b) {
  const bool rows = mg_width(b, MG_X) == g->n[MG_X] + 2, planes = mg_width(b, MG_Y) == g->n[MG_Y] + 2;
  return (rows || mg_width(b, MG_Y) == 1) && ((rows && planes) || mg_width(b, MG_Z) == 1);
}

static inline void mg_pack(double *to, const mg_grid *g, const mg_box *b) {
  const size_t row = (size_t)mg_width(b, MG_X);
  for (int z = b->lo[MG_Z]; z <= b->hi[MG_Z]; z++)
    for (int y = b->lo[MG_Y]; y <= b->hi[MG_Y]; y++, to += row)
      memcpy(to, mg_row(g, y, z) + b->lo[MG_X], row * sizeof *to);
}

static inline void mg_unpack(const mg_grid *g, const mg_box *b, const double *from) {
  const size_t row = (size_t)mg_width(b, MG_X);
  for (int z = b->lo[MG_Z]; z <= b->hi[MG_Z]; z++)
    for (int y = b->lo[MG_Y]; y <= b->hi[MG_Y]; y++, from += row)
      memcpy(mg_row(g, y, z) + b->lo[MG_X], from, row * sizeof *from);
}

/* ---- The operators ----
 *
 * Each is a sum over a cell and its 26 neighbours with one coefficient for the cell, its 6 neighbours across a face, its 12
 * across an edge, and its 8 across a corner. They compute the cells of a box in `out`, and read the halo of `in` only. */

typedef void mg_operator(const mg_grid *in, const mg_grid *right, const mg_grid *out, const mg_box *box);

typedef double mg_line[MG_CELLS_MAX + 2];

/* For each x from lo to hi: the sum of the four cells that touch the cell of row y, z by a face, and of the four that touch it
 * by an edge, all at the same x. With these two lines an operator needs few additions. */
static inline void mg_sum_around(const mg_grid *g, int y, int z, int lo, int hi, double *restrict faces, double *restrict edges) {
  const double *south = mg_row(g, y - 1, z), *north = mg_row(g, y + 1, z);
  const double *below = mg_row(g, y, z - 1), *above = mg_row(g, y, z + 1);
  const long row = g->row;
  for (int x = lo; x <= hi; x++) {
    faces[x] = south[x] + north[x] + below[x] + above[x];
    edges[x] = below[x - row] + below[x + row] + above[x - row] + above[x + row];
  }
}

/* out = right - A in. The coefficient of A for faces is 0. `right` may be `out`. */
static inline void mg_residual(const mg_grid *in, const mg_grid *right, const mg_grid *out, const mg_box *box) {
  const double cell = -8.0 / 3.0, edge = 1.0 / 6.0, corner = 1.0 / 12.0;
  const int lo = box->lo[MG_X], hi = box->hi[MG_X];
  mg_line faces, edges;
  for (int z = box->lo[MG_Z]; z <= box->hi[MG_Z]; z++)
    for (int y = box->lo[MG_Y]; y <= box->hi[MG_Y]; y++) {
      mg_sum_around(in, y, z, lo - 1, hi + 1, faces, edges);
      const double *u = mg_row(in, y, z), *v = mg_row(right, y, z);
      double *r = mg_row(out, y, z);
      for (int x = lo; x <= hi; x++)
        r[x] = v[x] - cell * u[x] - edge * (edges[x] + faces[x - 1] + faces[x + 1]) - corner * (edges[x - 1] + edges[x + 1]);
    }
}

/* out = out + S in. The coefficients for cell, faces and edges depend on the class; the one for corners is 0. */
static double mg_smoother[3];
static inline void mg_smooth(const mg_grid *in, const mg_grid *right, const mg_grid *out, const mg_box *box) {
  (void)right;
  const double cell = mg_smoother[0], face = mg_smoother[1], edge = mg_smoother[2];
  const int lo = box->lo[MG_X], hi = box->hi[MG_X];
  mg_line faces, edges;
  for (int z = box->lo[MG_Z]; z <= box->hi[MG_Z]; z++)
    for (int y = box->lo[MG_Y]; y <= box->hi[MG_Y]; y++) {
      mg_sum_around(in, y, z, lo - 1, hi + 1, faces, edges);
      const double *r = mg_row(in, y, z);
      double *u = mg_row(out, y, z);
      for (int x = lo; x <= hi; x++)
        u[x] += cell * r[x] + face * (r[x - 1] + r[x + 1] + faces[x]) + edge * (edges[x] + faces[x - 1] + faces[x + 1]);
    }
}

/* Projects the residual `in` to the next coarser level. Coarse cell i is at fine cell 2 i. */
static inline void mg_restrict(const mg_grid *in, const mg_grid *right, const mg_grid *out, const mg_box *box) {
  (void)right;
  const int lo = box->lo[MG_X], hi = box->hi[MG_X];
  mg_line faces, edges;
  for (int z = box->lo[MG_Z]; z <= box->hi[MG_Z]; z++)
    for (int y = box->lo[MG_Y]; y <= box->hi[MG_Y]; y++) {
      mg_sum_around(in, 2 * y, 2 * z, 2 * lo - 1, 2 * hi + 1, faces, edges);
      const double *fine = mg_row(in, 2 * y, 2 * z);
      double *coarse = mg_row(out, y, z);
      for (int x = lo, i = 2 * lo; x <= hi; x++, i += 2)
        coarse[x] = 0.5 * fine[i] + 0.25 * (fine[i - 1] + fine[i + 1] + faces[i]) +
                    0.125 * (faces[i - 1] + faces[i + 1] + edges[i]) + 0.0625 * (edges[i - 1] + edges[i + 1]);
    }
}

/* Adds to two fine rows' cells what lies between the coarse cells of one line: of fine cell 2 x, and of 2 x + 1. */
static inline void mg_add_line(double *fine, const double *coarse, int n, double weight) {
  for (int x = 0; x <= n; x++) {
    fine[2 * x] += weight * coarse[x];
    fine[2 * x + 1] += 0.5 * weight * (coarse[x] + coarse[x + 1]);
  }
}

/* Adds the coarse grid to the fine one, with the mean of the nearest coarse cells in fine cells that have no coarse cell at their
 * place. It needs no exchange: the halo of the coarse grid is enough for the halo of the fine one. */
static inline void mg_interpolate(const mg_grid *coarse, const mg_grid *fine) {
  const int n = coarse->n[MG_X];
  mg_line north, above, both;
  for (int z = 0; z <= coarse->n[MG_Z]; z++)
    for (int y = 0; y <= coarse->n[MG_Y]; y++) {
      const double *c = mg_row(coarse, y, z), *up = mg_row(coarse, y, z + 1);
      const long row = coarse->row;
      for (int x = 0; x <= n + 1; x++) {
        north[x] = c[x] + c[x + row];
        above[x] = c[x] + up[x];
        both[x] = north[x] + up[x] + up[x + row];
      }
      mg_add_line(mg_row(fine, 2 * y, 2 * z), c, n, 1.0);
      mg_add_line(mg_row(fine, 2 * y + 1, 2 * z), north, n, 0.5);
      mg_add_line(mg_row(fine, 2 * y, 2 * z + 1), above, n, 0.5);
      mg_add_line(mg_row(fine, 2 * y + 1, 2 * z + 1), both, n, 0.25);
    }
}

#endif
