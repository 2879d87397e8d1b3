/* heat3d: heat3d.h describes the computation, README.md of the parent folder how to run it.
 *
 * Usage: heat3d [--halo faces|elements] [--output FOLDER] INPUT
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "heat3d.h"

enum { MESSAGE_BYTES = 512 };

typedef struct {
  const char *input;
  const char *output; /* NULL: as in the input */
  bool elements, help;
} options;

bool all_agree(bool good)
{
  const int mine = good;
  int all = 0;
  require(dart_allreduce(&mine, &all, 1, DART_TYPE_INT, DART_OP_MIN, DART_TEAM_ALL), "dart_allreduce");
  return all;
}

void require(dart_ret_t result, const char *call)
{
  if (result == DART_OK) return;
  fprintf(stderr, "heat3d: %s failed with code %d\n", call, (int)result);
  dart_abort(DART_EXIT_ABORT);
}

static bool refuse(char wrong[MESSAGE_BYTES], const char *rule, const char *given)
{
  snprintf(wrong, MESSAGE_BYTES, "%s, got '%s'", rule, given);
  return false;
}

/* On an error stores its description in `wrong` and returns false. The same result on every unit. */
static bool parse_options(int argc, char **argv, options *out, char wrong[MESSAGE_BYTES])
{
  *out = (options){0};
  for (int i = 1; i < argc; i++) {
    const char *value = i + 1 < argc ? argv[i + 1] : "";
    if (strcmp(argv[i], "--help") == 0) {
      out->help = true;
      return true;
    }
    if (strcmp(argv[i], "--halo") == 0) {
      out->elements = strcmp(value, "elements") == 0;
      if (!out->elements && strcmp(value, "faces") != 0)
        return refuse(wrong, "--halo needs 'faces' or 'elements'", value);
      i++;
    } else if (strcmp(argv[i], "--output") == 0) {
      if (!*value || strlen(value) >= PATH_BYTES) return refuse(wrong, "--output needs the name of a folder", value);
      out->output = value;
      i++;
    } else if (argv[i][0] == '-') {
      return refuse(wrong, "--halo, --output and --help are the known options", argv[i]);
    } else if (out->input) {
      return refuse(wrong, "one input file is enough", argv[i]);
    } else {
      out->input = argv[i];
    }
  }
  return out->input || refuse(wrong, "an input file is needed, such as examples/heat3d/input/copper.heat", "");
}

/* Unit 0 reads the file. All units get the problem, or learn that it cannot be read. */
static bool share_problem(const options *o, int unit, int units, problem *out)
{
  bool good = true;
  memset(out, 0, sizeof *out);
  if (unit == 0) good = input_read(o->input, units, out);
  if (unit == 0 && o->output) strcpy(out->output, o->output);
  if (!all_agree(good)) return false;
  require(dart_bcast(out, sizeof *out, DART_TYPE_BYTE, dart_create_team_unit(0), DART_TEAM_ALL), "dart_bcast");
  return true;
}

static bool write_snapshot(solver *s)
{
  char suffix[32];
  if (s->in->snapshot == 0 || s->step % s->in->snapshot != 0) return true;
  snprintf(suffix, sizeof suffix, "-%06ld", s->step);
  return output_state(s, suffix);
}

/* All steps; at each interval the residual of all units and a row of the table. False when output failed. */
static bool simulate(solver *s, FILE *table, double *residual)
{
  double spent[TIME_PARTS];
  while (s->step < s->in->steps) {
    *residual = solver_step(s);
    if (!write_snapshot(s)) return false;
    if (s->unit == 0) report_progress(s);
    if (s->step % s->in->interval != 0 && s->step != s->in->steps) continue;

    report_reduce(s, residual, spent);
    if (s->unit == 0) report_row(table, s, *residual, spent);
    if (*residual < s->in->tolerance) break;
  }
  if (s->unit == 0) report_end_progress();
  return true;
}

/* Compares with the known solution, if there is one. */
static bool check(const solver *s)
{
  if (s->in->amplitude == 0.0) return true;
  const double error = analytic_error(s);
  const bool good = error <= s->in->limit;
  if (s->unit == 0)
    printf("check: max error %.3g K (limit %.3g K): %s\n", error, s->in->limit, good ? "passed" : "FAILED");
  return good;
}

/* True if every row reached the file, or if there is no table on this unit. */
static bool close_table(FILE *table)
{
  if (!table) return true;
  const bool written = fflush(table) == 0 && !ferror(table);
  return fclose(table) == 0 && written;
}

static bool run(solver *s)
{
  FILE *table = NULL;
  double residual = 0.0, spent[TIME_PARTS];
  const double start = now();
  if (!all_agree(s->unit != 0 || output_start(s->in, &table))) return false;
  bool good = simulate(s, table, &residual) && output_state(s, "");

  const bool table_written = close_table(table);
  if (!table_written) fprintf(stderr, "heat3d: %s/table.txt: cannot write: %s\n", s->in->output, strerror(errno));
  good = all_agree(good && table_written);
  if (!good) return false;

  report_reduce(s, &residual, spent);
  if (s->unit == 0) report_summary(s, residual, spent, now() - start);
  return check(s);
}

static bool solve(const options *o, int unit, int units)
{
  problem in;
  solver s;
  if (!share_problem(o, unit, units, &in)) return false;
  if (!solver_make(&in, o->elements, &s)) {
    if (unit == 0)
      fprintf(stderr, "heat3d: %s: no memory for %d x %d x %d cells on %d unit%s; use a coarser grid or more nodes\n", o->input,
              in.cells[X], in.cells[Y], in.cells[Z], units, units == 1 ? "" : "s");
    return false;
  }
  const bool good = run(&s);
  solver_free(&s);
  return good;
}

int main(int argc, char **argv)
{
  static const char usage[] = "usage: heat3d [--halo faces|elements] [--output FOLDER] INPUT\n";
  char wrong[MESSAGE_BYTES];
  options o;
  dart_global_unit_t me;
  size_t units = 0;
  if (dart_init(&argc, &argv) != DART_OK) return 1;
  require(dart_myid(&me), "dart_myid");
  require(dart_size(&units), "dart_size");

  bool good = parse_options(argc, argv, &o, wrong);
  if (!good && me.id == 0) fprintf(stderr, "heat3d: %s\n%s", wrong, usage);
  if (good && o.help && me.id == 0) fputs(usage, stdout);
  if (good && !o.help) good = solve(&o, me.id, (int)units);

  dart_exit();
  return good ? 0 : 1;
}
