/* The same for a program with threads. */
#define GASNET_PAR 1
#include "gasnet_wrong.c"
