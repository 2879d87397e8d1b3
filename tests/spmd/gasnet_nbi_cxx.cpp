/* gasnet_nbi in C++. */
#include "gasnet_nbi.c"
