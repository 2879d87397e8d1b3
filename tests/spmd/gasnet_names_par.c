/* gasnet_names, compiled for several threads. */
#define GASNET_PAR 1
#include "gasnet_names.c"
