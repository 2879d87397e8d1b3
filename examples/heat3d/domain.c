/* domain: the grid cut into blocks along all three axes. Neighbouring blocks differ by at most one cell per axis
 * and share whole faces, because all blocks in one layer are cut at the same cells. */
#include "heat3d.h"

/* First cell of block `i` of `parts`. */
static int cut(int cells, int parts, int i)
{
  return (int)((long)cells * i / parts);
}

/* Cells in all inner faces, each of which is put in both directions at each step. */
static double cut_area(const int cells[AXES], const int parts[AXES])
{
  const double nx = cells[X], ny = cells[Y], nz = cells[Z];
  return (parts[X] - 1) * ny * nz + (parts[Y] - 1) * nx * nz + (parts[Z] - 1) * nx * ny;
}

/* Of several cuts with the same area the last one is taken, along z: its faces have no gaps. */
bool domain_cut(const int cells[AXES], int units, domain *out)
{
  bool found = false;
  domain best = {{cells[X], cells[Y], cells[Z]}, {1, 1, 1}};

  for (int z = 1; z <= units && z <= cells[Z]; z++) {
    if (units % z != 0) continue;
    for (int y = 1; y <= units / z && y <= cells[Y]; y++) {
      if (units / z % y != 0 || units / z / y > cells[X]) continue;
      const int parts[AXES] = {units / z / y, y, z};
      if (found && cut_area(cells, parts) > cut_area(cells, best.parts)) continue;
      for (int axis = 0; axis < AXES; axis++) best.parts[axis] = parts[axis];
      found = true;
    }
  }
  if (found) *out = best;
  return found;
}

block domain_block(const domain *d, int unit)
{
  block b = {.at = {unit % d->parts[X], unit / d->parts[X] % d->parts[Y], unit / d->parts[X] / d->parts[Y]}};
  for (int axis = 0; axis < AXES; axis++) {
    b.first[axis] = cut(d->cells[axis], d->parts[axis], b.at[axis]);
    b.cells[axis] = cut(d->cells[axis], d->parts[axis], b.at[axis] + 1) - b.first[axis];
  }
  return b;
}

int domain_unit(const domain *d, int x, int y, int z)
{
  return x + d->parts[X] * (y + d->parts[Y] * z);
}

int domain_neighbour(const domain *d, int unit, int side)
{
  block b = domain_block(d, unit);
  const int axis = side / 2;
  b.at[axis] += side % 2 ? 1 : -1;
  if (b.at[axis] < 0 || b.at[axis] >= d->parts[axis]) return -1;
  return domain_unit(d, b.at[X], b.at[Y], b.at[Z]);
}

/* Cells of the longest block along an axis. */
static size_t longest(const domain *d, int axis)
{
  return (size_t)((d->cells[axis] + d->parts[axis] - 1) / d->parts[axis]);
}

size_t domain_largest_block(const domain *d)
{
  return longest(d, X) * longest(d, Y) * longest(d, Z);
}

size_t domain_largest_face(const domain *d)
{
  const size_t nx = longest(d, X), ny = longest(d, Y), nz = longest(d, Z);
  const size_t x = ny * nz, y = nx * nz, z = nx * ny;
  return x > y ? (x > z ? x : z) : (y > z ? y : z);
}

size_t block_cells(const block *b)
{
  return (size_t)b->cells[X] * (size_t)b->cells[Y] * (size_t)b->cells[Z];
}

face_shape face_of(const block *b, int side)
{
  const size_t nx = (size_t)b->cells[X], ny = (size_t)b->cells[Y], nz = (size_t)b->cells[Z];
  const bool upper = side % 2;
  switch (side / 2) {
  case X: return (face_shape){upper ? nx - 1 : 0, 1, nx, ny * nz};
  case Y: return (face_shape){upper ? (ny - 1) * nx : 0, nx, nx * ny, nz};
  default: return (face_shape){upper ? (nz - 1) * nx * ny : 0, nx * ny, nx * ny, 1};
  }
}

size_t face_cells(const face_shape *f)
{
  return f->run * f->blocks;
}
