/* gasnet_hsl_threads in C++. */
#include "gasnet_hsl_threads.c"
