/* A Kronecker graph of 2^scale vertices, as Graph500 describes it. Each unit computes the edges that it needs: an edge follows from
 * its number. */
#ifndef EXAMPLES_KRONECKER_H
#define EXAMPLES_KRONECKER_H

#include <stdint.h>

#include "random.h"

enum { KRONECKER_SCALE_MAX = 28 };

typedef struct {
  uint32_t to, from;
} edge;

/* Gives the vertices other numbers, so that those with many edges have different owners. */
static inline uint32_t kronecker_shuffled(uint32_t v, long scale)
{
  for (int i = 0; i < 3; i++) {
    v = (v * 0x9e3779b1u + 1) & ((1u << scale) - 1);
    v ^= v >> (scale + 1) / 2;
  }
  return v;
}

/* Each bit of the two vertices is 0 0, 0 1, 1 0 or 1 1, with the probabilities 0.57, 0.19, 0.19 and 0.05. */
static inline edge kronecker_edge(uint64_t number, long scale)
{
  edge e = {0, 0};
  for (long bit = 0; bit < scale; bit++) {
    const uint64_t percent = (random_number(number * KRONECKER_SCALE_MAX + (uint64_t)bit) >> 32) * 100 >> 32;
    e.from = e.from << 1 | (percent >= 76);
    e.to = e.to << 1 | ((percent >= 57 && percent < 76) || percent >= 95);
  }
  return (edge){kronecker_shuffled(e.to, scale), kronecker_shuffled(e.from, scale)};
}

#endif
