/* gasnet_legacy_coll, compiled for several threads. */
#define GASNET_PAR 1
#include "gasnet_legacy_coll.c"
