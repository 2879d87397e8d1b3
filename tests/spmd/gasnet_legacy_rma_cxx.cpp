/* gasnet_legacy_rma in C++. */
#define GASNET_PARSYNC 1
#include "gasnet_legacy_rma.c"
