/* gasnet_am_args, compiled for several threads. */
#define GASNET_PAR 1
#include "gasnet_am_args.c"
