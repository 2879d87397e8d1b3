/* gasnet_init in C++. */
#include "gasnet_init.c"
