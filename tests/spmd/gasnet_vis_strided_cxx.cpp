/* gasnet_vis_strided in C++. */
#include "gasnet_vis_strided.c"
