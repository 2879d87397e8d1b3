/* gasnet_am_immediate in C++. */
#include "gasnet_am_immediate.c"
