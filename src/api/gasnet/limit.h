/* How large segments may be. */
#ifndef TSR_API_GASNET_LIMIT_H
#define TSR_API_GASNET_LIMIT_H

#include <stdint.h>

/* Finds out, when nobody has attached anything yet; collective over the job. */
void tsr_gex_limits_start(void);
/* What this process may attach. */
uintptr_t tsr_gex_limit_local(void);

#endif
