/* gasnet_exit, compiled for several threads. */
#define GASNET_PAR 1
#include "gasnet_exit.c"
