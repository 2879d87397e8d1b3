/* The time, in seconds from a fixed moment. */
#ifndef EXAMPLES_CLOCK_H
#define EXAMPLES_CLOCK_H

#include <time.h>

static inline double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
