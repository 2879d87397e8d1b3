/* gasnet_hsl in C++. */
#include "gasnet_hsl.c"
