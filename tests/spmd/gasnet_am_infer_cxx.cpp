/* gasnet_am_infer in C++. */
#include "gasnet_am_infer.c"
