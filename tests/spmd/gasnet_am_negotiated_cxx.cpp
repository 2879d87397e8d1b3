/* gasnet_am_negotiated in C++. */
#include "gasnet_am_negotiated.c"
