/* Atomic domains. */
#ifndef TSR_API_GASNET_ATOMIC_H
#define TSR_API_GASNET_ATOMIC_H

#include <gex/ratomic.h>

#include "base/arith.h"

/* Inline functions of the headers see the first member. Domains are reused but never freed, so that the use of a
 * destroyed one is recognised. */
typedef struct tsr_gex_ad {
  struct gexi_ad near;
  gex_Flags_t flags;
  const void *cdata;
  struct tsr_gex_ad *next; /* list of free domains */
} tsr_gex_ad;

/* An invalid or destroyed domain ends the job. */
tsr_gex_ad *tsr_gex_ad_of(const char *call, gex_AD_t ad);

/* NULL: not exactly one known bit. */
const char *tsr_gex_op_name(gex_OP_t op);
const char *tsr_gex_dt_name(gex_DT_t dt);

/* Stores the core's type. False: unknown, or GEX_DT_USER. */
bool tsr_gex_type(gex_DT_t dt, tsr_type *type);

#endif
