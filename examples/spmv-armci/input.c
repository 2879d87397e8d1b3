/* input: lines, numbers and error messages, for both file formats. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "matrix.h"

bool reader_fail(const reader *r, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  fprintf(stderr, "spmv-armci: %s:%d: ", r->file, r->line);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  va_end(args);
  return false;
}

static bool is_text(const char *text)
{
  for (; *text; text++)
    if (iscntrl((unsigned char)*text) && !isspace((unsigned char)*text)) return false;
  return true;
}

bool reader_next(reader *r, const char *expected)
{
  if (!fgets(r->text, sizeof r->text, r->stream)) {
    if (ferror(r->stream)) return reader_fail(r, "cannot read on: %s", strerror(errno));
    return reader_fail(r, "the file ends here, but %s", expected);
  }
  r->line++;
  const size_t length = strcspn(r->text, "\r\n");
  if (r->text[length] == '\0' && !feof(r->stream))
    return reader_fail(r, "longer than %d characters, or not plain text", LINE_BYTES - 2);
  r->text[length] = '\0';
  return is_text(r->text) || reader_fail(r, "this is not plain text");
}

bool reader_whole(const reader *r, const char *what, const char *word, long least, long most, long *out)
{
  char *end;
  errno = 0;
  const long value = strtol(word, &end, 10);
  end += strspn(end, " \t");
  if (end == word || *end) return reader_fail(r, "%s: '%s' is not a whole number", what, word);
  if (errno || value < least || value > most)
    return reader_fail(r, "%s: %s is not between %ld and %ld", what, word, least, most);
  *out = value;
  return true;
}

bool reader_number(const reader *r, const char *what, const char *word, double *out)
{
  char *end;
  const double value = strtod(word, &end);
  end += strspn(end, " \t");
  if (end == word || *end || !isfinite(value)) return reader_fail(r, "%s: '%s' is not a number", what, word);
  *out = value;
  return true;
}

static bool read_matrix(reader *r, matrix *out)
{
  entries e = {0};
  if (!reader_next(r, "a matrix in Harwell-Boeing or Matrix Market format was expected")) return false;
  const bool market = strncmp(r->text, "%%MatrixMarket", 14) == 0;
  bool good = market ? matrix_market_read(r, &e) : harwell_boeing_read(r, &e);
  if (good && !matrix_from_entries(&e, out))
    good = reader_fail(r, "no memory for %d x %d with %ld entries", e.rows, e.columns, e.n);
  free(e.entry);
  return good;
}

bool input_read(const char *file, matrix *out)
{
  reader r = {.file = file, .stream = fopen(file, "r")};
  if (!r.stream) {
    fprintf(stderr, "spmv-armci: %s: cannot open: %s\n", file, strerror(errno));
    return false;
  }
  const bool good = read_matrix(&r, out);
  fclose(r.stream);
  return good;
}
