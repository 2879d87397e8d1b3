/* Small elements a little apart, such as one field of many small structures: many at a time by loading all that lies around
 * them, on CPUs that permute the bytes of a line and store under a mask. What lies between the elements is read, where it
 * shares their lines, but never written. */
#ifndef TSR_VIS_WINDOWS_H
#define TSR_VIS_WINDOWS_H

#include <stdbool.h>

#include "vis/blocks.h"

enum { TSR_WINDOWS_MOST_BYTES = 31, TSR_WINDOWS_FROM = 64 /* blocks at a time; of fewer most take a step under masks */ };

/* Copies at least TSR_WINDOWS_FROM blocks of at most TSR_WINDOWS_MOST_BYTES. False, and nothing is done: they are not such that
 * it is quicker. */
bool tsr_windows_copy(const tsr_blocks *blocks, char *dest, const char *src);

#endif
