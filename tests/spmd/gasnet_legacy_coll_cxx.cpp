/* gasnet_legacy_coll in C++, and compiled for threads that take turns. */
#define GASNET_PARSYNC 1
#include "gasnet_legacy_coll.c"
