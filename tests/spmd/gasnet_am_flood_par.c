/* gasnet_am_flood, compiled for several threads. */
#define GASNET_PAR 1
#include "gasnet_am_flood.c"
