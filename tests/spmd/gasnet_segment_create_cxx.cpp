/* gasnet_segment_create in C++. */
#include "gasnet_segment_create.c"
