/* What is moved where several programs have to move the same: tessera-perf and the peers. */
#ifndef PERF_SHAPES_H
#define PERF_SHAPES_H

#include <stddef.h>
#include <stdint.h>

/* stream.*: so many transfers are under way at once. */
enum { PERF_STREAM_N = 16 };

/* pieces.*: 64 bytes of doubles, one piece in four of the memory: 25 %. */
enum { PERF_PIECE_N = 8, PERF_PIECE_APART = 4 * PERF_PIECE_N };

/* vis.*, limits.gather, limits.scatter: one double in so many, 25 %. */
enum { PERF_APART = 4 };

/* scatter.*: so many doubles, each somewhere in its own part of the memory, no two next to each other by rule. */
enum { PERF_SCATTER_N = 1000, PERF_SCATTER_APART = 64 };

/* Where each double of a scatter lies, in doubles from the start; the same whenever it is called. */
static inline void perf_scatter(size_t offset[PERF_SCATTER_N]) {
  uint32_t state = 1;
  for (size_t i = 0; i < PERF_SCATTER_N; i++) {
    state = state * UINT32_C(1664525) + UINT32_C(1013904223);
    offset[i] = i * PERF_SCATTER_APART + (state >> 24) % PERF_SCATTER_APART;
  }
}

#endif
