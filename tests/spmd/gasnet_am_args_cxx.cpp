/* gasnet_am_args in C++. */
#include "gasnet_am_args.c"
