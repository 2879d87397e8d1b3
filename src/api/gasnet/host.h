#ifndef TSR_API_GASNET_HOST_H
#define TSR_API_GASNET_HOST_H

#include <gex/client.h>

/* Numbers of a rank's neighbourhood and host. The caller has checked the range. */
gex_Rank_t tsr_gex_neighbourhood_of(gex_Rank_t rank);
gex_Rank_t tsr_gex_host_of(gex_Rank_t rank);

#endif
