/* gasnet_vis_lists in C++. */
#include "gasnet_vis_lists.c"
