/* gasnet_am_table in C++. */
#include "gasnet_am_table.c"
