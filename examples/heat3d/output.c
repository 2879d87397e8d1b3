/* output: the folder of results. Unit 0 fetches the grid plane by plane and hands each plane to the writers. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "heat3d.h"

bool output_start(const problem *in, FILE **table)
{
  char file[PATH_BYTES + 32];
  if (mkdir(in->output, 0777) != 0 && errno != EEXIST) {
    fprintf(stderr, "heat3d: %s: cannot make the output folder: %s\n", in->output, strerror(errno));
    return false;
  }
  snprintf(file, sizeof file, "%s/table.txt", in->output);
  FILE *stream = fopen(file, "w");
  if (!stream) {
    fprintf(stderr, "heat3d: %s: cannot write: %s\n", file, strerror(errno));
    return false;
  }
  fprintf(stream, "# residual: largest |dT/dt| of the step; wall times: since the start, of the slowest unit\n");
  fprintf(stream, "#%9s %14s %14s %10s %10s %10s %10s\n", "step", "time[s]", "residual[K/s]", "halo[s]", "compute[s]",
          "reduce[s]", "output[s]");
  *table = stream;
  return true;
}

/* The part of plane z that `unit` owns: contiguous at the owner, strided in the plane. */
static void fetch_part(const solver *s, int unit, int z, double *plane)
{
  const block b = domain_block(&s->domain, unit);
  const size_t nx = (size_t)b.cells[X], ny = (size_t)b.cells[Y], row = (size_t)s->in->cells[X];
  double *to = plane + (size_t)b.first[Y] * row + b.first[X];
  dart_datatype_t in_plane;
  dart_gptr_t from = s->field[s->step % 2];

  dart_gptr_setunit(&from, dart_create_team_unit(unit));
  dart_gptr_incaddr(&from, (int64_t)((size_t)(z - b.first[Z]) * nx * ny * sizeof(double)));
  require(dart_type_create_strided(DART_TYPE_DOUBLE, row, nx, &in_plane), "dart_type_create_strided");
  require(dart_get(to, from, nx * ny, DART_TYPE_DOUBLE, in_plane), "dart_get");
  dart_type_destroy(&in_plane); /* allowed while the transfer is under way */
}

static void fetch_plane(const solver *s, int layer, int z, double *plane)
{
  for (int y = 0; y < s->domain.parts[Y]; y++)
    for (int x = 0; x < s->domain.parts[X]; x++) fetch_part(s, domain_unit(&s->domain, x, y, layer), z, plane);
  require(dart_flush_local_all(s->field[s->step % 2]), "dart_flush_local_all");
}

static bool write_planes(const solver *s, double *plane, FILE *vtk, slices *middle)
{
  const size_t cells = (size_t)s->in->cells[X] * (size_t)s->in->cells[Y];
  for (int layer = 0; layer < s->domain.parts[Z]; layer++) {
    const block b = domain_block(&s->domain, domain_unit(&s->domain, 0, 0, layer));
    for (int z = b.first[Z]; z < b.first[Z] + b.cells[Z]; z++) {
      fetch_plane(s, layer, z, plane);
      slices_plane(middle, plane, z);
      if (!vtk_plane(vtk, plane, cells)) return false;
    }
  }
  return true;
}

/* Writes both files, with the plane and the slices in place. */
static bool write_files(const solver *s, const char *suffix, double *plane, slices *middle)
{
  char vtk_file[PATH_BYTES + 64], png_file[PATH_BYTES + 64];
  const double time = (double)s->step * s->in->step;
  snprintf(vtk_file, sizeof vtk_file, "%s/temperature%s.vtk", s->in->output, suffix);
  snprintf(png_file, sizeof png_file, "%s/slices%s.png", s->in->output, suffix);

  FILE *vtk;
  if (!vtk_start(s->in, vtk_file, time, &vtk)) return false;
  const bool written = write_planes(s, plane, vtk, middle);
  if (!vtk_finish(vtk) || !written) {
    fprintf(stderr, "heat3d: %s: cannot write: %s\n", vtk_file, strerror(errno));
    return false;
  }
  return slices_write(middle, png_file, time);
}

static bool write_state(const solver *s, const char *suffix)
{
  slices middle;
  double *plane = malloc((size_t)s->in->cells[X] * (size_t)s->in->cells[Y] * sizeof *plane);
  if (!plane || !slices_make(s->in, &middle)) {
    fprintf(stderr, "heat3d: no memory for the slices of the grid; use a coarser grid\n");
    free(plane);
    return false;
  }
  const bool good = write_files(s, suffix, plane, &middle);
  slices_free(&middle);
  free(plane);
  return good;
}

bool output_state(solver *s, const char *suffix)
{
  const double start = now();
  require(dart_barrier(DART_TEAM_ALL), "dart_barrier"); /* the state is complete on all units */
  const bool good = all_agree(s->unit != 0 || write_state(s, suffix));
  s->spent[OUTPUT] += now() - start;
  return good;
}
