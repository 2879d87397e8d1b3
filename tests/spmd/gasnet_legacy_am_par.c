/* gasnet_legacy_am, compiled for several threads. */
#define GASNET_PAR 1
#include "gasnet_legacy_am.c"
