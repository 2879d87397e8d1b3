/* Blocks of one size, equally many on both sides: what most lists of runs and most blocks of elements come down to. Pure
 * computation on memory of this process. Any thread; nothing here waits, allocates or fails.
 */
#ifndef TSR_VIS_BLOCKS_H
#define TSR_VIS_BLOCKS_H

#include <stddef.h>

/* Offsets. A list of pointers is one, too, from address 0 or, in another mapping of the same memory, from the difference. */
typedef ptrdiff_t tsr_off __attribute__((may_alias));

/* Where the blocks lie: block i of repetition t at t * step + (offs ? offs[i * apart] : i * apart) from a base. In a list of
 * offsets alone `apart` is 1, in one of pairs of an offset and a length it is 2. */
typedef struct tsr_places {
  const tsr_off *offs; /* the caller's */
  ptrdiff_t apart, step;
} tsr_places;

/* `n` blocks of `bytes`, `times` times over. Those of the destination overlap neither each other nor the source; those
 * of the source may overlap each other. */
typedef struct tsr_blocks {
  tsr_places to, from;
  size_t n, times, bytes;
} tsr_blocks;

/* Copies them, from base to base. */
typedef void (*tsr_blocks_fn)(const tsr_blocks *blocks, char *dest, const char *src);

/* The kernel for blocks of this many bytes, at least 1. */
tsr_blocks_fn tsr_blocks_kernel(size_t bytes);

/* The one that goes past the caches (vis/stream.h), for blocks of any size. */
void tsr_blocks_stream(const tsr_blocks *blocks, char *dest, const char *src);

#endif
