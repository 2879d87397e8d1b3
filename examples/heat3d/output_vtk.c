/* output_vtk: legacy VTK structured points, one value per cell centre, binary (big-endian float). */
#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "heat3d.h"

bool vtk_start(const problem *in, const char *file, double time, FILE **out)
{
  FILE *vtk = fopen(file, "wb");
  if (!vtk) {
    fprintf(stderr, "heat3d: %s: cannot write: %s\n", file, strerror(errno));
    return false;
  }
  const int *n = in->cells;
  const double d[AXES] = {in->length[X] / n[X], in->length[Y] / n[Y], in->length[Z] / n[Z]};
  fprintf(vtk, "# vtk DataFile Version 3.0\n");
  fprintf(vtk, "heat3d: temperature in K at %g s\n", time);
  fprintf(vtk, "BINARY\nDATASET STRUCTURED_POINTS\n");
  fprintf(vtk, "DIMENSIONS %d %d %d\n", n[X], n[Y], n[Z]);
  fprintf(vtk, "ORIGIN %.9g %.9g %.9g\n", d[X] / 2, d[Y] / 2, d[Z] / 2);
  fprintf(vtk, "SPACING %.9g %.9g %.9g\n", d[X], d[Y], d[Z]);
  fprintf(vtk, "POINT_DATA %zu\n", (size_t)n[X] * (size_t)n[Y] * (size_t)n[Z]);
  fprintf(vtk, "SCALARS temperature float 1\nLOOKUP_TABLE default\n");
  *out = vtk;
  return true;
}

static void big_endian(float value, unsigned char to[4])
{
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  for (int i = 0; i < 4; i++) to[i] = (unsigned char)(bits >> (24 - 8 * i));
}

bool vtk_plane(FILE *vtk, const double *plane, size_t cells)
{
  enum { BATCH = 1024 };
  unsigned char bytes[4 * BATCH];
  for (size_t done = 0; done < cells;) {
    const size_t n = cells - done < BATCH ? cells - done : BATCH;
    for (size_t i = 0; i < n; i++) big_endian((float)plane[done + i], bytes + 4 * i);
    if (fwrite(bytes, 4, n, vtk) != n) return false;
    done += n;
  }
  return true;
}

bool vtk_finish(FILE *vtk)
{
  const bool written = fflush(vtk) == 0 && !ferror(vtk);
  return fclose(vtk) == 0 && written;
}
