/* gasnet_legacy_am in C++. */
#include "gasnet_legacy_am.c"
