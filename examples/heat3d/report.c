/* report: output for the user while the program runs and at its end. */
#include <string.h>
#include <unistd.h>

#include "heat3d.h"

void report_reduce(solver *s, double *residual, double spent[TIME_PARTS])
{
  double mine[TIME_PARTS + 1], largest[TIME_PARTS + 1];
  memcpy(mine, s->spent, sizeof s->spent);
  mine[TIME_PARTS] = *residual;

  const double start = now();
  require(dart_allreduce(mine, largest, TIME_PARTS + 1, DART_TYPE_DOUBLE, DART_OP_MAX, DART_TEAM_ALL),
          "dart_allreduce");
  s->spent[REDUCE] += now() - start;

  memcpy(spent, largest, sizeof s->spent);
  *residual = largest[TIME_PARTS];
}

void report_row(FILE *table, const solver *s, double residual, const double spent[TIME_PARTS])
{
  fprintf(table, "%10ld %14.6g %14.6g %10.3f %10.3f %10.3f %10.3f\n", s->step, (double)s->step * s->in->step, residual,
          spent[HALO], spent[COMPUTE], spent[REDUCE], spent[OUTPUT]);
}

static bool on_terminal(void)
{
  return isatty(STDERR_FILENO);
}

static void draw_bar(int percent)
{
  enum { WIDTH = 40 };
  char bar[WIDTH + 1];
  for (int i = 0; i < WIDTH; i++) bar[i] = i * 100 < percent * WIDTH ? '=' : ' ';
  bar[WIDTH] = '\0';
  fprintf(stderr, "\rheat3d: [%s] %3d %%", bar, percent);
  fflush(stderr);
}

/* Prints a bar on a terminal; elsewhere, such as under mpiexec, ten lines in total. */
void report_progress(const solver *s)
{
  const int apart = on_terminal() ? 1 : 10;
  const int percent = (int)(100 * s->step / s->in->steps), before = (int)(100 * (s->step - 1) / s->in->steps);
  if (percent / apart == before / apart) return;
  if (on_terminal())
    draw_bar(percent);
  else
    fprintf(stderr, "heat3d: %d %%, step %ld of %ld\n", percent, s->step, s->in->steps);
}

void report_end_progress(void)
{
  if (on_terminal()) fputc('\n', stderr);
}

void report_summary(const solver *s, double residual, const double spent[TIME_PARTS], double wall)
{
  const int *n = s->in->cells, *parts = s->domain.parts;
  const double cells = (double)n[X] * n[Y] * n[Z];
  printf("heat3d: %d x %d x %d cells in %d x %d x %d blocks, %d unit%s, halo by %s\n", n[X], n[Y], n[Z], parts[X],
         parts[Y], parts[Z], s->units, s->units == 1 ? "" : "s", s->halo.elements ? "elements" : "faces");
  printf("heat3d: %ld step%s of %.4g s to %.4g s, residual %.4g K/s\n", s->step, s->step == 1 ? "" : "s", s->in->step,
         (double)s->step * s->in->step, residual);
  printf("heat3d: %.6f s: halo %.6f, start %.6f, wait %.6f, compute %.6f, reduce %.6f, output %.6f; %.1f million cells/s\n", wall,
         spent[HALO], spent[START], spent[WAIT], spent[COMPUTE], spent[REDUCE], spent[OUTPUT],
         cells * (double)s->step / wall * 1e-6);
  printf("heat3d: wrote %s/table.txt, temperature.vtk and slices.png\n", s->in->output);
}
