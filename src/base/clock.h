#ifndef TSR_BASE_CLOCK_H
#define TSR_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Monotonic time in nanoseconds; the zero is arbitrary but the same in all processes of a host. */
static inline uint64_t tsr_clock_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

#endif
