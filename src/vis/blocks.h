/* Copies of blocks of one size. Most copies of layouts and iovecs consist of these. The functions copy in the memory of this
 * process. Any thread may call them. None of them waits, allocates or fails.
 */
#ifndef TSR_VIS_BLOCKS_H
#define TSR_VIS_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>

/* Offsets. A list of pointers is also a list of offsets: from address 0 or, in another mapping of the same memory, from
 * the difference of the mappings. */
typedef ptrdiff_t tsr_off __attribute__((may_alias));

/* Where the blocks lie: block i of repetition t at t * step + (offs ? offs[i * apart] : i * apart) from a base. `apart`
 * is 1 in a list of offsets, and 2 in a list of pairs of an offset and a length. */
typedef struct tsr_places {
  const tsr_off *offs; /* the caller's */
  ptrdiff_t apart, step;
} tsr_places;

/* `n` blocks of `bytes`, repeated `times` times. Blocks of the destination overlap neither each other nor the source;
 * blocks of the source may overlap each other. */
typedef struct tsr_blocks {
  tsr_places to, from;
  size_t n, times, bytes;
} tsr_blocks;

/* Copies the blocks; `dest` and `src` are the bases. */
typedef void (*tsr_blocks_fn)(const tsr_blocks *blocks, char *dest, const char *src);

/* The kernel for blocks of `bytes` > 0. */
tsr_blocks_fn tsr_blocks_kernel(size_t bytes);

/* Copies blocks of any size and bypasses the caches. This pays from TSR_STREAM_FROM bytes in total, in runs of TSR_STREAM_RUN
 * bytes or more. */
enum { TSR_STREAM_FROM = 8 << 20, TSR_STREAM_RUN = 64 };
void tsr_blocks_stream(const tsr_blocks *blocks, char *dest, const char *src);

/* vis/spans.c, for the kernels: copies at least TSR_SPANS_FROM blocks of at most TSR_SPANS_MOST_BYTES that lie a
 * short distance apart, with AVX-512. False, and no block is copied: other kernels are faster for these blocks. */
enum { TSR_SPANS_MOST_BYTES = 31, TSR_SPANS_FROM = 64 /* masked steps, which copy fewer blocks, are mostly slower */ };
bool tsr_spans_copy(const tsr_blocks *blocks, char *dest, const char *src);

#endif
