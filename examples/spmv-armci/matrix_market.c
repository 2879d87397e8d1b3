/* matrix_market: one line that describes the contents, comments, one line with the size, one line per entry. */
#include <string.h>
#include <strings.h>

#include "matrix.h"

enum { MAX_WORDS = 5 };

/* Splits a line. Returns the number of words, or MAX_WORDS + 1 if there are more. */
static int split(char *text, char *word[MAX_WORDS])
{
  int n = 0;
  char *rest = NULL;
  for (char *w = strtok_r(text, " \t", &rest); w; w = strtok_r(NULL, " \t", &rest)) {
    if (n == MAX_WORDS) return MAX_WORDS + 1;
    word[n++] = w;
  }
  return n;
}

static int find(const char *word, const char *const *known)
{
  int at = 0;
  while (known[at] && strcasecmp(word, known[at]) != 0) at++;
  return known[at] ? at : -1;
}

/* The first line: object, layout, kind of values, symmetry. */
static bool read_banner(reader *r, bool *pattern, symmetry *kind)
{
  static const char *const symmetries[] = {[GENERAL] = "general", [SYMMETRIC] = "symmetric", [SKEW] = "skew-symmetric",
                                           NULL};
  static const char *const values[] = {"real", "integer", "double", "pattern", NULL};
  char *word[MAX_WORDS];
  if (split(r->text, word) != 5 || strcasecmp(word[1], "matrix") != 0)
    return reader_fail(r, "expected %%%%MatrixMarket matrix coordinate VALUES SYMMETRY");
  if (strcasecmp(word[2], "coordinate") != 0)
    return reader_fail(r, "'%s': a sparse matrix is needed, that is 'coordinate'", word[2]);
  const int value = find(word[3], values), symmetric = find(word[4], symmetries);
  if (value < 0) return reader_fail(r, "'%s': values are 'real', 'integer' or 'pattern' here", word[3]);
  if (symmetric < 0) return reader_fail(r, "'%s': known are 'general', 'symmetric' and 'skew-symmetric'", word[4]);
  *pattern = value == 3;
  *kind = (symmetry)symmetric;
  return true;
}

/* Reads the next line that is neither empty nor a comment. */
static bool next_words(reader *r, const char *expected, int n, char *word[MAX_WORDS])
{
  int found = 0;
  do {
    if (!reader_next(r, expected)) return false;
    found = r->text[0] == '%' ? 0 : split(r->text, word);
  } while (found == 0);
  return found == n || reader_fail(r, "%d words in this line, but %s", found, expected);
}

static bool read_size(reader *r, entries *out, symmetry kind, long *n)
{
  char *word[MAX_WORDS];
  long rows = 0, columns = 0;
  if (!next_words(r, "ROWS COLUMNS ENTRIES was expected", 3, word) ||
      !reader_whole(r, "rows", word[0], 1, ROWS_MAX, &rows) ||
      !reader_whole(r, "columns", word[1], 1, ROWS_MAX, &columns) ||
      !reader_whole(r, "entries", word[2], 0, ENTRIES_MAX, n))
    return false;
  if (kind != GENERAL && rows != columns)
    return reader_fail(r, "%ld x %ld, but a matrix with symmetry is square", rows, columns);
  out->rows = (int)rows;
  out->columns = (int)columns;
  return true;
}

static bool read_entry(reader *r, bool pattern, symmetry kind, entries *out)
{
  char *word[MAX_WORDS];
  long row = 0, column = 0;
  double value = 1.0;
  const char *expected = pattern ? "an entry, ROW COLUMN, was expected" : "an entry, ROW COLUMN VALUE, was expected";
  if (!next_words(r, expected, pattern ? 2 : 3, word) || !reader_whole(r, "row", word[0], 1, out->rows, &row) ||
      !reader_whole(r, "column", word[1], 1, out->columns, &column) ||
      (!pattern && !reader_number(r, "value", word[2], &value)))
    return false;
  return entries_add(out, (int)row - 1, (int)column - 1, value, kind) ||
         reader_fail(r, "no memory for more than %ld entries", out->n);
}

bool matrix_market_read(reader *r, entries *out)
{
  bool pattern = false;
  symmetry kind = GENERAL;
  long n = 0;
  if (!read_banner(r, &pattern, &kind) || !read_size(r, out, kind, &n)) return false;
  for (long k = 0; k < n; k++)
    if (!read_entry(r, pattern, kind, out)) return false;
  return true;
}
