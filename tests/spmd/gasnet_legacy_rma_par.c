/* gasnet_legacy_rma, compiled for several threads. */
#define GASNET_PAR 1
#include "gasnet_legacy_rma.c"
