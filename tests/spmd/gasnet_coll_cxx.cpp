/* gasnet_coll in C++. */
#include "gasnet_coll.c"
