/* Copies past the caches, for destinations larger than the caches: cache lines are written without being read first,
 * and no other data is evicted. */
#ifndef TSR_VIS_STREAM_H
#define TSR_VIS_STREAM_H

#include <stddef.h>

/* Streaming pays from TSR_STREAM_FROM bytes in total, in runs of TSR_STREAM_RUN bytes or more. */
enum { TSR_STREAM_FROM = 8 << 20, TSR_STREAM_RUN = 64 };

/* The ranges do not overlap. The copy is ordered before later stores only after tsr_stream_end. */
void tsr_stream_copy(char *restrict dest, const char *restrict src, size_t bytes);
void tsr_stream_end(void);

#endif
