/* What the inline functions of the installed headers go by. */
#ifndef TSR_FACES_GASNET_NEAR_H
#define TSR_FACES_GASNET_NEAR_H

#include <gex/near.h>

/* `near`: what the program itself reads; NULL: the library's. */
void tsr_gex_near_start(const struct gexi_near *near);
/* The segments of the team of all have changed. */
void tsr_gex_near_refresh(const struct gexi_tm *world);
void tsr_gex_near_stop(void);

#endif
