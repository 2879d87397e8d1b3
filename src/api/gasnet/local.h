/* The record that inline functions of the installed headers read. */
#ifndef TSR_API_GASNET_LOCAL_H
#define TSR_API_GASNET_LOCAL_H

#include <gex/near.h>

/* `near`: the record that the program reads; NULL: the library's. */
void tsr_gex_local_start(const struct gexi_near *near);
/* Called when the segments of the team of all have changed. */
void tsr_gex_local_refresh(const struct gexi_tm *world);
void tsr_gex_local_stop(void);

#endif
