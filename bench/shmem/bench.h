/* What the programs share: options, time, random numbers, and the line with the result. A program is one file, so that
 * the compiler wrapper of any OpenSHMEM builds it with one command. */
#ifndef BENCH_SHMEM_BENCH_H
#define BENCH_SHMEM_BENCH_H

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <shmem.h>

#include "older.h"

enum { WRONG_ARGUMENTS = 2 /* exit code */ };

/* `--NAME N` on the command line; *value holds the default. */
struct option {
  const char *name;
  long least, most; /* the same on all PEs */
  long *value;
};

static inline bool is_valid(const struct option *option, const char *text) {
  char *end;
  errno = 0;
  *option->value = strtol(text, &end, 10);
  return end != text && !*end && !errno && *option->value >= option->least && *option->value <= option->most;
}

/* Returns false if an argument is wrong; PE 0 has printed the reason. */
static inline bool read_options(const char *program, int argc, char **argv, int n, const struct option options[]) {
  const bool speaks = shmem_my_pe() == 0;
  for (int i = 1; i < argc; i += 2) {
    const struct option *found = NULL;
    for (int k = 0; k < n; k++) {
      if (!strncmp(argv[i], "--", 2) && !strcmp(argv[i] + 2, options[k].name)) found = &options[k];
    }
    if (found && i + 1 < argc && is_valid(found, argv[i + 1])) continue;
    if (speaks && found) {
      fprintf(stderr, "%s: --%s needs a whole number from %ld to %ld, got '%s'\n", program, found->name, found->least,
              found->most, i + 1 < argc ? argv[i + 1] : "");
    } else if (speaks) {
      fprintf(stderr, "%s: unknown argument '%s'; options:", program, argv[i]);
      for (int k = 0; k < n; k++) fprintf(stderr, " --%s N", options[k].name);
      fprintf(stderr, "\n");
    }
    return false;
  }
  return true;
}

static inline double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Steps through 2^64 random numbers; states that differ by little give numbers that have nothing in common. */
static inline uint64_t draw(uint64_t *state) {
  uint64_t x = *state += 0x9e3779b97f4a7c15;
  x = (x ^ x >> 32) * 0xd6e8feb86659fd93;
  x = (x ^ x >> 32) * 0xd6e8feb86659fd93;
  return x ^ x >> 32;
}

static inline long smaller(long x, long y) { return x < y ? x : y; }
static inline long larger(long x, long y) { return x > y ? x : y; }

/* Ends the job if a call has failed. */
static inline void require(bool good, const char *call) {
  if (good) return;
  fprintf(stderr, "PE %d: %s failed\n", shmem_my_pe(), call);
  shmem_global_exit(1);
}

static inline void *not_null(void *memory, size_t bytes) {
  if (memory || bytes == 0) return memory;
  fprintf(stderr, "PE %d has no room for %zu bytes; for symmetric memory see SHMEM_SYMMETRIC_SIZE\n", shmem_my_pe(),
          bytes);
  shmem_global_exit(1);
  return NULL;
}

/* Memory of zeros. Symmetric memory is allocated by all PEs together. */
static inline void *private_memory(size_t n, size_t bytes) { return not_null(calloc(n, bytes), n * bytes); }
static inline void *symmetric_memory(size_t n, size_t bytes) { return not_null(shmem_calloc(n, bytes), n * bytes); }

/* Runs rounds 1 to `rounds` + 1. Returns the seconds of all but the first, which warms up. Collective. */
static inline double time_rounds(long rounds, void (*run)(uint64_t round)) {
  double since = 0;
  for (long round = 0; round <= rounds; round++) {
    if (round == 1) {
      shmem_barrier_all();
      since = now();
    }
    run((uint64_t)round + 1);
  }
  shmem_barrier_all();
  return now() - since;
}

/* Prints the result of all PEs: the time of the slowest one, `amount` of work (of all PEs together) by this time, and
 * whether no PE has found an error. Returns the program's exit code. Collective. */
static inline int report(const char *program, double seconds, double amount, const char *unit, long errors_n) {
  static double mine, slowest;
  static long errors_mine, errors_all;
  mine = seconds;
  errors_mine = errors_n;
  shmem_double_max_reduce(SHMEM_TEAM_WORLD, &slowest, &mine, 1);
  shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &errors_all, &errors_mine, 1);
  if (shmem_my_pe() == 0) {
    printf("%s: %.6f s: %.4g %s/s; %d PEs, ", program, slowest, amount / slowest, unit, shmem_n_pes());
    printf(errors_all ? "WRONG: %ld errors\n" : "verified\n", errors_all);
  }
  return errors_all ? 1 : 0;
}

#endif
