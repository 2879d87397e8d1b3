/* gasnet_barrier in C++. */
#define GASNET_PARSYNC 1
#include "gasnet_barrier.c"
