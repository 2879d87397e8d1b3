/* Copies past the caches, which pay where what is written is more than these hold: lines are written as a whole without being
 * read first, and nothing else has to leave. */
#ifndef TSR_VIS_STREAM_H
#define TSR_VIS_STREAM_H

#include <stddef.h>

/* From so many bytes in all, in runs of so many. */
enum { TSR_STREAM_FROM = 8 << 20, TSR_STREAM_RUN = 64 };

/* Any ranges that do not overlap. Complete, to other threads and to later stores, after tsr_stream_end. */
void tsr_stream_copy(char *restrict dest, const char *restrict src, size_t bytes);
void tsr_stream_end(void);

#endif
