/* gasnet_names in C++. */
#define GASNET_PARSYNC 1
#include "gasnet_names.c"
