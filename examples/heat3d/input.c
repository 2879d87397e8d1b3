/* input: the input file. A line is "key value ...", '#' starts a comment. Reading ends at the first error. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "heat3d.h"

enum { LINE_BYTES = 512, MAX_WORDS = 8 };

enum {
  KEY_GRID,
  KEY_LENGTH,
  KEY_MATERIAL,
  KEY_BOUNDARY,
  KEY_INITIAL,
  KEY_ANALYTIC,
  KEY_STEP,
  KEY_STEPS,
  KEY_TIME,
  KEY_INTERVAL,
  KEY_SNAPSHOT,
  KEY_TOLERANCE,
  KEY_OUTPUT,
  KEYS
};

typedef struct {
  const char *file;
  int line;
  int line_of[KEYS];       /* where a key was last given; 0: not yet */
  int line_of_side[SIDES]; /* the same for each boundary */
  double end_time;         /* s, of the key "time" */
  problem in;
} reader;

static const char *const side_name[SIDES] = {"west", "east", "south", "north", "bottom", "top"};

/* Prints "heat3d: FILE:LINE: ..." and returns false. */
__attribute__((format(printf, 3, 4))) static bool fail(const reader *r, int line, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  fprintf(stderr, "heat3d: %s:%d: ", r->file, line);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  va_end(args);
  return false;
}

/* ---- values ---- */

static bool read_number(const reader *r, const char *key, const char *word, double *out)
{
  char *end;
  const double value = strtod(word, &end);
  if (end == word || *end || !isfinite(value)) return fail(r, r->line, "%s: '%s' is not a number", key, word);
  *out = value;
  return true;
}

static bool read_positive(const reader *r, const char *key, const char *word, double *out)
{
  double value = 0.0;
  if (!read_number(r, key, word, &value)) return false;
  if (value <= 0.0) return fail(r, r->line, "%s: %s must be greater than 0", key, word);
  *out = value;
  return true;
}

static bool read_whole(const reader *r, const char *key, const char *word, long least, long most, long *out)
{
  char *end;
  errno = 0;
  const long value = strtol(word, &end, 10);
  if (end == word || *end) return fail(r, r->line, "%s: '%s' is not a whole number", key, word);
  if (errno || value < least || value > most)
    return fail(r, r->line, "%s: %s must be between %ld and %ld", key, word, least, most);
  *out = value;
  return true;
}

/* ---- keys: each function gets the words after its key ---- */

static bool read_grid(reader *r, char **word)
{
  for (int axis = 0; axis < AXES; axis++) {
    long cells = 0;
    if (!read_whole(r, "grid", word[axis], 1, 100000, &cells)) return false;
    r->in.cells[axis] = (int)cells;
  }
  return true;
}

static bool read_length(reader *r, char **word)
{
  for (int axis = 0; axis < AXES; axis++)
    if (!read_positive(r, "length", word[axis], &r->in.length[axis])) return false;
  return true;
}

static bool read_material(reader *r, char **word)
{
  const int n = r->in.material_rows;
  material_row *row = &r->in.material[n];
  if (n == MATERIAL_ROWS) return fail(r, r->line, "material: more than %d rows", MATERIAL_ROWS);
  if (!read_positive(r, "material", word[0], &row->temperature) ||
      !read_positive(r, "material", word[1], &row->conductivity) ||
      !read_positive(r, "material", word[2], &row->heat_capacity))
    return false;
  if (n > 0 && row->temperature <= row[-1].temperature)
    return fail(r, r->line, "material: %s K is not above the row before (%g K)", word[0], row[-1].temperature);
  r->in.material_rows++;
  return true;
}

static bool read_boundary(reader *r, char **word)
{
  int side = 0;
  while (side < SIDES && strcmp(word[0], side_name[side]) != 0) side++;
  if (side == SIDES)
    return fail(r, r->line, "boundary: '%s' is not west, east, south, north, bottom or top", word[0]);
  if (r->line_of_side[side])
    return fail(r, r->line, "boundary: %s was given in line %d already", word[0], r->line_of_side[side]);
  r->line_of_side[side] = r->line;

  boundary *b = &r->in.side[side];
  b->fixed = strcmp(word[1], "insulated") != 0;
  return !b->fixed || read_positive(r, "boundary", word[1], &b->temperature);
}

static bool read_initial(reader *r, char **word)
{
  return read_positive(r, "initial", word[0], &r->in.initial);
}

static bool read_analytic(reader *r, char **word)
{
  if (strcmp(word[0], "sine") != 0) return fail(r, r->line, "analytic: '%s' is not known, only 'sine' is", word[0]);
  return read_positive(r, "analytic", word[1], &r->in.amplitude) &&
         read_positive(r, "analytic", word[2], &r->in.limit);
}

static bool read_step(reader *r, char **word)
{
  return read_positive(r, "step", word[0], &r->in.step);
}

static bool read_steps(reader *r, char **word)
{
  return read_whole(r, "steps", word[0], 1, 1000000000, &r->in.steps);
}

static bool read_time(reader *r, char **word)
{
  return read_positive(r, "time", word[0], &r->end_time);
}

static bool read_interval(reader *r, char **word)
{
  return read_whole(r, "interval", word[0], 1, 1000000000, &r->in.interval);
}

static bool read_snapshot(reader *r, char **word)
{
  return read_whole(r, "snapshot", word[0], 1, 1000000000, &r->in.snapshot);
}

static bool read_tolerance(reader *r, char **word)
{
  return read_positive(r, "tolerance", word[0], &r->in.tolerance);
}

static bool read_output(reader *r, char **word)
{
  if (strlen(word[0]) >= PATH_BYTES) return fail(r, r->line, "output: longer than %d characters", PATH_BYTES - 1);
  strcpy(r->in.output, word[0]);
  return true;
}

static const struct {
  const char *name;
  const char *values; /* for the message about a wrong number of words */
  int value_n;
  bool required, repeatable;
  bool (*read)(reader *r, char **word);
} keys[KEYS] = {
  [KEY_GRID] = {"grid", "NX NY NZ", 3, true, false, read_grid},
  [KEY_LENGTH] = {"length", "LX LY LZ (m)", 3, true, false, read_length},
  [KEY_MATERIAL] = {"material", "TEMPERATURE (K) CONDUCTIVITY (W/(m K)) HEAT_CAPACITY (J/(m^3 K))", 3, true, true,
                    read_material},
  [KEY_BOUNDARY] = {"boundary", "SIDE TEMPERATURE (K), or SIDE insulated", 2, true, true, read_boundary},
  [KEY_INITIAL] = {"initial", "TEMPERATURE (K)", 1, true, false, read_initial},
  [KEY_ANALYTIC] = {"analytic", "sine AMPLITUDE (K) LIMIT (K)", 3, false, false, read_analytic},
  [KEY_STEP] = {"step", "STEP (s)", 1, false, false, read_step},
  [KEY_STEPS] = {"steps", "COUNT", 1, false, false, read_steps},
  [KEY_TIME] = {"time", "END (s)", 1, false, false, read_time},
  [KEY_INTERVAL] = {"interval", "STEPS", 1, false, false, read_interval},
  [KEY_SNAPSHOT] = {"snapshot", "STEPS", 1, false, false, read_snapshot},
  [KEY_TOLERANCE] = {"tolerance", "RATE (K/s)", 1, false, false, read_tolerance},
  [KEY_OUTPUT] = {"output", "FOLDER", 1, false, false, read_output},
};

/* ---- lines ---- */

/* Returns how many letters must be changed, added or removed to turn one word into the other. */
static size_t distance(const char *a, const char *b)
{
  size_t cost[LINE_BYTES + 1]; /* cost of making b's first j letters from a's first i */
  const size_t n = strlen(b);
  for (size_t j = 0; j <= n; j++) cost[j] = j;
  for (size_t i = 1; a[i - 1]; i++) {
    size_t diagonal = cost[0];
    cost[0] = i;
    for (size_t j = 1; j <= n; j++) {
      const size_t changed = diagonal + (a[i - 1] != b[j - 1]);
      const size_t moved = (cost[j] < cost[j - 1] ? cost[j] : cost[j - 1]) + 1;
      diagonal = cost[j];
      cost[j] = changed < moved ? changed : moved;
    }
  }
  return cost[n];
}

static bool unknown_key(const reader *r, const char *word)
{
  int nearest = 0;
  for (int key = 1; key < KEYS; key++)
    if (distance(word, keys[key].name) < distance(word, keys[nearest].name)) nearest = key;
  if (distance(word, keys[nearest].name) <= 2)
    return fail(r, r->line, "unknown key '%s'; did you mean '%s'?", word, keys[nearest].name);
  return fail(r, r->line, "unknown key '%s'", word);
}

static bool read_words(reader *r, int n, char **word)
{
  int key = 0;
  while (key < KEYS && strcmp(word[0], keys[key].name) != 0) key++;
  if (key == KEYS) return unknown_key(r, word[0]);
  if (n - 1 != keys[key].value_n)
    return fail(r, r->line, "%s: expected %s", keys[key].name, keys[key].values);
  if (r->line_of[key] && !keys[key].repeatable)
    return fail(r, r->line, "%s: was given in line %d already", keys[key].name, r->line_of[key]);
  r->line_of[key] = r->line;
  return keys[key].read(r, word + 1);
}

static bool read_line(reader *r, char *text)
{
  for (const char *c = text; *c; c++)
    if (iscntrl((unsigned char)*c) && !isspace((unsigned char)*c)) return fail(r, r->line, "this is not plain text");

  char *word[MAX_WORDS + 1], *rest = NULL;
  int n = 0;
  text[strcspn(text, "#")] = '\0';
  for (char *w = strtok_r(text, " \t\r\n", &rest); w && n <= MAX_WORDS; w = strtok_r(NULL, " \t\r\n", &rest))
    word[n++] = w;
  return n == 0 || read_words(r, n, word);
}

static bool read_lines(reader *r, FILE *stream)
{
  char text[LINE_BYTES];
  while (fgets(text, sizeof text, stream)) {
    r->line++;
    if (!strchr(text, '\n') && !feof(stream))
      return fail(r, r->line, "longer than %d characters, or not plain text", LINE_BYTES - 2);
    if (!read_line(r, text)) return false;
  }
  if (!ferror(stream)) return true;
  fprintf(stderr, "heat3d: %s: cannot read: %s\n", r->file, strerror(errno));
  return false;
}

/* ---- the whole file ---- */

static bool check_present(const reader *r)
{
  const int end = r->line > 0 ? r->line : 1;
  for (int key = 0; key < KEYS; key++)
    if (keys[key].required && !r->line_of[key])
      return fail(r, end, "the file ends without '%s'; add: %s %s", keys[key].name, keys[key].name,
                  keys[key].values);
  for (int side = 0; side < SIDES; side++)
    if (!r->line_of_side[side])
      return fail(r, end, "the file ends without 'boundary %s'", side_name[side]);
  if (r->line_of[KEY_STEPS] && r->line_of[KEY_TIME])
    return fail(r, r->line_of[KEY_TIME], "time: excludes 'steps', given in line %d", r->line_of[KEY_STEPS]);
  if (!r->line_of[KEY_STEPS] && !r->line_of[KEY_TIME])
    return fail(r, end, "the file ends without 'steps' or 'time'; add: steps COUNT, or time END (s)");
  return true;
}

/* The solution is known for a constant diffusivity and sides that are all held at the initial temperature. */
static bool check_analytic(const reader *r)
{
  const problem *in = &r->in;
  if (!r->line_of[KEY_ANALYTIC]) return true;
  if (in->material_rows > 1)
    return fail(r, r->line_of[KEY_MATERIAL], "material: 'analytic' needs constant properties, that is one row");
  for (int side = 0; side < SIDES; side++)
    if (!in->side[side].fixed || in->side[side].temperature != in->initial)
      return fail(r, r->line_of_side[side], "boundary: 'analytic' needs the initial temperature (%g K) on each side",
                  in->initial);
  return true;
}

/* Returns whether a temperature of the problem is in the range of the material table; extends coldest .. hottest to it. */
static bool include(reader *r, int line, double temperature)
{
  const material_row *row = r->in.material;
  const double low = row[0].temperature, high = row[r->in.material_rows - 1].temperature;
  r->in.coldest = fmin(r->in.coldest, temperature);
  r->in.hottest = fmax(r->in.hottest, temperature);
  if (r->in.material_rows == 1 || (temperature >= low && temperature <= high)) return true;
  return fail(r, line, "%g K lies outside the material table (%g to %g K)", temperature, low, high);
}

static bool check_temperatures(reader *r)
{
  r->in.coldest = r->in.hottest = r->in.initial;
  if (!include(r, r->line_of[KEY_INITIAL], r->in.initial)) return false;
  for (int side = 0; side < SIDES; side++)
    if (r->in.side[side].fixed && !include(r, r->line_of_side[side], r->in.side[side].temperature)) return false;
  return include(r, r->line_of[KEY_ANALYTIC], r->in.initial + r->in.amplitude);
}

/* The greatest step, s, with which no temperature can leave the range of its neighbours': the weights of the
 * neighbours in a cell's step must not exceed 1 together. Each neighbour weighs a step/d^2, a side held at a
 * temperature, half a cell away, twice as much. */
static double greatest_step(const problem *in)
{
  double sum = 0.0; /* 1/m^2 */
  for (int axis = 0; axis < AXES; axis++) {
    const double d = in->length[axis] / in->cells[axis];
    const bool fixed = in->side[2 * axis].fixed || in->side[2 * axis + 1].fixed;
    sum += (in->cells[axis] == 1 ? 4.0 : fixed ? 3.0 : 2.0) / (d * d);
  }
  return 1.0 / (material_diffusivity(in) * sum);
}

/* Fixes step and number of steps; an end time is met exactly by shortening the step. */
static bool choose_steps(reader *r)
{
  problem *in = &r->in;
  const double greatest = greatest_step(in);
  if (r->line_of[KEY_STEP] && in->step > greatest)
    return fail(r, r->line_of[KEY_STEP], "step: %g s is unstable; the greatest stable step is %.4g s (leave 'step' "
                "out to have one chosen)", in->step, greatest);
  if (!r->line_of[KEY_STEP]) in->step = 0.9 * greatest;

  if (r->line_of[KEY_TIME]) {
    const double steps = ceil(r->end_time / in->step);
    if (!(steps <= 1e9))
      return fail(r, r->line_of[KEY_TIME], "time: %g s would take %.3g steps of %.3g s, at most 1e9 are allowed",
                  r->end_time, steps, in->step);
    in->steps = (long)steps;
    in->step = r->end_time / steps;
  }
  return true;
}

static bool check_units(const reader *r, int units)
{
  domain d;
  const int *cells = r->in.cells;
  if (domain_cut(cells, units, &d)) return true;
  return fail(r, r->line_of[KEY_GRID],
              "grid: %d x %d x %d cells cannot be cut into %d blocks, one per unit; start fewer units or a number with "
              "factors no larger than the grid", cells[X], cells[Y], cells[Z], units);
}

bool input_read(const char *file, int units, problem *out)
{
  FILE *stream = fopen(file, "r");
  if (!stream) {
    fprintf(stderr, "heat3d: %s: cannot open: %s\n", file, strerror(errno));
    return false;
  }
  reader r = {.file = file, .in = {.interval = 100, .output = "heat3d-out"}};
  const bool read = read_lines(&r, stream);
  fclose(stream);
  if (!read || !check_present(&r) || !check_analytic(&r) || !check_temperatures(&r) || !choose_steps(&r) ||
      !check_units(&r, units))
    return false;
  *out = r.in;
  return true;
}
