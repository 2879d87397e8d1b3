/* What the two NAS Parallel Benchmarks here share: their random numbers, their options, and their report. Both are written from
 * the published description (technical report RNR-94-007, "The NAS Parallel Benchmarks", and the classes and values of the later
 * releases 2 and 3). */
#ifndef BENCH_STUDIES_NAS_H
#define BENCH_STUDIES_NAS_H

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "../rows.h"

enum { NAS_WRONG_ARGUMENTS = 2 /* exit code */, NAS_ROUNDS_MAX = 100 };

/* ---- Random numbers: x' = 5^13 x modulo 2^46, scaled to (0, 1) ---- */

#define NAS_SEED UINT64_C(314159265)
#define NAS_FACTOR UINT64_C(1220703125) /* 5^13 */

/* Unsigned 64-bit products are right modulo 2^64, and so modulo 2^46. */
static inline uint64_t nas_times(uint64_t x, uint64_t y) { return x * y & ((UINT64_C(1) << 46) - 1); }

static inline double nas_random(uint64_t *state) {
  *state = nas_times(*state, NAS_FACTOR);
  return (double)*state * 0x1p-46;
}

/* Goes n numbers ahead at once, so that each unit finds its own part of the sequence. */
static inline void nas_skip(uint64_t *state, uint64_t n) {
  for (uint64_t power = NAS_FACTOR; n; n >>= 1, power = nas_times(power, power))
    if (n & 1) *state = nas_times(*state, power);
}

/* ---- Options ---- */

typedef struct {
  int size;     /* class S, W, A or B: 0 to 3 */
  bool overlap; /* --transfer nonblocking: compute while data is on its way */
  long rounds;  /* the whole benchmark is run so many times */
} nas_options;

#define NAS_CLASSES "SWAB"
#define NAS_DEFAULTS {0, false, 1}

static inline bool nas_read_option(const char *name, const char *value, nas_options *o) {
  if (!strcmp(name, "--class")) {
    const char *found = strchr(NAS_CLASSES, value[0]);
    if (!found || strlen(value) != 1) return false;
    o->size = (int)(found - NAS_CLASSES);
    return true;
  }
  if (!strcmp(name, "--transfer")) {
    o->overlap = !strcmp(value, "nonblocking");
    return o->overlap || !strcmp(value, "blocking");
  }
  char *end;
  errno = 0;
  o->rounds = strtol(value, &end, 10);
  return !strcmp(name, "--rounds") && end != value && !*end && !errno && o->rounds >= 1 && o->rounds <= NAS_ROUNDS_MAX;
}

/* Returns false if an argument is wrong; the unit that `speaks` has then printed the reason. */
static inline bool nas_read_options(const char *program, int argc, char **argv, bool speaks, nas_options *o) {
  for (int i = 1; i < argc; i += 2) {
    if (i + 1 < argc && nas_read_option(argv[i], argv[i + 1], o)) continue;
    if (speaks)
      fprintf(stderr, "%s: wrong argument '%s%s%s'; options: --class S|W|A|B, --transfer blocking|nonblocking, "
              "--rounds 1 to %d\n", program, argv[i], i + 1 < argc ? " " : "", i + 1 < argc ? argv[i + 1] : "", NAS_ROUNDS_MAX);
    return false;
  }
  return true;
}

/* ---- Report ---- */

/* Private memory. No unit goes on without it. */
static inline void *nas_private(size_t n, size_t bytes) {
  void *memory = calloc(n ? n : 1, bytes);
  if (memory) return memory;
  fprintf(stderr, "no memory for %zu bytes; choose a smaller class\n", n * bytes);
  abort();
}

/* Whether a result is the published one but for rounding. The unit that `speaks` says so if it is not. */
static inline bool nas_is_right(bool speaks, const char *what, int size, double result, double published, double tolerance) {
  const bool right = fabs(result - published) <= tolerance * fabs(published); /* false if it is no number */
  if (!right && speaks)
    fprintf(stderr, "wrong result: %s of class %c is %.15g, published is %.15g\n", what, NAS_CLASSES[size], result, published);
  return right;
}

static inline void nas_row(const char *benchmark, int size, const char *variant, int units, long rounds, double *seconds) {
  char work[32];
  snprintf(work, sizeof work, "%s.%c", benchmark, NAS_CLASSES[size]);
  study_row(work, variant, 0, units, "s", (int)rounds, seconds);
}

#endif
