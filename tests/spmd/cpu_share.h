/* The share of a time for which this process uses the CPU. */
#ifndef CPU_SHARE_H
#define CPU_SHARE_H

#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

#include "check.h"

static inline double clock_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
static inline double seconds_of(struct timeval time) { return (double)time.tv_sec + 1e-6 * (double)time.tv_usec; }
static inline double cpu_seconds(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
}

/* Checks that the CPU was used for less than half of the time since `began`, when it had been used for `had_run`. */
static inline void check_has_slept(const char *name, double began, double had_run) {
  double waited = clock_seconds() - began, percent = 100 * (cpu_seconds() - had_run) / waited;
  printf("%s: runs for %.1f %% of %.2f s\n", name, percent, waited);
  CHECK(percent < 50);
}

#endif
