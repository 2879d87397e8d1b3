/* A sequence of pseudo-random numbers of which each unit computes the part that it needs: a number is its index times a
 * large odd factor, with its bits mixed. */
#ifndef EXAMPLES_RANDOM_H
#define EXAMPLES_RANDOM_H

#include <stdint.h>

static inline uint64_t random_number(uint64_t index)
{
  uint64_t bits = (index + 1) * UINT64_C(0x9e3779b97f4a7c15);
  bits = (bits ^ bits >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  bits = (bits ^ bits >> 27) * UINT64_C(0x94d049bb133111eb);
  return bits ^ bits >> 31;
}

/* From 0 to 1. */
static inline double random_part(uint64_t index) { return (double)(random_number(index) >> 11) * 0x1p-53; }

#endif
