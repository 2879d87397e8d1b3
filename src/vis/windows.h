/* Copies of small elements a short distance apart, such as one field of many small structures, with AVX-512: loads
 * everything around the elements, permutes the bytes, and stores under a mask. Bytes between the elements are read if
 * they share a cache line with an element, but never written. */
#ifndef TSR_VIS_WINDOWS_H
#define TSR_VIS_WINDOWS_H

#include <stdbool.h>

#include "vis/blocks.h"

enum { TSR_WINDOWS_MOST_BYTES = 31, TSR_WINDOWS_FROM = 64 /* blocks; fewer are mostly copied by the slower masked steps */ };

/* Copies at least TSR_WINDOWS_FROM blocks of at most TSR_WINDOWS_MOST_BYTES. False, and no block is copied: other
 * kernels are faster for these blocks. */
bool tsr_windows_copy(const tsr_blocks *blocks, char *dest, const char *src);

#endif
