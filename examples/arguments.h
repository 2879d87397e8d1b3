/* Reads whole numbers from the command line of an example. */
#ifndef EXAMPLES_ARGUMENTS_H
#define EXAMPLES_ARGUMENTS_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { WRONG_ARGUMENTS = 2 /* exit code */ };

/* An optional argument; *value holds the default. */
struct argument {
  const char *name;
  long least, most;
  long *value;
};

/* Reads the arguments in order. Returns false if one of them is invalid, or if there are too many; the unit with
 * `speaks` then prints the reason. */
static inline int read_arguments(const char *program, int argc, char **argv, int speaks, int n, const struct argument wanted[])
{
  for (int i = 0; i < n && i + 1 < argc; i++) {
    const struct argument *a = &wanted[i];
    char *end;
    errno = 0;
    const long value = strtol(argv[i + 1], &end, 10);
    if (end == argv[i + 1] || *end || errno || value < a->least || value > a->most) {
      if (speaks)
        fprintf(stderr, "%s: %s needs a whole number from %ld to %ld, got '%s'\n", program, a->name, a->least, a->most,
                argv[i + 1]);
      return 0;
    }
    *a->value = value;
  }
  if (argc <= n + 1) return 1;
  if (speaks) fprintf(stderr, "%s: '%s' is one argument too many\n", program, argv[n + 1]);
  return 0;
}

#endif
