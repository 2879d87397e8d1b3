/* Atomic domains. */
#ifndef TSR_API_GASNET_ATOMIC_H
#define TSR_API_GASNET_ATOMIC_H

#include <gex/ratomic.h>

#include "base/arith.h"

/* The first member is what the inline functions see. Domains are used again, never freed: who uses one after its end is told so. */
typedef struct tsr_gex_ad {
  struct gexi_ad near;
  gex_Flags_t flags;
  const void *cdata;
  struct tsr_gex_ad *next; /* of those that are free */
} tsr_gex_ad;

/* The domain; dies when it is none any more, or never was. */
tsr_gex_ad *tsr_gex_ad_of(const char *call, gex_AD_t ad);

/* Of one bit. NULL: it names none. */
const char *tsr_gex_op_name(gex_OP_t op);
const char *tsr_gex_dt_name(gex_DT_t dt);

/* The core's type. False: it is none, or the program's own. */
bool tsr_gex_type(gex_DT_t dt, tsr_type *type);

#endif
