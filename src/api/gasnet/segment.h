/* Segments: the one that all processes attach together, and those that a process creates alone. */
#ifndef TSR_API_GASNET_SEGMENT_H
#define TSR_API_GASNET_SEGMENT_H

#include "api/gasnet/gasnet_api.h"

/* At the end of the interface: frees the segments that were created and not destroyed. */
void tsr_gex_segments_stop(void);

#endif
