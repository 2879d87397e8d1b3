/* GASNet-1's names that belong to GASNet-EX, too. */
#ifndef TSR_GASNET_GEX_LEGACY_H
#define TSR_GASNET_GEX_LEGACY_H

#endif
