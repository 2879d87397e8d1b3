/* Options of the form --NAME VALUE: a whole number, a list of them (1024,4096), or words. */
#ifndef BENCH_STUDIES_OPTIONS_H
#define BENCH_STUDIES_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPTION_LIST_MAX = 16, WRONG_OPTIONS = 2 /* exit code */ };

/* The variables hold the defaults. */
struct option {
  const char *name;
  long least, most;   /* of each number */
  long *values;       /* one, or a list of up to OPTION_LIST_MAX */
  int *values_n;      /* length of the list; NULL: one number */
  const char **words; /* not NULL: the value is taken as it stands, and no number */
};

static inline bool option_numbers(const struct option *o, const char *text) {
  const int most_n = o->values_n ? OPTION_LIST_MAX : 1;
  long numbers[OPTION_LIST_MAX];
  int n = 0;
  for (const char *at = text;; at++) {
    char *end;
    if (n == most_n) return false;
    numbers[n] = strtol(at, &end, 10);
    if (end == at || numbers[n] < o->least || numbers[n] > o->most) return false;
    n++;
    at = end;
    if (!*at) break;
    if (*at != ',') return false;
  }
  memcpy(o->values, numbers, (size_t)n * sizeof *numbers);
  if (o->values_n) *o->values_n = n;
  return true;
}

static inline const struct option *option_named(const char *text, int n, const struct option options[]) {
  for (int i = 0; i < n; i++)
    if (strncmp(text, "--", 2) == 0 && strcmp(text + 2, options[i].name) == 0) return &options[i];
  return NULL;
}

/* Returns false if an argument is wrong; the process with `speaks` then prints the reason. */
static inline bool option_read(const char *program, int argc, char **argv, bool speaks, int n, const struct option options[]) {
  for (int i = 1; i < argc; i += 2) {
    const struct option *o = option_named(argv[i], n, options);
    if (!o || i + 1 == argc) {
      if (speaks) fprintf(stderr, o ? "%s: %s needs a value\n" : "%s: unknown option %s\n", program, argv[i]);
      return false;
    }
    if (o->words) {
      *o->words = argv[i + 1];
    } else if (!option_numbers(o, argv[i + 1])) {
      if (speaks)
        fprintf(stderr, "%s: --%s needs %s from %ld to %ld, got '%s'\n", program, o->name,
                o->values_n ? "up to 16 whole numbers with commas between them, each" : "a whole number", o->least, o->most,
                argv[i + 1]);
      return false;
    }
  }
  return true;
}

/* Whether a list of words (get,stream) contains this one. */
static inline bool option_has(const char *words, const char *word) {
  const size_t length = strlen(word);
  for (const char *at = words; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
    if (strncmp(at, word, length) == 0 && (at[length] == ',' || !at[length])) return true;
  return false;
}

/* Whether each word of a list is one of the n known ones. The process with `speaks` prints the first that is not. */
static inline bool option_known(const char *program, const char *words, bool speaks, int n, const char *const known[]) {
  for (const char *at = words; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
    const int length = (int)strcspn(at, ",");
    bool found = false;
    for (int i = 0; i < n; i++) found = found || ((int)strlen(known[i]) == length && strncmp(at, known[i], (size_t)length) == 0);
    if (found) continue;
    if (speaks) fprintf(stderr, "%s: there is no work '%.*s'\n", program, length, at);
    return false;
  }
  return true;
}

#endif
