/* What the inline functions of the installed headers go by. */
#ifndef TSR_API_GASNET_LOCAL_H
#define TSR_API_GASNET_LOCAL_H

#include <gex/near.h>

/* `near`: what the program itself reads; NULL: the library's. */
void tsr_gex_local_start(const struct gexi_near *near);
/* The segments of the team of all have changed. */
void tsr_gex_local_refresh(const struct gexi_tm *world);
void tsr_gex_local_stop(void);

#endif
