/* gasnet_barrier, compiled for several threads. */
#define GASNET_PAR 1
#include "gasnet_barrier.c"
