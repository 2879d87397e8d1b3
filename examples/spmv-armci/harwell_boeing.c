/* harwell_boeing: four or five header lines, then three lists, which Fortran wrote in columns of fixed width: the
 * start of each matrix column, the rows of its entries, and their values. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "matrix.h"

enum { FIELD_BYTES = 64, FORMAT_BYTES = 24 };

/* A Fortran format for numbers of one kind, as (26I3), (5E16.8) or (1P,4D20.12). */
typedef struct {
  int per_line, width;
  int digits; /* digits after the decimal point in a number that is written without one */
  int scale;  /* a number without an exponent is divided by 10^scale */
  bool whole;
} format;

/* A list during reading: the next number is field `field` of the reader's line. */
typedef struct {
  reader *r;
  format format;
  const char *what;
  int field;
} list;

typedef struct {
  long rows, columns, n;
  bool pattern;
  symmetry kind;
  format starts, indices, values;
} header;

/* Copies the columns first .. first+width-1 of the line; columns after its end are blank. */
static void cut(const reader *r, int first, int width, char *out)
{
  const int length = (int)strlen(r->text), n = length - first < width ? length - first : width;
  if (n > 0) memcpy(out, r->text + first, (size_t)n);
  out[n > 0 ? n : 0] = '\0';
}

/* ---- numbers ---- */

/* An unsigned number at *at, or `otherwise`. */
static int number_at(const char **at, int otherwise)
{
  char *end;
  if (!isdigit((unsigned char)**at)) return otherwise;
  const long value = strtol(*at, &end, 10);
  *at = end;
  return value < 1000 ? (int)value : 1000;
}

static bool parse_format(const char *text, format *out)
{
  char packed[FORMAT_BYTES + 1] = "", *to = packed;
  for (; *text; text++)
    if (!isspace((unsigned char)*text)) *to++ = (char)toupper((unsigned char)*text);
  *to = '\0';

  const char *at = packed;
  *out = (format){0};
  if (*at++ != '(') return false;
  out->per_line = number_at(&at, 1);
  if (*at == 'P') {
    out->scale = out->per_line;
    at++;
    if (*at == ',') at++;
    out->per_line = number_at(&at, 1);
  }
  if (*at == '\0' || !strchr("IEDFG", *at)) return false;
  out->whole = *at++ == 'I';
  out->width = number_at(&at, 0);
  if (*at == '.') {
    at++;
    out->digits = number_at(&at, 0);
  }
  if (*at == 'E') { /* number of digits of the exponent */
    at++;
    (void)number_at(&at, 0);
  }
  return strcmp(at, ")") == 0 && out->per_line > 0 && out->width > 0 && out->width < FIELD_BYTES &&
         out->per_line * out->width < LINE_BYTES;
}

/* Rewrites a number in C's notation: its exponent may follow a D, or only have a sign. */
static void to_c(const char *field, const format *f, char out[2 * FIELD_BYTES])
{
  bool point = false, exponent = false, digits = false;
  char *to = out;
  for (; *field; field++) {
    const char c = (char)toupper((unsigned char)*field);
    const bool sign = c == '+' || c == '-';
    if (c == ' ') continue;
    if ((c == 'D' || c == 'E' || (sign && digits)) && !exponent) {
      exponent = true;
      *to++ = 'e';
      if (sign) *to++ = c;
      continue;
    }
    point |= c == '.';
    digits |= isdigit((unsigned char)c) != 0;
    *to++ = c;
  }
  *to = '\0';
  const int shift = (point ? 0 : f->digits) + (exponent ? 0 : f->scale);
  if (digits && !exponent && shift) sprintf(to, "e-%d", shift);
}

/* Copies the next field of a list to `field`. */
static bool next_field(list *l, char field[FIELD_BYTES])
{
  char expected[128];
  if (l->field == 0) {
    snprintf(expected, sizeof expected, "%s were expected", l->what);
    if (!reader_next(l->r, expected)) return false;
  }
  cut(l->r, l->field * l->format.width, l->format.width, field);
  if (field[strspn(field, " ")] == '\0')
    return reader_fail(l->r, "%s: nothing in columns %d to %d", l->what, l->field * l->format.width + 1,
                       (l->field + 1) * l->format.width);
  l->field = (l->field + 1) % l->format.per_line;
  return true;
}

static bool next_whole(list *l, long least, long most, long *out)
{
  char field[FIELD_BYTES];
  return next_field(l, field) && reader_whole(l->r, l->what, field, least, most, out);
}

static bool next_value(list *l, double *out)
{
  char field[FIELD_BYTES], number[2 * FIELD_BYTES], *end;
  if (!next_field(l, field)) return false;
  to_c(field, &l->format, number);
  *out = strtod(number, &end);
  return (end != number && *end == '\0' && isfinite(*out)) ||
         reader_fail(l->r, "%s: '%s' is not a number", l->what, field);
}

/* ---- the header lines ---- */

static bool header_number(const reader *r, const char *what, int first, long least, long most, long *out)
{
  char field[FIELD_BYTES];
  cut(r, first, 14, field);
  return reader_whole(r, what, field, least, most, out);
}

static bool read_type(const reader *r, header *h)
{
  const char *type = r->text;
  const int values = toupper((unsigned char)type[0]);
  if (strlen(type) < 3) return reader_fail(r, "a type of three letters, such as RUA, was expected");
  const int kind = toupper((unsigned char)type[1]), form = toupper((unsigned char)type[2]);
  if (values != 'R' && values != 'P')
    return reader_fail(r, "type '%.3s': values are real (R) or left out (P) here", type);
  if (!strchr("USZR", kind))
    return reader_fail(r, "type '%.3s': unsymmetric (U), symmetric (S), skew (Z) and rectangular (R) are known", type);
  if (form != 'A') return reader_fail(r, "type '%.3s': only assembled matrices (A) are known", type);
  h->pattern = values == 'P';
  h->kind = kind == 'S' ? SYMMETRIC : kind == 'Z' ? SKEW : GENERAL;
  return true;
}

static bool read_format(const reader *r, const char *what, int first, int width, bool whole, format *out)
{
  char text[FORMAT_BYTES];
  cut(r, first, width, text);
  return (parse_format(text, out) && out->whole == whole) ||
         reader_fail(r, "format of the %s: '%s' is none such as %s", what, text, whole ? "(16I5)" : "(5E16.8)");
}

static bool read_header(reader *r, header *h)
{
  long right_lines = 0;
  char field[FIELD_BYTES];
  if (!reader_next(r, "the numbers of lines were expected")) return false;
  cut(r, 56, 14, field); /* empty in old files */
  if (field[strspn(field, " ")] && !reader_whole(r, "lines of right-hand sides", field, 0, ENTRIES_MAX, &right_lines))
    return false;
  if (!reader_next(r, "type and size were expected") || !read_type(r, h) ||
      !header_number(r, "rows", 14, 1, ROWS_MAX, &h->rows) ||
      !header_number(r, "columns", 28, 1, ROWS_MAX, &h->columns) ||
      !header_number(r, "entries", 42, 0, ENTRIES_MAX, &h->n))
    return false;
  if (h->kind != GENERAL && h->rows != h->columns)
    return reader_fail(r, "%ld x %ld, but a matrix with symmetry is square", h->rows, h->columns);
  if (!reader_next(r, "the formats were expected") || !read_format(r, "column starts", 0, 16, true, &h->starts) ||
      !read_format(r, "row indices", 16, 16, true, &h->indices) ||
      (!h->pattern && !read_format(r, "values", 32, 20, false, &h->values)))
    return false;
  return right_lines == 0 || reader_next(r, "the line of the right-hand sides was expected");
}

/* ---- the lists ---- */

static bool read_starts(reader *r, const header *h, long *start)
{
  list l = {r, h->starts, "column starts", 0};
  for (long j = 0; j <= h->columns; j++) {
    if (!next_whole(&l, j ? start[j - 1] : 1, h->n + 1, &start[j])) return false;
    if (j == 0 && start[0] != 1) return reader_fail(r, "column starts: the first one is %ld, not 1", start[0]);
  }
  return start[h->columns] == h->n + 1 ||
         reader_fail(r, "column starts: the last one is %ld, not %ld for %ld entries", start[h->columns], h->n + 1,
                     h->n);
}

static bool read_rows(reader *r, const header *h, int *row)
{
  list l = {r, h->indices, "row indices", 0};
  for (long k = 0; k < h->n; k++) {
    long index = 0;
    if (!next_whole(&l, 1, h->rows, &index)) return false;
    row[k] = (int)index - 1;
  }
  return true;
}

static bool read_values(reader *r, const header *h, const long *start, const int *row, entries *out)
{
  list l = {r, h->values, "values", 0};
  for (long j = 0; j < h->columns; j++)
    for (long k = start[j] - 1; k < start[j + 1] - 1; k++) {
      double value = 1.0;
      if (!h->pattern && !next_value(&l, &value)) return false;
      if (!entries_add(out, row[k], (int)j, value, h->kind))
        return reader_fail(r, "no memory for more than %ld entries", out->n);
    }
  return true;
}

bool harwell_boeing_read(reader *r, entries *out)
{
  header h = {0};
  if (!read_header(r, &h)) return false;
  out->rows = (int)h.rows;
  out->columns = (int)h.columns;
  long *start = malloc(((size_t)h.columns + 1) * sizeof *start);
  int *row = malloc(((size_t)h.n + 1) * sizeof *row);
  bool good = start && row;
  if (!good) reader_fail(r, "no memory for %ld columns and %ld entries", h.columns, h.n);
  good = good && read_starts(r, &h, start) && read_rows(r, &h, row) && read_values(r, &h, start, row, out);
  free(start);
  free(row);
  return good;
}
