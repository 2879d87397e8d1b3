/* Shapes of transfers that are the same in tessera-perf and in the peers. */
#ifndef PERF_SHAPES_H
#define PERF_SHAPES_H

#include <stddef.h>
#include <stdint.h>

/* stream.*: transfers in progress at once, and their usual sizes. */
enum { PERF_STREAM_N = 16 };
#define PERF_STREAM_SIZES {8, 512, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20}

/* shmem.put_nbi, shmem.amo: operations before a quiet. */
enum { PERF_FLOOD_N = 64 };

/* pieces.*: pieces of 64 bytes, which are 25 % of the memory. */
enum { PERF_PIECE_N = 8, PERF_PIECE_APART = 4 * PERF_PIECE_N };

/* vis.*, limits.gather, limits.scatter: the distance in doubles; 25 % of the memory is moved. */
enum { PERF_APART = 4 };

/* scatter.*: the number of doubles. Each lies somewhere in a part of its own, mostly not next to another one. */
enum { PERF_SCATTER_N = 1000, PERF_SCATTER_APART = 64 };

/* The place of each double of a scatter, in doubles from the start; the same in every call. */
static inline void perf_scatter(size_t offset[PERF_SCATTER_N]) {
  uint32_t state = 1;
  for (size_t i = 0; i < PERF_SCATTER_N; i++) {
    state = state * UINT32_C(1664525) + UINT32_C(1013904223);
    offset[i] = i * PERF_SCATTER_APART + (state >> 24) % PERF_SCATTER_APART;
  }
}

#endif
