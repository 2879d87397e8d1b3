/* gasnet_vis_peer in C++. */
#include "gasnet_vis_peer.c"
