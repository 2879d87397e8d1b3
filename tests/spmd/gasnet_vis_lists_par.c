/* gasnet_vis_lists, compiled for several threads. */
#define GASNET_PAR 1
#include "gasnet_vis_lists.c"
