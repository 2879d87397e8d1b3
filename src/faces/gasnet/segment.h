/* Segments: the one that all processes attach together, and those that each makes by itself. */
#ifndef TSR_FACES_GASNET_SEGMENT_H
#define TSR_FACES_GASNET_SEGMENT_H

#include "faces/gasnet/gasnet_face.h"


/* For the end: what was made, and not destroyed. */
void tsr_gex_segments_stop(void);

#endif
