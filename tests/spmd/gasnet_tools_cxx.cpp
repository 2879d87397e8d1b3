/* gasnet_tools, compiled for several threads, one at a time, and in C++. */
#define GASNET_PARSYNC 1
#include "gasnet_tools.c"
