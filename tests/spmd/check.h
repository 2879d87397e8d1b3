/* Checks in SPMD programs. A failed check prints place, unit and the value found. The program continues, so that
 * collective calls stay matched, and ends with exit code 1. */
#ifndef CHECK_H
#define CHECK_H

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <tessera.h>

static int check_failures;

#define CHECK(condition)                                                                                      \
  do {                                                                                                        \
    if (!(condition)) {                                                                                       \
      check_failures++;                                                                                       \
      fprintf(stderr, "%s:%d: unit %d: failed: %s\n", __FILE__, __LINE__, tessera_unit(), #condition);        \
    }                                                                                                         \
  } while (0)

#define CHECK_EQ(actual, expected)                                                                            \
  do {                                                                                                        \
    long long actual_ = (long long)(actual), expected_ = (long long)(expected);                               \
    if (actual_ != expected_) {                                                                               \
      check_failures++;                                                                                       \
      fprintf(stderr, "%s:%d: unit %d: %s is %lld, not %lld\n", __FILE__, __LINE__, tessera_unit(), #actual, \
              actual_, expected_);                                                                            \
    }                                                                                                         \
  } while (0)

/* Seconds after which a program that hangs says where: a little before the launcher ends the job (RUN_TIMEOUT). */
static inline unsigned check_seconds(void) {
  const char *limit = getenv("RUN_TIMEOUT");
  return limit && atoi(limit) > 10 ? (unsigned)atoi(limit) - 5 : 50;
}

/* The exit code of a program that is skipped before it calls MPI. If all processes end while Hydra still tells their
 * proxy how to start them, Hydra dies of a broken pipe, in 1 of 30 runs. */
static inline int check_skip(void) {
  const struct timespec moment = {0, 100000000};
  nanosleep(&moment, NULL);
  return 77;
}

/* Whether this is a run of `make check`: programs with hundreds of like cases take some of them, and all in `make soak` and
 * `make sanitize`. Cases that are alone of their kind are always there. */
static inline bool check_is_brief(void) { return getenv("CHECK_BRIEF") != NULL; }

/* The number of entries of a folder. */
static inline int entries(const char *folder) {
  DIR *dir = opendir(folder);
  int n = 0;
  while (dir && readdir(dir)) n++;
  if (dir) closedir(dir);
  return n;
}

/* The exit code: 0 if every check of this unit held. */
static inline int check_result(void) { return check_failures ? EXIT_FAILURE : EXIT_SUCCESS; }

#endif
