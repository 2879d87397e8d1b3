/* gasnet_legacy_coll in C++, and for threads that take turns. */
#define GASNET_PARSYNC 1
#include "gasnet_legacy_coll.c"
