/* Segments: the one that all processes attach together, and those that each makes by itself. */
#ifndef TSR_API_GASNET_SEGMENT_H
#define TSR_API_GASNET_SEGMENT_H

#include "api/gasnet/gasnet_api.h"


/* For the end: what was made, and not destroyed. */
void tsr_gex_segments_stop(void);

#endif
