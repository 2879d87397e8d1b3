/* The maximal size of segments. */
#ifndef TSR_API_GASNET_LIMIT_H
#define TSR_API_GASNET_LIMIT_H

#include <stdint.h>

/* Computes the limits before the first attach. Collective over the job. */
void tsr_gex_limits_start(void);
/* The limit for this process. */
uintptr_t tsr_gex_limit_local(void);

#endif
