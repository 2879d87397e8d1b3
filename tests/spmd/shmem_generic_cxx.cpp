/* Units: 3
 * The same by overloads. */
#include "shmem_generic.c"
