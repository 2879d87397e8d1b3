/* MG itself: the right-hand side, the V-cycle, and the measurement. */
#include "mg_halo.h"

enum { LEVELS_MAX = 9 }; /* level k has 2^k cells along each axis, from 1 */

static const struct {
  int top, cycles;
  double smoother[3], norm; /* published */
} classes[] = {
    {5, 4, {-3.0 / 8.0, 1.0 / 32.0, -1.0 / 64.0}, 0.5307707005734e-04},
    {7, 4, {-3.0 / 8.0, 1.0 / 32.0, -1.0 / 64.0}, 0.6467329375339e-05},
    {8, 4, {-3.0 / 8.0, 1.0 / 32.0, -1.0 / 64.0}, 0.2433365309069e-05},
    {8, 20, {-3.0 / 17.0, 1.0 / 33.0, -1.0 / 61.0}, 0.1800564401355e-05},
};

static mg_grid u[LEVELS_MAX], r[LEVELS_MAX], v; /* solutions and residuals of each level, and the right-hand side of the top */
static int top, whole;                          /* levels; up to `whole` every unit has all cells */
static bool overlap;
static double *gathered, *own_part;

/* ---- Set-up ---- */

static mg_grid grid_of(int level) {
  mg_grid g = {0};
  for (int axis = 0; axis < MG_AXES; axis++) {
    g.n[axis] = (1 << level) / (level > whole ? mg_me.parts[axis] : 1);
    g.cut[axis] = level > whole && mg_me.parts[axis] > 1;
  }
  g.row = g.n[MG_X] + 2, g.plane = g.row * (g.n[MG_Y] + 2);
  return g;
}

/* Levels whose blocks would have less than two cells along an axis are not cut: every unit computes all of their few cells. One
 * exchange before the first of them replaces all of theirs. Axis Z has the most parts. */
static void choose_levels(const nas_options *options, int unit, int units) {
  mg_place_units(unit, units);
  top = classes[options->size].top, overlap = options->overlap;
  for (whole = 0; 1 << (whole + 1) < 2 * mg_me.parts[MG_Z] && units > 1; whole++) {}
}

bool mg_can_run(const char *program, const nas_options *options, int unit, int units) {
  const bool is_power = (units & (units - 1)) == 0;
  if (is_power) choose_levels(options, unit, units);
  if (is_power && whole < top) return true;
  if (unit == 0 && !is_power) fprintf(stderr, "%s: %d units: MG needs a power of two (1, 2, 4, 8, ...)\n", program, units);
  else if (unit == 0) fprintf(stderr, "%s: %d units are too many for class %c\n", program, units, NAS_CLASSES[options->size]);
  return false;
}

static void make_grids(void) {
  size_t numbers = 0;
  for (int k = 1; k <= top; k++) u[k] = grid_of(k), r[k] = u[k], numbers += 2 * (size_t)mg_numbers(&u[k]);
  for (int d = 0; d < MG_DIRECTIONS; d++) numbers += 3 * mg_packed_numbers(d, u[top].n);
  double *next = mg_memory(numbers);
  for (int k = top; k >= 1; k--) {
    u[k].cells = next, next += mg_numbers(&u[k]);
    r[k].cells = next, next += mg_numbers(&r[k]);
  }
  for (int d = 0; d < MG_DIRECTIONS; d++)
    for (int i = 0; i < 3; i++, next += mg_packed_numbers(d, u[top].n))
      *(i < 2 ? &mg_packed.in[d][i] : &mg_packed.out[d]) = next;
  v = u[top], v.cells = nas_private((size_t)mg_numbers(&v), sizeof(double));
  if (whole) gathered = nas_private(1u << 3 * whole, sizeof(double)), own_part = nas_private(1u << 3 * whole, sizeof(double));
}

static void clear(const mg_grid *g) { memset(g->cells, 0, (size_t)mg_numbers(g) * sizeof(double)); }

/* ---- The right-hand side: 1 in the ten cells with the largest of the random numbers, -1 in those with the smallest ---- */

enum { CHARGES = 10 };

typedef struct {
  double number;
  int x, y, z; /* in the cube, from 0 */
} charge;

static int by_number(const void *a, const void *b) {
  return study_by_value(&((const charge *)a)->number, &((const charge *)b)->number);
}

/* `list` is sorted: it holds the smallest numbers first, then the largest. */
static void consider(charge *list, const charge *c) {
  if (c->number < list[CHARGES - 1].number) {
    list[CHARGES - 1] = *c;
    qsort(list, CHARGES, sizeof *list, by_number);
  }
  if (c->number > list[CHARGES].number) {
    list[CHARGES] = *c;
    qsort(list + CHARGES, CHARGES, sizeof *list, by_number);
  }
}

/* The cells of the cube take the random numbers in their order. */
static void find_own_charges(charge *list) {
  for (int i = 0; i < 2 * CHARGES; i++) list[i] = (charge){i < CHARGES ? 2.0 : -1.0, 0, 0, 0};
  const uint64_t n = UINT64_C(1) << top;
  const int *at = mg_me.at;
  for (int z = 0; z < v.n[MG_Z]; z++)
    for (int y = 0; y < v.n[MG_Y]; y++) {
      charge c = {0, at[MG_X] * v.n[MG_X], at[MG_Y] * v.n[MG_Y] + y, at[MG_Z] * v.n[MG_Z] + z};
      uint64_t state = NAS_SEED;
      nas_skip(&state, (uint64_t)c.x + n * ((uint64_t)c.y + n * (uint64_t)c.z));
      for (int x = 0; x < v.n[MG_X]; x++, c.x++) {
        c.number = nas_random(&state);
        consider(list, &c);
      }
    }
}

static void place_charge(const charge *c, double value) {
  const int x = c->x - mg_me.at[MG_X] * v.n[MG_X], y = c->y - mg_me.at[MG_Y] * v.n[MG_Y], z = c->z - mg_me.at[MG_Z] * v.n[MG_Z];
  const bool mine = x >= 0 && x < v.n[MG_X] && y >= 0 && y < v.n[MG_Y] && z >= 0 && z < v.n[MG_Z];
  if (mine) mg_row(&v, y + 1, z + 1)[x + 1] = value;
}

static void make_right_side(void) {
  charge own[2 * CHARGES];
  const size_t n = (size_t)mg_me.units * 2 * CHARGES;
  charge *all = nas_private(n, sizeof *all);
  find_own_charges(own);
  mg_gather(own, all, sizeof own);
  qsort(all, n, sizeof *all, by_number);
  for (int i = 0; i < CHARGES; i++) place_charge(&all[i], -1.0), place_charge(&all[n - 1 - (size_t)i], 1.0);
  free(all);
}

/* ---- The V-cycle ---- */

static void step(mg_operator *op, const mg_grid *in, const mg_grid *right, const mg_grid *out) {
  overlap && mg_is_cut(out) ? mg_step_overlapped(op, in, right, out) : mg_step_blocking(op, in, right, out);
}

/* The part of a whole level that belongs to the block of a unit: at place `at` in the grid of units. */
static mg_grid part_of(const mg_grid *g, const int at[MG_AXES]) {
  mg_grid part = *g;
  for (int axis = 0; axis < MG_AXES; axis++) part.n[axis] /= mg_me.parts[axis];
  part.cells = mg_row(g, at[MG_Y] * part.n[MG_Y], at[MG_Z] * part.n[MG_Z]) + at[MG_X] * part.n[MG_X];
  return part;
}

/* From the coarsest level that is cut to the finest that is not: each unit computes its part and gets those of all others. */
static void restrict_to_whole(const mg_grid *fine, const mg_grid *coarse) {
  mg_grid part = part_of(coarse, mg_me.at);
  const mg_box cells = mg_all_cells(&part), all = mg_all_cells(coarse);
  const size_t bytes = mg_box_bytes(&cells);
  mg_restrict(fine, NULL, &part, &cells);

  const double since = study_now();
  mg_pack(own_part, &part, &cells);
  mg_gather(own_part, gathered, bytes);
  const double *from = gathered;
  for (int unit = 0; unit < mg_me.units; unit++, from += bytes / sizeof *from) {
    const int x = unit % mg_me.parts[MG_X], yz = unit / mg_me.parts[MG_X];
    part = part_of(coarse, (int[]){x, yz % mg_me.parts[MG_Y], yz / mg_me.parts[MG_Y]});
    mg_unpack(&part, &cells, from);
  }
  mg_exchange.seconds += study_now() - since;
  mg_wrap(coarse, &all);
}

static void go_down(int level) {
  const mg_grid *fine = &r[level + 1], *coarse = &r[level];
  if (mg_is_cut(fine) && !mg_is_cut(coarse)) restrict_to_whole(fine, coarse);
  else step(mg_restrict, fine, NULL, coarse);
}

static void go_up(int level) {
  const mg_grid *coarse = &u[level - 1], *fine = &u[level];
  const mg_grid part = mg_is_cut(fine) && !mg_is_cut(coarse) ? part_of(coarse, mg_me.at) : *coarse;
  mg_interpolate(&part, fine);
}

/* No unit can overwrite a halo that a neighbour still reads: a step reads the halo of one grid and writes that of another, and
 * between two steps that write the same one there is always a step that writes another one, whose messages tell that the
 * neighbour has done with it. */
static void v_cycle(void) {
  for (int k = top - 1; k >= 1; k--) go_down(k);
  clear(&u[1]);
  step(mg_smooth, &r[1], NULL, &u[1]);
  for (int k = 2; k < top; k++) {
    clear(&u[k]);
    go_up(k);
    step(mg_residual, &u[k], &r[k], &r[k]);
    step(mg_smooth, &r[k], NULL, &u[k]);
  }
  go_up(top);
  step(mg_residual, &u[top], &v, &r[top]);
  step(mg_smooth, &r[top], NULL, &u[top]);
}

/* ---- The benchmark ---- */

static double norm_of_residual(void) {
  const mg_grid *g = &r[top];
  double sum = 0;
  for (int z = 1; z <= g->n[MG_Z]; z++)
    for (int y = 1; y <= g->n[MG_Y]; y++) {
      const double *row = mg_row(g, y, z);
      for (int x = 1; x <= g->n[MG_X]; x++) sum += row[x] * row[x];
    }
  mg_sum(&sum);
  return sqrt(ldexp(sum, -3 * top));
}

static double solve(int cycles) {
  step(mg_residual, &u[top], &v, &r[top]);
  for (int i = 0; i < cycles; i++) {
    v_cycle();
    step(mg_residual, &u[top], &v, &r[top]);
  }
  return norm_of_residual();
}

/* Returns the seconds until all units have ended, and stores the seconds in exchanges and outside of them, means of the units. */
static double timed(int cycles, double *norm, double *halo, double *compute) {
  clear(&u[top]);
  mg_barrier();
  mg_exchange.seconds = 0;
  const double since = study_now();
  *norm = solve(cycles);
  *halo = mg_exchange.seconds / mg_me.units;
  *compute = (study_now() - since) / mg_me.units - *halo;
  mg_barrier();
  const double seconds = study_now() - since;
  mg_sum(halo), mg_sum(compute);
  return seconds;
}

bool mg_run(const nas_options *options, int unit, int units) {
  const int size = options->size;
  double whole_s[NAS_ROUNDS_MAX], halo_s[NAS_ROUNDS_MAX], compute_s[NAS_ROUNDS_MAX], norm;
  memcpy(mg_smoother, classes[size].smoother, sizeof mg_smoother);
  make_grids();
  make_right_side();
  timed(1, &norm, halo_s, compute_s); /* warms up */
  bool right = true;
  for (long i = 0; i < options->rounds; i++) {
    whole_s[i] = timed(classes[size].cycles, &norm, &halo_s[i], &compute_s[i]);
    right &= nas_is_right(unit == 0, "the norm of MG's residual", size, norm, classes[size].norm, 1e-8);
  }
  free(v.cells), free(gathered), free(own_part);
  if (unit || !right) return right;
  nas_row("mg", size, "whole", units, options->rounds, whole_s);
  if (units > 1) nas_row("mg", size, "halo", units, options->rounds, halo_s);
  nas_row("mg", size, "compute", units, options->rounds, compute_s);
  return right;
}
