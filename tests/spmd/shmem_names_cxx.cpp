/* The same in C++. */
#include "shmem_names.c"
