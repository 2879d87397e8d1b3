/* gasnet_block, compiled for several threads. */
#define GASNET_PAR 1
#include "gasnet_block.c"
