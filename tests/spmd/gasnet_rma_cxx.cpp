/* gasnet_rma in C++. */
#include "gasnet_rma.c"
