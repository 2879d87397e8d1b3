/* gasnet_tools, compiled for several threads. */
#define GASNET_PAR 1
#include "gasnet_tools.c"
