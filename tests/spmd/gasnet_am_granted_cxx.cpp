/* gasnet_am_granted in C++. */
#include "gasnet_am_granted.c"
