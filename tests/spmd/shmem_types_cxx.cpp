/* The same in C++. */
#include "shmem_types.c"
