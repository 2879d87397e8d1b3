/* analytic: a case with a known solution. In a box whose sides are held at T0, with a constant diffusivity a,
 * T0 + A sin(pi x / Lx) sin(pi y / Ly) sin(pi z / Lz) decays as exp(-a pi^2 (1/Lx^2 + 1/Ly^2 + 1/Lz^2) t). */
#include <math.h>

#include "heat3d.h"

double analytic_temperature(const problem *in, const int cell[AXES], double time)
{
  if (in->amplitude == 0.0) return in->initial;

  const double pi = acos(-1.0), diffusivity = in->material[0].conductivity / in->material[0].heat_capacity;
  double shape = 1.0, decay = 0.0; /* decay in 1/s */
  for (int axis = 0; axis < AXES; axis++) {
    shape *= sin(pi * (cell[axis] + 0.5) / in->cells[axis]);
    decay += diffusivity * pi * pi / (in->length[axis] * in->length[axis]);
  }
  return in->initial + in->amplitude * shape * exp(-decay * time);
}

double analytic_error(const solver *s)
{
  const block *b = &s->block;
  const double *value = s->local[s->step % 2];
  double mine = 0.0, largest = 0.0;

  for (int z = 0; z < b->cells[Z]; z++)
    for (int y = 0; y < b->cells[Y]; y++)
      for (int x = 0; x < b->cells[X]; x++) {
        const int cell[AXES] = {b->first[X] + x, b->first[Y] + y, b->first[Z] + z};
        const double error = fabs(*value++ - analytic_temperature(s->in, cell, (double)s->step * s->in->step));
        if (!(error <= mine)) mine = isnan(error) ? INFINITY : error;
      }
  require(dart_allreduce(&mine, &largest, 1, DART_TYPE_DOUBLE, DART_OP_MAX, DART_TEAM_ALL), "dart_allreduce");
  return largest;
}
