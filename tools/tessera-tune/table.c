/* The table as a file: a row is `KIND WHERE MEMBERS BYTES ALGORITHM`; the first row that matches a call is used. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tune.h"

enum { LINE_BYTES = 256, ROWS_MAX = 256 /* as many as the library reads */ };

bool tune_write_single(const char *path, const char *algorithm) {
  FILE *file = fopen(path, "w");
  if (!file) return false;
  for (int k = 0; k < KINDS_N; k++) {
    const struct tune_kind *kind = &tune_kinds[k];
    const char *place = kind->among_leaders ? "leaders" : strcmp(algorithm, "nodes") == 0 ? "nodes" : "any";
    if (tune_knows(kind, algorithm)) fprintf(file, "%s %s any any %s\n", kind->name, place, algorithm);
  }
  return fclose(file) == 0;
}

/* A row to write. Rows are sorted by members: the first match is used, so small teams come before large ones. */
struct line {
  double members;
  int order;
  char text[LINE_BYTES];
};
struct lines {
  struct line line[ROWS_MAX];
  int n;
};

/* Adds a row. The library would reject a file with more rows as a whole. */
static void add(struct lines *lines, double members, const char *text) {
  if (lines->n == ROWS_MAX) {
    fprintf(stderr, "tessera-tune: the table would have more than %d rows; remove those of teams that you do not use, or "
                    "start another file\n", ROWS_MAX);
    exit(EXIT_FAILURE);
  }
  struct line *line = &lines->line[lines->n];
  *line = (struct line){.members = members, .order = lines->n++};
  snprintf(line->text, sizeof line->text, "%s", text);
}

static int by_members(const void *a, const void *b) {
  const struct line *x = a, *y = b;
  if (x->members != y->members) return x->members < y->members ? -1 : 1;
  return x->order - y->order;
}

static const char *place_of(const struct tune_team *team) { return team->nodes > 1 ? "nodes" : "node"; }

/* Returns whether the row is for the team. */
static bool is_for(const struct tune_team *team, const char *place, double members) {
  if (strcmp(place, "leaders") == 0) return members == team->nodes;
  return strcmp(place, place_of(team)) == 0 && members == team->units;
}

/* Reads the rows that the file has for other teams. A file that does not exist has none. */
static bool keep_others(const char *path, const struct tune_team *team, struct lines *lines) {
  FILE *file = fopen(path, "r");
  if (!file) return errno == ENOENT;
  char text[LINE_BYTES], kind[LINE_BYTES], place[LINE_BYTES], members[LINE_BYTES];
  while (fgets(text, sizeof text, file)) {
    if (sscanf(text, "%255s %255s %255s", kind, place, members) != 3 || *kind == '#') continue;
    double n = strcmp(members, "any") == 0 ? 1e18 : strtod(members, NULL);
    if (is_for(team, place, n)) continue;
    text[strcspn(text, "\n")] = '\0';
    add(lines, n, text);
  }
  fclose(file);
  return true;
}

static int fastest(tune_times times, int kind, int size) {
  int best = -1;
  for (int a = 0; a < ALGORITHMS_N; a++) {
    bool is_measured = times[a][kind][size] > 0;
    if (is_measured && (best < 0 || times[a][kind][size] < times[best][kind][size])) best = a;
  }
  return best;
}

/* Adds one row for consecutive sizes with the same fastest algorithm; the row of the largest size covers all sizes
 * above it. */
static void add_kind(struct lines *lines, const struct tune_team *team, tune_times times, int kind) {
  bool among_leaders = tune_kinds[kind].among_leaders;
  int sizes_n = tune_kinds[kind].has_size ? SIZES_N : 1, members = among_leaders ? team->nodes : team->units;
  for (int s = 0; s < sizes_n; s++) {
    int best = fastest(times, kind, s);
    if (best < 0 || (s + 1 < sizes_n && fastest(times, kind, s + 1) == best)) continue;
    char text[LINE_BYTES], bytes[32] = "any";
    if (s + 1 < sizes_n) snprintf(bytes, sizeof bytes, "%zu", tune_sizes[s]);
    snprintf(text, sizeof text, "%-14s %-7s %6d %8s %s", tune_kinds[kind].name,
             among_leaders ? "leaders" : place_of(team), members, bytes, tune_algorithms[best]);
    add(lines, members, text);
  }
}

bool tune_write(const char *path, const struct tune_team *team, tune_times times) {
  static struct lines lines;
  lines.n = 0;
  if (!keep_others(path, team, &lines)) return false;
  for (int k = 0; k < KINDS_N; k++) {
    if (team->nodes > 1 || !tune_kinds[k].among_leaders) add_kind(&lines, team, times, k);
  }
  qsort(lines.line, (size_t)lines.n, sizeof *lines.line, by_members);
  FILE *file = fopen(path, "w");
  if (!file) return false;
  fprintf(file, "# written by tessera-tune, for TESSERA_COLL_TABLE: collective, place, members, bytes, algorithm\n");
  for (int i = 0; i < lines.n; i++) fprintf(file, "%s\n", lines.line[i].text);
  return fclose(file) == 0;
}
