/* gasnet_event in C++. */
#include "gasnet_event.c"
