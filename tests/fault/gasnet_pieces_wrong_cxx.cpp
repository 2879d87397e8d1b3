/* gasnet_pieces_wrong in C++, compiled for several threads. */
#define GASNET_PAR 1
#include "gasnet_pieces_wrong.c"
