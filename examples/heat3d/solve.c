/* solve: the explicit step. */
#include <math.h>
#include <stdlib.h>

#include "heat3d.h"

static void set_initial(solver *s)
{
  const block *b = &s->block;
  double *to = s->local[0];
  for (int z = 0; z < b->cells[Z]; z++)
    for (int y = 0; y < b->cells[Y]; y++)
      for (int x = 0; x < b->cells[X]; x++) {
        const int cell[AXES] = {b->first[X] + x, b->first[Y] + y, b->first[Z] + z};
        *to++ = analytic_temperature(s->in, cell, 0.0);
      }
}

/* This unit's part of a segment. */
static double *own_block(dart_gptr_t field, int unit)
{
  void *address = NULL;
  dart_gptr_setunit(&field, dart_create_team_unit(unit));
  require(dart_gptr_getaddr(field, &address), "dart_gptr_getaddr");
  return address;
}

/* One segment of the job, as large on every unit as the largest block. */
static bool make_field(solver *s, int which)
{
  const size_t cells = domain_largest_block(&s->domain);
  if (dart_team_memalloc_aligned(DART_TEAM_ALL, cells, DART_TYPE_DOUBLE, &s->field[which]) != DART_OK) return false;
  s->local[which] = own_block(s->field[which], s->unit);
  return true;
}

bool solver_make(const problem *in, bool elements, solver *out)
{
  dart_global_unit_t me;
  size_t units = 0;
  require(dart_myid(&me), "dart_myid");
  require(dart_size(&units), "dart_size");

  *out = (solver){.in = in, .unit = me.id, .units = (int)units, .field = {DART_GPTR_NULL, DART_GPTR_NULL}};
  if (!domain_cut(in->cells, out->units, &out->domain)) return false; /* input_read has rejected this already */
  out->block = domain_block(&out->domain, out->unit);
  material_make(in, &out->material);

  /* Collective calls come first, because they have the same result on all units; malloc may fail on one unit only. */
  if (!make_field(out, 0)) return false;
  if (!make_field(out, 1)) goto fail_fields;
  out->theta = malloc(block_cells(&out->block) * sizeof *out->theta);
  const bool faces = halo_make(&out->domain, out->unit, elements, &out->halo);
  if (!all_agree(out->theta && faces)) goto fail_fields;

  set_initial(out);
  return true;

fail_fields:
  solver_free(out);
  return false;
}

void solver_free(solver *s)
{
  halo_free(&s->halo);
  free(s->theta);
  for (int i = 1; i >= 0; i--)
    if (s->local[i]) require(dart_team_memfree(s->field[i]), "dart_team_memfree");
}

static void temperatures_to_theta(const material *m, double *to, const double *from, size_t cells)
{
  for (size_t i = 0; i < cells; i++) to[i] = material_theta(m, from[i]);
}

/* The cells beyond a boundary. At an insulated side they mirror the inner cells, so that no heat flows. At a fixed side
 * the mean of inside and outside is the side's temperature. */
static void fill_boundary(const solver *s, int side)
{
  const boundary *condition = &s->in->side[side];
  const face_shape shape = face_of(&s->block, side);
  const double twice_fixed = condition->fixed ? 2.0 * material_theta(&s->material, condition->temperature) : 0.0;
  const double sign = condition->fixed ? -1.0 : 1.0;
  double *to = s->halo.face[side].values;

  for (size_t b = 0; b < shape.blocks; b++) {
    const double *inside = s->theta + shape.offset + b * shape.stride;
    for (size_t i = 0; i < shape.run; i++) *to++ = twice_fixed + sign * inside[i];
  }
}

static void fill_faces(solver *s)
{
  for (int side = 0; side < SIDES; side++) {
    const face *f = &s->halo.face[side];
    if (f->neighbour < 0)
      fill_boundary(s, side);
    else
      temperatures_to_theta(&s->material, f->values, f->values, face_cells(&f->shape));
  }
}

/* One row of cells and its surroundings: theta of the row, of the four rows beside it, of the two cells at its ends. */
typedef struct {
  const double *centre, *south, *north, *bottom, *top;
  double west, east;
} row;

static row row_at(const solver *s, int y, int z)
{
  const face *f = s->halo.face;
  const ptrdiff_t nx = s->block.cells[X], ny = s->block.cells[Y], nz = s->block.cells[Z];
  const double *centre = s->theta + (y + ny * z) * nx;
  return (row){
    .centre = centre,
    .south = y > 0 ? centre - nx : f[SOUTH].values + nx * z,
    .north = y < ny - 1 ? centre + nx : f[NORTH].values + nx * z,
    .bottom = z > 0 ? centre - nx * ny : f[BOTTOM].values + nx * y,
    .top = z < nz - 1 ? centre + nx * ny : f[TOP].values + nx * y,
    .west = f[WEST].values[y + ny * z],
    .east = f[EAST].values[y + ny * z],
  };
}

/* Advances one row and returns its largest |dT/dt|, K/s. `per_square` is 1/d^2 of each axis, 1/m^2. */
static double advance_row(const solver *s, const row *r, const double per_square[AXES], double *to, const double *from)
{
  const int nx = s->block.cells[X];
  const double step = s->in->step;
  double largest = 0.0;

  for (int x = 0; x < nx; x++) {
    const double twice = 2.0 * r->centre[x];
    const double west = x > 0 ? r->centre[x - 1] : r->west;
    const double east = x < nx - 1 ? r->centre[x + 1] : r->east;
    const double heating = (west + east - twice) * per_square[X] + (r->south[x] + r->north[x] - twice) * per_square[Y] +
                           (r->bottom[x] + r->top[x] - twice) * per_square[Z]; /* W/m^3 */
    const double rate = heating / material_heat_capacity(&s->material, from[x]);
    to[x] = from[x] + step * rate;
    largest = fabs(rate) > largest ? fabs(rate) : largest;
  }
  return largest;
}

static double advance_block(const solver *s, double *to, const double *from)
{
  const size_t nx = (size_t)s->block.cells[X];
  double per_square[AXES], largest = 0.0;
  for (int axis = 0; axis < AXES; axis++) {
    const double d = s->in->length[axis] / s->in->cells[axis];
    per_square[axis] = 1.0 / (d * d);
  }
  for (int z = 0; z < s->block.cells[Z]; z++)
    for (int y = 0; y < s->block.cells[Y]; y++, to += nx, from += nx) {
      const row r = row_at(s, y, z);
      largest = fmax(largest, advance_row(s, &r, per_square, to, from));
    }
  return largest;
}

double solver_step(solver *s)
{
  const int present = (int)(s->step % 2);
  const double *from = s->local[present];

  const double start = now();
  halo_start(&s->halo, from);
  const double started = now();

  temperatures_to_theta(&s->material, s->theta, from, block_cells(&s->block)); /* while the faces travel */
  const double computed = now();

  halo_finish(&s->halo);
  const double finished = now();

  fill_faces(s);
  const double largest = advance_block(s, s->local[1 - present], from);
  s->step++;
  s->spent[START] += started - start;
  s->spent[WAIT] += finished - computed;
  s->spent[HALO] += (started - start) + (finished - computed);
  s->spent[COMPUTE] += (computed - started) + (now() - finished);
  return largest;
}
