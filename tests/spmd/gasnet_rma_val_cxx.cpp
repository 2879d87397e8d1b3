/* gasnet_rma_val in C++. */
#include "gasnet_rma_val.c"
