/* heat3d: unsteady heat conduction in a box, rho_c(T) dT/dt = div(k(T) grad T), on any number of DART units.
 *
 * The grid is cell-centred and cut into blocks along all three axes (domain.c). Every unit keeps its block of
 * temperatures in global memory, and puts its faces to its neighbours (halo.c). With the heat potential
 * theta(T), the integral of k over temperature (material.c), the right-hand side is the plain Laplacian of
 * theta, so a step is a seven-point sum (solve.c).
 *
 * SI units throughout: m, s, K, W/(m K) for k, J/(m^3 K) for rho_c, W/m for theta. Within a block x varies
 * fastest, then y, then z.
 */
#ifndef HEAT3D_H
#define HEAT3D_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <dash/dart/if/dart.h>

#include "../clock.h"

enum { X, Y, Z, AXES };
enum { WEST, EAST, SOUTH, NORTH, BOTTOM, TOP, SIDES }; /* side / 2 is the axis, side % 2 its upper end */
enum { MATERIAL_ROWS = 64, PATH_BYTES = 256 };

/* ---- input.c: the problem, as the input file states it ---- */

typedef struct {
  double temperature;   /* K */
  double conductivity;  /* W/(m K) */
  double heat_capacity; /* density times specific heat, J/(m^3 K) */
} material_row;

typedef struct {
  bool fixed;         /* otherwise insulated */
  double temperature; /* K, of a fixed side */
} boundary;

typedef struct {
  int cells[AXES];
  double length[AXES]; /* m */
  material_row material[MATERIAL_ROWS];
  int material_rows; /* ascending in temperature; a single row holds at any temperature */
  boundary side[SIDES];
  double initial;   /* K */
  double amplitude; /* K, of the sine with a known solution; 0: none */
  double limit;     /* K, error allowed against that solution */
  double coldest;   /* K, over all of the above: no cell ever leaves coldest .. hottest */
  double hottest;
  double step; /* s */
  long steps;
  long interval;    /* steps between two rows of the table */
  long snapshot;    /* steps between two snapshots; 0: only the final state is written */
  double tolerance; /* K/s; the run ends early when the residual falls below */
  char output[PATH_BYTES];
} problem;

/* Reads `file` for a job of `units`. On an error prints one line "heat3d: FILE:LINE: ..." and returns false. */
bool input_read(const char *file, int units, problem *out);

/* ---- material.c ---- */

/* Conductivity and heat capacity, linear between the rows. */
void material_at(const problem *in, double temperature, double *conductivity, double *heat_capacity);

/* Upper bound of the diffusivity k / rho_c between the coldest and the hottest temperature, m^2/s. */
double material_diffusivity(const problem *in);

enum { MATERIAL_BINS = 512 };

/* The material over coldest .. hottest in bins of equal width: one look-up without a search per cell. */
typedef struct {
  double coldest, width, per_kelvin; /* K; K per bin; bins per K */
  struct {
    double theta, conductivity, half_slope; /* theta is quadratic in T - (start of the bin) */
    double heat_capacity, slope;            /* heat capacity is linear */
  } bin[MATERIAL_BINS];
} material;

void material_make(const problem *in, material *out);

static inline int material_bin(const material *m, double temperature, double *beyond)
{
  int bin = (int)((temperature - m->coldest) * m->per_kelvin);
  bin = bin < 0 ? 0 : bin >= MATERIAL_BINS ? MATERIAL_BINS - 1 : bin;
  *beyond = temperature - (m->coldest + bin * m->width);
  return bin;
}

static inline double material_theta(const material *m, double temperature)
{
  double beyond;
  const int bin = material_bin(m, temperature, &beyond);
  return m->bin[bin].theta + beyond * (m->bin[bin].conductivity + beyond * m->bin[bin].half_slope);
}

static inline double material_heat_capacity(const material *m, double temperature)
{
  double beyond;
  const int bin = material_bin(m, temperature, &beyond);
  return m->bin[bin].heat_capacity + beyond * m->bin[bin].slope;
}

/* ---- domain.c: which unit owns which cells ---- */

typedef struct {
  int cells[AXES]; /* of the whole grid */
  int parts[AXES]; /* blocks along each axis; their product is the number of units */
} domain;

typedef struct {
  int at[AXES];    /* place among the blocks */
  int first[AXES]; /* first cell in the whole grid */
  int cells[AXES];
} block;

/* Cuts the grid into one block per unit, with small faces. False: there is no such cut. */
bool domain_cut(const int cells[AXES], int units, domain *out);
block domain_block(const domain *d, int unit);
int domain_unit(const domain *d, int x, int y, int z);
int domain_neighbour(const domain *d, int unit, int side); /* -1 at the boundary of the grid */
size_t domain_largest_block(const domain *d);              /* cells */
size_t domain_largest_face(const domain *d);               /* cells */
size_t block_cells(const block *b);

/* A face of a block: `blocks` contiguous segments of `run` cells, `stride` cells apart. A face array holds the same
 * cells without gaps: index y + ny z on WEST and EAST, x + nx z on SOUTH and NORTH, x + nx y on BOTTOM and TOP. */
typedef struct {
  size_t offset, run, stride, blocks;
} face_shape;

face_shape face_of(const block *b, int side);
size_t face_cells(const face_shape *f);

/* ---- halo.c ---- */

typedef struct {
  int neighbour;    /* -1: no unit, this face is filled from the boundary condition */
  face_shape shape; /* the own cells at this side */
  double *packed;   /* room for them without gaps; NULL: it is not needed */
  double *values;   /* the cells beyond the side, after halo_finish: K as put by the neighbour, then W/m */
} face;

typedef struct {
  bool elements; /* put cell by cell instead of face by face, to measure the difference */
  int unit;
  long step;           /* exchanges so far */
  size_t largest;      /* cells of the largest face of all units */
  dart_gptr_t faces;   /* of each unit the cells beyond its sides, for even and odd steps, `largest` apart */
  dart_gptr_t arrived; /* of each unit a counter for each side: faces that its neighbour has put */
  face face[SIDES];
} halo;

/* Collective. False on all units if one of them has no memory; the halo is then empty. halo_free is collective, too. */
bool halo_make(const domain *d, int unit, bool elements, halo *out);
void halo_free(halo *h);

/* Puts the faces of this unit's block `own` to its neighbours. `own` must not change until halo_finish. */
void halo_start(halo *h, const double *own);

/* Waits for the neighbours' faces of the same step, which stay until the next halo_start. */
void halo_finish(halo *h);

/* ---- solve.c ---- */

/* Parts of the wall time. The halo exchange is halo_start (START) and halo_finish (WAIT). */
enum { HALO, START, WAIT, COMPUTE, REDUCE, OUTPUT, TIME_PARTS };

typedef struct {
  const problem *in;
  domain domain;
  block block;
  int unit, units;
  material material;
  halo halo;
  dart_gptr_t field[2]; /* temperatures of all units' blocks, K: field[step % 2] is the present state */
  double *local[2];     /* this unit's block of each */
  double *theta;        /* of the present state */
  long step;
  double spent[TIME_PARTS]; /* s */
} solver;

/* Collective. False on all units if one of them has no memory; then nothing is left allocated. */
bool solver_make(const problem *in, bool elements, solver *out);
void solver_free(solver *s);

/* Advances by one step and returns the largest |dT/dt| of this unit's cells, K/s. Collective. */
double solver_step(solver *s);

/* ---- analytic.c ---- */

/* Temperature at a cell centre of the case "analytic sine"; also its initial state at time 0. */
double analytic_temperature(const problem *in, const int cell[AXES], double time);

/* Largest error of the present state over all units, K. Collective. */
double analytic_error(const solver *s);

/* ---- output*.c ---- */

/* Makes the folder and starts its table. Called by unit 0. Returns false after printing one line with the reason. */
bool output_start(const problem *in, FILE **table);

/* Writes the present state into the folder: DIR/temperature<suffix>.vtk and DIR/slices<suffix>.png. Collective; unit 0
 * fetches the grid plane by plane. False on all units when it failed. */
bool output_state(solver *s, const char *suffix);

bool vtk_start(const problem *in, const char *file, double time, FILE **out);
bool vtk_plane(FILE *vtk, const double *plane, size_t cells);
bool vtk_finish(FILE *vtk);

/* The three slices through the middle of the box, collected while the planes are written in ascending order. If the
 * middle is between two layers of cells, a slice is their mean. */
typedef struct {
  const problem *in;
  double coldest, hottest; /* K, over the whole grid */
  double *slice[AXES];     /* normal to each axis: y-z, x-z and x-y, the first index fastest */
} slices;

bool slices_make(const problem *in, slices *out);
void slices_free(slices *s);
void slices_plane(slices *s, const double *plane, int z);
bool slices_write(const slices *s, const char *file, double time);

/* ---- report.c ---- */

/* Slowest unit's time of each part, and the largest residual. Collective. */
void report_reduce(solver *s, double *residual, double spent[TIME_PARTS]);
void report_row(FILE *table, const solver *s, double residual, const double spent[TIME_PARTS]);
void report_progress(const solver *s); /* a bar on a terminal, a line now and then elsewhere */
void report_end_progress(void);
void report_summary(const solver *s, double residual, const double spent[TIME_PARTS], double wall);

/* ---- main.c ---- */

/* True on all units if `good` is true on all units. Collective. */
bool all_agree(bool good);

/* Ends the job unless a DART call succeeded: after a failed transfer the state is useless. */
void require(dart_ret_t result, const char *call);

#endif
