/* gasnet_atomic, compiled for several threads. */
#define GASNET_PAR 1
#include "gasnet_atomic.c"
