/* gasnet_vis_strided, compiled for several threads. */
#define GASNET_PAR 1
#include "gasnet_vis_strided.c"
