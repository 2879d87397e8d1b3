/* gasnet_am_limits in C++. */
#include "gasnet_am_limits.c"
