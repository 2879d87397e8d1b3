/* gasnet_query in C++. */
#include "gasnet_query.c"
