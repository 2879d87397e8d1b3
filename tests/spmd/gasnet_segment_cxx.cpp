/* gasnet_segment in C++. */
#include "gasnet_segment.c"
