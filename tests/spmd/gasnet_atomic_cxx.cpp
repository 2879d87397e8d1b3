/* gasnet_atomic in C++. */
#include "gasnet_atomic.c"
