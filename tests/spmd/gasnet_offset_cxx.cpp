/* gasnet_offset in C++, and compiled for several threads. */
#define GASNET_PAR 1
#include "gasnet_offset.c"
