/* The same if the kernel does not copy between processes: the owner of the memory executes all requests. */
#define NO_ATTACH 1
#include "gasnet_segment_create.c"
