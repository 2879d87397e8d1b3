/* The same in C++; older programs include the header in this way. */
extern "C" {
#include <shmem.h>
}

#include "shmem_names.c"
